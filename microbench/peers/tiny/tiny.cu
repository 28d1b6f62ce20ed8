/* y = a exp(x) + b for few elements, again and again: waiting for every launch, or for all in the end. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void scaled_exp(const float *x, float *y, int n, float a, float b) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * expf(x[i]) + b;
}

static int n, calls;
static float a, b;
static bool wait_for_each;
static DeviceArray<float> x, y;

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	a = in.number("a");
	b = in.number("b");
	calls = in.number("calls");
	wait_for_each = in.number("wait_for_each");
	x.assign(in.array<float>("x").data, n);
	y.resize(n);
}

static void reset() {
}

static void run() {
	for (int i = 0; i < calls; i++) {
		scaled_exp<<<(n + 255) / 256, 256>>>(x.data(), y.data(), n, a, b);
		if (wait_for_each)
			check(cudaDeviceSynchronize());
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = y.to_host();
	out.array("y", host.data(), host.size());
}
