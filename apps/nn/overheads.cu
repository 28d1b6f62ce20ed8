/* What a kernel costs before it computes: the launch, and a barrier over which the threads pass a number on. Prints
 * JSON; times are the least of many. */
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void empty()
{
}

/* The numbers of the threads, moved on by `count` places. Two arrays in turn: one barrier for each place. */
__global__ void barriers(int count, int *out)
{
	__shared__ int numbers[2][256];
	const int next = (threadIdx.x + 1) % blockDim.x;
	numbers[0][threadIdx.x] = threadIdx.x;
	__syncthreads();
	for (int i = 0; i < count; i++) {
		numbers[(i + 1) % 2][threadIdx.x] = numbers[i % 2][next];
		__syncthreads();
	}
	out[threadIdx.x] = numbers[count % 2][threadIdx.x];
}

static void check(cudaError_t error)
{
	if (error != cudaSuccess) {
		std::fprintf(stderr, "overheads: error: %s\n", cudaGetErrorString(error));
		std::exit(1);
	}
}

static double now_ms()
{
	const auto now = std::chrono::steady_clock::now().time_since_epoch();
	return std::chrono::duration<double, std::milli>(now).count();
}

/* Milliseconds of one launch and the wait for its end. */
static double launch_ms(int blocks)
{
	const int launches = 50;
	double least = 1e9;
	for (int round = 0; round < 200; round++) {
		const double start = now_ms();
		for (int i = 0; i < launches; i++) {
			empty<<<blocks, 32>>>();
			check(cudaGetLastError());
			check(cudaDeviceSynchronize());
		}
		const double ms = (now_ms() - start) / launches;
		least = ms < least ? ms : least;
	}
	return least;
}

static double barriers_ms(int threads, int count)
{
	double least = 1e9;
	int *out;
	check(cudaMalloc((void **)&out, threads * sizeof(int)));
	for (int round = 0; round < 20; round++) {
		const double start = now_ms();
		barriers<<<1, threads>>>(count, out);
		check(cudaGetLastError());
		check(cudaDeviceSynchronize());
		const double ms = now_ms() - start;
		least = ms < least ? ms : least;
	}
	int first;
	check(cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost));
	check(cudaFree(out));
	if (first != count % threads) {
		std::fprintf(stderr, "overheads: error: thread 0 has number %d, expected %d\n", first, count % threads);
		std::exit(1);
	}
	return least;
}

int main()
{
	const int threads = 256, count = 20000;
	std::printf("{\"launch_ms\": {\"1\": %.7f", launch_ms(1));
	std::printf(", \"128\": %.7f", launch_ms(128));
	std::printf(", \"4096\": %.7f}", launch_ms(4096));
	std::printf(", \"barrier_ms\": {\"%d\": %.9f}}\n", threads,
				(barriers_ms(threads, 2 * count) - barriers_ms(threads, count)) / count);
	return 0;
}
