/* What it costs to launch a kernel that does nothing: waiting for every one, or for all in the end. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__global__ void nothing(int *) {
}

static int blocks, launches;
static bool wait_for_each;
static DeviceArray<int> untouched;

static void setup(const Inputs &in) {
	blocks = in.number("blocks");
	launches = in.number("launches");
	wait_for_each = in.number("wait_for_each");
	untouched.assign(in.array<int>("untouched").data, in.array<int>("untouched").count);
}

static void reset() {
}

static void run() {
	for (int i = 0; i < launches; i++) {
		nothing<<<blocks, 32>>>(untouched.data());
		if (wait_for_each)
			cudaDeviceSynchronize();
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<int> host = untouched.to_host();
	out.array("untouched", host.data(), host.size());
}
