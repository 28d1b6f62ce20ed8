/* The main function of every benchmark of the suite, and what it gives to them.
 *
 * `program [NAME=VALUE[,VALUE...]]...` measures all combinations of its parameters' values, with default values for the
 * parameters that are not given, and prints a line of JSON for each:
 *
 *     {"params": {"form": "data", "threads": 64}, "work": {"barriers": 100000}, "unit": "ns per barrier",
 *      "times": [8.7, 8.6], "checked": true}
 *
 * `params` are the same on every platform; how much of what is counted was in one run, which depends on the platform's
 * speed, is `work`.
 *
 * Two parameters belong to all: `ms` is the time to spend on one combination, `runs` how often it is measured at most.
 * Exit code 1 if something fails, 2 if there is no such parameter. */
#ifndef MICROBENCH_SUITE_H
#define MICROBENCH_SUITE_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "peers/device.h"

class UnknownParameter : public std::runtime_error {
  public:
	using std::runtime_error::runtime_error;
};

/* One value for each parameter. */
class Point {
  public:
	const std::string &text(const std::string &name) const {
		for (const auto &value : values)
			if (value.first == name)
				return value.second;
		throw std::logic_error("no parameter " + name);
	}

	long number(const std::string &name) const {
		return std::atol(text(name).c_str());
	}

	void set(const std::string &name, const std::string &text) {
		for (auto &value : values)
			if (value.first == name) {
				value.second = text;
				return;
			}
		values.emplace_back(name, text);
	}

	std::vector<std::pair<std::string, std::string>> values;
};

/* A parameter and its values, with commas between them. */
typedef std::pair<std::string, std::string> Parameter;

/* What was measured at one point. `counted` is the parameter that limits how much is done in one run, and `count` how
 * much that was. */
struct Measured {
	std::string unit;
	std::vector<double> times;
	bool checked;
	std::string counted;
	long count;
};

/* ---- clocks ---- */

/* Milliseconds of device time from the start of what `run` launches to its end. */
template <class Run> double device_ms(Run run) {
	static cudaEvent_t start, end;
	if (!start) {
		check(cudaEventCreate(&start));
		check(cudaEventCreate(&end));
	}
	check(cudaEventRecord(start));
	run();
	check(cudaGetLastError());
	check(cudaEventRecord(end));
	check(cudaEventSynchronize(end));
	float ms;
	check(cudaEventElapsedTime(&ms, start, end));
	return ms;
}

/* Milliseconds by the host's clock until all that `run` launches is done. */
template <class Run> double host_ms(Run run) {
	const auto start = std::chrono::steady_clock::now();
	run();
	check(cudaDeviceSynchronize());
	return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/* ---- measuring ---- */

/* Return how many repetitions run(count) can afford: at most `most`, and as many as take a twentieth of the point's
 * time.
 */
template <class Run> long affordable(const Point &point, long most, Run run) {
	const double budget_ms = point.number("ms") / 20.0;
	run(1); /* the first time takes longer */
	long tried = 1;
	for (;;) {
		const double ms = device_ms([&] { run(tried); });
		if (tried == most || ms > budget_ms / 10)
			return std::max(1L, std::min(most, static_cast<long>(std::min(1e15, tried * budget_ms / ms))));
		tried = std::min(most, 8 * tried);
	}
}

/* Call one_run(), which returns milliseconds, until the point's time or number of runs is used up; at least three
 * times unless it is very slow. Return all of these times but the first, which warms up. The first point of a program
 * warms up for longer, since clocks may have to rise. */
template <class OneRun> std::vector<double> several_runs(const Point &point, OneRun one_run) {
	static bool warm;
	const double budget_ms = point.number("ms");
	const size_t most = point.number("runs");
	for (double spent_ms = 0; !warm && spent_ms < budget_ms;)
		spent_ms += one_run() + 1e-3;
	warm = true;
	std::vector<double> times;
	double spent_ms = one_run();
	while (times.empty() || (times.size() < most && spent_ms < (times.size() < 3 ? 4 : 1) * budget_ms)) {
		times.push_back(one_run());
		spent_ms += times.back();
	}
	return times;
}

/* Turn the milliseconds of runs into nanoseconds per piece. */
inline std::vector<double> ns_per_piece(std::vector<double> times, double pieces) {
	for (double &time : times)
		time = time * 1e6 / pieces;
	return times;
}

/* ---- the main function ---- */

inline std::vector<std::string> split(const std::string &text) {
	std::vector<std::string> words;
	size_t begin = 0;
	for (size_t end; (end = text.find(',', begin)) != std::string::npos; begin = end + 1)
		words.push_back(text.substr(begin, end - begin));
	words.push_back(text.substr(begin));
	return words;
}

/* All combinations of values; the last parameter changes fastest. */
inline std::vector<Point> points(const std::vector<Parameter> &parameters) {
	std::vector<Point> all(1);
	for (const Parameter &parameter : parameters) {
		std::vector<Point> longer;
		for (const Point &point : all)
			for (const std::string &value : split(parameter.second)) {
				longer.push_back(point);
				longer.back().set(parameter.first, value);
			}
		all = longer;
	}
	return all;
}

inline void print_json(const Point &point, const Measured &measured) {
	std::printf("{\"params\": {");
	const char *comma = "";
	for (const auto &value : point.values) {
		if (value.first == "ms" || value.first == "runs" || value.first == measured.counted)
			continue;
		const bool is_number = value.second.find_first_not_of("0123456789") == std::string::npos;
		const char *quote = is_number ? "" : "\"";
		std::printf("%s\"%s\": %s%s%s", comma, value.first.c_str(), quote, value.second.c_str(), quote);
		comma = ", ";
	}
	std::printf("}, \"work\": {");
	std::printf("\"%s\": %ld}, ", measured.counted.c_str(), measured.count);
	std::printf("\"unit\": \"%s\", \"times\": [", measured.unit.c_str());
	comma = "";
	for (double time : measured.times) {
		std::printf("%s%.6g", comma, time);
		comma = ", ";
	}
	std::printf("], \"checked\": %s}\n", measured.checked ? "true" : "false");
	std::fflush(stdout);
}

/* Replace the values of the parameters that are given on the command line. */
inline void take_arguments(int argc, char **argv, std::vector<Parameter> &parameters) {
	for (int i = 1; i < argc; i++) {
		const std::string word = argv[i];
		const size_t equals = word.find('=');
		auto named = [&](const Parameter &parameter) { return parameter.first == word.substr(0, equals); };
		const auto found = std::find_if(parameters.begin(), parameters.end(), named);
		if (equals == std::string::npos || found == parameters.end())
			throw UnknownParameter(word);
		found->second = word.substr(equals + 1);
	}
}

inline int suite(
	int argc, char **argv, std::vector<Parameter> parameters, std::function<Measured(const Point &)> measure) {
	parameters.emplace_back("ms", "120");
	parameters.emplace_back("runs", "40");
	try {
		take_arguments(argc, argv, parameters);
		for (const Point &point : points(parameters))
			print_json(point, measure(point));
		return 0;
	} catch (const UnknownParameter &fault) {
		std::fprintf(stderr, "%s: error: unknown argument '%s'; the parameters are", argv[0], fault.what());
		for (const Parameter &parameter : parameters)
			std::fprintf(stderr, " %s=%s", parameter.first.c_str(), parameter.second.c_str());
		std::fprintf(stderr, "\n");
		return 2;
	} catch (const std::exception &fault) {
		std::fprintf(stderr, "%s: error: %s\n", argv[0], fault.what());
		return 1;
	}
}

#endif
