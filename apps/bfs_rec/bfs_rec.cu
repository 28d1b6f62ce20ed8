/* Breadth-first search by recursion: a grid for a node looks at its neighbours, and launches itself for each that it
 * finds to be nearer to the source than was known. So nodes may be reached by a longer way first, and again by a
 * shorter one. Consolidated forms put the nodes that a warp, a block or the grid finds into a buffer, and launch a grid
 * for all of them.
 *
 * A GPU's launches nest 24 deep. What would go deeper than NESTED, or does not fit the buffers any more, is left to the
 * host, which begins again there. */
#include <algorithm>
#include <climits>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/nested.h"
#include "../common/source.h"
#include "../common/sparse.h"

#define NESTED 20   /* launches inside each other */
#define STAGED 1024 /* nodes that a block can keep before they go to the pool */
#define FAR INT_MAX

/* All are on the device. */
struct Search {
	int nodes;
	const int *start, *to;
	int *level;
	int *pool, pool_size, *used;   /* of buffers, `*used` from the front */
	int *left, *left_count, *kept; /* nodes left to the host; whether a node is among them */
};

/* Whether a node is nearer now than it was known to be. */
__device__ inline bool comes_nearer(const Search &search, int node, int level)
{
	return level < search.level[node] && atomicMin(&search.level[node], level) > level;
}

__device__ inline void leave(const Search &search, int node)
{
	if (atomicExch(&search.kept[node], 1) == 0)
		search.left[atomicAdd(search.left_count, 1)] = node;
}

/* ---- flat ---- */

/* The nodes of a level look at their neighbours. */
__global__ void flat(Search search, int level, int *more)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node >= search.nodes || search.level[node] != level)
		return;
	for (int i = search.start[node]; i < search.start[node + 1]; i++)
		if (search.level[search.to[i]] == FAR) {
			search.level[search.to[i]] = level + 1;
			*more = 1;
		}
}

/* ---- basic ---- */

/* A block looks at the neighbours of the node `items[blockIdx.x]` or, without items, of `node`. */
__global__ void recurse(Search search, const int *items, int node, int nested, Launches launches)
{
	const int own = items ? items[blockIdx.x] : node, level = search.level[own] + 1;
	for (int i = search.start[own] + threadIdx.x; i < search.start[own + 1]; i += CHILD) {
		const int other = search.to[i];
		if (!comes_nearer(search, other, level))
			continue;
		if (nested < NESTED) {
			recurse<<<1, CHILD, 0, cudaStreamFireAndForget>>>(search, nullptr, other, nested + 1, launches);
			note_launch(launches, 1);
		} else {
			leave(search, other);
		}
	}
}

/* ---- consolidated ---- */

/* Nodes that a warp or a block has found, in shared memory. */
struct Found {
	int *nodes, *count, *place;
	int room;
};

template <Level LEVEL> __device__ inline void wait()
{
	if constexpr (LEVEL == IN_WARP)
		__syncwarp();
	else
		__syncthreads();
}

/* This thread's number among those that share a buffer, and how many these are. */
template <Level LEVEL> __device__ inline int own_number()
{
	return LEVEL == IN_WARP ? threadIdx.x % 32 : threadIdx.x;
}

template <Level LEVEL> __device__ inline constexpr int sharers()
{
	return LEVEL == IN_WARP ? 32 : CHILD;
}

template <Level LEVEL>
__global__ void expand(Search search, const int *items, int count, int nested, Launches launches);

/* What a warp or a block has found goes to the pool, and has a grid launched for it, but for a grid's. */
template <Level LEVEL>
__device__ inline void hand_on(const Search &search, const Found &found, int nested, const Launches &launches)
{
	const int count = *found.count, own = own_number<LEVEL>();
	if (own == 0)
		*found.place = LEVEL != IN_GRID && nested == NESTED ? search.pool_size : atomicAdd(search.used, count);
	wait<LEVEL>();
	const int place = *found.place;
	const bool fits = place <= search.pool_size - count;
	for (int i = own; i < count; i += sharers<LEVEL>()) {
		if (fits)
			search.pool[place + i] = found.nodes[i];
		else
			leave(search, found.nodes[i]);
	}
	wait<LEVEL>();
	if (own == 0) {
		*found.count = 0;
		if (LEVEL != IN_GRID && fits) {
			expand<LEVEL><<<blocks_for(launches, count), CHILD, 0, cudaStreamFireAndForget>>>(
				search, search.pool + place, count, nested + 1, launches);
			note_launch(launches, count);
		}
	}
	wait<LEVEL>();
}

/* The last block of a grid launches the next one, for what is in the pool behind its own items. */
__device__ inline void hand_on_all(const Search &search, const int *items, int count, int nested,
								   const Launches &launches)
{
	__threadfence();
	__syncthreads();
	if (threadIdx.x != 0 || atomicInc(launches.done, gridDim.x - 1) != gridDim.x - 1)
		return;
	const int *next = items + count;
	const int found = static_cast<int>(search.pool + atomicAdd(search.used, 0) - next);
	if (found == 0)
		return;
	if (nested < NESTED) {
		expand<IN_GRID><<<blocks_for(launches, found), CHILD, 0, cudaStreamFireAndForget>>>(search, next, found,
																							nested + 1, launches);
		note_launch(launches, found);
	} else {
		for (int i = 0; i < found; i++)
			leave(search, next[i]);
	}
}

/* A block fetches one node after the other, and looks at its neighbours. */
template <Level LEVEL> __global__ void expand(Search search, const int *items, int count, int nested, Launches launches)
{
	__shared__ int nodes[STAGED], counts[CHILD / 32], places[CHILD / 32];
	const int warp = LEVEL == IN_WARP ? threadIdx.x / 32 : 0, room = LEVEL == IN_WARP ? STAGED / (CHILD / 32) : STAGED;
	const int step = room / 2 / sharers<LEVEL>() * CHILD; /* edges of which the sharers of a buffer have half of it */
	const Found found{nodes + warp * room, counts + warp, places + warp, room};
	if (own_number<LEVEL>() == 0)
		*found.count = 0;
	wait<LEVEL>();
	for (int item = blockIdx.x; item < count; item += gridDim.x) {
		const int node = items[item], level = search.level[node] + 1, end = search.start[node + 1];
		for (int first = search.start[node]; first < end; first += step) {
			for (int i = first + threadIdx.x; i < min(end, first + step); i += CHILD)
				if (comes_nearer(search, search.to[i], level))
					found.nodes[atomicAdd(found.count, 1)] = search.to[i];
			wait<LEVEL>();
			const bool full = *found.count > room / 2;
			wait<LEVEL>();
			if (full)
				hand_on<LEVEL>(search, found, nested, launches);
		}
	}
	if (*found.count > 0)
		hand_on<LEVEL>(search, found, nested, launches);
	if constexpr (LEVEL == IN_GRID)
		hand_on_all(search, items, count, nested, launches);
}

/* ---- on the device ---- */

static void launch_for(const std::string &form, const Search &search, int count, const Launches &launches)
{
	const int blocks = launches.blocks ? std::min(count, launches.blocks) : count;
	if (form == "basic")
		recurse<<<count, CHILD>>>(search, search.pool, 0, 0, launches);
	else if (form == "warp")
		expand<IN_WARP><<<blocks, CHILD>>>(search, search.pool, count, 0, launches);
	else if (form == "block")
		expand<IN_BLOCK><<<blocks, CHILD>>>(search, search.pool, count, 0, launches);
	else
		expand<IN_GRID><<<blocks, CHILD>>>(search, search.pool, count, 0, launches);
}

/* Begins again as long as nodes are left. Returns the number of launches. */
static int search_recursively(const std::string &form, const Search &search, const Launches &launches)
{
	int count = 1, rounds = 0;
	for (; count > 0; rounds++) {
		check(cudaMemcpyAsync(search.used, &count, sizeof count, cudaMemcpyHostToDevice, 0), "cudaMemcpyAsync");
		check(cudaMemsetAsync(search.left_count, 0, sizeof(int), 0), "cudaMemsetAsync");
		launch_for(form, search, count, launches);
		check(cudaMemcpy(&count, search.left_count, sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
		if (count > 0) {
			check(cudaMemcpyAsync(search.pool, search.left, count * sizeof(int), cudaMemcpyDeviceToDevice, 0),
				  "cudaMemcpyAsync");
			check(cudaMemsetAsync(search.kept, 0, search.nodes * sizeof(int), 0), "cudaMemsetAsync");
		}
	}
	return rounds;
}

static int search_flat(const Search &search, int *more_on_device)
{
	int level = 0;
	for (int more = 1; more; level++) {
		check(cudaMemsetAsync(more_on_device, 0, sizeof(int), 0), "cudaMemsetAsync");
		flat<<<blocks_of(PARENT, search.nodes), PARENT>>>(search, level, more_on_device);
		check(cudaMemcpy(&more, more_on_device, sizeof more, cudaMemcpyDeviceToHost), "cudaMemcpy");
	}
	return level;
}

static NestedTime search_on_device(const Sparse &graph, int source, const NestedOptions &nested, int reps,
								   std::vector<int> &level)
{
	const int nodes = graph.rows, zero = 0, pool_size = nested.form == "flat" ? 1 : 4 * nodes;
	const DeviceArray<int> start(graph.start), to(graph.column), levels(nodes), far(std::vector<int>(nodes, FAR));
	const DeviceArray<int> pool(pool_size), used(1), left(nodes), left_count(1), kept(nodes), more(1);
	const Search search{nodes,     start.get(), to.get(),   levels.get(),     pool.get(),
						pool_size, used.get(),  left.get(), left_count.get(), kept.get()};
	check(cudaMemset(kept.get(), 0, nodes * sizeof(int)), "cudaMemset");
	const NestedTime time = time_nested(
		nested, reps, "bfs_rec", resident_blocks(expand<IN_GRID>), 4 * static_cast<size_t>(nodes), 0,
		[&] {
			check(cudaMemcpy(levels.get(), far.get(), nodes * sizeof(int), cudaMemcpyDeviceToDevice), "cudaMemcpy");
			check(cudaMemcpy(levels.get() + source, &zero, sizeof zero, cudaMemcpyHostToDevice), "cudaMemcpy");
			check(cudaMemcpy(pool.get(), &source, sizeof source, cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&](const Launches &launches) {
			return nested.form == "flat" ? search_flat(search, more.get())
										 : search_recursively(nested.form, search, launches);
		});
	levels.copy_to(level);
	return time;
}

/* ---- on the host ---- */

static void search_serially(const Sparse &graph, int source, std::vector<int> &level)
{
	std::vector<int> queue{source};
	queue.reserve(graph.rows);
	level.assign(graph.rows, FAR);
	level[source] = 0;
	for (size_t next = 0; next < queue.size(); next++) {
		const int node = queue[next];
		for (int i = graph.start[node]; i < graph.start[node + 1]; i++)
			if (level[graph.column[i]] == FAR) {
				level[graph.column[i]] = level[node] + 1;
				queue.push_back(graph.column[i]);
			}
	}
}

/* One level after the other. Every thread collects what it finds. */
static void search_in_parallel(const Sparse &graph, int source, std::vector<int> &level)
{
	std::vector<int> now{source}, next;
	level.assign(graph.rows, FAR);
	level[source] = 0;
	for (int depth = 1; !now.empty(); depth++) {
		next.clear();
#pragma omp parallel if (now.size() > 16)
		{
			std::vector<int> own;
#pragma omp for schedule(dynamic, 64) nowait
			for (size_t k = 0; k < now.size(); k++)
				for (int i = graph.start[now[k]]; i < graph.start[now[k] + 1]; i++) {
					int *const other = &level[graph.column[i]], far = FAR;
					if (__atomic_load_n(other, __ATOMIC_RELAXED) == FAR &&
						__atomic_compare_exchange_n(other, &far, depth, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
						own.push_back(graph.column[i]);
				}
#pragma omp critical
			next.insert(next.end(), own.begin(), own.end());
		}
		std::swap(now, next);
	}
}

/* ---- the program ---- */

static int search(CommandLine &line)
{
	const NestedRun run(line, "kron");
	const NestedOptions nested(line, false);
	const int64_t given = line.place("--source");
	line.end();
	const Sparse graph = make_graph(run.input, run.seed);
	const int source = source_of(graph, graph.rows, given);
	print_sparse(graph);
	if (!nested.save_graph.empty())
		save_sparse(nested.save_graph, graph);
	std::vector<int> level;
	NestedTime time{};
	if (nested.host.empty())
		time = search_on_device(graph, source, nested, run.reps, level);
	else
		time.ms = least_host_ms(
			run.reps, [&] { (nested.host == "openmp" ? search_in_parallel : search_serially)(graph, source, level); });
	print_nested(nested, run, time, graph.entries(), "edges");
	std::replace(level.begin(), level.end(), FAR, -1);
	std::printf("levels: %d\n", *std::max_element(level.begin(), level.end()) + 1);
	if (!run.out.empty())
		write_list(run.out, "'<i4'", level);
	if (run.check) {
		std::vector<int> right;
		search_serially(graph, source, right);
		std::replace(right.begin(), right.end(), FAR, -1);
		check_equal("level", "node", right, level);
		std::printf("check: PASS, %zu levels compared with those of a queue\n", level.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: bfs_rec [--input INPUT] [--source NODE] [--form FORM] [--kc X] [--seed S] [--reps R] [--host HOW]\n"
		"               [--check] [--out FILE] [--save-graph NAME]\n"
		"\n"
		"Finds how many edges every node of a graph is away from a source, by kernels that launch themselves.\n"
		"\n" +
		usage_of_nested_options(false) + USAGE_OF_SOURCE + usage_of_nested_run("the levels, int32; -1: not reached");
	return run_program("bfs_rec", usage, search, argc, argv);
}
