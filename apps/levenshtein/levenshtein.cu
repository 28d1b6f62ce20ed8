/* Finds patterns of eight characters in a text, with one error at most: a character more, less or another one. How
 * often each occurs: at how many places of the text such a substring ends.
 *
 * A pattern is a nondeterministic automaton with two rows of eight states, whose states are bits (Wu and Manber, 1992).
 * Bit j of `exact` says that the text's last characters are the pattern's first j + 1, bit j of `off` the same with
 * one error at most. Four patterns share a register, a byte each, and a thread has four patterns. A block reads a part
 * of the text, the stream, by way of shared memory. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/random.h"

#define LENGTH 8        /* of a pattern */
#define WORD_PATTERNS 4 /* in a register */
#ifndef BLOCK
#define BLOCK 128 /* threads */
#endif
#define STREAM 16384      /* characters of a block */
#define TILE 1024         /* characters in shared memory */
#define RUN 128           /* characters after which bytes that count go into larger numbers */
#define BEFORE 9          /* characters that a substring can have: LENGTH and one more */
#define WORDS 2           /* of a thread */
#define FIRST 0x01010101u /* the first state of each pattern */
#define SECOND 0x02020202u

/* The rows after a character; `same` has the bits of those places of the patterns at which it stands. The first state
 * of `off` counts as reached whatever its bit says, and so it does not matter that the last state of a pattern's
 * neighbour is shifted there. */
__host__ __device__ inline unsigned exact_after(unsigned exact, unsigned same)
{
	return (exact << 1 | FIRST) & same;
}

/* `now` is what exact_after makes of `exact`. The row continues with the same character, or comes from the other row by
 * one more in the text, or by another one or one less. */
__host__ __device__ inline unsigned off_after(unsigned off, unsigned exact, unsigned now, unsigned same)
{
	return ((off << 1 | SECOND) & same) | (exact | (exact | now) << 1);
}

/* Adds to `counts`, WORD_PATTERNS numbers a word, how often the patterns end in the block's stream. places[c * pitch +
 * w] has the bits of the places of character c in the patterns of word w. */
__global__ void find_patterns(const unsigned char *text, int length, const unsigned *places, int words, int pitch,
							  int *counts)
{
	__shared__ unsigned char tile[TILE];
	const int w = blockIdx.x * BLOCK * WORDS + threadIdx.x;
	const int first = blockIdx.y * STREAM, end = first + STREAM < length ? first + STREAM : length;
	unsigned exact[WORDS], off[WORDS];
	int count[WORDS * WORD_PATTERNS];
	for (int k = 0; k < WORDS; k++) {
		exact[k] = 0;
		off[k] = FIRST;
	}
	for (int p = 0; p < WORDS * WORD_PATTERNS; p++)
		count[p] = 0;

	for (int i = first < BEFORE ? 0 : first - BEFORE; i < first; i++)
		for (int k = 0; k < WORDS; k++) {
			const unsigned same = places[text[i] * pitch + w + k * BLOCK], now = exact_after(exact[k], same);
			off[k] = off_after(off[k], exact[k], now, same);
			exact[k] = now;
		}
	for (int start = first; start < end; start += TILE) {
		const int size = end - start < TILE ? end - start : TILE;
		for (int i = threadIdx.x; i < size; i += BLOCK)
			tile[i] = text[start + i];
		__syncthreads();
		for (int run = 0; w < words && run < size; run += RUN) {
			const int run_end = run + RUN < size ? run + RUN : size;
			unsigned ends[WORDS]; /* a byte counts a pattern's */
			for (int k = 0; k < WORDS; k++)
				ends[k] = 0;
			for (int i = run; i < run_end; i++)
				for (int k = 0; k < WORDS; k++) {
					const unsigned same = places[tile[i] * pitch + w + k * BLOCK], now = exact_after(exact[k], same);
					off[k] = off_after(off[k], exact[k], now, same);
					exact[k] = now;
					ends[k] += off[k] >> (LENGTH - 1) & FIRST;
				}
			for (int p = 0; p < WORDS * WORD_PATTERNS; p++)
				count[p] += ends[p / WORD_PATTERNS] >> p % WORD_PATTERNS * 8 & 255;
		}
		__syncthreads();
	}
	for (int p = 0; p < WORDS * WORD_PATTERNS; p++) {
		const int word = w + p / WORD_PATTERNS * BLOCK;
		if (word < words)
			atomicAdd(&counts[word * WORD_PATTERNS + p % WORD_PATTERNS], count[p]);
	}
}

struct Problem {
	std::vector<unsigned char> text;
	std::vector<std::string> patterns;

	int words() const
	{
		return blocks_of(WORD_PATTERNS, static_cast<int>(patterns.size()));
	}

	/* Words up to a multiple of what a block has, so that all of its threads have a place to read, and a cache line
	 * more: a multiple of a large power of two would put the rows of all characters into few sets of a cache. */
	int pitch() const
	{
		return blocks_of(BLOCK * WORDS, words()) * BLOCK * WORDS + 16;
	}

	int streams() const
	{
		return blocks_of(STREAM, static_cast<int>(text.size()));
	}
};

/* See find_patterns. */
static std::vector<unsigned> places_in(const Problem &problem)
{
	const int pitch = problem.pitch();
	std::vector<unsigned> places(static_cast<size_t>(256) * pitch);
	for (size_t p = 0; p < problem.patterns.size(); p++)
		for (int j = 0; j < LENGTH; j++) {
			const unsigned char c = static_cast<unsigned char>(problem.patterns[p][j]);
			places[static_cast<size_t>(c) * pitch + p / WORD_PATTERNS] |= 1u << (j + p % WORD_PATTERNS * LENGTH);
		}
	return places;
}

static double find_on_device(const Problem &problem, const RunOptions &options, std::vector<int> &counts)
{
	const int words = problem.words(), length = static_cast<int>(problem.text.size());
	const DeviceArray<unsigned char> text(problem.text);
	const DeviceArray<unsigned> places(places_in(problem));
	const DeviceArray<int> found(static_cast<size_t>(words) * WORD_PATTERNS);
	const dim3 blocks(blocks_of(BLOCK * WORDS, words), problem.streams());
	int launches;
	const double ms = least_launches_ms(
		options.reps, "find_patterns",
		[&] { check(cudaMemset(found.get(), 0, words * WORD_PATTERNS * sizeof(int)), "cudaMemset"); },
		[&] {
			find_patterns<<<blocks, BLOCK>>>(text.get(), length, places.get(), words, problem.pitch(), found.get());
			return 1;
		},
		launches);
	found.copy_to(counts);
	counts.resize(problem.patterns.size());
	return ms;
}

#define HOST_WORDS 16 /* side by side, in a register of 512 bits */

/* Counts the ends in text[first] to text[end - 1] for HOST_WORDS words from `places` on. */
static void find_in_stream(const Problem &problem, const unsigned *places, int first, int end, int *counts)
{
	const unsigned char *text = problem.text.data();
	const size_t pitch = problem.pitch();
	unsigned exact[HOST_WORDS], off[HOST_WORDS];
	std::fill_n(exact, HOST_WORDS, 0);
	std::fill_n(off, HOST_WORDS, FIRST);
	const auto read = [&](int i) {
		const unsigned *same = places + text[i] * pitch;
#pragma omp simd
		for (int w = 0; w < HOST_WORDS; w++) {
			const unsigned now = exact_after(exact[w], same[w]);
			off[w] = off_after(off[w], exact[w], now, same[w]);
			exact[w] = now;
		}
	};
	for (int i = std::max(0, first - BEFORE); i < first; i++)
		read(i);
	for (int run = first; run < end; run += RUN) {
		unsigned ends[HOST_WORDS] = {};
		for (int i = run; i < std::min(end, run + RUN); i++) {
			read(i);
#pragma omp simd
			for (int w = 0; w < HOST_WORDS; w++)
				ends[w] += off[w] >> (LENGTH - 1) & FIRST;
		}
		for (int p = 0; p < HOST_WORDS * WORD_PATTERNS; p++)
			counts[p] += ends[p / WORD_PATTERNS] >> (p % WORD_PATTERNS * 8) & 255;
	}
}

static double find_on_host(const Problem &problem, const RunOptions &options, std::vector<int> &counts)
{
	const int groups = blocks_of(HOST_WORDS, problem.words());
	const std::vector<unsigned> places = places_in(problem);
	const double ms = least_host_ms(
		options.reps, [&] { counts.assign(static_cast<size_t>(groups) * HOST_WORDS * WORD_PATTERNS, 0); },
		[&] {
#pragma omp parallel for collapse(2) schedule(dynamic)
			for (int stream = 0; stream < problem.streams(); stream++)
				for (int group = 0; group < groups; group++) {
					const int first = stream * STREAM;
					int own[HOST_WORDS * WORD_PATTERNS] = {};
					find_in_stream(problem, places.data() + group * HOST_WORDS, first,
								   std::min(first + STREAM, static_cast<int>(problem.text.size())), own);
					for (int p = 0; p < HOST_WORDS * WORD_PATTERNS; p++)
#pragma omp atomic
						counts[group * HOST_WORDS * WORD_PATTERNS + p] += own[p];
				}
		});
	counts.resize(problem.patterns.size());
	return ms;
}

/* Compares a sample with a table of edit distances (Sellers, 1980). */
static int check_counts(const Problem &problem, const std::vector<int> &counts)
{
	const double most = 3e8 / (LENGTH * static_cast<double>(problem.text.size()));
	const int patterns = static_cast<int>(problem.patterns.size());
	const int size = std::min(patterns, std::max(4, static_cast<int>(std::min(most, 1000.0))));
	for (int s = 0; s < size; s++) {
		const int p = static_cast<int>(static_cast<long long>(s) * patterns / size);
		int column[LENGTH + 1], right = 0;
		for (int j = 0; j <= LENGTH; j++)
			column[j] = j;
		for (const unsigned char c : problem.text) {
			int diagonal = column[0];
			for (int j = 1; j <= LENGTH; j++) {
				const int with = diagonal + (static_cast<unsigned char>(problem.patterns[p][j - 1]) != c);
				diagonal = column[j];
				column[j] = std::min({with, column[j] + 1, column[j - 1] + 1});
			}
			right += column[LENGTH] <= 1;
		}
		if (counts[p] != right)
			fail<WrongAnswer>("pattern %d, '%s': %d found, %d is right", p, problem.patterns[p].c_str(), counts[p],
							  right);
	}
	return size;
}

/* Small letters and blanks. */
static std::vector<unsigned char> random_text(int length, uint64_t seed)
{
	Random random(seed);
	std::vector<unsigned char> text(length);
	for (unsigned char &c : text) {
		const int letter = static_cast<int>(random.next() % 32);
		c = static_cast<unsigned char>(letter < 26 ? 'a' + letter : ' ');
	}
	return text;
}

static std::vector<unsigned char> read_text(const std::string &input, uint64_t seed)
{
	if (input.compare(0, 7, "random:") == 0) {
		long long length;
		int used = 0;
		if (std::sscanf(input.c_str(), "random:%lld%n", &length, &used) < 1 ||
			static_cast<size_t>(used) != input.size() || length < LENGTH || length > 1 << 30)
			fail<UsageError>("%s: expected random:N with N from %d to 2^30, for example random:1000000", input.c_str(),
							 LENGTH);
		return random_text(static_cast<int>(length), seed);
	}
	InputFile file(input.c_str());
	std::vector<unsigned char> text;
	char part;
	while (file.read(&part, 1))
		text.push_back(static_cast<unsigned char>(part));
	if (text.size() < LENGTH)
		fail<InputError>("%s: a text of %zu characters; at least %d are needed", input.c_str(), text.size(), LENGTH);
	if (text.size() > 1 << 30)
		fail<InputError>("%s: a text of %zu characters; at most 2^30 are supported", input.c_str(), text.size());
	return text;
}

/* Substrings of the text, every other one with another character at one place. None has an end of line in it. */
static std::vector<std::string> random_patterns(const std::vector<unsigned char> &text, int count, uint64_t seed)
{
	Random random(seed + 1);
	std::vector<std::string> patterns;
	for (int tries = 0; static_cast<int>(patterns.size()) < count; tries++) {
		const size_t start = random.next() % (text.size() - LENGTH + 1);
		std::string pattern(text.begin() + start, text.begin() + start + LENGTH);
		if (random.next() & 1)
			pattern[random.next() % LENGTH] = static_cast<char>(text[random.next() % text.size()]);
		if (tries > 100 * count || pattern.find_first_of(std::string("\n\r\0", 3)) == std::string::npos)
			patterns.push_back(pattern);
	}
	return patterns;
}

/* A pattern a line. */
static std::vector<std::string> read_patterns(const std::string &name)
{
	InputFile file(name.c_str());
	std::vector<std::string> patterns;
	std::string line;
	for (int number = 1; file.read_line(line); number++) {
		if (line.size() != LENGTH)
			fail<InputError>("%s: line %d: a pattern of %zu characters; %d are expected", name.c_str(), number,
							 line.size(), LENGTH);
		patterns.push_back(line);
	}
	if (patterns.empty())
		fail<InputError>("%s: there are no patterns", name.c_str());
	if (patterns.size() > 1 << 20)
		fail<InputError>("%s: %zu patterns; at most 2^20 are supported", name.c_str(), patterns.size());
	return patterns;
}

/* Writes a .npy file of records (pattern: eight bytes, count: int32). */
static void write_counts(const std::string &name, const std::vector<std::string> &patterns,
						 const std::vector<int> &counts)
{
	std::string records;
	for (size_t p = 0; p < patterns.size(); p++) {
		records += patterns[p];
		records.append(reinterpret_cast<const char *>(&counts[p]), sizeof(int));
	}
	write_npy(name, "[('pattern', '|V8'), ('count', '<i4')]", "(" + std::to_string(patterns.size()) + ",)",
			  records.data(), records.size());
}

static int find(CommandLine &line)
{
	const RunOptions options(line);
	const std::string input = line.text("--input", "random:4000000"), pattern_file = line.text("--pattern-file", "");
	const int count = static_cast<int>(line.whole_number("--patterns", 1024, 1, 1 << 20));
	line.end();
	Problem problem;
	problem.text = read_text(input, options.seed);
	problem.patterns =
		pattern_file.empty() ? random_patterns(problem.text, count, options.seed) : read_patterns(pattern_file);
	std::printf("text: %zu characters; %zu patterns\n", problem.text.size(), problem.patterns.size());

	std::vector<int> counts;
	const double ms = options.host ? find_on_host(problem, options, counts) : find_on_device(problem, options, counts);
	print_run(options, ms, static_cast<double>(problem.text.size()) * problem.patterns.size(), "characters x patterns");
	long long all = 0;
	for (int found : counts)
		all += found;
	std::printf("found: %lld\n", all);
	if (!options.out.empty())
		write_counts(options.out, problem.patterns, counts);
	if (options.check)
		std::printf("check: PASS, %d counts compared with tables of edit distances\n", check_counts(problem, counts));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: levenshtein [--input INPUT] [--patterns N | --pattern-file FILE] [--seed S] [--reps R] [--host]\n"
		"                   [--check] [--out FILE]\n"
		"\n"
		"Counts where patterns of eight characters end in a text, with one error at most, on the device.\n"
		"\n"
		"  --input INPUT        random:N: N random letters (default: random:4000000); FILE: any bytes\n"
		"  --patterns N         as many substrings of the text, every other one changed (default: 1024)\n"
		"  --pattern-file FILE  a pattern a line\n" +
		usage_of_run_options("records (pattern, count)");
	return run_program("levenshtein", usage, find, argc, argv);
}
