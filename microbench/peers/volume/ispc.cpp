/* A cloud in a box, lit from one place; kernels.ispc computes some rows of the image. */
#include "../bench.h"

const int ROWS = 4; /* of a task */

struct Vec {
	float x, y, z;
};

/* Densities at the points of a grid that fills the box from `low` to `high`; x is innermost. */
struct Volume {
	const float *density;
	int nx, ny, nz;
	Vec low, high;
};

/* The ray of a point (x, y) of the image has the direction forward + x * right + y * up. */
struct Camera {
	Vec place, forward, right, up;
};

struct Medium {
	Vec light;
	float scattering, absorption;
	float step, light_step;
};

extern "C" void render(float *image, int first, int end, int width, int height, const Camera *camera,
	const Volume *volume, const Medium *medium);

static int width, height;
static Camera camera;
static Volume volume;
static Medium medium;
static std::vector<float> image;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	camera = *in.array<Camera>("camera").data;
	medium = *in.array<Medium>("medium").data;
	const Array<Vec> box = in.array<Vec>("box");
	const int side = in.number("side");
	volume = {in.array<float>("density").data, side, side, side, box.data[0], box.data[1]};
	image.resize(width * height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int y = 0; y < height; y += ROWS)
		render(image.data(), y, std::min(y + ROWS, height), width, height, &camera, &volume, &medium);
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
