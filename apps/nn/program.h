/* The program around the kernel: its command line and what it prints. */
#ifndef NN_PROGRAM_H
#define NN_PROGRAM_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/device.h"
#include "../common/neighbours.h"
#include "../common/on_host.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "../common/scalar_search.h"
#include "kernel_search.h"

const std::string USAGE =
	"usage: nn [--input INPUT] [--order sorted|shuffled] [--seed S] [--reps R] [--host recursive|iterative]\n"
	"          [--openmp] [--check] [--out FILE]\n"
	"\n"
	"Finds the nearest other point of every point of a set, by recursive search of a kd-tree on the device.\n"
	"\n" +
	usage_of_options(usage_of_points("random:70000x2"), "records (neighbours, distances), one each");

/* Answers all queries by the kernel; returns its least time in milliseconds. */
inline double find_on_device(const Tree &tree, const std::vector<int> &queries, int reps, std::vector<int> &nearest,
							 std::vector<float> &distance)
{
	KernelSearch search(tree, queries);
	float ms = search.run();
	for (int i = 1; i < reps; i++)
		ms = std::min(ms, search.run());
	search.results(nearest, distance);
	return ms;
}

inline double find_on_host(const Tree &tree, const std::vector<int> &queries, const Options &options,
						   std::vector<int> &nearest, std::vector<float> &distance)
{
	nearest.resize(queries.size());
	distance.resize(queries.size());
	return least_answering_ms(options, queries.size(), [&](size_t i) {
		ScalarSearch<Nearest> search(tree, tree.dim, queries[i]);
		options.iterative() ? search.iterative() : search.recursive();
		nearest[i] = search.found.point;
		distance[i] = std::sqrt(search.found.worst);
	});
}

/* Does what the command line says; returns the exit code. */
inline int search_all(CommandLine &line)
{
	const Options options(line, "random:70000x2");
	line.end();
	const Points points = read_points(options.input, options.seed, {2, "a nearest neighbour"});
	check_dimensions(points);
	const Tree tree = build_tree(points.x, points.dim);
	std::printf("tree: %d points of %d dimensions, %zu nodes, %d points a leaf\n", points.count, points.dim,
				tree.nodes.size(), LEAF_POINTS);

	const std::vector<int> queries = all_queries(tree.size(), options.shuffled, options.seed);
	std::vector<int> nearest;
	std::vector<float> distance;
	const double ms = options.on_host() ? find_on_host(tree, queries, options, nearest, distance)
										: find_on_device(tree, queries, options.reps, nearest, distance);
	print_ms(options, ms, queries.size());
	report(options, points, Neighbours(1, tree.input_row, queries, nearest, distance));
	return 0;
}

#endif
