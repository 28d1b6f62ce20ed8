/* How many steps z = z * z + c takes for z to leave the circle of radius 2, for c all over the Mandelbrot set. */
#include "../bench.h"

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
#pragma omp parallel for schedule(dynamic, 4)
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			const float c_re = left + x * dx, c_im = top + y * dy;
			float re = c_re, im = c_im;
			int count = 0;
			while (count < most && re * re + im * im <= 4.0f) {
				const float new_re = re * re - im * im;
				const float new_im = 2.0f * re * im;
				re = c_re + new_re;
				im = c_im + new_im;
				count++;
			}
			counts[y * width + x] = count;
		}
}

static void results(Outputs &out) {
	out.array("counts", counts.data(), counts.size());
}
