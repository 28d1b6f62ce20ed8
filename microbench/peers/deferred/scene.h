/* What is given to deferred shading, and its setup; for all programs. */
#ifndef DEFERRED_SCENE_H
#define DEFERRED_SCENE_H

/* Of the nearest surface in each pixel. The eye is at the origin and looks along z. */
struct Surface {
	const float *depth;
	const unsigned short *normal_x, *normal_y; /* an octahedral map */
	const unsigned char *red, *green, *blue, *gloss;
};

struct Light {
	float x, y, z, range;
	float red, green, blue;
};

struct View {
	float focal;
	int width, height, lights;
};

struct Image {
	unsigned char *red, *green, *blue;
};

#endif
