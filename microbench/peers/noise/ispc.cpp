/* Turbulence over a plane: the magnitudes of eight octaves of Perlin's noise. */
#include "../bench.h"

extern "C" int permutation[256];
extern "C" void paint(float *image, int first, int end, int width, float left, float top, float dx, float dy, float z);

const int ROWS = 4; /* of a task */

static int width, height;
static float left, top, dx, dy, z;
static std::vector<float> image;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	left = in.number("left");
	top = in.number("top");
	dx = in.number("dx");
	dy = in.number("dy");
	z = in.number("z");
	std::copy_n(in.array<int>("permutation").data, 256, permutation);
	image.resize(width * height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int y = 0; y < height; y += ROWS)
		paint(image.data(), y, std::min(y + ROWS, height), width, left, top, dx, dy, z);
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
