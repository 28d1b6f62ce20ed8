/* How many steps z = z * z + c takes for z to leave the circle of radius 2, for c all over the Mandelbrot set. */
#include "../bench.h"
#include "../opencl.h"

static int width, height;
static opencl::Buffer<int> counts;
static opencl::Kernel mandelbrot;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	const float left = in.number("left"), top = in.number("top"), dx = in.number("dx"), dy = in.number("dy");
	counts.resize(width * height);
	mandelbrot.create("mandelbrot");
	mandelbrot.arguments(counts, width, height, left, top, dx, dy, static_cast<int>(in.number("most")));
}

static void reset() {
}

static void run() {
	mandelbrot.launch({(width + 31u) / 32 * 32, (height + 7u) / 8 * 8}, {32, 8});
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<int> host = counts.to_host();
	out.array("counts", host.data(), host.size());
}
