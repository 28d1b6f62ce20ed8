/* The command line of an application, and how its program ends. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "errors.h"

/* The arguments that have not been taken yet. Every function throws a UsageError that says what is wrong. */
class CommandLine
{
public:
	CommandLine(int argc, char **argv) : left(argv + 1, argv + argc)
	{
	}

	/* Takes `option`; returns whether it was there. */
	bool flag(const char *option)
	{
		const size_t i = find(option);
		if (i == left.size())
			return false;
		left.erase(left.begin() + i);
		return true;
	}

	/* Takes `option` and its value; the last counts of several. Returns `otherwise` if there is none. */
	std::string text(const char *option, const std::string &otherwise)
	{
		std::string value = otherwise;
		for (size_t i = find(option); i < left.size(); i = find(option)) {
			if (i + 1 == left.size() || left[i + 1].compare(0, 2, "--") == 0)
				fail<UsageError>("%s needs a value", option);
			value = left[i + 1];
			left.erase(left.begin() + i, left.begin() + i + 2);
		}
		return value;
	}

	uint64_t whole_number(const char *option, uint64_t otherwise, uint64_t least, uint64_t most)
	{
		return whole(option, text(option, std::to_string(otherwise)), least, most);
	}

	/* Takes an option that is a place in something, counted from 0; -1 without it. */
	int64_t place(const char *option)
	{
		const std::string value = text(option, "");
		return value.empty() ? -1 : static_cast<int64_t>(whole(option, value, 0, INT64_MAX));
	}

	float number(const char *option, float otherwise, float least, float most)
	{
		const std::string text = this->text(option, "");
		if (text.empty())
			return otherwise;
		char *end;
		const float value = std::strtof(text.c_str(), &end);
		if (end == text.c_str() || *end || !(value >= least && value <= most))
			fail<UsageError>("%s: expected a number from %g to %g, found '%s'", option, least, most, text.c_str());
		return value;
	}

	/* Takes an option that has one of two values. */
	std::string one_of(const char *option, const char *otherwise, const char *first, const char *second)
	{
		const std::string value = text(option, otherwise);
		if (value != otherwise && value != first && value != second)
			fail<UsageError>("%s: expected %s or %s, found '%s'", option, first, second, value.c_str());
		return value;
	}

	/* What is left now is unknown. */
	void end() const
	{
		if (!left.empty())
			fail<UsageError>("unknown argument '%s'", left[0].c_str());
	}

private:
	std::vector<std::string> left;

	static uint64_t whole(const char *option, const std::string &text, uint64_t least, uint64_t most)
	{
		char *end;
		errno = 0;
		const uint64_t value = std::strtoull(text.c_str(), &end, 10);
		if (std::strspn(text.c_str(), "0123456789") == 0 || *end || errno || value < least || value > most)
			fail<UsageError>("%s: expected a whole number from %llu to %llu, found '%s'", option,
							 static_cast<unsigned long long>(least), static_cast<unsigned long long>(most),
							 text.c_str());
		return value;
	}

	size_t find(const char *option) const
	{
		size_t i = 0;
		while (i < left.size() && left[i] != option)
			i++;
		return i;
	}
};

/* What every application takes that asks points of a tree. */
struct Options {
	std::string input;
	bool shuffled;
	uint64_t seed;
	int reps;
	bool check;
	std::string host; /* "recursive", "iterative": a search on the host, written so; empty: the kernel */
	bool openmp;      /* on as many cores of the host as OpenMP may use */
	std::string out;  /* empty: do not write */

	Options(CommandLine &line, const char *default_input)
		: input(line.text("--input", default_input)),
		  shuffled(line.one_of("--order", "sorted", "sorted", "shuffled") == "shuffled"),
		  seed(line.whole_number("--seed", 1, 0, UINT64_MAX)),
		  reps(static_cast<int>(line.whole_number("--reps", 5, 1, 1000000))), check(line.flag("--check")),
		  host(line.one_of("--host", "", "recursive", "iterative")), openmp(line.flag("--openmp")),
		  out(line.text("--out", ""))
	{
		if (openmp && host.empty())
			fail<UsageError>("--openmp goes with --host only");
#ifndef _OPENMP
		if (openmp)
			fail<UsageError>("--openmp: this program was compiled without -fopenmp");
#endif
	}

	bool on_host() const
	{
		return !host.empty();
	}

	bool iterative() const
	{
		return host == "iterative";
	}

	const char *order() const
	{
		return shuffled ? "shuffled" : "sorted";
	}
};

/* What --help says of them; `input` and `out` are of the application. */
inline std::string usage_of_options(const std::string &input, const std::string &out)
{
	return input +
		   "  --order ORDER  sorted: ask in the order of the tree (default); shuffled: in random order\n"
		   "  --seed S       of random points and of the shuffled order (default: 1)\n"
		   "  --reps R       run R times, report the quickest (default: 5)\n"
		   "  --host HOW     search on the host instead, one query after the other: recursive or iterative\n"
		   "  --openmp       with --host: on $OMP_NUM_THREADS cores of the host, or all\n"
		   "  --check        compare a sample of the answers with brute force; exit code 1 if one is wrong\n"
		   "  --out FILE     write all answers to FILE, as .npy: " +
		   out + "\n  --help         print this\n";
}

/* What --help says of the points that read_points() takes, up to 16 coordinates. */
inline std::string usage_of_points(const std::string &otherwise)
{
	return "  --input INPUT  random:NxD: N random points of D coordinates, 1 to 16 (default: " + otherwise +
		   ");\n"
		   "                 FILE.npy: a float32 or float64 array, points x coordinates; FILE.csv: a point a line\n";
}

/* Runs `body` with the command line; returns its exit code. 1: bad input, a wrong answer, or CUDA failed; 2: wrong
 * usage. */
inline int run_program(const char *name, const std::string &usage, int (*body)(CommandLine &line), int argc,
					   char **argv)
{
	CommandLine line(argc, argv);
	try {
		if (line.flag("--help") || line.flag("-h")) {
			std::fputs(usage.c_str(), stdout);
			return 0;
		}
		return body(line);
	} catch (const WrongAnswer &fault) {
		std::printf("check: FAIL, %s\n", fault.what());
	} catch (const UsageError &fault) {
		std::fprintf(stderr, "%s: error: %s\n%s", name, fault.what(), usage.c_str());
		return 2;
	} catch (const std::bad_alloc &) {
		std::fprintf(stderr, "%s: error: out of memory\n", name);
	} catch (const std::exception &fault) {
		std::fprintf(stderr, "%s: error: %s\n", name, fault.what());
	}
	return 1;
}

#endif
