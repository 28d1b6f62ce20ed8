/* Sorting after Wu's dissertation ("Exploring the Suitability of Dynamic Parallelism ...", 2022), section 4.4:
 * quicksort by kernels that launch kernels, simple and advanced, against merge sort without that. */
#include <algorithm>
#include <climits>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#ifdef _OPENMP
#include <parallel/algorithm>
#endif

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/options.h"
#include "keys.h"
#include "merge.h"
#include "quick.h"

struct SortOptions {
	uint64_t seed;
	int reps, depth, launches;
	bool check;
	std::string input, form, host, out;

	explicit SortOptions(CommandLine &line)
		: seed(line.whole_number("--seed", 1, 0, UINT64_MAX)),
		  reps(static_cast<int>(line.whole_number("--reps", 5, 1, 1000000))),
		  depth(static_cast<int>(line.whole_number("--depth", 16, 0, MOST_DEPTH))),
		  launches(static_cast<int>(line.whole_number("--launches", INT_MAX, 0, INT_MAX))), check(line.flag("--check")),
		  input(line.text("--input", "random:1000000")), form(line.text("--form", "advanced")),
		  host(line.text("--host", "")), out(line.text("--out", ""))
	{
		if (form != "simple" && form != "advanced" && form != "merge")
			fail<UsageError>("--form: expected simple, advanced or merge, found '%s'", form.c_str());
		if (!host.empty() && host != "std" && host != "openmp")
			fail<UsageError>("--host: expected std or openmp, found '%s'", host.c_str());
	}
};

/* What is reported of a run besides the sorted keys. */
struct Run {
	double ms = 0.0;
	int launches = 0;
	Tally tally = {0, 0, 0}; /* of one sort */
};

/* Sorts on the device, some times over; `keys` get sorted. */
static Run sort_on_device(const SortOptions &options, std::vector<unsigned> &keys)
{
	const int count = static_cast<int>(keys.size()), tiles = (count + TILE - 1) / TILE;
	const size_t pending =
		std::min<size_t>(2 * static_cast<size_t>(count), size_t(1) << std::min(options.depth + 1, 18));
	if (options.form != "merge")
		check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, std::max<size_t>(2048, pending)),
			  "cudaDeviceSetLimit");
	const size_t splits_count = options.form == "advanced" ? static_cast<size_t>(tiles) * options.depth + 1 : 1;
	const DeviceArray<unsigned> given(keys), sorted(keys.size()), spare(keys.size());
	const DeviceArray<Split> splits(splits_count);
	const Tally none{options.launches, 0, 0};
	const DeviceArray<Tally> tally(1);
	const Sorting all{sorted.get(), spare.get(), splits.get(), tiles, options.depth, tally.get()};
	Run run;
	run.ms = least_launches_ms(
		options.reps, options.form.c_str(),
		[&] {
			check(cudaMemcpy(sorted.get(), given.get(), keys.size() * sizeof(unsigned), cudaMemcpyDeviceToDevice),
				  "cudaMemcpy");
			check(cudaMemcpy(tally.get(), &none, sizeof none, cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&] {
			if (options.form == "merge")
				return merge_sort(sorted.get(), spare.get(), count);
			if (options.form == "simple") {
				sort_simply<<<1, 1>>>(sorted.get(), count, 0, options.depth, tally.get());
			} else {
				check(cudaMemsetAsync(splits.get(), 0, splits_count * sizeof(Split), 0), "cudaMemsetAsync");
				start_advanced(all, count);
			}
			return 1;
		},
		run.launches);
	sorted.copy_to(keys);
	std::vector<Tally> tallies;
	tally.copy_to(tallies);
	run.tally = tallies[0];
	return run;
}

static Run sort_on_host(const SortOptions &options, std::vector<unsigned> &keys)
{
	const std::vector<unsigned> given = keys;
	Run run;
	run.ms = least_host_ms(
		options.reps, [&] { keys = given; },
		[&] {
#ifdef _OPENMP
			if (options.host == "openmp") {
				__gnu_parallel::sort(keys.begin(), keys.end());
				return;
			}
#endif
			std::sort(keys.begin(), keys.end());
		});
	return run;
}

static void check_keys(std::vector<unsigned> given, const std::vector<unsigned> &found)
{
	std::sort(given.begin(), given.end());
	for (size_t i = 0; i < given.size(); i++)
		if (found[i] != given[i])
			fail<WrongAnswer>("key %zu is %u, %u is right", i, found[i], given[i]);
	std::printf("check: PASS, %zu keys compared with std::sort's\n", given.size());
}

static int sort_all(CommandLine &line)
{
	const SortOptions options(line);
	line.end();
	const Keys given = read_keys(options.input, options.seed);
	Keys keys = given;
	const Run run = options.host.empty() ? sort_on_device(options, keys.values) : sort_on_host(options, keys.values);
	std::printf("%s: %.4f ms (best of %d), %.4g keys/s\n", options.host.empty() ? "kernel" : "host", run.ms,
				options.reps, keys.count() / (run.ms * 1e-3));
	print_transfers();
	if (run.launches > 1)
		print_launches(blocks_of(TILE, keys.count()), MERGE_THREADS, run.launches, run.ms);
	if (run.tally.launches > 0)
		std::printf("child launches: %d for %d items\n", run.tally.launches - run.tally.refused, run.tally.launches);
	if (run.tally.refused > 0)
		std::printf("refused launches: %d; the threads that asked for them sorted themselves\n", run.tally.refused);
	if (options.check)
		check_keys(given.values, keys.values);
	if (!options.out.empty())
		write_keys(options.out, keys);
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: sort [--input INPUT] [--form FORM | --host HOW] [--depth D] [--launches N] [--seed S] [--reps R]\n"
		"            [--check] [--out FILE]\n"
		"\n"
		"Sorts whole numbers.\n"
		"\n"
		"  --input INPUT  random:N: N random uint32 (default: random:1000000); FILE.npy: an array of uint32 or int32\n"
		"  --form FORM    simple: quicksort, a thread splits a range and launches one thread for each part; advanced:\n"
		"                 quicksort, blocks split a range together, and one of them launches kernels for the parts\n"
		"                 (default); merge: merge sort, launched by the host\n"
		"  --depth D      0 to 22: how deep launches of quicksort nest; what is not sorted there is sorted without\n"
		"                 launches (default: 16)\n"
		"  --launches N   launch no more than N times on the device; threads sort alone what is left then\n"
		"  --host HOW     sort on the host instead, by std: std::sort; openmp: libstdc++'s parallel sort\n"
		"  --seed S       of random keys (default: 1)\n"
		"  --reps R       sort R times, report the quickest (default: 5)\n"
		"  --check        compare the keys with what std::sort makes of them; exit code 1 if one is wrong\n"
		"  --out FILE     write the sorted keys to FILE, as .npy\n"
		"  --help         print this\n";
	return run_program("sort", usage, sort_all, argc, argv);
}
