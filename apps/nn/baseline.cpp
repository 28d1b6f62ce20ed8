/* The program of one baseline, -DSEARCH=scalar_cell_search: it searches the same tree for the same queries as the
 * kernel, and understands what the program of the kernel understands as far as measuring needs it. */
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "../common/host_time.h"
#include "../common/kdtree.h"
#include "../common/neighbours.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "baselines.h"

static int threads()
{
#ifdef _OPENMP
	return omp_get_max_threads();
#else
	return 1;
#endif
}

static int search_all(CommandLine &line)
{
	const std::string input = line.text("--input", "random:70000x2"), order = line.text("--order", "sorted");
	const std::string out = line.text("--out", "");
	const int reps = static_cast<int>(line.whole_number("--reps", 5, 1, 1000000));
	line.end();
	const Points points = read_points(input, 1, {2, "a nearest neighbour"});
	check_dimensions(points);
	const Tree tree = build_tree(points.x, points.dim);
	const std::vector<int> queries = all_queries(tree.size(), order == "shuffled", 1);
	std::vector<int> nearest(queries.size());
	std::vector<float> distance(queries.size());
	const double ms = least_host_ms(reps, [&] { SEARCH(tree, queries, threads(), nearest, distance); });
	std::printf("host: %.3f ms (best of %d), %s\n", ms, reps, order.c_str());
	if (!out.empty())
		write_neighbours(out, Neighbours(1, tree.input_row, queries, nearest, distance));
	return 0;
}

int main(int argc, char **argv)
{
	return run_program("baseline",
					   "usage: baseline [--input INPUT] [--order sorted|shuffled] [--reps R] [--out FILE]\n",
					   search_all, argc, argv);
}
