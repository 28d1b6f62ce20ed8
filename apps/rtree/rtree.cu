/* Range queries on an R-tree in the plane: which records overlap a rectangle? With recursion, and with the stacks of
 * Yang, He, Luo, Sander and Shi ("Stack-based parallel recursion on graphics processors", 2009): one of each thread,
 * one of each warp, one of each block. Stacks that get full, and hybrid stacks, are in overflow.h and hybrid.h. */
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/points.h"
#include "hybrid.h"
#include "overflow.h"
#include "queries.h"
#include "scalar.h"
#include "tree.h"
#include "walks.h"

/* ---- recursion: a query a thread ---- */

/* What one thread looks for and what it has found. */
typedef struct {
	Box box;
	int count;
	unsigned sum;
} Query;

__device__ void search(const Node *nodes, const float *boxes, const int *children, int n, Query *q)
{
	const Node node = nodes[n];
	const float *box = boxes + 4 * node.first;
	const int *child = children + node.first;
	if (node.leaf) {
		for (int e = 0; e < node.count; e++)
			if (overlaps(box, node.count, e, q->box)) {
				q->count++;
				q->sum += child[e];
			}
		return;
	}
	for (int e = 0; e < node.count; e++)
		if (overlaps(box, node.count, e, q->box))
			search(nodes, boxes, children, child[e], q);
}

__global__ void search_recursively(Tree tree, const Box *queries, int count, Answer *answers)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	Query q;
	q.box = queries[i];
	q.count = 0;
	q.sum = 0;
	search(tree.nodes, tree.boxes, tree.child, 0, &q);
	answers[i].count = q.count;
	answers[i].sum = q.sum;
}

/* ---- t_stack: a query a thread, a stack a thread ---- */

template <int CAPACITY> __global__ void search_by_threads(Tree tree, const Box *queries, int count, Answer *answers)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	const Box q = queries[i];
	int stack[CAPACITY], top = 0, hits = 0;
	unsigned sum = 0;
	stack[top++] = 0;
	while (top > 0) {
		const int n = stack[--top];
		const Node node = tree.nodes[n];
		const float *box = tree.boxes + 4 * node.first;
		const int *child = tree.child + node.first;
		if (node.leaf) {
			for (int e = 0; e < node.count; e++)
				if (overlaps(box, node.count, e, q)) {
					hits++;
					sum += child[e];
				}
		} else {
			for (int e = 0; e < node.count; e++)
				if (overlaps(box, node.count, e, q))
					stack[top++] = child[e];
		}
	}
	answers[i].count = hits;
	answers[i].sum = sum;
}

/* ---- w_stack: a query a warp, a stack a warp ---- */

/* The lanes look at 32 entries together and exchange what they have found; one of them pushes. A stack has
 * `capacity` entries. */
__global__ void search_by_warps(Tree tree, const Box *queries, int count, int capacity, Answer *answers)
{
	extern __shared__ int stacks[];
	const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
	const int i = blockIdx.x * (BLOCK / WARP) + warp;
	if (i >= count)
		return;
	const Box q = queries[i];
	int *stack = stacks + warp * capacity;
	int top = 1, hits = 0;
	unsigned sum = 0;
	if (lane == 0)
		stack[0] = 0;
	__syncwarp();
	while (top > 0) {
		const Node node = tree.nodes[stack[--top]];
		const float *box = tree.boxes + 4 * node.first;
		const int *child = tree.child + node.first;
		__syncwarp();
		for (int first = 0; first < node.count; first += WARP) {
			const int e = first + lane;
			const bool hit = e < node.count && overlaps(box, node.count, e, q);
			if (node.leaf) {
				if (hit) {
					hits++;
					sum += child[e];
				}
				continue;
			}
			const unsigned found = __ballot_sync(ALL_LANES, hit);
			if (lane == 0) {
				int at = top;
				for (unsigned left = found; left; left &= left - 1)
					stack[at++] = child[first + __ffs(left) - 1];
			}
			top += __popc(found);
		}
		__syncwarp();
	}
	for (int distance = WARP / 2; distance > 0; distance /= 2) {
		hits += __shfl_down_sync(ALL_LANES, hits, distance);
		sum += __shfl_down_sync(ALL_LANES, sum, distance);
	}
	if (lane == 0) {
		answers[i].count = hits;
		answers[i].sum = sum;
	}
}

/* ---- b_stack: a query a block, a stack a block ---- */

/* The threads look at BLOCK entries together; each warp notes what it has found, and one thread pushes it all. */
__global__ void search_by_blocks(Tree tree, const Box *queries, Answer *answers)
{
	extern __shared__ int stack[];
	__shared__ unsigned found[BLOCK / WARP], sums;
	__shared__ int top, hits;
	const int tid = threadIdx.x;
	const Box q = queries[blockIdx.x];
	int own_hits = 0;
	unsigned own_sum = 0;
	if (tid == 0) {
		stack[0] = 0;
		top = 1;
		hits = 0;
		sums = 0;
	}
	__syncthreads();
	while (top > 0) {
		const Node node = tree.nodes[stack[top - 1]];
		const float *box = tree.boxes + 4 * node.first;
		const int *child = tree.child + node.first;
		__syncthreads();
		if (tid == 0)
			top--;
		for (int first = 0; first < node.count; first += BLOCK) {
			const int e = first + tid;
			const bool hit = e < node.count && overlaps(box, node.count, e, q);
			if (node.leaf) {
				if (hit) {
					own_hits++;
					own_sum += child[e];
				}
				continue;
			}
			const unsigned mine = __ballot_sync(ALL_LANES, hit);
			if (tid % WARP == 0)
				found[tid / WARP] = mine;
			__syncthreads();
			if (tid == 0)
				for (int warp = 0; warp < BLOCK / WARP; warp++)
					for (unsigned left = found[warp]; left; left &= left - 1)
						stack[top++] = child[first + warp * WARP + __ffs(left) - 1];
			__syncthreads();
		}
		__syncthreads();
	}
	if (own_hits > 0) {
		atomicAdd(&hits, own_hits);
		atomicAdd(&sums, own_sum);
	}
	__syncthreads();
	if (tid == 0) {
		answers[blockIdx.x].count = hits;
		answers[blockIdx.x].sum = sums;
	}
}

/* ---- the program ---- */

const int LARGEST_STACK = 4352; /* entries of a thread's */

/* Recursion has a stack of the machine's own, which is not dumped anywhere. */
static int checked_levels(int levels)
{
	const int most = 256;
	if (levels > most)
		fail<InputError>("a tree of %d levels; recursion goes down %d levels at most, the other forms any", levels,
						 most);
	return std::max(levels, 64);
}

struct SearchOptions {
	uint64_t seed;
	int reps, node_size;
	int stack, enough;      /* entries of a stack, 0: as many as are needed; entries from which on hybrids divide */
	int random_queries = 0; /* 0: they are read */
	bool shuffled, check;
	std::string input, tree, queries, form, host, out;
	float selectivity;

	explicit SearchOptions(CommandLine &line)
		: seed(line.whole_number("--seed", 1, 0, UINT64_MAX)),
		  reps(static_cast<int>(line.whole_number("--reps", 5, 1, 1000000))),
		  node_size(static_cast<int>(line.whole_number("--node-size", 16, 2, 65536))),
		  stack(static_cast<int>(line.whole_number("--stack", 0, 0, LARGEST_STACK))),
		  enough(static_cast<int>(line.whole_number("--enough", 0, 0, 1 << 20))),
		  shuffled(line.one_of("--order", "sorted", "sorted", "shuffled") == "shuffled"), check(line.flag("--check")),
		  input(line.text("--input", "")), tree(line.text("--tree", "")),
		  queries(line.text("--queries", "random:100000")), form(line.text("--form", "recursive")),
		  host(line.text("--host", "")), out(line.text("--out", "")),
		  selectivity(line.number("--selectivity", 1e-5f, 0.0f, 1.0f))
	{
		if (!input.empty() && !tree.empty())
			fail<UsageError>("--input builds a tree, --tree reads one: only one of them can be");
		known("--form", form, {"recursive", "thread", "warp", "block", "block-warp", "warp-thread"});
		if (!host.empty())
			known("--host", host, {"recursive", "iterative", "openmp"});
		if (queries.compare(0, 7, "random:") == 0)
			random_queries = number_of(queries.substr(7));
	}

private:
	int number_of(const std::string &text) const
	{
		char *end;
		const long long count = std::strtoll(text.c_str(), &end, 10);
		if (*end || count < 1 || count > MOST_ENTRIES)
			fail<UsageError>("--queries: expected random:N, FILE.npy or FILE.csv, found '%s'", queries.c_str());
		return static_cast<int>(count);
	}

	static void known(const char *option, const std::string &value, const std::vector<std::string> &values)
	{
		std::string all;
		for (const std::string &each : values)
			all += (all.empty() ? "" : each == values.back() ? " or " : ", ") + each;
		if (std::find(values.begin(), values.end(), value) == values.end())
			fail<UsageError>("%s: expected %s, found '%s'", option, all.c_str(), value.c_str());
	}
};

/* The stacks of threads come in some sizes. */
typedef void (*ByThreads)(Tree, const Box *, int, Answer *);
typedef void (*ByThreadsOrDump)(Tree, const Box *, int, int, int, Dump, Answer *);

static ByThreads search_with_stacks_of(int entries)
{
	return entries <= 64     ? search_by_threads<64>
		   : entries <= 256  ? search_by_threads<256>
		   : entries <= 1024 ? search_by_threads<1024>
							 : search_by_threads<LARGEST_STACK>;
}

static ByThreadsOrDump search_or_dump_with_stacks_of(int entries)
{
	return entries <= 64 ? search_by_threads_or_dump<64> : search_by_threads_or_dump<LARGEST_STACK>;
}

/* A search on the device: the arrays there, and launches of each form. */
class DeviceSearch
{
public:
	DeviceSearch(const HostTree &tree, const std::vector<Box> &queries, const SearchOptions &options)
		: options(options), needed(tree.stack), count(static_cast<int>(queries.size())), nodes(tree.nodes),
		  boxes(tree.boxes), child(tree.child), asked(queries), answers(queries.size()),
		  there{nodes.get(), boxes.get(), child.get()}
	{
		if (options.form == "recursive")
			set_stack_bytes(checked_levels(tree.levels) * size_t(256));
	}

	/* Answers all queries; returns the kernels' least time in milliseconds. */
	double run(std::vector<Answer> &found)
	{
		double ms;
		if (options.form == "recursive")
			ms = least_kernel_ms(options.reps, "search_recursively", [&] {
				search_recursively<<<blocks_of(BLOCK, count), BLOCK>>>(there, asked.get(), count, answers.get());
			});
		else if (options.form == "thread")
			ms = by_threads();
		else if (options.form == "warp")
			ms = by_warps();
		else if (options.form == "block")
			ms = by_blocks();
		else if (options.form == "block-warp")
			ms = by_blocks_then_warps();
		else
			ms = by_warps_then_threads();
		answers.copy_to(found);
		return ms;
	}

private:
	enum { WARPS = BLOCK / WARP, SPACIOUS = 256 }; /* SPACIOUS: entries of a hybrid's stacks */
	const SearchOptions &options;
	const int needed, count; /* entries of a stack on which a search of everything has room; queries */
	const DeviceArray<Node> nodes;
	const DeviceArray<float> boxes;
	const DeviceArray<int> child;
	const DeviceArray<Box> asked;
	const DeviceArray<Answer> answers;
	const Tree there;

	/* Entries of a stack: those asked for, or as many as are needed, up to `most`. */
	int capacity(int most) const
	{
		if (options.stack > most)
			fail<InputError>("--stack %d: there is room for %d entries", options.stack, most);
		return options.stack ? std::min(options.stack, needed) : std::min(needed, most);
	}

	/* How many entries `stacks` stacks in a block's shared memory can have, beside what the kernel has itself. */
	static int most_shared(int stacks)
	{
		int most = 0;
		check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "cudaDeviceGetAttribute");
		return (most - 128) / static_cast<int>(sizeof(int)) / stacks;
	}

	/* Bytes of shared memory for `entries` in all, which the kernel may then use. */
	template <class Kernel> static size_t shared_bytes(Kernel kernel, int entries)
	{
		const int bytes = static_cast<int>(sizeof(int)) * entries;
		check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
		return bytes;
	}

	/* Times `begin_search`, which dumps what does not fit, and `resume`, and counts how often. */
	template <class Begin, class Resume>
	double with_dumps(int stacks, int entries, const char *name, int of_a_stack, Begin begin_search, Resume resume)
	{
		Overflow overflow(count, stacks, entries, needed);
		const Dump dump = overflow.dump();
		const double ms = least_kernel_ms(options.reps, name, [&] {
			check(cudaMemsetAsync(answers.get(), 0, count * sizeof(Answer), 0), "cudaMemsetAsync");
			overflow.run([&](int begin, int some) { begin_search(begin, some, dump); },
						 [&](int begin, int some) { resume(begin, some, dump); });
		});
		std::printf("overflow: %lld stacks of %d entries were full\n", overflow.count(), of_a_stack);
		return ms;
	}

	void resume_by_threads(int begin, int some, const Dump &dump) const
	{
		resume_threads<<<blocks_of(BLOCK, some), BLOCK>>>(there, asked.get(), begin, some, dump, answers.get());
	}

	void resume_by_warps(int begin, int some, const Dump &dump) const
	{
		resume_warps<<<blocks_of(WARPS, some), BLOCK>>>(there, asked.get(), begin, some, dump, answers.get());
	}

	double by_threads()
	{
		const int entries = capacity(LARGEST_STACK);
		if (entries == needed) {
			const ByThreads kernel = search_with_stacks_of(entries);
			return least_kernel_ms(options.reps, "search_by_threads", [&] {
				kernel<<<blocks_of(BLOCK, count), BLOCK>>>(there, asked.get(), count, answers.get());
			});
		}
		const ByThreadsOrDump kernel = search_or_dump_with_stacks_of(entries);
		return with_dumps(
			1, entries, "search_by_threads_or_dump", entries,
			[&](int begin, int some, const Dump &dump) {
				kernel<<<blocks_of(BLOCK, some), BLOCK>>>(there, asked.get(), begin, some, entries, dump,
														  answers.get());
			},
			[&](int begin, int some, const Dump &dump) { resume_by_threads(begin, some, dump); });
	}

	double by_warps()
	{
		const int entries = capacity(most_shared(WARPS));
		if (entries == needed) {
			const size_t bytes = shared_bytes(search_by_warps, WARPS * entries);
			return least_kernel_ms(options.reps, "search_by_warps", [&] {
				search_by_warps<<<blocks_of(WARPS, count), BLOCK, bytes>>>(there, asked.get(), count, entries,
																		   answers.get());
			});
		}
		const size_t bytes = shared_bytes(search_by_warps_or_dump, WARPS * entries);
		return with_dumps(
			1, entries, "search_by_warps_or_dump", entries,
			[&](int begin, int some, const Dump &dump) {
				search_by_warps_or_dump<<<blocks_of(WARPS, some), BLOCK, bytes>>>(there, asked.get(), begin, some,
																				  entries, dump, answers.get());
			},
			[&](int begin, int some, const Dump &dump) { resume_by_warps(begin, some, dump); });
	}

	double by_blocks()
	{
		const int entries = capacity(most_shared(1));
		if (entries == needed) {
			const size_t bytes = shared_bytes(search_by_blocks, entries);
			return least_kernel_ms(options.reps, "search_by_blocks", [&] {
				search_by_blocks<<<count, BLOCK, bytes>>>(there, asked.get(), answers.get());
			});
		}
		const size_t bytes = shared_bytes(search_by_blocks_or_dump, entries);
		return with_dumps(
			1, entries, "search_by_blocks_or_dump", entries,
			[&](int begin, int some, const Dump &dump) {
				search_by_blocks_or_dump<<<some, BLOCK, bytes>>>(there, asked.get(), begin, entries, dump,
																 answers.get());
			},
			[&](int begin, int some, const Dump &dump) {
				resume_blocks<<<some, BLOCK>>>(there, asked.get(), begin, dump, answers.get());
			});
	}

	double by_blocks_then_warps()
	{
		const int most = most_shared(1 + WARPS),
				  entries = capacity(options.stack ? most : std::min<int>(most, SPACIOUS));
		const int enough = options.enough ? options.enough : WARPS;
		const size_t bytes = shared_bytes(search_by_blocks_then_warps, (1 + WARPS) * entries);
		return with_dumps(
			1 + WARPS, (1 + WARPS) * entries, "search_by_blocks_then_warps", entries,
			[&](int begin, int some, const Dump &dump) {
				search_by_blocks_then_warps<<<some, BLOCK, bytes>>>(there, asked.get(), begin, entries, enough, dump,
																	answers.get());
			},
			[&](int begin, int some, const Dump &dump) { resume_by_warps(begin, some, dump); });
	}

	double by_warps_then_threads()
	{
		const int most = most_shared(WARPS), entries = capacity(options.stack ? most : std::min<int>(most, SPACIOUS));
		const int enough = options.enough ? options.enough : 8;
		const size_t bytes = shared_bytes(search_by_warps_then_threads, WARPS * entries);
		return with_dumps(
			1 + WARP, entries + WARP * std::min(entries, LANE_STACK), "search_by_warps_then_threads", entries,
			[&](int begin, int some, const Dump &dump) {
				search_by_warps_then_threads<<<blocks_of(WARPS, some), BLOCK, bytes>>>(
					there, asked.get(), begin, some, entries, enough, dump, answers.get());
			},
			[&](int begin, int some, const Dump &dump) { resume_by_threads(begin, some, dump); });
	}
};

static double search_on_host(const HostTree &tree, const std::vector<Box> &queries, const SearchOptions &options,
							 std::vector<Answer> &found)
{
	const Tree there = tree.view();
	const int count = static_cast<int>(queries.size());
	std::vector<int> stack(tree.stack);
	if (options.host != "iterative")
		checked_levels(tree.levels);
	found.resize(queries.size());
	return least_host_ms(options.reps, [&] {
		if (options.host == "openmp") {
#pragma omp parallel for schedule(dynamic, 64)
			for (int i = 0; i < count; i++)
				found[i] = ScalarSearch(there, queries[i]).recursive();
		} else if (options.host == "iterative") {
			for (int i = 0; i < count; i++)
				found[i] = ScalarSearch(there, queries[i]).iterative(stack.data());
		} else {
			for (int i = 0; i < count; i++)
				found[i] = ScalarSearch(there, queries[i]).recursive();
		}
	});
}

/* Compares a sample with all records. */
static int check_answers(const std::vector<Box> &records, const std::vector<Box> &queries,
						 const std::vector<Answer> &found)
{
	const double most = 1e9 / static_cast<double>(records.size());
	const std::vector<int> rows =
		spread_sample(static_cast<int>(queries.size()), static_cast<int>(std::clamp(most, 16.0, 5000.0)));
	for (int row : rows) {
		const Box &q = queries[row];
		int count = 0;
		unsigned sum = 0;
		for (size_t i = 0; i < records.size(); i++)
			if (records[i].x0 <= q.x1 && records[i].x1 >= q.x0 && records[i].y0 <= q.y1 && records[i].y1 >= q.y0) {
				count++;
				sum += static_cast<unsigned>(i);
			}
		if (found[row].count != count || found[row].sum != sum)
			fail<WrongAnswer>("query %d: %d records with the sum %u found, %d with the sum %u are right", row,
							  found[row].count, found[row].sum, count, sum);
	}
	return static_cast<int>(rows.size());
}

static std::vector<Box> read_queries(const SearchOptions &options, const std::vector<Box> &records)
{
	if (options.random_queries)
		return random_queries(records, options.random_queries, options.selectivity, options.seed);
	const char *name = options.queries.c_str();
	return boxes_of(name, read_points(name, options.seed, {1, "a search"}));
}

/* Reads or builds the tree; `records` gets the boxes of what is in it. */
static HostTree make_tree(const SearchOptions &options, std::vector<Box> &records)
{
	HostTree tree;
	const std::string name = !options.tree.empty()   ? options.tree
							 : options.input.empty() ? "random:4194304x2"
													 : options.input;
	const Points rows = read_points(name, options.seed, {1, "an R-tree"});
	if (rows.count > MOST_ENTRIES / 2)
		fail<InputError>("%s: %d rows are too many; at most 2^27 are supported", name.c_str(), rows.count);
	if (!options.tree.empty()) {
		tree = read_tree(name.c_str(), rows, records);
	} else {
		records = boxes_of(name.c_str(), rows);
		tree = build_tree(records, options.node_size);
	}
	check_tree(name.c_str(), tree);
	return tree;
}

static int search_all(CommandLine &line)
{
	const SearchOptions options(line);
	line.end();
	std::vector<Box> records;
	const HostTree tree = make_tree(options, records);
	std::printf("tree: %zu records, %zu nodes on %d levels, stacks of %d entries\n", records.size(), tree.nodes.size(),
				tree.levels, tree.stack);
	const std::vector<Box> queries = read_queries(options, records);
	const std::vector<int> order = order_of(queries, options.shuffled, options.seed);
	std::vector<Box> asked(queries.size());
	for (size_t i = 0; i < order.size(); i++)
		asked[i] = queries[order[i]];

	std::vector<Answer> found, answers(queries.size());
	const double ms = options.host.empty() ? DeviceSearch(tree, asked, options).run(found)
										   : search_on_host(tree, asked, options, found);
	std::printf("%s: %.3f ms (best of %d), %.0f queries/s, %s\n", options.host.empty() ? "kernel" : "host", ms,
				options.reps, queries.size() / (ms * 1e-3), options.shuffled ? "shuffled" : "sorted");
	print_transfers();
	long long hits = 0;
	for (size_t i = 0; i < order.size(); i++) {
		answers[order[i]] = found[i];
		hits += found[i].count;
	}
	std::printf("records found: %lld, %.1f a query\n", hits, static_cast<double>(hits) / queries.size());
	if (!options.out.empty())
		write_npy(options.out, "[('count', '<i4'), ('sum', '<u4')]", "(" + std::to_string(answers.size()) + ",)",
				  answers.data(), answers.size() * sizeof(Answer));
	if (options.check)
		std::printf("check: PASS, %d answers compared with all records\n", check_answers(records, queries, answers));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: rtree [--input INPUT | --tree FILE] [--node-size N] [--queries FILE] [--selectivity S]\n"
		"             [--form recursive|thread|warp|block|block-warp|warp-thread] [--stack N] [--enough N]\n"
		"             [--order sorted|shuffled] [--seed S] [--reps R] [--host recursive|iterative|openmp] [--check]\n"
		"             [--out FILE]\n"
		"\n"
		"Counts the records that overlap each of many rectangles, by searches of an R-tree on the device.\n"
		"\n"
		"  --input INPUT  the records. random:Nx2: N random points (default: random:4194304x2); FILE.npy: a float32\n"
		"                 or float64 array; FILE.csv: a record a line. Rows of 2 numbers are points, rows of 4 are\n"
		"                 rectangles: x0, y0, x1, y1\n"
		"  --tree FILE    read the tree as well: an entry a row, 6 numbers: its node, from 0, the root, on; the node\n"
		"                 that it leads to, or -1 - R for record R; x0, y0, x1, y1. Entries of a node stand together\n"
		"  --node-size N  entries of a node that is built, 2 to 65536 (default: 16)\n"
		"  --queries FILE the rectangles, like the records; random:N: around N random records; default: random:100000\n"
		"  --selectivity S  of random queries: area, as part of that of all records together (default: 1e-5)\n"
		"  --form FORM    recursive: a query a thread, recursive calls (default); thread, warp, block: who has\n"
		"                 a query and a stack; block-warp, warp-thread: hybrid stacks, of a block until there is a\n"
		"                 node for each warp, or of a warp until there are 8, and then of each warp or thread\n"
		"  --stack N      entries of a stack, up to 4352 and what fits a block's shared memory; a search that finds\n"
		"                 its stack full is dumped, and a second kernel resumes it (default: as many as are needed "
		"or,\n"
		"                 if there is no room for these, fit; hybrid stacks have up to 256)\n"
		"  --enough N     nodes on a hybrid stack from which on others take them\n"
		"  --order ORDER  sorted: ask along a curve through the plane (default); shuffled: in random order\n"
		"  --seed S       of random records, random queries and the shuffled order (default: 1)\n"
		"  --reps R       run R times, report the quickest (default: 5)\n"
		"  --host HOW     search on the host instead: recursive or iterative, on one core; openmp: on all\n"
		"  --check        compare a sample of the answers with all records; exit code 1 if one is wrong\n"
		"  --out FILE     write all answers to FILE, as .npy: records (count, sum of their rows mod 2^32)\n"
		"  --help         print this\n";
	return run_program("rtree", usage, search_all, argc, argv);
}
