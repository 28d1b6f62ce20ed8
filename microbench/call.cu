/* What does a function call cost? One block of 256 threads that calls a function of `steps` steps of arithmetic over
 * and over. `inlined`: the compiler puts it in place of the call; `called`: it must not; `divergent`: nor there, and
 * every other thread calls another function. */
#include <vector>

#include <cuda_runtime.h>

#include "suite.h"

#define STEP(x) (((x) ^ (x) >> 7) * 0x9e3779b9u)
#define OTHER_STEP(x) (((x) ^ (x) >> 9) * 0x85ebca6bu)

__device__ __forceinline__ unsigned inlined(unsigned x, int steps) {
	for (int i = 0; i < steps; i++)
		x = STEP(x);
	return x;
}

__device__ __noinline__ unsigned called(unsigned x, int steps) {
	for (int i = 0; i < steps; i++)
		x = STEP(x);
	return x;
}

__device__ __noinline__ unsigned other(unsigned x, int steps) {
	for (int i = 0; i < steps; i++)
		x = OTHER_STEP(x);
	return x;
}

__global__ void call_inlined(unsigned *out, int steps, int rounds) {
	unsigned x = threadIdx.x + 1;
	for (int i = 0; i < rounds; i++)
		x = inlined(x, steps) + i;
	out[threadIdx.x] = x;
}

__global__ void call_called(unsigned *out, int steps, int rounds) {
	unsigned x = threadIdx.x + 1;
	for (int i = 0; i < rounds; i++)
		x = called(x, steps) + i;
	out[threadIdx.x] = x;
}

__global__ void call_divergent(unsigned *out, int steps, int rounds) {
	unsigned x = threadIdx.x + 1;
	for (int i = 0; i < rounds; i++) {
		if (threadIdx.x % 2 == 0)
			x = called(x, steps) + i;
		else
			x = other(x, steps) + i;
	}
	out[threadIdx.x] = x;
}

static bool is_right(const std::vector<unsigned> &found, bool divergent, int steps, int rounds) {
	const unsigned threads = found.size();
	for (unsigned tid = 0; tid < threads; tid += 1 + threads / 64) { /* an odd stride: all lanes */
		unsigned x = tid + 1;
		for (int i = 0; i < rounds; i++) {
			for (int step = 0; step < steps; step++)
				x = divergent && tid % 2 == 1 ? OTHER_STEP(x) : STEP(x);
			x += i;
		}
		if (found[tid] != x)
			return false;
	}
	return true;
}

static Measured measure(const Point &point) {
	const std::string &kind = point.text("kind");
	const int steps = point.number("steps"), threads = point.number("threads");
	DeviceArray<unsigned> out(threads);
	const auto launch = [&](int rounds) {
		if (kind == "inlined")
			call_inlined<<<1, threads>>>(out.data(), steps, rounds);
		else if (kind == "called")
			call_called<<<1, threads>>>(out.data(), steps, rounds);
		else
			call_divergent<<<1, threads>>>(out.data(), steps, rounds);
	};
	const int rounds = affordable(point, point.number("rounds"), launch);
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(rounds); }); });
	return {"ns per call", ns_per_piece(times, rounds), is_right(out.to_host(), kind == "divergent", steps, rounds),
		"rounds", rounds};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"kind", "inlined,called,divergent"}, {"steps", "1,4,16,64"}, {"threads", "256"}, {"rounds", "10000"}},
		measure);
}
