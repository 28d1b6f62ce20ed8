/* What does a launch from a kernel cost? Grids of one block, made by one thread in a loop, by the 32 threads of a warp
 * alike, or by each other: in a tree, every kernel launches two more. Each child counts itself. */
#include <vector>

#include <cuda_runtime.h>

#include "suite.h"

__global__ void child(int *count) {
	if (threadIdx.x == 0)
		atomicAdd(count, 1);
}

/* Each thread launches its share of the children. */
__global__ void parent(int *count, int children, int threads) {
	for (int i = threadIdx.x; i < children; i += blockDim.x)
		child<<<1, threads>>>(count);
}

__global__ void tree(int *count, int left) {
	if (threadIdx.x != 0)
		return;
	atomicAdd(count, 1);
	const int half = (left - 1) / 2;
	if (half > 0)
		tree<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(count, half);
	if (left - 1 - half > 0)
		tree<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(count, left - 1 - half);
}

static Measured measure(const Point &point) {
	const int threads = point.number("threads"), children = point.number("children");
	const std::string from = point.text("from");
	if (threads < 1 || threads > 1024 || children < 1 || children > 2000)
		throw std::runtime_error("threads is a number from 1 to 1024, children one from 1 to 2000");
	DeviceArray<int> count(std::vector<int>(1, 0));
	int launched = 0;
	const auto run = [&](int launches) {
		for (int i = 0; i < launches; i++) {
			if (from == "tree")
				tree<<<1, threads>>>(count.data(), children);
			else
				parent<<<1, from == "warp" ? 32 : 1>>>(count.data(), children, threads);
		}
		launched += launches;
	};
	const int launches = affordable(point, point.number("launches"), run);
	const auto times = several_runs(point, [&] { return device_ms([&] { run(launches); }); });
	check(cudaGetLastError());
	return {"ns per child", ns_per_piece(times, static_cast<double>(launches) * children),
		count.to_host()[0] == static_cast<int>(static_cast<unsigned>(launched) * children), "launches", launches};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"from", "thread,warp,tree"}, {"threads", "1,2,4,8,16,32,64,128,256,512,1024"}, {"children", "2000"},
			{"launches", "100"}},
		measure);
}
