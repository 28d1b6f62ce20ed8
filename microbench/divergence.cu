/* What does divergence cost? The threads of a warp take `ways` different ways, each a loop of arithmetic without any
 * access to memory. */
#include <cmath>
#include <vector>

#include <cuda_runtime.h>

#include "peers/divergence/arms.h"
#include "suite.h"

/* 4 and 16 arms of one chain, the first of them for branch k. */
#define ARMS_4(k) ARM((k)) else ARM((k) + 1) else ARM((k) + 2) else ARM((k) + 3)
#define ARMS_16(k) ARMS_4((k)) else ARMS_4((k) + 4) else ARMS_4((k) + 8) else ARMS_4((k) + 12)

__global__ void diverge(unsigned *out_x, float *out_f, int ways, int steps) {
	int tid = blockIdx.x * blockDim.x + threadIdx.x;
	int branch = threadIdx.x % 32 % ways;
	unsigned x = tid;
	float f = tid * 1e-6f;
	ARMS_16(0)
	else ARMS_16(16);
	out_x[tid] = x;
	out_f[tid] = f;
}

/* Integers exact, floats within what the roundings of some steps make. */
static bool is_right(const std::vector<unsigned> &found_x, const std::vector<float> &found_f, int ways, int steps) {
	for (size_t tid = 0; tid < found_x.size(); tid += 1 + tid / 16) { /* of each warp at the begin, then fewer */
		const int branch = tid % 32 % ways;
		unsigned x = tid;
		double f = tid * 1e-6f;
		for (int i = 0; i < steps; i++) {
			x = MIX(branch, x);
			f = f * FACTOR(branch) + OFFSET(branch);
		}
		if (x != found_x[tid] || !(std::fabs(found_f[tid] - f) <= 1e-5 * std::fabs(f)))
			return false;
	}
	return true;
}

static Measured measure(const Point &point) {
	const int ways = point.number("ways"), steps = point.number("steps");
	DeviceArray<unsigned> x(point.number("threads"));
	DeviceArray<float> f(point.number("threads"));
	const auto launch = [&](int blocks) { diverge<<<blocks, 256>>>(x.data(), f.data(), ways, steps); };
	const int blocks = affordable(point, point.number("threads") / 256, launch), threads = 256 * blocks;
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(blocks); }); });
	std::vector<unsigned> found_x = x.to_host();
	std::vector<float> found_f = f.to_host();
	found_x.resize(threads);
	found_f.resize(threads);
	return {"ns per step of 16 threads", ns_per_piece(times, threads / 16.0 * steps),
		is_right(found_x, found_f, ways, steps), "threads", threads};
}

int main(int argc, char **argv) {
	return suite(argc, argv, {{"ways", "1,2,4,8,16,32"}, {"threads", "4194304"}, {"steps", "256"}}, measure);
}
