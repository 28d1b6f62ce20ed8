/* What does recursion cost? One block of 256 threads, each of which calls itself `depth` times deep, over and over.
 * With `uniform` arguments all threads go equally deep; with `divergent` ones thread t goes t % depth + 1 deep, so that
 * a warp goes as deep as before but with ever fewer threads. */
#include <vector>

#include <cuda_runtime.h>

#include "suite.h"

/* What follows the call keeps a compiler from making a loop of it. */
#define DOWN(x, depth) (((x) ^ (x) >> 7) + 0x9e3779b9u * (depth))
#define UP(result, x) (((result) ^ (x)) * 0x85ebca6bu)

__device__ unsigned descend(unsigned x, int depth) {
	if (depth == 0)
		return x;
	return UP(descend(DOWN(x, depth), depth - 1), x);
}

__global__ void recurse_uniform(unsigned *out, int depth, int rounds) {
	unsigned x = threadIdx.x;
	for (int i = 0; i < rounds; i++)
		x = descend(x, depth);
	out[threadIdx.x] = x;
}

__global__ void recurse_divergent(unsigned *out, int depth, int rounds) {
	unsigned x = threadIdx.x;
	int own_depth = threadIdx.x % depth + 1;
	for (int i = 0; i < rounds; i++)
		x = descend(x, own_depth);
	out[threadIdx.x] = x;
}

static unsigned expected(int tid, int depth, int rounds) {
	unsigned x = tid, before[1024];
	for (int i = 0; i < rounds; i++) {
		for (int left = depth; left > 0; left--) {
			before[left] = x;
			x = DOWN(x, left);
		}
		for (int left = 1; left <= depth; left++)
			x = UP(x, before[left]);
	}
	return x;
}

static bool is_right(const std::vector<unsigned> &found, bool divergent, int depth, int rounds) {
	const int threads = found.size();
	for (int tid = 0; tid < threads; tid += 1 + threads / 64) /* an odd stride: all lanes, all depths */
		if (found[tid] != expected(tid, divergent ? tid % depth + 1 : depth, rounds))
			return false;
	return true;
}

static Measured measure(const Point &point) {
	const int depth = point.number("depth"), threads = point.number("threads");
	const bool divergent = point.text("arguments") == "divergent";
	if (depth < 1 || depth > 1000)
		throw std::runtime_error("depth is a number from 1 to 1000");
	DeviceArray<unsigned> out(threads);
	const auto launch = [&](int rounds) {
		if (divergent)
			recurse_divergent<<<1, threads>>>(out.data(), depth, rounds);
		else
			recurse_uniform<<<1, threads>>>(out.data(), depth, rounds);
	};
	check(cudaDeviceSetLimit(cudaLimitStackSize, 1024 + 128 * depth));
	const int rounds = affordable(point, point.number("rounds"), launch);
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(rounds); }); });
	return {"ns per level", ns_per_piece(times, static_cast<double>(rounds) * depth),
		is_right(out.to_host(), divergent, depth, rounds), "rounds", rounds};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"arguments", "uniform,divergent"}, {"depth", "1,2,4,8,16,32,64"}, {"threads", "256"}, {"rounds", "10000"}},
		measure);
}
