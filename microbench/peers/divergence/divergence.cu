/* The threads of a warp take BRANCHES ways, each a loop of arithmetic. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "arms.h"

__global__ void diverge(unsigned *out_x, float *out_f, int steps) {
	int tid = blockIdx.x * blockDim.x + threadIdx.x;
	int branch = tid % 32 % BRANCHES;
	unsigned x = tid;
	float f = tid * 1e-6f;
	ARMS out_x[tid] = x;
	out_f[tid] = f;
}

static int threads, steps;
static DeviceArray<unsigned> x;
static DeviceArray<float> f;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	steps = in.number("steps");
	x.resize(threads);
	f.resize(threads);
}

static void reset() {
}

static void run() {
	diverge<<<threads / 256, 256>>>(x.data(), f.data(), steps);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<unsigned> host_x = x.to_host();
	const std::vector<float> host_f = f.to_host();
	out.array("x", host_x.data(), host_x.size());
	out.array("f", host_f.data(), host_f.size());
}
