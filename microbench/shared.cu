/* What does irregular access to shared memory cost? One block of 64 threads; in every iteration each thread writes one
 * of 2048 ints and reads one, both at most `degree` - 1 away from its own (0: its own). What several threads write to
 * one place is the same. */
#include <vector>

#include <cuda_runtime.h>

#include "peers/shared/places.h"
#include "suite.h"

__global__ void write_and_read(int *out, unsigned mask, int iterations) {
	__shared__ int numbers[ELEMENTS];
	int tid = threadIdx.x;
	for (int i = tid; i < ELEMENTS; i += blockDim.x)
		numbers[i] = 3 * i + 1;
	__syncthreads();

	unsigned state = SEED(tid);
	int sum = 0;
	for (int i = 0; i < iterations; i++) {
		state = NEXT(state);
		int to = PLACE(tid, state, mask);
		numbers[to] = 3 * to + 1;
		state = NEXT(state);
		int from = PLACE(tid, state, mask);
		sum += numbers[from];
	}
	out[tid] = sum;
}

static std::vector<int> expected_sums(int threads, unsigned mask, int iterations) {
	std::vector<int> sums(threads);
	for (int tid = 0; tid < threads; tid++) {
		unsigned state = SEED(tid), sum = 0;
		for (int i = 0; i < iterations; i++) {
			state = NEXT(NEXT(state));
			sum += 3 * PLACE(tid, state, mask) + 1;
		}
		sums[tid] = sum;
	}
	return sums;
}

static Measured measure(const Point &point) {
	const int threads = point.number("threads"), degree = point.number("degree");
	const unsigned mask = degree > 0 ? degree - 1 : 0;
	DeviceArray<int> out(threads);
	const auto launch = [&](int iterations) { write_and_read<<<1, threads>>>(out.data(), mask, iterations); };
	const int iterations = affordable(point, point.number("iterations"), launch);
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(iterations); }); });
	return {"ns per iteration", ns_per_piece(times, iterations),
		out.to_host() == expected_sums(threads, mask, iterations), "iterations", iterations};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"degree", "0,2,4,8,16,32,64,128,256,512,1024"}, {"threads", "64"}, {"iterations", "32768"}}, measure);
}
