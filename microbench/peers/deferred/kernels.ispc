/* Deferred shading of a tile: the lights that reach 16 x 16 pixels are found first. An expert says that all pixels go
 * through the list of lights together; AS_WRITTEN, each does so by itself. */
#define TILE 16
#define MOST_LIGHTS 1024

/* Of the nearest surface in each pixel. The eye is at the origin and looks along z. */
struct Surface {
	const uniform float *uniform depth;
	const uniform unsigned int16 *uniform normal_x, *uniform normal_y; /* an octahedral map */
	const uniform unsigned int8 *uniform red, *uniform green, *uniform blue, *uniform gloss;
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
	uniform unsigned int8 *uniform red, *uniform green, *uniform blue;
};

#ifdef AS_WRITTEN
#define SHARED varying
#define IF if
#else
#define SHARED uniform
#define IF cif
#endif

/* A plane through the eye and an edge of the tile: is a light behind it, and out of reach? */
static inline bool beyond(float across, float along, float range, uniform float edge, uniform float focal) {
	uniform float length = sqrt(focal * focal + edge * edge);
	return focal * across - edge * along < -range * length;
}

static inline unsigned int8 to_byte(float brightness) {
	return (unsigned int8)(int)(255.0f * min(brightness, 1.0f));
}

export void shade_tile(const uniform Surface *uniform surface, const uniform Light lights[],
                       const uniform View *uniform view, const uniform Image *uniform image, uniform int left,
                       uniform int top) {
	const uniform int width = view->width;
	const uniform float focal = view->focal;
	const uniform int right = min(left + TILE, width), bottom = min(top + TILE, view->height);

	float nearest = 1e30f, farthest = 0.0f;
	foreach (y = top ... bottom, x = left ... right) {
		float depth = surface->depth[y * width + x];
		nearest = min(nearest, depth);
		farthest = max(farthest, depth);
	}
	const uniform float near = reduce_min(nearest), far = reduce_max(farthest);

	uniform int list[MOST_LIGHTS];
	uniform int count = 0;
	const uniform float x0 = left - 0.5f * width, y0 = top - 0.5f * view->height;
	const uniform float x1 = x0 + TILE, y1 = y0 + TILE;
	foreach (j = 0 ... view->lights) {
		float x = lights[j].x, y = lights[j].y, z = lights[j].z, range = lights[j].range;
		if (z + range >= near && z - range <= far && !beyond(x, z, range, x0, focal) &&
		    !beyond(-x, z, range, -x1, focal) && !beyond(y, z, range, y0, focal) && !beyond(-y, z, range, -y1, focal))
			count += packed_store_active(&list[count], j);
	}

	foreach (y = top ... bottom, x = left ... right) {
		const int i = y * width + x;
		const float depth = surface->depth[i];
		const float px = (x + 0.5f - 0.5f * width) / focal * depth;
		const float py = (y + 0.5f - 0.5f * view->height) / focal * depth;
		const float to_eye = -rsqrt(px * px + py * py + depth * depth);

		float nx = (int)surface->normal_x[i] * (2.0f / 65535.0f) - 1.0f;
		float ny = (int)surface->normal_y[i] * (2.0f / 65535.0f) - 1.0f;
		float nz = abs(nx) + abs(ny) - 1.0f;
		const float length = rsqrt(nx * nx + ny * ny + nz * nz);
		nx *= length;
		ny *= length;
		nz *= length;

		const float r = (int)surface->red[i] / 255.0f, g = (int)surface->green[i] / 255.0f;
		const float b = (int)surface->blue[i] / 255.0f, gloss = (int)surface->gloss[i];
		float sum_r = 0.1f * r, sum_g = 0.1f * g, sum_b = 0.1f * b;
		for (SHARED int j = 0; j < count; j++) {
			const SHARED Light light = lights[list[j]];
			float dx = light.x - px, dy = light.y - py, dz = light.z - depth;
			const float square = dx * dx + dy * dy + dz * dz;
			const float fading = 1.0f - square / (light.range * light.range);
			IF (fading > 0.0f) {
				const float scale = rsqrt(square);
				dx *= scale;
				dy *= scale;
				dz *= scale;
				const float facing = dx * nx + dy * ny + dz * nz;
				IF (facing > 0.0f) {
					const float hx = dx + px * to_eye, hy = dy + py * to_eye, hz = dz + depth * to_eye;
					const float halfway = (hx * nx + hy * ny + hz * nz) * rsqrt(hx * hx + hy * hy + hz * hz);
					const float shine = 0.3f * pow(max(halfway, 0.0f), gloss);
					const float strength = fading * fading;
					sum_r += light.red * strength * (facing * r + shine);
					sum_g += light.green * strength * (facing * g + shine);
					sum_b += light.blue * strength * (facing * b + shine);
				}
			}
		}
		image->red[i] = to_byte(sum_r);
		image->green[i] = to_byte(sum_g);
		image->blue[i] = to_byte(sum_b);
	}
}
