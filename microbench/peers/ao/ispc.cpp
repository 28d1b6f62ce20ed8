/* Ambient occlusion of some spheres on a plane; kernels.ispc computes some rows of the image. */
#include "../bench.h"

const int SPHERES = 3;
const int ROWS = 4; /* of a task */

struct Vec {
	float x, y, z;
};

struct Sphere {
	Vec center;
	float radius;
};

struct Plane {
	Vec place, normal;
};

struct Scene {
	Sphere spheres[SPHERES];
	Plane plane;
};

extern "C" void ambient(float *image, int first, int end, int width, int height, const Scene *scene);

static int width, height;
static Scene scene;
static std::vector<float> image;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	std::copy_n(in.array<Sphere>("spheres").data, SPHERES, scene.spheres);
	scene.plane = *in.array<Plane>("plane").data;
	image.resize(width * height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int y = 0; y < height; y += ROWS)
		ambient(image.data(), y, std::min(y + ROWS, height), width, height, &scene);
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
