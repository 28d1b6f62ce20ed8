/* What the applications share whose kernels launch kernels for the large among their items (rows, nodes): the forms,
 * the buffers in which consolidated forms collect items, and the sizes of the grids that fetch them.
 *
 *   flat    no kernel launches another: a thread does its item, however large
 *   basic   a thread launches a grid for each large item
 *   warp    the threads of a warp put their large items into a buffer, and one of them launches a grid for all of these
 *   block   the same for a block
 *   grid    the same for the whole grid; the block that is done last launches
 *
 * After Wu's dissertation, "Parallelizing Irregular Applications ...", chapter 3. */
#ifndef COMMON_NESTED_H
#define COMMON_NESTED_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include "device.h"
#include "iterative.h"
#include "options.h"
#include "sparse.h"

#define PARENT 128 /* threads in a block of a parent */
#ifndef CHILD
#define CHILD 64 /* threads in a block of a child */
#endif

enum Level { IN_WARP, IN_BLOCK, IN_GRID };

/* ---- on the device ---- */

/* What kernels that launch others have to know. */
struct Launches {
	int threshold;            /* an item of more entries is large */
	int blocks;               /* of a consolidated child at most; 0: as many as items */
	int *items;               /* the buffers: room for an item of each thread */
	unsigned *done;           /* blocks that are at their end, and items in the buffer of the grid */
	int *failed;              /* becomes 1 if a launch failed */
	unsigned long long *made; /* counts launches and items, if it is there */
};

/* To be called behind a launch of a grid for `items` items. */
__device__ inline void note_launch(const Launches &launches, int items)
{
	if (cudaGetLastError() != cudaSuccess)
		*launches.failed = 1;
	if (launches.made) {
		atomicAdd(launches.made, 1ull);
		atomicAdd(launches.made + 1, static_cast<unsigned long long>(items));
	}
}

/* Large items that one thread is to launch a grid for, if `launches`. */
struct Collected {
	const int *items;
	int count;
	bool launches;
};

__device__ inline int blocks_for(const Launches &launches, int items)
{
	return launches.blocks == 0 ? items : min(items, launches.blocks);
}

/* Collects the items of those threads of a warp that have a large one. All threads of the grid call it. */
__device__ inline Collected collect_in_warp(bool large, int item, const Launches &launches)
{
	const unsigned those = __ballot_sync(0xffffffff, large);
	const int lane = threadIdx.x % 32;
	int *buffer = launches.items + blockIdx.x * blockDim.x + threadIdx.x - lane;
	if (large)
		buffer[__popc(those & ((1u << lane) - 1))] = item;
	__syncwarp();
	return Collected{buffer, __popc(those), lane == 0 && those != 0};
}

__device__ inline Collected collect_in_block(bool large, int item, const Launches &launches)
{
	__shared__ int count;
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	int *buffer = launches.items + blockIdx.x * blockDim.x;
	if (large)
		buffer[atomicAdd(&count, 1)] = item;
	__syncthreads();
	return Collected{buffer, count, threadIdx.x == 0 && count > 0};
}

/* The last block sees what all have written: each has done so before it counted itself. */
__device__ inline Collected collect_in_grid(bool large, int item, const Launches &launches)
{
	__shared__ int count, first;
	unsigned *const done = launches.done, *const collected = launches.done + 1;
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	const int place = large ? atomicAdd(&count, 1) : 0;
	__syncthreads();
	if (threadIdx.x == 0 && count > 0)
		first = static_cast<int>(atomicAdd(collected, static_cast<unsigned>(count)));
	__syncthreads();
	if (large)
		launches.items[first + place] = item;
	__threadfence();
	__syncthreads();
	bool last = threadIdx.x == 0 && atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
	const int all = last ? static_cast<int>(atomicExch(collected, 0)) : 0;
	return Collected{launches.items, all, last && all > 0};
}

template <Level LEVEL> __device__ inline Collected collect(bool large, int item, const Launches &launches)
{
	if constexpr (LEVEL == IN_WARP)
		return collect_in_warp(large, item, launches);
	else if constexpr (LEVEL == IN_BLOCK)
		return collect_in_block(large, item, launches);
	else
		return collect_in_grid(large, item, launches);
}

/* ---- on the host ---- */

/* How the user wants it done. */
struct NestedOptions {
	std::string form, host; /* `host`: serial or openmp; empty: kernels */
	int threshold;
	std::string configuration;
	std::string save_graph;

	/* Without `threshold`, all items are large. */
	explicit NestedOptions(CommandLine &line, bool threshold = true)
		: form(line.text("--form", "grid")), host(line.one_of("--host", "", "serial", "openmp")),
		  threshold(threshold ? static_cast<int>(line.whole_number("--threshold", 64, 0, 1 << 30)) : -1),
		  configuration(line.text("--kc", "")), save_graph(line.text("--save-graph", ""))
	{
		if (form != "flat" && form != "basic" && form != "warp" && form != "block" && form != "grid")
			fail<UsageError>("--form: expected flat, basic, warp, block or grid, found '%s'", form.c_str());
		if (!configuration.empty() && configuration != "1-1" && configuration != "best" &&
			(configuration.find_first_not_of("0123456789") != std::string::npos || configuration.size() > 4 ||
			 std::stoi(configuration) < 1))
			fail<UsageError>("--kc: expected a whole number from 1 to 9999, 1-1 or best, found '%s'",
							 configuration.c_str());
		if (!configuration.empty() && !consolidated())
			fail<UsageError>("--kc: the form %s does not consolidate", form.c_str());
	}

	bool consolidated() const
	{
		return form == "warp" || form == "block" || form == "grid";
	}

	/* The concurrencies to try, of which the quickest counts; 0: a block for each item. */
	std::vector<int> concurrencies() const
	{
		if (configuration == "best")
			return {0, 1, 2, 4, 8, 16, 32, 64, 128};
		if (configuration == "1-1")
			return {0};
		if (!configuration.empty())
			return {std::stoi(configuration)};
		return {form == "warp" ? 32 : form == "block" ? 16 : 1};
	}
};

inline std::string usage_of_nested_options(bool threshold = true)
{
	return std::string(USAGE_OF_SPARSE) +
		   (threshold ? "  --form FORM    flat: no kernel launches another; basic: a launch for each large node or "
						"row; warp,\n"
						"                 block, grid: one for all of a warp, a block, the grid (default: grid)\n"
						"  --threshold N  a node or row with more than N entries is large (default: 64)\n"
					  : "  --form FORM    flat: no kernel launches another; basic: a launch for each node that is "
						"found; warp,\n"
						"                 block, grid: one for all of a warp, a block, the grid (default: grid)\n") +
		   "  --kc X         of consolidated forms: grids of the size that lets X of them run at a time (default: 32 "
		   "for\n"
		   "                 warp, 16 for block, 1 for grid); 1-1: a block for each item; best: the quickest of nine\n"
		   "  --host HOW     serial: C++ on one thread; openmp: C++ with OpenMP on $OMP_NUM_THREADS threads\n"
		   "  --save-graph NAME  write what --input says to NAME-start.npy and NAME-column.npy\n";
}

/* The options of all of these programs that are not about nested launches: RunOptions has a --host of its own. */
struct NestedRun {
	uint64_t seed;
	int reps;
	bool check;
	std::string out, input;

	NestedRun(CommandLine &line, const char *default_input)
		: seed(line.whole_number("--seed", 1, 0, UINT64_MAX)),
		  reps(static_cast<int>(line.whole_number("--reps", 5, 1, 1000000))), check(line.flag("--check")),
		  out(line.text("--out", "")), input(line.text("--input", default_input))
	{
	}
};

inline std::string usage_of_nested_run(const std::string &out)
{
	return "  --seed S       of the random input (default: 1)\n"
		   "  --reps R       run R times, report the quickest (default: 5)\n"
		   "  --check        compare the answers with the serial program's; exit code 1 if one is wrong\n"
		   "  --out FILE     write all answers to FILE, as .npy: " +
		   out + "\n  --help         print this\n";
}

/* Throws a WrongAnswer unless all numbers are right; `what` and `place` are words for a number and for where it is. */
inline void check_equal(const char *what, const char *place, const std::vector<int> &right,
						const std::vector<int> &found)
{
	for (size_t i = 0; i < right.size(); i++)
		if (found[i] != right[i])
			fail<WrongAnswer>("the %s of %s %zu is %d, expected %d", what, place, i, found[i], right[i]);
}

/* What a run on the device took, and what its kernels launched. */
struct NestedTime {
	double ms;
	int launches; /* from the host */
	unsigned long long made, items;
	int concurrency; /* of the quickest */
};

/* Blocks that the device can have at a time, of a kernel with CHILD threads in a block. */
template <class Kernel> int resident_blocks(Kernel kernel)
{
	int per_processor = 0, processors = 0, device = 0;
	check(cudaGetDevice(&device), "cudaGetDevice");
	check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
	check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, CHILD, 0),
		  "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
	return std::max(1, per_processor * processors);
}

/* Times `launch`, which gets Launches and returns the number of launches from the host, after `reset`, and counts in a
 * run of its own, the one that a profiler sees, what kernels launch. `pending` launches may wait at a time; `items`
 * have room in the buffers. */
template <class Reset, class Launch>
NestedTime time_nested(const NestedOptions &nested, int reps, const char *name, int resident, size_t pending,
					   size_t items, Reset reset, Launch launch)
{
	if (nested.form != "flat")
		check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, std::max<size_t>(2048, pending)),
			  "cudaDeviceSetLimit");
	const DeviceArray<int> buffers(items + PARENT), failed(1);
	const DeviceArray<unsigned> done(2);
	const DeviceArray<unsigned long long> made(2);
	check(cudaMemset(done.get(), 0, 2 * sizeof(unsigned)), "cudaMemset");
	check(cudaMemset(failed.get(), 0, sizeof(int)), "cudaMemset");
	check(cudaMemset(made.get(), 0, 2 * sizeof(unsigned long long)), "cudaMemset");
	Launches launches{nested.threshold, 0, buffers.get(), done.get(), failed.get(), nullptr};
	NestedTime least{INFINITY, 0, 0, 0, 0};
	for (const int concurrency : nested.concurrencies()) {
		launches.blocks = concurrency ? std::max(1, resident / concurrency) : 0;
		int host_launches = 0;
		const double ms = least_launches_ms(reps, name, reset, [&] { return launch(launches); }, host_launches);
		if (ms < least.ms)
			least = NestedTime{ms, host_launches, 0, 0, concurrency};
	}
	launches.blocks = least.concurrency ? std::max(1, resident / least.concurrency) : 0;
	launches.made = made.get();
	reset();
	check(cudaDeviceSynchronize(), name);
	check(cudaProfilerStart(), "cudaProfilerStart");
	launch(launches);
	check(cudaDeviceSynchronize(), name);
	check(cudaProfilerStop(), "cudaProfilerStop");
	int any_failed = 0;
	unsigned long long counts[2] = {};
	check(cudaMemcpy(&any_failed, failed.get(), sizeof any_failed, cudaMemcpyDeviceToHost), "cudaMemcpy");
	check(cudaMemcpy(counts, made.get(), sizeof counts, cudaMemcpyDeviceToHost), "cudaMemcpy");
	if (any_failed)
		throw CudaError(std::string(name) + ": a kernel could not launch another; there may be too many that wait");
	least.made = counts[0];
	least.items = counts[1];
	return least;
}

/* Prints the times, once all answers are on the host; `done` things of the kind `what` were computed. */
inline void print_nested(const NestedOptions &nested, const NestedRun &run, const NestedTime &time, double done,
						 const char *what)
{
	std::printf("%s: %.4f ms (best of %d), %.4g %s/s", nested.host.empty() ? "kernel" : "host", time.ms, run.reps,
				done / (time.ms * 1e-3), what);
	if (nested.host == "openmp")
		std::printf(", %d thread%s", host_threads(), host_threads() == 1 ? "" : "s");
	std::printf("\n");
	print_transfers();
	if (!nested.host.empty())
		return;
	std::printf("launches: %d\n", time.launches);
	if (nested.form != "flat")
		std::printf("child launches: %llu for %llu items\n", time.made, time.items);
	if (nested.consolidated() && time.concurrency)
		std::printf("configuration: KC_%d\n", time.concurrency);
}

#endif
