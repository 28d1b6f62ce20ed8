/* The main function of every program that is measured, and what it gives to them. A program includes this file and
 * defines the four functions below.
 *
 * `program DIR` finds its inputs in DIR. Then it reads on stdin what to do, a line each, and answers with a line:
 *
 *                    -> ready                  after setup
 *     run N          -> times T1 ... TN        N times reset and run, each run in milliseconds
 *     save OUT       -> saved T                reset and run once; the results to the directory OUT
 *     quit
 *
 * If something fails the answer is `error TEXT`, and the program ends. */
#ifndef PEERS_BENCH_H
#define PEERS_BENCH_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

template <class T> struct Array {
	const T *data;
	size_t count;
};

/* What a workload's `inputs` returned. The arrays live as long as the program. */
class Inputs {
  public:
	explicit Inputs(const std::string &directory) : directory(directory) {
	}

	template <class T> Array<T> array(const char *name) const {
		if (!files.count(name))
			files[name] = read(directory + "/" + name + ".bin");
		const std::vector<char> &bytes = files[name];
		return {reinterpret_cast<const T *>(bytes.data()), bytes.size() / sizeof(T)};
	}

	double number(const char *name) const {
		const std::vector<char> bytes = read(directory + "/numbers.txt");
		const std::string text = "\n" + std::string(bytes.begin(), bytes.end());
		const std::string key = "\n" + std::string(name) + " ";
		const size_t place = text.find(key);
		if (place == std::string::npos)
			throw std::runtime_error(std::string("no number '") + name + "' in the inputs");
		return std::strtod(text.c_str() + place + key.size(), nullptr);
	}

  private:
	static std::vector<char> read(const std::string &path) {
		std::FILE *file = std::fopen(path.c_str(), "rb");
		if (!file)
			throw std::runtime_error("cannot read " + path);
		std::fseek(file, 0, SEEK_END);
		std::vector<char> bytes(std::ftell(file));
		std::rewind(file);
		const size_t got = std::fread(bytes.data(), 1, bytes.size(), file);
		std::fclose(file);
		if (got != bytes.size())
			throw std::runtime_error("cannot read all of " + path);
		return bytes;
	}

	std::string directory;
	mutable std::map<std::string, std::vector<char>> files;
};

/* What a workload's `check` will see. */
class Outputs {
  public:
	explicit Outputs(const std::string &directory) : directory(directory) {
	}

	template <class T> void array(const char *name, const T *data, size_t count) {
		static_assert(std::is_arithmetic<T>::value, "results are arrays of numbers");
		const char kind = std::is_floating_point<T>::value ? 'f' : std::is_signed<T>::value ? 'i' : 'u';
		append("types.txt", std::string(name) + " " + kind + std::to_string(sizeof(T)) + "\n");
		append(std::string(name) + ".bin", std::string(reinterpret_cast<const char *>(data), count * sizeof(T)));
	}

  private:
	void append(const std::string &name, const std::string &bytes) {
		std::FILE *file = std::fopen((directory + "/" + name).c_str(), "ab");
		const bool wrote = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
		if (!file || std::fclose(file) || !wrote)
			throw std::runtime_error("cannot write " + directory + "/" + name);
	}

	std::string directory;
};

static void setup(const Inputs &in); /* once: allocate, and copy the inputs to the device */
static void reset();                 /* before every run: restore what run changes; not timed */
static void run();                   /* timed: from inputs to results in device memory, done when it returns */
static void results(Outputs &out);   /* copy the results of the last run back */

static double timed_run() {
	reset();
	const auto start = std::chrono::steady_clock::now();
	run();
	return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

static bool answer(const std::string &command, const std::string &word) {
	if (command == "run") {
		std::printf("times");
		for (int i = std::atoi(word.c_str()); i > 0; i--)
			std::printf(" %.9g", timed_run());
		std::printf("\n");
	} else if (command == "save") {
		const double ms = timed_run();
		Outputs out(word);
		results(out);
		std::printf("saved %.9g\n", ms);
	} else {
		return false;
	}
	std::fflush(stdout);
	return true;
}

int main(int argc, char **argv) {
	try {
		if (argc != 2)
			throw std::runtime_error("usage: program DIRECTORY");
		const Inputs in(argv[1]);
		setup(in);
		std::printf("ready\n");
		std::fflush(stdout);

		char line[4096];
		while (std::fgets(line, sizeof(line), stdin)) {
			const std::string text(line, std::strcspn(line, "\n"));
			const size_t space = std::min(text.find(' '), text.size());
			if (!answer(text.substr(0, space), text.substr(std::min(space + 1, text.size()))))
				break;
		}
		return 0;
	} catch (const std::exception &fault) {
		std::printf("error %s\n", fault.what());
		return 1;
	}
}

#endif
