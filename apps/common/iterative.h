/* What the applications share that launch a kernel many times over the same arrays: their options, how they are timed,
 * and how much of the time the launches themselves take. */
#ifndef COMMON_ITERATIVE_H
#define COMMON_ITERATIVE_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <cuda_runtime.h>

#include "device.h"
#include "errors.h"
#include "options.h"

struct RunOptions {
	uint64_t seed;
	int reps;
	bool check;
	bool host;       /* run C++ with OpenMP on the host instead */
	std::string out; /* empty: do not write */

	explicit RunOptions(CommandLine &line)
		: seed(line.whole_number("--seed", 1, 0, UINT64_MAX)),
		  reps(static_cast<int>(line.whole_number("--reps", 5, 1, 1000000))), check(line.flag("--check")),
		  host(line.flag("--host")), out(line.text("--out", ""))
	{
	}
};

/* What --help says of them; `out` is of the application. */
inline std::string usage_of_run_options(const std::string &out)
{
	return "  --seed S       of the random input (default: 1)\n"
		   "  --reps R       run R times, report the quickest (default: 5)\n"
		   "  --host         run C++ with OpenMP on the host instead; threads: $OMP_NUM_THREADS\n"
		   "  --check        compare the answers with a simple program's; exit code 1 if one is wrong\n"
		   "  --out FILE     write all answers to FILE, as .npy: " +
		   out + "\n  --help         print this\n";
}

/* Calls `reset`, which is not timed, and `launch`, which launches kernels and returns how many, `reps` times; returns
 * the least time of `launch` in milliseconds. */
template <class Reset, class Launch>
double least_launches_ms(int reps, const char *name, Reset reset, Launch launch, int &launches)
{
	Event start, stop;
	double least = INFINITY;
	for (int i = 0; i < reps; i++) {
		reset();
		check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
		start.record();
		launches = launch();
		check(cudaGetLastError(), name);
		stop.record();
		least = std::min<double>(least, stop.since(start, name));
	}
	return least;
}

/* The same for work on the host. */
template <class Reset, class Work> double least_host_ms(int reps, Reset reset, Work work)
{
	double least = INFINITY;
	for (int i = 0; i < reps; i++) {
		reset();
		least = std::min(least, least_host_ms(1, work));
	}
	return least;
}

__global__ void do_nothing()
{
}

/* The least time of `launches` empty kernels one after the other, in milliseconds. */
inline double empty_launches_ms(dim3 blocks, dim3 block_threads, int launches)
{
	Event start, stop;
	double least = INFINITY;
	for (int i = 0; i < 5; i++) {
		start.record();
		for (int k = 0; k < launches; k++)
			do_nothing<<<blocks, block_threads>>>();
		check(cudaGetLastError(), "do_nothing");
		stop.record();
		least = std::min<double>(least, stop.since(start, "do_nothing"));
	}
	return least;
}

inline int host_threads()
{
#ifdef _OPENMP
	return omp_get_max_threads();
#else
	return 1;
#endif
}

/* Prints the time, once all answers are on the host; `done` things of the kind `what` were computed. */
inline void print_run(const RunOptions &options, double ms, double done, const char *what)
{
	std::printf("%s: %.4f ms (best of %d), %.4g %s/s", options.host ? "host" : "kernel", ms, options.reps,
				done / (ms * 1e-3), what);
	if (options.host)
		std::printf(", %d thread%s", host_threads(), host_threads() == 1 ? "" : "s");
	std::printf("\n");
	print_transfers();
}

/* Prints how much of the kernels' time launches take that do nothing, in a grid of the same size. */
inline void print_launches(dim3 blocks, dim3 block_threads, int launches, double ms)
{
	const double empty_ms = empty_launches_ms(blocks, block_threads, launches);
	std::printf("launches: %d, empty ones take %.4f ms, %.2f %% of the time\n", launches, empty_ms,
				100.0 * empty_ms / ms);
}

#endif
