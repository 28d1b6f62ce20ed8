/* What a kernel costs before it computes: the launch, and a barrier. Prints JSON; times are the least of many. */
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void empty()
{
}

__global__ void barriers(int count)
{
	for (int i = 0; i < count; i++)
		__syncthreads();
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
	for (int round = 0; round < 20; round++) {
		const double start = now_ms();
		barriers<<<1, threads>>>(count);
		check(cudaGetLastError());
		check(cudaDeviceSynchronize());
		const double ms = now_ms() - start;
		least = ms < least ? ms : least;
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
