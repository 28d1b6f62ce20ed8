/* The program around the kernel: its command line and what it prints. */
#ifndef NN_PROGRAM_H
#define NN_PROGRAM_H

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "answers.h"
#include "kdtree.h"
#include "kernel_search.h"
#include "points.h"

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

struct CommandLine {
	std::string input = "random:70000x2";
	bool shuffled = false;
	uint64_t seed = 1;
	int reps = 5;
	bool check = false;
	std::string out;
};

/* Ends the program with exit code 2. */
[[noreturn]] inline void wrong_usage(const std::string &what)
{
	std::fprintf(stderr, "nn: error: %s\n%s", what.c_str(), USAGE);
	std::exit(2);
}

/* Returns the whole number that `text` is; ends the program if it is none from `least` to `most`. */
inline uint64_t whole_number(const std::string &option, const std::string &text, uint64_t least, uint64_t most)
{
	char *end;
	errno = 0;
	const uint64_t value = std::strtoull(text.c_str(), &end, 10);
	const bool digits = text.find_first_not_of("0123456789") == std::string::npos && !text.empty();
	if (!digits || *end || errno || value < least || value > most)
		wrong_usage(option + ": expected a whole number from " + std::to_string(least) + " to " +
					std::to_string(most) + ", found '" + text + "'");
	return value;
}

inline CommandLine parse_command_line(int argc, char **argv)
{
	CommandLine line;
	for (int i = 1; i < argc; i++) {
		const std::string option = argv[i];
		if (option == "--help" || option == "-h") {
			std::fputs(USAGE, stdout);
			std::exit(0);
		}
		if (option == "--check") {
			line.check = true;
			continue;
		}
		if (option != "--input" && option != "--order" && option != "--seed" && option != "--reps" && option != "--out")
			wrong_usage("unknown argument '" + option + "'");
		if (++i == argc)
			wrong_usage(option + " needs a value");
		const std::string value = argv[i];
		if (option == "--input")
			line.input = value;
		else if (option == "--out")
			line.out = value;
		else if (option == "--seed")
			line.seed = whole_number(option, value, 0, UINT64_MAX);
		else if (option == "--reps")
			line.reps = static_cast<int>(whole_number(option, value, 1, 1000000));
		else if (value == "sorted" || value == "shuffled")
			line.shuffled = value == "shuffled";
		else
			wrong_usage("--order: expected sorted or shuffled, found '" + value + "'");
	}
	return line;
}

/* Does what the command line says; returns the exit code. */
inline int search_all(const CommandLine &line)
{
	const Points points = read_points(line.input, line.seed);
	const Tree tree = build_tree(points.x, points.dim);
	std::printf("tree: %d points of %d dimensions, %zu nodes, %d points a leaf\n", points.count, points.dim,
				tree.nodes.size(), LEAF_POINTS);

	const std::vector<int> queries = all_queries(tree, line.shuffled, line.seed);
	KernelSearch search(tree, queries);
	float ms = search.run();
	for (int i = 1; i < line.reps; i++)
		ms = std::min(ms, search.run());
	std::printf("kernel: %.3f ms (best of %d), %.0f queries/s, %s\n", ms, line.reps, points.count / (ms * 1e-3),
				line.shuffled ? "shuffled" : "sorted");

	std::vector<int> nearest;
	std::vector<float> distance;
	search.results(nearest, distance);
	const Answers answers = in_input_order(tree, queries, nearest, distance);
	std::printf("mean distance: %.7g\n", mean_distance(answers));
	if (!line.out.empty())
		write_answers(line.out, answers);
	if (!line.check)
		return 0;
	int checked;
	const std::string fault = check_sample(points, answers, checked);
	if (fault.empty())
		std::printf("check: PASS, %d answers compared with brute force\n", checked);
	else
		std::printf("check: FAIL, %s\n", fault.c_str());
	return fault.empty() ? 0 : 1;
}

/* Exit code 0: done; 1: bad input, a wrong answer, or CUDA failed; 2: wrong usage. */
inline int run_program(int argc, char **argv)
{
	const CommandLine line = parse_command_line(argc, argv);
	try {
		return search_all(line);
	} catch (const UsageError &fault) {
		wrong_usage(fault.what());
	} catch (const std::bad_alloc &) {
		std::fprintf(stderr, "nn: error: out of memory\n");
	} catch (const std::exception &fault) {
		std::fprintf(stderr, "nn: error: %s\n", fault.what());
	}
	return 1;
}

#endif
