/* Twenty steps of a 5-point stencil; the edge of the grid stays as it is. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void step(const float *in, float *out, int width, int height) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
		return;
	int i = y * width + x;
	out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

static int width, height, steps;
static const float *initial;
static DeviceArray<float> a, b;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	steps = in.number("steps");
	initial = in.array<float>("grid").data;
	a.assign(initial, width * height);
	b.assign(initial, width * height);
}

static void reset() {
	a.copy_from(initial);
}

static void run() {
	dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
	for (int i = 0; i < steps; i += 2) {
		step<<<grid, block>>>(a.data(), b.data(), width, height);
		step<<<grid, block>>>(b.data(), a.data(), width, height);
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = a.to_host();
	out.array("grid", host.data(), host.size());
}
