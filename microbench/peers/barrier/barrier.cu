/* One block that meets at barriers: with nothing between them, and passing numbers round the block. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void empty(int *out, int barriers) {
	for (int i = 0; i < barriers; i++)
		__syncthreads();
	out[threadIdx.x] = barriers;
}

/* Every thread takes the number of its neighbour, half as many times as there are barriers. */
__global__ void pass_round(int *out, int barriers) {
	__shared__ int numbers[1024];
	int tid = threadIdx.x;
	int neighbour = tid + 1 == blockDim.x ? 0 : tid + 1;
	numbers[tid] = tid;
	__syncthreads();
	for (int i = 0; i < barriers; i += 2) {
		int number = numbers[neighbour];
		__syncthreads();
		numbers[tid] = number;
		__syncthreads();
	}
	out[tid] = numbers[tid];
}

static int threads, barriers;
static bool with_data;
static DeviceArray<int> out_array;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	barriers = in.number("barriers");
	with_data = in.number("with_data");
	out_array.resize(threads);
}

static void reset() {
}

static void run() {
	if (with_data)
		pass_round<<<1, threads>>>(out_array.data(), barriers);
	else
		empty<<<1, threads>>>(out_array.data(), barriers);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<int> host = out_array.to_host();
	out.array("out", host.data(), host.size());
}
