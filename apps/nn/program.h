/* The program around the kernel: its command line and what it prints. */
#ifndef NN_PROGRAM_H
#define NN_PROGRAM_H

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../common/device.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "answers.h"
#include "kernel_search.h"

const char *const USAGE =
	"usage: nn [--input INPUT] [--order sorted|shuffled] [--seed S] [--reps R] [--check] [--out FILE]\n"
	"\n"
	"Finds the nearest other point of every point of a set, by recursive search of a kd-tree on the device.\n"
	"\n"
	"  --input INPUT  random:NxD: N random points of D coordinates, 1 to 16 (default: random:70000x2);\n"
	"                 FILE.npy: a float32 or float64 array, points x coordinates; FILE.csv: a point a line\n"
	"  --order ORDER  sorted: ask in the order of the tree (default); shuffled: in random order\n"
	"  --seed S       of random points and of the shuffled order (default: 1)\n"
	"  --reps R       run the kernel R times, report the quickest (default: 5)\n"
	"  --check        compare a sample of the answers with brute force; exit code 1 if one is wrong\n"
	"  --out FILE     write all answers to FILE, as .npy: records (nearest, distance)\n";

/* Does what the command line says; returns the exit code. */
inline int search_all(CommandLine &line)
{
	const Options options(line, "random:70000x2", false);
	line.end();
	const Points points = read_points(options.input, options.seed, NEEDED);
	check_dimensions(points);
	const Tree tree = build_tree(points.x, points.dim);
	std::printf("tree: %d points of %d dimensions, %zu nodes, %d points a leaf\n", points.count, points.dim,
				tree.nodes.size(), LEAF_POINTS);

	const std::vector<int> queries = all_queries(tree.size(), options.shuffled, options.seed);
	KernelSearch search(tree, queries);
	float ms = search.run();
	for (int i = 1; i < options.reps; i++)
		ms = std::min(ms, search.run());
	std::vector<int> nearest;
	std::vector<float> distance;
	search.results(nearest, distance);
	print_ms(options, ms, queries.size());

	const Answers answers = in_input_order(tree, queries, nearest, distance);
	std::printf("mean distance: %.7g\n", mean_distance(answers));
	if (!options.out.empty())
		write_answers(options.out, answers);
	if (!options.check)
		return 0;
	std::printf("check: PASS, %d answers compared with brute force\n", check_sample(points, answers));
	return 0;
}

#endif
