/* Shortest ways from one node to all others, over edges of different lengths (Bellman and Ford): in each round, the
 * nodes whose distance has become less look at their neighbours. A child grid of several blocks looks at those of a
 * node with many; a consolidated one takes the many of a warp, a block or the grid one after the other. */
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/nested.h"
#include "../common/source.h"
#include "../common/sparse.h"

#define ITEM_BLOCKS 4 /* blocks of a consolidated child that share a node */
#define FAR INT_MAX

const int LONGEST = 65535; /* length of an edge */

/* All are on the device. */
struct Ways {
	int nodes;
	const int *start, *to, *length;
	int *distance;
	char *now, *next; /* whether a node has become nearer in the last round, in this one */
	int *more;        /* whether there is one in this round */
};

/* A node looks at its neighbours: `count` threads, of which this is one, have every `count`th edge. */
__device__ inline void relax(const Ways &ways, int node, int thread, int count)
{
	const int here = ways.distance[node], end = ways.start[node + 1];
	bool any = false;
	for (int i = ways.start[node] + thread; i < end; i += count) {
		const int other = ways.to[i], distance = here + ways.length[i];
		if (distance < ways.distance[other] && atomicMin(&ways.distance[other], distance) > distance) {
			ways.next[other] = 1;
			any = true;
		}
	}
	if (any)
		*ways.more = 1;
}

/* Whether a node has become nearer in the last round, once. */
__device__ inline bool takes_part(const Ways &ways, int node)
{
	if (node >= ways.nodes || !ways.now[node])
		return false;
	ways.now[node] = 0;
	return true;
}

__global__ void flat(Ways ways)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (takes_part(ways, node))
		relax(ways, node, 0, 1);
}

/* ---- basic ---- */

__global__ void child(Ways ways, int node)
{
	relax(ways, node, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

__global__ void parent(Ways ways, Launches launches)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (!takes_part(ways, node))
		return;
	const int degree = ways.start[node + 1] - ways.start[node];
	if (degree > launches.threshold) {
		child<<<(degree + CHILD - 1) / CHILD, CHILD, 0, cudaStreamFireAndForget>>>(ways, node);
		note_launch(launches, 1);
	} else {
		relax(ways, node, 0, 1);
	}
}

/* ---- consolidated ---- */

/* The blocks of a row of the grid fetch one node after the other, and share its edges. */
__global__ void fetching_child(Ways ways, const int *items, int count)
{
	for (int item = blockIdx.y; item < count; item += gridDim.y)
		relax(ways, items[item], blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

template <Level LEVEL> __global__ void collecting_parent(Ways ways, Launches launches)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	const bool active = takes_part(ways, node),
			   large = active && ways.start[node + 1] - ways.start[node] > launches.threshold;
	if (active && !large)
		relax(ways, node, 0, 1);
	const Collected collected = collect<LEVEL>(large, node, launches);
	if (collected.launches) {
		const int blocks = blocks_for(launches, collected.count * ITEM_BLOCKS);
		const dim3 grid(min(blocks, ITEM_BLOCKS), min(65535, (blocks + ITEM_BLOCKS - 1) / ITEM_BLOCKS));
		fetching_child<<<grid, CHILD, 0, cudaStreamFireAndForget>>>(ways, collected.items, collected.count);
		note_launch(launches, collected.count);
	}
}

/* ---- on the device ---- */

static void relax_by(const std::string &form, const Ways &ways, const Launches &launches)
{
	const int blocks = blocks_of(PARENT, ways.nodes);
	if (form == "flat")
		flat<<<blocks, PARENT>>>(ways);
	else if (form == "basic")
		parent<<<blocks, PARENT>>>(ways, launches);
	else if (form == "warp")
		collecting_parent<IN_WARP><<<blocks, PARENT>>>(ways, launches);
	else if (form == "block")
		collecting_parent<IN_BLOCK><<<blocks, PARENT>>>(ways, launches);
	else
		collecting_parent<IN_GRID><<<blocks, PARENT>>>(ways, launches);
}

/* Returns the number of launches. */
static int search(const std::string &form, Ways ways, const Launches &launches)
{
	int rounds = 0;
	for (int more = 1; more; rounds++) {
		check(cudaMemsetAsync(ways.more, 0, sizeof(int), 0), "cudaMemsetAsync");
		relax_by(form, ways, launches);
		check(cudaMemcpy(&more, ways.more, sizeof more, cudaMemcpyDeviceToHost), "cudaMemcpy");
		std::swap(ways.now, ways.next);
	}
	return rounds;
}

static NestedTime search_on_device(const Sparse &graph, const std::vector<int> &length, int source,
								   const NestedOptions &nested, int reps, std::vector<int> &distance)
{
	const int nodes = graph.rows, zero = 0;
	const char one = 1;
	const DeviceArray<int> start(graph.start), to(graph.column), lengths(length), distances(nodes), more(1),
		far(std::vector<int>(nodes, FAR));
	const DeviceArray<char> now(nodes), next(nodes);
	const Ways ways{nodes, start.get(), to.get(), lengths.get(), distances.get(), now.get(), next.get(), more.get()};
	const NestedTime time = time_nested(
		nested, reps, "sssp", resident_blocks(fetching_child), nodes, nodes,
		[&] {
			check(cudaMemcpy(distances.get(), far.get(), nodes * sizeof(int), cudaMemcpyDeviceToDevice), "cudaMemcpy");
			check(cudaMemcpy(distances.get() + source, &zero, sizeof zero, cudaMemcpyHostToDevice), "cudaMemcpy");
			check(cudaMemset(now.get(), 0, nodes), "cudaMemset");
			check(cudaMemset(next.get(), 0, nodes), "cudaMemset");
			check(cudaMemcpy(now.get() + source, &one, 1, cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&](const Launches &launches) { return search(nested.form, ways, launches); });
	distances.copy_to(distance);
	return time;
}

/* ---- on the host ---- */

/* Dijkstra's algorithm, with a heap in which nodes may stand more than once. */
static void search_serially(const Sparse &graph, const std::vector<int> &length, int source, std::vector<int> &distance)
{
	using Entry = std::pair<int, int>; /* distance, node */
	std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> heap;
	distance.assign(graph.rows, FAR);
	distance[source] = 0;
	heap.emplace(0, source);
	while (!heap.empty()) {
		const auto [here, node] = heap.top();
		heap.pop();
		if (here > distance[node])
			continue;
		for (int i = graph.start[node]; i < graph.start[node + 1]; i++)
			if (here + length[i] < distance[graph.column[i]]) {
				distance[graph.column[i]] = here + length[i];
				heap.emplace(here + length[i], graph.column[i]);
			}
	}
}

/* Makes `*at` at most `value`; returns whether it was more. */
static bool lower(int *at, int value)
{
	int before = __atomic_load_n(at, __ATOMIC_RELAXED);
	while (value < before)
		if (__atomic_compare_exchange_n(at, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	return false;
}

static void search_in_parallel(const Sparse &graph, const std::vector<int> &length, int source,
							   std::vector<int> &distance)
{
	std::vector<char> now(graph.rows), next(graph.rows);
	distance.assign(graph.rows, FAR);
	distance[source] = 0;
	now[source] = 1;
	for (int more = 1; more; std::swap(now, next)) {
		more = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(| : more)
		for (int node = 0; node < graph.rows; node++) {
			if (!now[node])
				continue;
			now[node] = 0;
			const int here = __atomic_load_n(&distance[node], __ATOMIC_RELAXED);
			for (int i = graph.start[node]; i < graph.start[node + 1]; i++)
				if (lower(&distance[graph.column[i]], here + length[i])) {
					__atomic_store_n(&next[graph.column[i]], 1, __ATOMIC_RELAXED);
					more = 1;
				}
		}
	}
}

/* ---- the program ---- */

/* Lengths of a file as they are, 1 in one of a pattern; others random from 1 to 63, the same in both directions. */
static std::vector<int> lengths_of(const Sparse &graph, const std::string &input, bool generated, uint64_t seed)
{
	std::vector<int> length(graph.column.size(), 1);
	for (int node = 0; node < graph.rows; node++)
		for (int i = graph.start[node]; i < graph.start[node + 1]; i++) {
			if (generated)
				length[i] = static_cast<int>(edge_bits(node, graph.column[i], seed) % 63) + 1;
			if (graph.value.empty())
				continue;
			const double value = graph.value[i];
			if (value < 0.0 || value > LONGEST || value != std::floor(value))
				fail<InputError>(
					"%s: the edge from node %d to %d has length %g; whole numbers from 0 to %d are supported",
					input.c_str(), node + 1, graph.column[i] + 1, value, LONGEST);
			length[i] = static_cast<int>(value);
		}
	const int longest = length.empty() ? 0 : *std::max_element(length.begin(), length.end());
	if (static_cast<long long>(graph.rows) * longest > INT_MAX)
		fail<InputError>("%s: a way over %d nodes by edges of length %d may be longer than 2^31 - 1", input.c_str(),
						 graph.rows, longest);
	return length;
}

static int search(CommandLine &line)
{
	const NestedRun run(line, "citation");
	const NestedOptions nested(line);
	const int64_t given = line.place("--source");
	line.end();
	const Sparse graph = make_graph(run.input, run.seed);
	const std::vector<int> length = lengths_of(graph, run.input, is_generated(run.input), run.seed);
	const int source = source_of(graph, graph.rows, given);
	print_sparse(graph);
	if (!nested.save_graph.empty()) {
		save_sparse(nested.save_graph, graph);
		write_list(nested.save_graph + "-length.npy", "'<i4'", length);
	}
	std::vector<int> distance;
	NestedTime time{};
	if (nested.host.empty())
		time = search_on_device(graph, length, source, nested, run.reps, distance);
	else
		time.ms = least_host_ms(run.reps, [&] {
			(nested.host == "openmp" ? search_in_parallel : search_serially)(graph, length, source, distance);
		});
	print_nested(nested, run, time, graph.entries(), "edges");
	std::replace(distance.begin(), distance.end(), FAR, -1);
	if (!run.out.empty())
		write_list(run.out, "'<i4'", distance);
	if (run.check) {
		std::vector<int> right;
		search_serially(graph, length, source, right);
		std::replace(right.begin(), right.end(), FAR, -1);
		check_equal("distance", "node", right, distance);
		std::printf("check: PASS, %zu distances compared with Dijkstra's\n", distance.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: sssp [--input INPUT] [--source NODE] [--form FORM] [--threshold N] [--kc X] [--seed S] [--reps R]\n"
		"            [--host HOW] [--check] [--out FILE] [--save-graph NAME]\n"
		"\n"
		"Finds the shortest ways from a node to all others. Edges of generated graphs are 1 to 63 long.\n"
		"\n" +
		usage_of_nested_options() + USAGE_OF_SOURCE + usage_of_nested_run("the distances, int32; -1: there is no way");
	return run_program("sssp", usage, search, argc, argv);
}
