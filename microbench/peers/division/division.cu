/* Quotient and remainder of unsigned integers, all different. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void divide(const unsigned *a, const unsigned *b, unsigned *quotient, unsigned *remainder, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned x = a[i], y = b[i];
		quotient[i] = x / y;
		remainder[i] = x % y;
	}
}

static int n, rounds;
static DeviceArray<unsigned> a, b, quotient, remainders;

static void setup(const Inputs &in) {
	n = in.array<unsigned>("a").count;
	rounds = in.number("rounds");
	a.assign(in.array<unsigned>("a").data, n);
	b.assign(in.array<unsigned>("b").data, n);
	quotient.resize(n);
	remainders.resize(n);
}

static void reset() {
}

static void run() {
	for (int i = 0; i < rounds; i++)
		divide<<<(n + 255) / 256, 256>>>(a.data(), b.data(), quotient.data(), remainders.data(), n);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	std::vector<unsigned> host = quotient.to_host();
	out.array("quotient", host.data(), host.size());
	host = remainders.to_host();
	out.array("remainder", host.data(), host.size());
}
