/* Colours for the nodes of a graph such that no two neighbours have the same one (Jones and Plassmann, 1993): each node
 * has a number, larger where there are more neighbours; in each round, those with the largest among their neighbours
 * without a colour get the round's number. A child grid looks at the neighbours of a node with many, or of the many of
 * a warp, a block or the grid. */
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHILD 32 /* a warp: its votes need no barrier */
#include "../common/nested.h"
#include "../common/sparse.h"

/* All are on the device. Numbers are different from each other; nodes without a colour have -1. */
struct Nodes {
	int nodes;
	const int *start, *neighbour, *number;
	int *colour, *more; /* `*more` becomes 1 if a node stays without */
};

/* Whether a neighbour keeps a node from getting the colour `round`: one with a larger number, and without a
 * colour from a round before. */
__device__ inline bool yields_to(const Nodes &graph, int edge, int number, int round)
{
	const int other = graph.neighbour[edge], colour = graph.colour[other];
	return (colour < 0 || colour == round) && graph.number[other] > number;
}

__device__ inline void settle(const Nodes &graph, int node, int round, bool yields)
{
	if (!yields)
		graph.colour[node] = round;
	else if (*graph.more == 0) /* nearly all yield: if each wrote, cores would wait for each other's writes */
		*graph.more = 1;
}

__device__ inline void choose(const Nodes &graph, int node, int round)
{
	const int number = graph.number[node], end = graph.start[node + 1];
	int edge = graph.start[node];
	while (edge < end && !yields_to(graph, edge, number, round))
		edge++;
	settle(graph, node, round, edge < end);
}

/* The same by the threads of a warp, which look at 32 neighbours at a time. */
__device__ inline void choose_together(const Nodes &graph, int node, int round)
{
	const int number = graph.number[node], end = graph.start[node + 1];
	bool yields = false;
	for (int first = graph.start[node]; first < end && !yields; first += CHILD) {
		const int edge = first + threadIdx.x;
		yields = __any_sync(0xffffffff, edge < end && yields_to(graph, edge, number, round));
	}
	if (threadIdx.x == 0)
		settle(graph, node, round, yields);
}

__device__ inline bool takes_part(const Nodes &graph, int node)
{
	return node < graph.nodes && graph.colour[node] < 0;
}

__global__ void flat(Nodes graph, int round)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (takes_part(graph, node))
		choose(graph, node, round);
}

/* ---- basic ---- */

__global__ void child(Nodes graph, int node, int round)
{
	choose_together(graph, node, round);
}

__global__ void parent(Nodes graph, int round, Launches launches)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (!takes_part(graph, node))
		return;
	if (graph.start[node + 1] - graph.start[node] > launches.threshold) {
		child<<<1, CHILD, 0, cudaStreamFireAndForget>>>(graph, node, round);
		note_launch(launches, 1);
	} else {
		choose(graph, node, round);
	}
}

/* ---- consolidated ---- */

/* A block fetches one node after the other. */
__global__ void fetching_child(Nodes graph, const int *items, int count, int round)
{
	for (int item = blockIdx.x; item < count; item += gridDim.x)
		choose_together(graph, items[item], round);
}

template <Level LEVEL> __global__ void collecting_parent(Nodes graph, int round, Launches launches)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	const bool there = takes_part(graph, node),
			   large = there && graph.start[node + 1] - graph.start[node] > launches.threshold;
	if (there && !large)
		choose(graph, node, round);
	const Collected collected = collect<LEVEL>(large, node, launches);
	if (collected.launches) {
		fetching_child<<<blocks_for(launches, collected.count), CHILD, 0, cudaStreamFireAndForget>>>(
			graph, collected.items, collected.count, round);
		note_launch(launches, collected.count);
	}
}

/* ---- on the device ---- */

static void choose_by(const std::string &form, const Nodes &graph, int round, const Launches &launches)
{
	const int blocks = blocks_of(PARENT, graph.nodes);
	if (form == "flat")
		flat<<<blocks, PARENT>>>(graph, round);
	else if (form == "basic")
		parent<<<blocks, PARENT>>>(graph, round, launches);
	else if (form == "warp")
		collecting_parent<IN_WARP><<<blocks, PARENT>>>(graph, round, launches);
	else if (form == "block")
		collecting_parent<IN_BLOCK><<<blocks, PARENT>>>(graph, round, launches);
	else
		collecting_parent<IN_GRID><<<blocks, PARENT>>>(graph, round, launches);
}

/* Returns the number of launches. */
static int colour_by(const std::string &form, const Nodes &graph, const Launches &launches)
{
	int round = 0;
	for (int more = 1; more; round++) {
		check(cudaMemsetAsync(graph.more, 0, sizeof(int), 0), "cudaMemsetAsync");
		choose_by(form, graph, round, launches);
		check(cudaMemcpy(&more, graph.more, sizeof more, cudaMemcpyDeviceToHost), "cudaMemcpy");
	}
	return round;
}

static NestedTime colour_on_device(const Sparse &graph, const std::vector<int> &number, const NestedOptions &nested,
								   int reps, std::vector<int> &colour)
{
	const DeviceArray<int> start(graph.start), neighbour(graph.column), numbers(number), colours(graph.rows), more(1);
	const Nodes nodes{graph.rows, start.get(), neighbour.get(), numbers.get(), colours.get(), more.get()};
	const NestedTime time = time_nested(
		nested, reps, "coloring", resident_blocks(fetching_child), graph.rows, graph.rows,
		[&] { check(cudaMemset(colours.get(), 0xff, graph.rows * sizeof(int)), "cudaMemset"); }, /* -1 */
		[&](const Launches &launches) { return colour_by(nested.form, nodes, launches); });
	colours.copy_to(colour);
	return time;
}

/* ---- on the host ---- */

/* The nodes in the order of their rounds: each comes after its neighbours with larger numbers, and is one round later
 * than the last of them. */
static void colour_serially(const Sparse &graph, const std::vector<int> &number, std::vector<int> &colour)
{
	std::vector<int> order(graph.rows);
	for (int node = 0; node < graph.rows; node++)
		order[graph.rows - 1 - number[node]] = node;
	colour.assign(graph.rows, -1);
	for (const int node : order) {
		int last = -1;
		for (int i = graph.start[node]; i < graph.start[node + 1]; i++)
			last = std::max(last, colour[graph.column[i]]); /* -1 of those with smaller numbers */
		colour[node] = last + 1;
	}
}

/* Rounds, as on the device, over those that have no colour yet. */
static void colour_in_parallel(const Sparse &graph, const std::vector<int> &number, std::vector<int> &colour)
{
	std::vector<int> left(graph.rows), rest;
	std::iota(left.begin(), left.end(), 0);
	colour.assign(graph.rows, -1);
	for (int round = 0; !left.empty(); round++) {
		rest.clear();
#pragma omp parallel
		{
			std::vector<int> own;
#pragma omp for schedule(dynamic, 512) nowait
			for (size_t k = 0; k < left.size(); k++) {
				const int node = left[k];
				int edge = graph.start[node];
				for (; edge < graph.start[node + 1]; edge++) {
					const int other = graph.column[edge], there = __atomic_load_n(&colour[other], __ATOMIC_RELAXED);
					if ((there < 0 || there == round) && number[other] > number[node])
						break;
				}
				if (edge < graph.start[node + 1])
					own.push_back(node);
				else
					__atomic_store_n(&colour[node], round, __ATOMIC_RELAXED);
			}
#pragma omp critical
			rest.insert(rest.end(), own.begin(), own.end());
		}
		std::swap(left, rest);
	}
}

/* ---- the program ---- */

/* The numbers from 0 on: nodes of more neighbours have larger ones, and those of equally many are in random order. */
static std::vector<int> numbers_for(const Sparse &graph, uint64_t seed)
{
	Random random(seed + 2);
	std::vector<int> order(graph.rows), number(graph.rows);
	std::iota(order.begin(), order.end(), 0);
	shuffle(order, random);
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return graph.degree(a) < graph.degree(b); });
	for (int i = 0; i < graph.rows; i++)
		number[order[i]] = i;
	return number;
}

static int colour(CommandLine &line)
{
	const NestedRun run(line, "kron");
	const NestedOptions nested(line);
	line.end();
	Sparse graph = make_graph(run.input, run.seed);
	if (!is_generated(run.input))
		graph = symmetrised(graph);
	const std::vector<int> number = numbers_for(graph, run.seed);
	print_sparse(graph);
	if (!nested.save_graph.empty()) {
		save_sparse(nested.save_graph, graph);
		write_list(nested.save_graph + "-number.npy", "'<i4'", number);
	}
	std::vector<int> colours;
	NestedTime time{};
	if (nested.host.empty())
		time = colour_on_device(graph, number, nested, run.reps, colours);
	else
		time.ms = least_host_ms(run.reps, [&] {
			(nested.host == "openmp" ? colour_in_parallel : colour_serially)(graph, number, colours);
		});
	print_nested(nested, run, time, graph.entries(), "edges");
	std::printf("colours: %d\n", *std::max_element(colours.begin(), colours.end()) + 1);
	if (!run.out.empty())
		write_list(run.out, "'<i4'", colours);
	if (run.check) {
		std::vector<int> right;
		colour_serially(graph, number, right);
		check_equal("colour", "node", right, colours);
		std::printf("check: PASS, %zu colours compared with those by the order of the numbers\n", colours.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: coloring [--input INPUT] [--form FORM] [--threshold N] [--kc X] [--seed S] [--reps R] [--host HOW]\n"
		"                [--check] [--out FILE] [--save-graph NAME]\n"
		"\n"
		"Gives the nodes of a graph colours, neighbours different ones. Of a file, all edges go both ways.\n"
		"\n" +
		usage_of_nested_options() + usage_of_nested_run("the colours, int32");
	return run_program("coloring", usage, colour, argc, argv);
}
