/* What does a barrier cost? One block that meets at `__syncthreads()`. `empty`: nothing between the barriers; `data`:
 * numbers are passed round the block; `switch`: nothing between them, but each thread reads from memory how many
 * barriers there are, so that a compiler cannot know that all threads reach all of them. */
#include <vector>

#include <cuda_runtime.h>

#include "peers/barrier/kernels.h"
#include "suite.h"

__global__ void each_its_own(const int *barriers, int *out) {
	int own = barriers[threadIdx.x];
	for (int i = 0; i < own; i++)
		__syncthreads();
	out[threadIdx.x] = own;
}

static Measured measure(const Point &point) {
	const int threads = point.number("threads");
	const std::string &form = point.text("form");
	DeviceArray<int> out(threads), counts(threads);
	const auto launch = [&](int barriers) {
		if (form == "empty")
			empty<<<1, threads>>>(out.data(), barriers);
		else if (form == "data")
			pass_round<<<1, threads>>>(out.data(), barriers);
		else
			each_its_own<<<1, threads>>>(counts.data(), out.data());
	};
	const auto set_and_launch = [&](int barriers) {
		counts.copy_from(std::vector<int>(threads, barriers).data());
		launch(barriers);
	};
	int barriers = affordable(point, point.number("barriers"), set_and_launch);
	barriers += barriers % 2;
	counts.copy_from(std::vector<int>(threads, barriers).data());
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(barriers); }); });

	std::vector<int> expected(threads, barriers);
	for (int i = 0; i < threads && form == "data"; i++)
		expected[i] = (i + barriers / 2) % threads;
	return {"ns per barrier", ns_per_piece(times, barriers), out.to_host() == expected, "barriers", barriers};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"form", "empty,data,switch"}, {"threads", "16,32,64,128,256,512,1024"}, {"barriers", "100000"}}, measure);
}
