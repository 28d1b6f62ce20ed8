/* The program around the kernel: its command line and what it prints. */
#ifndef NN_PROGRAM_H
#define NN_PROGRAM_H

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
	const char *input = "random:70000x2";
	bool shuffled = false;
	uint64_t seed = 1;
	int reps = 5;
	bool check = false;
	const char *out = nullptr; /* null: do not write */
};

/* Says what is wrong, in a text made as by printf, and ends the program with exit code 2. */
[[noreturn]] __attribute__((format(printf, 1, 2))) inline void wrong_usage(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	std::fputs("nn: error: ", stderr);
	std::vfprintf(stderr, format, values);
	std::fprintf(stderr, "\n%s", USAGE);
	va_end(values);
	std::exit(2);
}

/* Returns the whole number that `text` is; ends the program if it is none from `least` to `most`. */
inline uint64_t whole_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
	char *end;
	errno = 0;
	const uint64_t value = std::strtoull(text, &end, 10);
	if (std::strspn(text, "0123456789") == 0 || *end || errno || value < least || value > most)
		wrong_usage("%s: expected a whole number from %llu to %llu, found '%s'", option,
					static_cast<unsigned long long>(least), static_cast<unsigned long long>(most), text);
	return value;
}

inline bool is(const char *a, const char *b)
{
	return std::strcmp(a, b) == 0;
}

inline CommandLine parse_command_line(int argc, char **argv)
{
	CommandLine line;
	for (int i = 1; i < argc; i++) {
		const char *option = argv[i];
		if (is(option, "--help") || is(option, "-h")) {
			std::fputs(USAGE, stdout);
			std::exit(0);
		}
		if (is(option, "--check")) {
			line.check = true;
			continue;
		}
		if (!is(option, "--input") && !is(option, "--order") && !is(option, "--seed") && !is(option, "--reps") &&
			!is(option, "--out"))
			wrong_usage("unknown argument '%s'", option);
		if (++i == argc)
			wrong_usage("%s needs a value", option);
		const char *value = argv[i];
		if (is(option, "--input"))
			line.input = value;
		else if (is(option, "--out"))
			line.out = value;
		else if (is(option, "--seed"))
			line.seed = whole_number(option, value, 0, UINT64_MAX);
		else if (is(option, "--reps"))
			line.reps = static_cast<int>(whole_number(option, value, 1, 1000000));
		else if (is(value, "sorted") || is(value, "shuffled"))
			line.shuffled = is(value, "shuffled");
		else
			wrong_usage("--order: expected sorted or shuffled, found '%s'", value);
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
	if (line.out)
		write_answers(line.out, answers);
	if (!line.check)
		return 0;
	std::printf("check: PASS, %d answers compared with brute force\n", check_sample(points, answers));
	return 0;
}

/* Exit code 0: done; 1: bad input, a wrong answer, or CUDA failed; 2: wrong usage. */
inline int run_program(int argc, char **argv)
{
	const CommandLine line = parse_command_line(argc, argv);
	try {
		return search_all(line);
	} catch (const WrongAnswer &fault) {
		std::printf("check: FAIL, %s\n", fault.what());
		return 1;
	} catch (const UsageError &fault) {
		wrong_usage("%s", fault.what());
	} catch (const std::bad_alloc &) {
		std::fprintf(stderr, "nn: error: out of memory\n");
	} catch (const std::exception &fault) {
		std::fprintf(stderr, "nn: error: %s\n", fault.what());
	}
	return 1;
}

#endif
