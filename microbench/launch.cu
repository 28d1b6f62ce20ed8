/* What does a launch cost? An empty kernel of 1 to 8192 warps, one to a block: waiting for every launch, or for all of
 * them in the end. */
#include <vector>

#include <cuda_runtime.h>

#include "suite.h"

__global__ void nothing() {
}

__global__ void count(int *warps) {
	if (threadIdx.x == 0)
		warps[blockIdx.x]++;
}

/* A launch of that size runs every block once. */
static bool all_blocks_run(int warps) {
	DeviceArray<int> ran(std::vector<int>(warps, 0));
	count<<<warps, 32>>>(ran.data());
	check(cudaDeviceSynchronize());
	return ran.to_host() == std::vector<int>(warps, 1);
}

static Measured measure(const Point &point) {
	const int warps = point.number("warps");
	const bool wait_for_each = point.text("wait") == "each";
	const auto run = [&](int launches) {
		for (int i = 0; i < launches; i++) {
			nothing<<<warps, 32>>>();
			if (wait_for_each)
				cudaDeviceSynchronize();
		}
	};
	const int launches = affordable(point, point.number("launches"), run);
	const auto times = several_runs(point, [&] { return host_ms([&] { run(launches); }); });
	check(cudaGetLastError());
	return {"ns per launch", ns_per_piece(times, launches), all_blocks_run(warps), "launches", launches};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"wait", "each,end"}, {"warps", "1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192"}, {"launches", "100"}},
		measure);
}
