/* y = a x + y */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void saxpy(int n, float a, const float *x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

static float a;
static int n;
static const float *initial_y;
static DeviceArray<float> x, y;

static void setup(const Inputs &in) {
	a = in.number("a");
	n = in.array<float>("x").count;
	initial_y = in.array<float>("y").data;
	x.assign(in.array<float>("x").data, n);
	y.resize(n);
}

static void reset() {
	y.copy_from(initial_y);
}

static void run() {
	saxpy<<<(n + 255) / 256, 256>>>(n, a, x.data(), y.data());
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = y.to_host();
	out.array("y", host.data(), host.size());
}
