/* How many steps z = z * z + c takes for z to leave the circle of radius 2, for c all over the Mandelbrot set. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void mandelbrot(int *counts, int width, int height, float left, float top, float dx, float dy, int most) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	float c_re = left + x * dx, c_im = top + y * dy;
	float re = c_re, im = c_im;
	int count = 0;
	while (count < most && re * re + im * im <= 4.0f) {
		float new_re = re * re - im * im;
		float new_im = 2.0f * re * im;
		re = c_re + new_re;
		im = c_im + new_im;
		count++;
	}
	counts[y * width + x] = count;
}

static int width, height, most;
static float left, top, dx, dy;
static DeviceArray<int> counts;

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
	dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
	mandelbrot<<<grid, block>>>(counts.data(), width, height, left, top, dx, dy, most);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<int> host = counts.to_host();
	out.array("counts", host.data(), host.size());
}
