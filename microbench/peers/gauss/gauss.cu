/* Gaussian elimination without pivoting, a column after the other. x is the row and y the column, as in the benchmark
 * suite that the problem is known from; with -DCOALESCED x is the column, as one writes it today. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

/* The factors by which row `t` is taken from the rows below. */
__global__ void factors(float *factor, const float *a, int size, int t) {
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= size - 1 - t)
		return;
	factor[size * (row + t + 1) + t] = a[size * (row + t + 1) + t] / a[size * t + t];
}

__global__ void eliminate(const float *factor, float *a, float *b, int size, int t) {
#ifdef COALESCED
	const int x = blockIdx.y * blockDim.y + threadIdx.y;
	const int y = blockIdx.x * blockDim.x + threadIdx.x;
#else
	const int x = blockIdx.x * blockDim.x + threadIdx.x;
	const int y = blockIdx.y * blockDim.y + threadIdx.y;
#endif
	if (x >= size - 1 - t)
		return;
	if (y >= size - t)
		return;
	a[size * (x + 1 + t) + (y + t)] -= factor[size * (x + 1 + t) + t] * a[size * t + (y + t)];
	if (y == 0)
		b[x + 1 + t] -= factor[size * (x + 1 + t) + t] * b[t];
}

static int size;
static const float *initial_a, *initial_b;
static DeviceArray<float> factor, a, b;

static void setup(const Inputs &in) {
	size = in.number("size");
	initial_a = in.array<float>("a").data;
	initial_b = in.array<float>("b").data;
	factor.assign(std::vector<float>(size * size));
	a.resize(size * size);
	b.resize(size);
}

static void reset() {
	a.copy_from(initial_a);
	b.copy_from(initial_b);
}

static void run() {
	const dim3 block(16, 16), grid((size + 15) / 16, (size + 15) / 16);
	for (int t = 0; t < size - 1; t++) {
		factors<<<(size + 127) / 128, 128>>>(factor.data(), a.data(), size, t);
		eliminate<<<grid, block>>>(factor.data(), a.data(), b.data(), size, t);
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	out.array("a", a.to_host().data(), size * size);
	out.array("b", b.to_host().data(), size);
}
