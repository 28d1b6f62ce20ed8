/* One block that meets at barriers: with nothing between them, and passing numbers round the block. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "kernels.h"

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
