/* Stacks that are smaller than a search may need: a thread that finds its stack full dumps it to memory, and a second
 * kernel resumes the search there (Yang et al., 2009, section 2.4). */
#ifndef RTREE_OVERFLOW_H
#define RTREE_OVERFLOW_H

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../common/device.h"
#include "walks.h"

/* A search that has stopped; its stack lies at `first` of the dump. */
typedef struct {
	int query, first;
	Place at;
} Dumped;

/* Where searches are dumped. The second kernel has a stack of `room` entries in `work` for each that it resumes at a
 * time, which is enough for any. */
typedef struct {
	int *used; /* searches, entries of stacks */
	Dumped *searches;
	int *stacks, *work;
	int room;
} Dump;

#define THE_ROOT (Place{0, 0, 0, CONTINUES}) /* where a search begins */
const int NO_NODE = -1;                      /* in place of a node: the search continues with the stack's top */

/* Dumps a search, by `threads` threads of which this is number `thread`; `search` and `first` are where. */
__device__ inline void write_dump(const Dump &dump, int search, int first, int query, const int *stack, const Place &at,
								  int thread, int threads)
{
	for (int i = thread; i < at.top; i += threads)
		dump.stacks[first + i] = stack[i];
	if (thread == 0) {
		Dumped *const to = &dump.searches[search];
		to->query = query;
		to->first = first;
		to->at = at;
	}
}

__device__ inline void dump_thread(const Dump &dump, int query, const int *stack, const Place &at)
{
	const int search = atomicAdd(&dump.used[0], 1), first = atomicAdd(&dump.used[1], at.top);
	write_dump(dump, search, first, query, stack, at, 0, 1);
}

__device__ inline void dump_warp(const Dump &dump, int query, const int *stack, const Place &at)
{
	const int lane = threadIdx.x % WARP;
	int search = 0, first = 0;
	if (lane == 0) {
		search = atomicAdd(&dump.used[0], 1);
		first = atomicAdd(&dump.used[1], at.top);
	}
	search = __shfl_sync(ALL_LANES, search, 0);
	first = __shfl_sync(ALL_LANES, first, 0);
	write_dump(dump, search, first, query, stack, at, lane, WARP);
}

/* By all threads of a block; `where` is shared and has room for two. */
__device__ inline void dump_block(const Dump &dump, int query, const int *stack, const Place &at, int *where)
{
	if (threadIdx.x == 0) {
		where[0] = atomicAdd(&dump.used[0], 1);
		where[1] = atomicAdd(&dump.used[1], at.top);
	}
	__syncthreads();
	write_dump(dump, where[0], where[1], query, stack, at, threadIdx.x, BLOCK);
}

/* Copies a dumped stack to the stack that a search is resumed with, and returns where the search is. */
__device__ inline Place read_dump(const Dump &dump, const Dumped &search, int *stack, int thread, int threads)
{
	for (int i = thread; i < search.at.top; i += threads)
		stack[i] = dump.stacks[search.first + i];
	Place at = search.at;
	if (at.node == NO_NODE) {
		at.top--;
		at.node = dump.stacks[search.first + at.top];
		at.entry = 0;
	}
	return at;
}

/* ---- the first kernels: `count` queries from number `begin` on ---- */

template <int CAPACITY>
__global__ void search_by_threads_or_dump(Tree tree, const Box *queries, int begin, int count, int capacity, Dump dump,
										  Answer *answers)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	const Box q = queries[begin + i];
	int stack[CAPACITY];
	Hits hits = {0, 0};
	const Place at = walk_thread(tree, q, stack, capacity, THE_ROOT, &hits);
	if (at.stop == FULL)
		dump_thread(dump, begin + i, stack, at);
	answers[begin + i].count = hits.count;
	answers[begin + i].sum = hits.sum;
}

__global__ void search_by_warps_or_dump(Tree tree, const Box *queries, int begin, int count, int capacity, Dump dump,
										Answer *answers)
{
	extern __shared__ int stacks[];
	const int warp = threadIdx.x / WARP, i = blockIdx.x * (BLOCK / WARP) + warp;
	if (i >= count)
		return;
	const Box q = queries[begin + i];
	int *const stack = stacks + warp * capacity;
	Hits hits = {0, 0};
	const Place at = walk_warp(tree, q, stack, capacity, capacity + 1, THE_ROOT, &hits);
	if (at.stop == FULL)
		dump_warp(dump, begin + i, stack, at);
	add_warp(hits, &answers[begin + i]);
}

__global__ void search_by_blocks_or_dump(Tree tree, const Box *queries, int begin, int capacity, Dump dump,
										 Answer *answers)
{
	extern __shared__ int stack[];
	__shared__ unsigned found[BLOCK / WARP];
	__shared__ int where[2];
	const int i = begin + blockIdx.x;
	const Box q = queries[i];
	Hits hits = {0, 0};
	const Place at = walk_block(tree, q, stack, capacity, capacity + 1, found, THE_ROOT, &hits);
	if (at.stop == FULL)
		dump_block(dump, i, stack, at, where);
	add_warp(hits, &answers[i]);
}

/* ---- the second kernels: `count` searches from number `begin` on ---- */

__global__ void resume_threads(Tree tree, const Box *queries, int begin, int count, Dump dump, Answer *answers)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	const Dumped search = dump.searches[begin + i];
	const Box q = queries[search.query];
	int *const stack = dump.work + static_cast<size_t>(i) * dump.room;
	const Place at = read_dump(dump, search, stack, 0, 1);
	Hits hits = {0, 0};
	walk_thread(tree, q, stack, dump.room, at, &hits);
	atomicAdd(&answers[search.query].count, hits.count);
	atomicAdd(&answers[search.query].sum, hits.sum);
}

__global__ void resume_warps(Tree tree, const Box *queries, int begin, int count, Dump dump, Answer *answers)
{
	const int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
	if (i >= count)
		return;
	const Dumped search = dump.searches[begin + i];
	const Box q = queries[search.query];
	int *const stack = dump.work + static_cast<size_t>(i) * dump.room;
	const Place at = read_dump(dump, search, stack, threadIdx.x % WARP, WARP);
	Hits hits = {0, 0};
	__syncwarp();
	walk_warp(tree, q, stack, dump.room, dump.room + 1, at, &hits);
	add_warp(hits, &answers[search.query]);
}

__global__ void resume_blocks(Tree tree, const Box *queries, int begin, Dump dump, Answer *answers)
{
	__shared__ unsigned found[BLOCK / WARP];
	const Dumped search = dump.searches[begin + blockIdx.x];
	const Box q = queries[search.query];
	int *const stack = dump.work + static_cast<size_t>(blockIdx.x) * dump.room;
	const Place at = read_dump(dump, search, stack, threadIdx.x, BLOCK);
	Hits hits = {0, 0};
	__syncthreads();
	walk_block(tree, q, stack, dump.room, dump.room + 1, found, at, &hits);
	add_warp(hits, &answers[search.query]);
}

/* ---- the host ---- */

/* Memory for dumps, and the order of the kernels: as many queries at a time as can all be dumped, then the second
 * kernel for those that were, as many at a time as there are stacks. */
class Overflow
{
public:
	/* A query has up to `stacks` stacks with `entries` entries in all; a search needs `room` entries at most. */
	Overflow(int queries, int stacks, int entries, int room)
		: queries(queries), at_a_time(static_cast<int>(std::clamp<size_t>(POOL / entries, 1, queries))),
		  resumed_at_a_time(static_cast<int>(
			  std::clamp<size_t>(POOL / room, 1, static_cast<size_t>(at_a_time) * static_cast<size_t>(stacks)))),
		  room(room), used(2), searches(static_cast<size_t>(at_a_time) * stacks),
		  stacks(static_cast<size_t>(at_a_time) * entries), work(static_cast<size_t>(resumed_at_a_time) * room)
	{
	}

	Dump dump() const
	{
		return Dump{used.get(), searches.get(), stacks.get(), work.get(), room};
	}

	/* Launches `begin_search` and `resume` for all queries, each with a first number and a count. */
	template <class Begin, class Resume> void run(Begin begin_search, Resume resume)
	{
		dumped = 0;
		for (int begin = 0; begin < queries; begin += at_a_time) {
			check(cudaMemsetAsync(used.get(), 0, 2 * sizeof(int), 0), "cudaMemsetAsync");
			begin_search(begin, std::min(at_a_time, queries - begin));
			check(cudaGetLastError(), "search");
			int full = 0;
			check(cudaMemcpy(&full, used.get(), sizeof full, cudaMemcpyDeviceToHost), "search");
			for (int first = 0; first < full; first += resumed_at_a_time)
				resume(first, std::min(resumed_at_a_time, full - first));
			dumped += full;
		}
	}

	long long count() const
	{
		return dumped;
	}

private:
	static const size_t POOL = size_t(1) << 26; /* entries */
	const int queries, at_a_time, resumed_at_a_time, room;
	const DeviceArray<int> used;
	const DeviceArray<Dumped> searches;
	const DeviceArray<int> stacks, work;
	long long dumped = 0;
};

#endif
