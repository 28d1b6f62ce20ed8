/* How many steps z = z * z + c takes for z to leave the circle of radius 2, for c all over the Mandelbrot set. */
#include "../bench.h"

extern "C" void mandelbrot(
	int *counts, int first, int end, int width, float left, float top, float dx, float dy, int most);

const int ROWS = 4; /* of a task */

static int width, height, most;
static float left, top, dx, dy;
static std::vector<int> counts;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	most = in.number("most");
	left = in.number("left");
	top = in.number("top");
	dx = in.number("dx");
	dy = in.number("dy");
	counts.resize(width * height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int y = 0; y < height; y += ROWS)
		mandelbrot(counts.data(), y, std::min(y + ROWS, height), width, left, top, dx, dy, most);
}

static void results(Outputs &out) {
	out.array("counts", counts.data(), counts.size());
}
