/* Breadth-first search: how many edges each node of a graph is away from a source. One level after the other.
 *
 * There are two forms. `queue` keeps the nodes of a level in a list. While they are few, each looks at its neighbours;
 * when they are many, every node that is not reached yet looks for a neighbour among them, and stops at the first
 * (Beamer, Asanovic and Patterson, 2012). `masks` keeps a byte for each node of the graph, and a thread looks at it in
 * every level. */
#include <algorithm>
#include <climits>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/source.h"
#include "graph.h"

#define BLOCK 64
#define FOUND 512 /* nodes that a block can keep before it puts them into the queue */
#define HUB 32    /* edges from which on the threads of a block share a node */
#define MANY 100  /* a level of more than one in MANY nodes is searched from the other side */

/* ---- queue ---- */

/* Puts a node into the next level's queue, by way of the block's own list while there is room. */
__device__ inline void keep(int node, int *queue, int *queued, int *found, int *found_count)
{
	const int place = atomicAdd(found_count, 1);
	if (place < FOUND)
		found[place] = node;
	else
		queue[atomicAdd(queued, 1)] = node;
}

/* The block's own list goes to the queue. All threads of a block call it; `first` is shared. */
__device__ inline void append(const int *found, int found_count, int *queue, int *queued, int *first)
{
	__syncthreads();
	const int kept = found_count < FOUND ? found_count : FOUND;
	if (threadIdx.x == 0 && kept > 0)
		*first = atomicAdd(queued, kept);
	__syncthreads();
	for (int place = threadIdx.x; place < kept; place += BLOCK)
		queue[*first + place] = found[place];
}

/* The nodes of `from`, `size` of them, look at their neighbours. `*queued` counts the nodes in `to`. */
__global__ void push(const int *start, const int *edges, const int *from, int size, int depth, int *level, int *to,
					 int *queued)
{
	__shared__ int found[FOUND], hubs[BLOCK];
	__shared__ int found_count, hub_count, first;
	const int tid = threadIdx.x, i = blockIdx.x * BLOCK + tid;
	if (tid == 0) {
		found_count = 0;
		hub_count = 0;
	}
	__syncthreads();
	if (i < size) {
		const int node = from[i], end = start[node + 1];
		if (end - start[node] >= HUB) {
			hubs[atomicAdd(&hub_count, 1)] = node;
		} else {
			for (int edge = start[node]; edge < end; edge++) {
				const int other = edges[edge];
				if (level[other] < 0 && atomicCAS(&level[other], -1, depth) < 0)
					keep(other, to, queued, found, &found_count);
			}
		}
	}
	__syncthreads();
	for (int hub = 0; hub < hub_count; hub++) {
		const int end = start[hubs[hub] + 1];
		for (int edge = start[hubs[hub]] + tid; edge < end; edge += BLOCK) {
			const int other = edges[edge];
			if (level[other] < 0 && atomicCAS(&level[other], -1, depth) < 0)
				keep(other, to, queued, found, &found_count);
		}
	}
	__syncthreads();
	append(found, found_count, to, queued, &first);
}

/* Every node that is not reached yet looks for a neighbour of the level before. */
__global__ void pull(const int *start, const int *edges, int nodes, int depth, int *level, int *to, int *queued)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node >= nodes || level[node] >= 0)
		return;
	const int end = start[node + 1];
	int edge = start[node];
	while (edge < end && level[edges[edge]] != depth - 1)
		edge++;
	if (edge < end) {
		level[node] = depth;
		to[atomicAdd(queued, 1)] = node;
	}
}

/* ---- masks ---- */

/* Nodes of the frontier put their unvisited neighbours into the next one. */
__global__ void expand_masks(const int *start, const int *edges, const char *frontier, char *next, int *level,
							 int nodes, int depth)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node < nodes && frontier[node])
		for (int edge = start[node]; edge < start[node + 1]; edge++)
			if (level[edges[edge]] < 0)
				next[edges[edge]] = 1;
}

/* The next frontier becomes the frontier; `*more` says whether it holds anything. */
__global__ void advance_masks(char *frontier, char *next, int *level, int nodes, int depth, int *more)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node >= nodes)
		return;
	const char reached = next[node];
	frontier[node] = reached;
	if (reached) {
		next[node] = 0;
		level[node] = depth;
		*more = 1;
	}
}

/* ---- on the device ---- */

/* Both return the number of launches. */

static int search_by_queue(const int *start, const int *edges, int nodes, int *level, int *from, int *to, int *queued)
{
	int launches = 0;
	for (int size = 1, depth = 1; size > 0; depth++, launches++) {
		check(cudaMemset(queued, 0, sizeof(int)), "cudaMemset");
		if (size > nodes / MANY)
			pull<<<blocks_of(BLOCK, nodes), BLOCK>>>(start, edges, nodes, depth, level, to, queued);
		else
			push<<<blocks_of(BLOCK, size), BLOCK>>>(start, edges, from, size, depth, level, to, queued);
		check(cudaMemcpy(&size, queued, sizeof size, cudaMemcpyDeviceToHost), "cudaMemcpy");
		std::swap(from, to);
	}
	return launches;
}

static int search_by_masks(const int *start, const int *edges, int nodes, int *level, char *frontier, char *next,
						   int *more)
{
	int launches = 0;
	for (int again = 1, depth = 1; again; depth++, launches += 2) {
		check(cudaMemset(more, 0, sizeof(int)), "cudaMemset");
		expand_masks<<<blocks_of(BLOCK, nodes), BLOCK>>>(start, edges, frontier, next, level, nodes, depth);
		advance_masks<<<blocks_of(BLOCK, nodes), BLOCK>>>(frontier, next, level, nodes, depth, more);
		check(cudaMemcpy(&again, more, sizeof again, cudaMemcpyDeviceToHost), "cudaMemcpy");
	}
	return launches;
}

static double search_on_device(const Graph &graph, int source, bool masks, const RunOptions &options,
							   std::vector<int> &level, int &launches)
{
	const int nodes = graph.nodes(), zero = 0;
	const char one = 1;
	const DeviceArray<int> start(graph.start), edges(graph.edges), levels(nodes), count(1);
	const DeviceArray<int> from(masks ? 1 : nodes), to(masks ? 1 : nodes);
	const DeviceArray<char> frontier(masks ? nodes : 1), next(masks ? nodes : 1);
	const double ms = least_launches_ms(
		options.reps, "bfs",
		[&] {
			check(cudaMemset(levels.get(), 0xff, nodes * sizeof(int)), "cudaMemset"); /* -1 */
			check(cudaMemcpy(levels.get() + source, &zero, sizeof zero, cudaMemcpyHostToDevice), "cudaMemcpy");
			if (masks) {
				check(cudaMemset(frontier.get(), 0, nodes), "cudaMemset");
				check(cudaMemset(next.get(), 0, nodes), "cudaMemset");
				check(cudaMemcpy(frontier.get() + source, &one, 1, cudaMemcpyHostToDevice), "cudaMemcpy");
			} else {
				check(cudaMemcpy(from.get(), &source, sizeof source, cudaMemcpyHostToDevice), "cudaMemcpy");
			}
		},
		[&] {
			return masks ? search_by_masks(start.get(), edges.get(), nodes, levels.get(), frontier.get(), next.get(),
										   count.get())
						 : search_by_queue(start.get(), edges.get(), nodes, levels.get(), from.get(), to.get(),
										   count.get());
		},
		launches);
	levels.copy_to(level);
	return ms;
}

/* ---- on the host ---- */

/* Every thread collects the nodes that it finds, and appends them to the next level's queue in the end. Levels of few
 * nodes are not worth waking other threads. */
static void search_by_queue_on_host(const Graph &graph, int source, std::vector<int> &level, std::vector<int> &from,
									std::vector<int> &to)
{
	const int nodes = graph.nodes(), *start = graph.start.data(), *edges = graph.edges.data();
	int size = 1, queued = 0;
	from[0] = source;
	for (int depth = 1; size > 0; depth++) {
		queued = 0;
#pragma omp parallel if (size > 2000)
		{
			static thread_local std::vector<int> found;
			found.clear();
			if (size > nodes / MANY) {
#pragma omp for schedule(dynamic, 4096)
				for (int node = 0; node < nodes; node++)
					for (int edge = start[node]; level[node] < 0 && edge < start[node + 1]; edge++)
						if (level[edges[edge]] == depth - 1) {
							level[node] = depth;
							found.push_back(node);
						}
			} else {
#pragma omp for schedule(dynamic, 256)
				for (int i = 0; i < size; i++)
					for (int edge = start[from[i]]; edge < start[from[i] + 1]; edge++) {
						const int node = edges[edge];
						int unseen = -1;
						if (__atomic_load_n(&level[node], __ATOMIC_RELAXED) < 0 &&
							__atomic_compare_exchange_n(&level[node], &unseen, depth, false, __ATOMIC_RELAXED,
														__ATOMIC_RELAXED))
							found.push_back(node);
					}
			}
			const int first = __atomic_fetch_add(&queued, static_cast<int>(found.size()), __ATOMIC_RELAXED);
			std::copy(found.begin(), found.end(), to.begin() + first);
		}
		std::swap(from, to);
		size = queued;
	}
}

/* Threads that reach one node together write the same byte. */
static void search_by_masks_on_host(const Graph &graph, std::vector<int> &level, std::vector<char> &frontier,
									std::vector<char> &next)
{
	const int nodes = graph.nodes();
	bool more = true;
	for (int depth = 1; more; depth++) {
		more = false;
#pragma omp parallel for schedule(dynamic, 4096)
		for (int node = 0; node < nodes; node++)
			if (frontier[node])
				for (int edge = graph.start[node]; edge < graph.start[node + 1]; edge++)
					if (level[graph.edges[edge]] < 0)
						next[graph.edges[edge]] = 1;
#pragma omp parallel for schedule(static) reduction(|| : more)
		for (int node = 0; node < nodes; node++) {
			frontier[node] = next[node];
			if (next[node]) {
				next[node] = 0;
				level[node] = depth;
				more = true;
			}
		}
	}
}

static double search_on_host(const Graph &graph, int source, bool masks, const RunOptions &options,
							 std::vector<int> &level)
{
	const int nodes = graph.nodes();
	std::vector<int> from(masks ? 0 : nodes), to(masks ? 0 : nodes);
	std::vector<char> frontier, next;
	return least_host_ms(
		options.reps,
		[&] {
			level.assign(nodes, -1);
			level[source] = 0;
			frontier.assign(masks ? nodes : 0, 0);
			next.assign(masks ? nodes : 0, 0);
			if (masks)
				frontier[source] = 1;
		},
		[&] {
			if (masks)
				search_by_masks_on_host(graph, level, frontier, next);
			else
				search_by_queue_on_host(graph, source, level, from, to);
		});
}

/* Levels are right if the source alone has 0, every other node that has one has a neighbour one level nearer, and no
 * neighbours differ by more than one, or by whether they have any. */
static void check_levels(const Graph &graph, int source, const std::vector<int> &level)
{
	for (int node = 0; node < graph.nodes(); node++) {
		bool reached = level[node] < 0 || node == source;
		for (int edge = graph.start[node]; edge < graph.start[node + 1]; edge++) {
			const int other = level[graph.edges[edge]];
			if ((other < 0) != (level[node] < 0) || std::abs(other - level[node]) > 1)
				fail<WrongAnswer>("node %d is %d edges away, its neighbour %d is %d", node, level[node],
								  graph.edges[edge], other);
			reached = reached || other == level[node] - 1;
		}
		if (!reached || (level[node] == 0) != (node == source))
			fail<WrongAnswer>("node %d is not %d edges away", node, level[node]);
	}
}

static int search(CommandLine &line)
{
	const RunOptions options(line);
	const std::string input = line.text("--input", "rmat:20x16");
	const int64_t given = line.place("--source");
	const bool shuffled = line.one_of("--order", "sorted", "sorted", "shuffled") == "shuffled";
	const bool masks = line.one_of("--form", "queue", "queue", "masks") == "masks";
	const std::string edges_file = line.text("--save-edges", "");
	line.end();
	int nodes;
	const std::vector<Edge> edges = make_edges(input, shuffled, options.seed, nodes);
	if (!edges_file.empty())
		write_npy(edges_file, "'<i4'", "(" + std::to_string(edges.size()) + ", 2)", edges.data(),
				  edges.size() * sizeof(Edge));
	const Graph graph = graph_of(nodes, edges);
	const int source = source_of(graph, graph.nodes(), given);
	std::printf("graph: %d nodes, %zu edges, source %d\n", graph.nodes(), graph.edges.size() / 2, source);

	std::vector<int> level;
	int launches = 0;
	const double ms = options.host ? search_on_host(graph, source, masks, options, level)
								   : search_on_device(graph, source, masks, options, level, launches);
	const long long reached = std::count_if(level.begin(), level.end(), [](int depth) { return depth >= 0; });
	print_run(options, ms, static_cast<double>(graph.edges.size()), "edges");
	if (!options.host) {
		const int threads = masks ? graph.nodes() : static_cast<int>(reached / launches);
		print_launches(blocks_of(BLOCK, threads), BLOCK, launches, ms);
	}
	std::printf("reached: %lld nodes in %d levels\n", reached, *std::max_element(level.begin(), level.end()) + 1);
	if (!options.out.empty())
		write_npy(options.out, "'<i4'", "(" + std::to_string(level.size()) + ",)", level.data(),
				  level.size() * sizeof(int));
	if (options.check) {
		check_levels(graph, source, level);
		std::printf("check: PASS, %zu levels compared with those of their neighbours\n", level.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: bfs [--input INPUT] [--order sorted|shuffled] [--source NODE] [--form queue|masks] [--seed S] [--reps "
		"R]\n"
		"           [--host] [--check] [--out FILE] [--save-edges FILE]\n"
		"\n"
		"Finds how many edges every node of an undirected graph is away from a source, level by level, on the device.\n"
		"\n"
		"  --input INPUT  rmat:SCALExDEGREE: 2^SCALE nodes, degrees by a power law (default: rmat:20x16);\n"
		"                 road:SIDE: a square grid with a fifth of its edges removed; FILE.npy: an int32 or int64\n"
		"                 array, edges x 2; FILE: text, an edge a line, two numbers of nodes from 0; lines that begin\n"
		"                 with # or % are comments\n"
		"  --order ORDER  sorted: nodes have the numbers that they are made or read with (default); shuffled: "
		"others\n" +
		std::string(USAGE_OF_SOURCE) +
		"  --form FORM    queue: a list of the nodes of a level (default); masks: a byte for each node\n"
		"  --save-edges FILE  write the edges to FILE, as .npy: int32, edges x 2\n" +
		usage_of_run_options("the levels, int32; -1: not reached");
	return run_program("bfs", usage, search, argc, argv);
}
