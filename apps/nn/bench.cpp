/* Times the kernel and its baselines in one process, one after the other in every round, so that whatever else the
 * machine does meets all of them. Prints JSON. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "../common/kdtree.h"
#include "../common/neighbours.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "baselines.h"
#include "kernel_search.h"

namespace
{

/* One way to search: what it is called, the times of its rounds, and the answers of its last round. */
struct Variant {
	std::string name;
	Search *search; /* null: the kernel */
	std::vector<double> ms;
	std::vector<int> nearest;
	std::vector<float> distance;
};

double wall_ms()
{
	const auto now = std::chrono::steady_clock::now().time_since_epoch();
	return std::chrono::duration<double, std::milli>(now).count();
}

/* The time that a measurement counts: with one thread its CPU time, which other programs disturb less. */
double clock_ms(int threads)
{
	return threads == 1 ? 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC : wall_ms();
}

void run_round(Variant &variant, KernelSearch &kernel, const Tree &tree, const std::vector<int> &queries, int threads)
{
	const double start = clock_ms(threads);
	if (variant.search)
		variant.search(tree, queries, threads, variant.nearest, variant.distance);
	else
		kernel.run();
	variant.ms.push_back(clock_ms(threads) - start);
}

void print_times(const std::vector<double> &times)
{
	std::printf("[");
	for (size_t i = 0; i < times.size(); i++)
		std::printf("%s%.4f", i ? ", " : "", times[i]);
	std::printf("]");
}

/* Runs all variants for `seconds`, in at least `least_rounds` rounds after one to warm up. */
void measure(const Points &points, bool shuffled, int threads, double seconds, int least_rounds, const std::string &out)
{
	const Tree tree = build_tree(points.x, points.dim);
	const std::vector<int> queries = all_queries(tree.size(), shuffled, 1);
	KernelSearch kernel(tree, queries);
	std::vector<Variant> variants = {{"simt2simd", nullptr, {}, {}, {}},
									 {"host-recursive", recursive_search, {}, {}, {}},
									 {"host-iterative", iterative_search, {}, {}, {}},
									 {"scalar-cell", scalar_cell_search, {}, {}, {}}};
#ifdef __AVX512F__
	variants.push_back({"limit", limit_search, {}, {}, {}});
#endif
	for (Variant &variant : variants) {
		variant.nearest.resize(queries.size());
		variant.distance.resize(queries.size());
		run_round(variant, kernel, tree, queries, threads);
		variant.ms.clear();
	}
	const double end = wall_ms() + seconds * 1e3;
	for (int round = 0; round < least_rounds || wall_ms() < end; round++)
		for (Variant &variant : variants)
			run_round(variant, kernel, tree, queries, threads);
	kernel.results(variants[0].nearest, variants[0].distance);

	std::printf("{\"points\": %d, \"dim\": %d, \"nodes\": %zu, \"threads\": %d, \"variants\": [", points.count,
				points.dim, tree.nodes.size(), threads);
	for (const Variant &variant : variants) {
		const std::string file = out + variant.name + ".npy";
		write_neighbours(file, Neighbours(1, tree.input_row, queries, variant.nearest, variant.distance));
		std::printf("%s\n  {\"variant\": \"%s\", \"answers\": \"%s\", \"ms\": ", &variant == &variants[0] ? "" : ",",
					variant.name.c_str(), file.c_str());
		print_times(variant.ms);
		std::printf("}");
	}
	std::printf("\n]}\n");
}

} // namespace

/* bench INPUT sorted|shuffled THREADS SECONDS ROUNDS PREFIX: answers go to PREFIX + the variant's name + .npy. */
int main(int argc, char **argv)
{
	if (argc != 7) {
		std::fprintf(stderr, "usage: bench INPUT sorted|shuffled THREADS SECONDS ROUNDS PREFIX\n");
		return 2;
	}
	try {
		measure(read_points(argv[1], 1, {2, "a nearest neighbour"}), std::string(argv[2]) == "shuffled",
				std::atoi(argv[3]), std::atof(argv[4]), std::atoi(argv[5]), argv[6]);
	} catch (const std::exception &fault) {
		std::fprintf(stderr, "bench: error: %s\n", fault.what());
		return 1;
	}
	return 0;
}
