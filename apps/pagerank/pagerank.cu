/* PageRank: how likely a random walk is at each node that follows a random edge out of its node, or, in 15 of 100
 * steps, goes anywhere. Each iteration gathers what nodes get over the edges into them; a child grid does so for a node
 * with many, or for the many of a warp, a block or the grid. */
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/nested.h"
#include "../common/sparse.h"

#define DAMPING 0.85f

/* The edges into nodes. All are on the device. */
struct Edges {
	int nodes;
	const int *start, *from;
};

/* What an iteration reads and writes: `given[i]` is the share that node i gives over each edge out of it, `rank` the
 * new ranks, and `*lost` the sum of the ranks of nodes without edges out of them, which all nodes share. */
struct Ranks {
	float *given, *rank;
	const float *lost;
};

__device__ inline float rank_of(const Edges &edges, const Ranks &ranks, float gathered)
{
	return (1.0f - DAMPING + DAMPING * *ranks.lost) / edges.nodes + DAMPING * gathered;
}

/* Returns what a node gets over its edges. */
__device__ inline float gather(const Edges &edges, int node, const float *given)
{
	float sum = 0.0f;
	for (int i = edges.start[node]; i < edges.start[node + 1]; i++)
		sum += given[edges.from[i]];
	return sum;
}

/* Gives a node its rank, by all CHILD threads of a block. */
__device__ inline void rank_together(const Edges &edges, int node, const Ranks &ranks)
{
	__shared__ float of_warp[CHILD / 32];
	float sum = 0.0f;
	for (int i = edges.start[node] + threadIdx.x; i < edges.start[node + 1]; i += CHILD)
		sum += ranks.given[edges.from[i]];
	for (int away = 16; away > 0; away /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, away);
	if (threadIdx.x % 32 == 0)
		of_warp[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int warp = 1; warp < CHILD / 32; warp++)
			sum += of_warp[warp];
		ranks.rank[node] = rank_of(edges, ranks, sum);
	}
	__syncthreads();
}

/* Divides the ranks among the edges out of nodes. */
__global__ void divide(const float *rank, const int *degree, int nodes, float *given, float *lost)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node >= nodes)
		return;
	if (degree[node] > 0)
		given[node] = rank[node] / degree[node];
	else
		atomicAdd(lost, rank[node]);
}

__global__ void flat(Edges edges, Ranks ranks)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node < edges.nodes)
		ranks.rank[node] = rank_of(edges, ranks, gather(edges, node, ranks.given));
}

/* ---- basic ---- */

__global__ void child(Edges edges, int node, Ranks ranks)
{
	rank_together(edges, node, ranks);
}

__global__ void parent(Edges edges, Ranks ranks, Launches launches)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node >= edges.nodes)
		return;
	if (edges.start[node + 1] - edges.start[node] > launches.threshold) {
		child<<<1, CHILD, 0, cudaStreamFireAndForget>>>(edges, node, ranks);
		note_launch(launches, 1);
	} else {
		ranks.rank[node] = rank_of(edges, ranks, gather(edges, node, ranks.given));
	}
}

/* ---- consolidated ---- */

/* A block fetches one node after the other. */
__global__ void fetching_child(Edges edges, const int *items, int count, Ranks ranks)
{
	for (int item = blockIdx.x; item < count; item += gridDim.x)
		rank_together(edges, items[item], ranks);
}

template <Level LEVEL> __global__ void collecting_parent(Edges edges, Ranks ranks, Launches launches)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	const bool there = node < edges.nodes,
			   large = there && edges.start[node + 1] - edges.start[node] > launches.threshold;
	if (there && !large)
		ranks.rank[node] = rank_of(edges, ranks, gather(edges, node, ranks.given));
	const Collected collected = collect<LEVEL>(large, node, launches);
	if (collected.launches) {
		fetching_child<<<blocks_for(launches, collected.count), CHILD, 0, cudaStreamFireAndForget>>>(
			edges, collected.items, collected.count, ranks);
		note_launch(launches, collected.count);
	}
}

/* ---- on the device ---- */

static void gather_by(const std::string &form, const Edges &edges, const Ranks &ranks, const Launches &launches)
{
	const int blocks = blocks_of(PARENT, edges.nodes);
	if (form == "flat")
		flat<<<blocks, PARENT>>>(edges, ranks);
	else if (form == "basic")
		parent<<<blocks, PARENT>>>(edges, ranks, launches);
	else if (form == "warp")
		collecting_parent<IN_WARP><<<blocks, PARENT>>>(edges, ranks, launches);
	else if (form == "block")
		collecting_parent<IN_BLOCK><<<blocks, PARENT>>>(edges, ranks, launches);
	else
		collecting_parent<IN_GRID><<<blocks, PARENT>>>(edges, ranks, launches);
}

static NestedTime rank_on_device(const Sparse &into, const std::vector<int> &degree, int iterations,
								 const NestedOptions &nested, int reps, std::vector<float> &rank)
{
	const int nodes = into.rows;
	const DeviceArray<int> start(into.start), from(into.column), degrees(degree);
	const DeviceArray<float> given(nodes), result(nodes), lost(1), first(std::vector<float>(nodes, 1.0f / nodes));
	const Edges edges{nodes, start.get(), from.get()};
	const Ranks ranks{given.get(), result.get(), lost.get()};
	const NestedTime time = time_nested(
		nested, reps, "pagerank", resident_blocks(fetching_child), nodes, nodes,
		[&] {
			check(cudaMemcpy(result.get(), first.get(), nodes * sizeof(float), cudaMemcpyDeviceToDevice), "cudaMemcpy");
			check(cudaMemset(given.get(), 0, nodes * sizeof(float)), "cudaMemset");
		},
		[&](const Launches &launches) {
			for (int i = 0; i < iterations; i++) {
				check(cudaMemsetAsync(lost.get(), 0, sizeof(float), 0), "cudaMemsetAsync");
				divide<<<blocks_of(PARENT, nodes), PARENT>>>(result.get(), degrees.get(), nodes, given.get(),
															 lost.get());
				gather_by(nested.form, edges, ranks, launches);
			}
			return 2 * iterations;
		});
	result.copy_to(rank);
	return time;
}

/* ---- on the host ---- */

/* The same with numbers of type `Real`. */
template <class Real>
static void rank_on_host(const Sparse &into, const std::vector<int> &degree, int iterations, bool parallel,
						 std::vector<Real> &rank)
{
	const int nodes = into.rows;
	std::vector<Real> given(nodes);
	rank.assign(nodes, Real(1) / nodes);
	for (int i = 0; i < iterations; i++) {
		double lost = 0.0;
#pragma omp parallel for reduction(+ : lost) if (parallel)
		for (int node = 0; node < nodes; node++) {
			given[node] = degree[node] ? rank[node] / degree[node] : Real(0);
			lost += degree[node] ? 0.0 : rank[node];
		}
		const Real everywhere = static_cast<Real>((1.0 - DAMPING + DAMPING * lost) / nodes);
#pragma omp parallel for schedule(dynamic, 1024) if (parallel)
		for (int node = 0; node < nodes; node++) {
			Real sum = 0;
			for (int edge = into.start[node]; edge < into.start[node + 1]; edge++)
				sum += given[into.column[edge]];
			rank[node] = everywhere + static_cast<Real>(DAMPING) * sum;
		}
	}
}

/* All terms are positive: an iteration adds the relative error of its longest sum, of which DAMPING passes on to the
 * next one. Of lost ranks, `nodes` terms are summed up. */
static void check_ranks(const Sparse &into, const std::vector<int> &degree, int iterations,
						const std::vector<float> &rank)
{
	std::vector<double> right;
	rank_on_host(into, degree, iterations, false, right);
	int most = 0, lost = 0;
	for (int node = 0; node < into.rows; node++) {
		most = std::max(most, into.degree(node));
		lost += degree[node] == 0;
	}
	const double bound = (most + lost + 8) * 0x1p-24 / (1.0 - DAMPING);
	for (int node = 0; node < into.rows; node++)
		if (!(std::fabs(rank[node] - right[node]) <= bound * right[node]))
			fail<WrongAnswer>("node %d has rank %g, expected %g", node, rank[node], right[node]);
}

/* ---- the program ---- */

static int rank(CommandLine &line)
{
	const NestedRun run(line, "citation");
	const NestedOptions nested(line);
	const int iterations = static_cast<int>(line.whole_number("--iterations", 40, 1, 10000));
	line.end();
	const Sparse graph = make_graph(run.input, run.seed), into = transposed(graph);
	std::vector<int> degree(graph.rows);
	for (int node = 0; node < graph.rows; node++)
		degree[node] = graph.degree(node);
	print_sparse(into);
	if (!nested.save_graph.empty())
		save_sparse(nested.save_graph, graph);
	std::vector<float> ranks;
	NestedTime time{};
	if (nested.host.empty())
		time = rank_on_device(into, degree, iterations, nested, run.reps, ranks);
	else
		time.ms =
			least_host_ms(run.reps, [&] { rank_on_host(into, degree, iterations, nested.host == "openmp", ranks); });
	print_nested(nested, run, time, static_cast<double>(graph.entries()) * iterations, "edges");
	if (!run.out.empty())
		write_list(run.out, "'<f4'", ranks);
	if (run.check) {
		check_ranks(into, degree, iterations, ranks);
		std::printf("check: PASS, %zu ranks compared with those in double precision\n", ranks.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage = "usage: pagerank [--input INPUT] [--form FORM] [--threshold N] [--kc X] [--iterations N] "
							  "[--seed S] [--reps R]\n"
							  "                [--host HOW] [--check] [--out FILE] [--save-graph NAME]\n"
							  "\n"
							  "Finds the PageRank of all nodes of a graph.\n"
							  "\n" +
							  usage_of_nested_options() + "  --iterations N   default: 40\n" +
							  usage_of_nested_run("the ranks, float32");
	return run_program("pagerank", usage, rank, argc, argv);
}
