/* Quicksort (Hoare, 1962) by kernels that launch themselves for the parts: `simple`, whose kernels are one thread each,
 * and `advanced`, whose kernels split a range by as many blocks as it needs. */
#ifndef SORT_QUICK_H
#define SORT_QUICK_H

#include <algorithm>

#include "bitonic.h"

const int MOST_DEPTH = 22;   /* of launches below the first one; CUDA nests 24 */
const int FEW = 32;          /* so many keys, a thread sorts by selection */
const int SELECTABLE = 1024; /* where the depth ends, a thread sorts no more than this by selection */
const int SPLIT_THREADS = 256;
const int SPLIT_KEYS = 8; /* of a thread */

/* Launches on the device: how many may be, have been asked for, and were not made. */
typedef struct {
	int most, launches, refused;
} Tally;

/* ---- one thread ---- */

__device__ inline void selection_sort(unsigned *keys, int count)
{
	for (int i = 0; i < count - 1; i++) {
		int least = i;
		unsigned smallest = keys[i];
		for (int k = i + 1; k < count; k++) {
			const unsigned key = keys[k];
			if (key < smallest) {
				smallest = key;
				least = k;
			}
		}
		keys[least] = keys[i];
		keys[i] = smallest;
	}
}

/* Moves the key at `at` down to where no child is larger. */
__device__ inline void sift_down(unsigned *keys, int at, int count)
{
	const unsigned key = keys[at];
	for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
		if (child + 1 < count && keys[child] < keys[child + 1])
			child++;
		if (keys[child] <= key)
			break;
		keys[at] = keys[child];
		at = child;
	}
	keys[at] = key;
}

__device__ inline void heap_sort(unsigned *keys, int count)
{
	for (int at = count / 2 - 1; at >= 0; at--)
		sift_down(keys, at, count);
	for (int last = count - 1; last > 0; last--) {
		const unsigned largest = keys[0];
		keys[0] = keys[last];
		keys[last] = largest;
		sift_down(keys, 0, last);
	}
}

/* Whether the device may launch once more. */
__device__ inline bool may_launch(Tally *tally)
{
	if (atomicAdd(&tally->launches, 1) < tally->most)
		return true;
	atomicAdd(&tally->refused, 1);
	return false;
}

/* Whether the last launch was made. Where too many wait already, it is refused. */
__device__ inline bool was_launched(Tally *tally)
{
	if (cudaGetLastError() == cudaSuccess)
		return true;
	atomicAdd(&tally->refused, 1);
	return false;
}

/* ---- simple: a thread a range ---- */

__device__ inline void launch_simply(unsigned *keys, int count, int depth, int most_depth, Tally *tally);

/* Sorts `count` keys. Where the depth ends, a thread sorts by selection; of many keys that would take forever, so these
 * it sorts as a heap, and those for which no launch is left. */
__global__ void sort_simply(unsigned *keys, int count, int depth, int most_depth, Tally *tally)
{
	if (count <= FEW || depth == most_depth) {
		if (count <= SELECTABLE)
			selection_sort(keys, count);
		else
			heap_sort(keys, count);
		return;
	}
	const unsigned pivot = keys[count / 2];
	int left = 0, right = count - 1;
	while (left <= right) {
		unsigned at_left = keys[left], at_right = keys[right];
		while (at_left < pivot)
			at_left = keys[++left];
		while (at_right > pivot)
			at_right = keys[--right];
		if (left <= right) {
			keys[left++] = at_right;
			keys[right--] = at_left;
		}
	}
	launch_simply(keys, right + 1, depth + 1, most_depth, tally);
	launch_simply(keys + left, count - left, depth + 1, most_depth, tally);
}

/* Launches what sorts a part; sorts it alone if that is refused. */
__device__ inline void launch_simply(unsigned *keys, int count, int depth, int most_depth, Tally *tally)
{
	if (count < 2)
		return;
	bool launched = may_launch(tally);
	if (launched) {
		sort_simply<<<1, 1, 0, cudaStreamFireAndForget>>>(keys, count, depth, most_depth, tally);
		launched = was_launched(tally);
	}
	if (!launched)
		heap_sort(keys, count);
}

/* ---- advanced: blocks split a range together ---- */

/* How far the blocks that split a range are. */
typedef struct {
	int smaller, larger, done; /* keys that have a place, and blocks */
} Split;

/* All keys: ranges of an even depth are split from `keys` into `spare`, of an odd one the other way; what is sorted
 * goes to `keys`. Ranges of a depth that are split are larger than a tile, so no two of them begin in the same one:
 * splits[depth * tiles + tile] is of that which begins there. */
typedef struct {
	unsigned *keys, *spare;
	Split *splits;
	int tiles, most_depth;
	Tally *tally;
} Sorting;

__device__ inline unsigned *keys_of_depth(const Sorting &all, int depth)
{
	return depth % 2 ? all.spare : all.keys;
}

/* Sorts a range of up to a tile. */
__global__ void __launch_bounds__(TILE_THREADS) sort_range(Sorting all, int first, int count, int depth)
{
	sort_tile(keys_of_depth(all, depth), all.keys, first, count);
}

/* Sorts a range of any size by one block, in global memory. */
__global__ void __launch_bounds__(TILE_THREADS) sort_long_range(Sorting all, int first, int count, int depth)
{
	const unsigned *from = keys_of_depth(all, depth);
	if (from != all.keys)
		for (int i = threadIdx.x; i < count; i += blockDim.x)
			all.keys[first + i] = from[first + i];
	__syncthreads();
	bitonic_sort(all.keys + first, count);
}

__device__ inline unsigned median(unsigned a, unsigned b, unsigned c)
{
	return max(min(a, b), min(max(a, b), c));
}

__host__ __device__ inline int split_blocks(int count)
{
	return (count + SPLIT_THREADS * SPLIT_KEYS - 1) / (SPLIT_THREADS * SPLIT_KEYS);
}

/* The threads of a block that sort a range in a tile: one for each pair, whole warps. */
__host__ __device__ inline int tile_threads(int count)
{
	return (count / 2 + 31) / 32 * 32 + (count < 2 ? 32 : 0);
}

__device__ inline void launch_range(const Sorting &all, int first, int count, int depth);

/* Returns the sum of `own` over the threads before this one, and over all. Each is two numbers of 16 bits. */
__device__ inline unsigned sum_before(unsigned own, unsigned *sums, unsigned *of_all)
{
	const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned upto = own;
	for (int distance = 1; distance < 32; distance *= 2) {
		const unsigned before = __shfl_up_sync(0xffffffffu, upto, distance);
		if (lane >= distance)
			upto += before;
	}
	if (lane == 31)
		sums[warp] = upto;
	__syncthreads();
	unsigned before = 0, sum = 0;
	for (int i = 0; i < SPLIT_THREADS / 32; i++) {
		if (i == warp)
			before = sum;
		sum += sums[i];
	}
	*of_all = sum;
	return before + upto - own;
}

/* Splits a range: keys that are smaller than the median of three of them go to its front, larger ones to its back, each
 * block to places that it reserves. The block that is done last puts down the keys between, and launches what sorts
 * the two parts. */
__global__ void __launch_bounds__(SPLIT_THREADS) split_range(Sorting all, int first, int count, int depth)
{
	__shared__ unsigned sums[SPLIT_THREADS / 32];
	__shared__ int begin_smaller, begin_larger;
	__shared__ bool is_last;
	const int t = threadIdx.x, block_first = blockIdx.x * SPLIT_THREADS * SPLIT_KEYS;
	const unsigned *from = keys_of_depth(all, depth) + first;
	unsigned *to = keys_of_depth(all, depth + 1) + first;
	Split *const split = &all.splits[depth * all.tiles + first / TILE];
	const unsigned pivot = median(from[0], from[count / 2], from[count - 1]);
	unsigned own[SPLIT_KEYS], found = 0;
	for (int k = 0; k < SPLIT_KEYS; k++) {
		const int i = block_first + k * SPLIT_THREADS + t;
		own[k] = i < count ? from[i] : pivot;
		found += own[k] < pivot ? 1u : own[k] > pivot ? 1u << 16 : 0u;
	}
	unsigned of_all;
	const unsigned before = sum_before(found, sums, &of_all);
	if (t == 0) {
		begin_smaller = atomicAdd(&split->smaller, static_cast<int>(of_all & 0xffffu));
		begin_larger = atomicAdd(&split->larger, static_cast<int>(of_all >> 16));
	}
	__syncthreads();
	int smaller = begin_smaller + static_cast<int>(before & 0xffffu);
	int larger = count - 1 - begin_larger - static_cast<int>(before >> 16);
	for (int k = 0; k < SPLIT_KEYS; k++)
		if (own[k] < pivot)
			to[smaller++] = own[k];
		else if (own[k] > pivot)
			to[larger--] = own[k];
	__threadfence();
	__syncthreads();
	if (t == 0)
		is_last = atomicAdd(&split->done, 1) == static_cast<int>(gridDim.x) - 1;
	__syncthreads();
	if (!is_last)
		return;
	__threadfence();
	const int smallers = atomicAdd(&split->smaller, 0), largers = atomicAdd(&split->larger, 0);
	for (int i = smallers + t; i < count - largers; i += SPLIT_THREADS)
		all.keys[first + i] = pivot;
	if (t == 0) {
		launch_range(all, first, smallers, depth + 1);
		launch_range(all, first + count - largers, largers, depth + 1);
	}
}

/* Launches what sorts a range; sorts it alone if that is refused. */
__device__ inline void launch_range(const Sorting &all, int first, int count, int depth)
{
	if (count == 0)
		return;
	bool launched = may_launch(all.tally);
	if (launched) {
		if (count <= TILE)
			sort_range<<<1, tile_threads(count), 0, cudaStreamFireAndForget>>>(all, first, count, depth);
		else if (depth == all.most_depth)
			sort_long_range<<<1, TILE_THREADS, 0, cudaStreamFireAndForget>>>(all, first, count, depth);
		else
			split_range<<<split_blocks(count), SPLIT_THREADS, 0, cudaStreamFireAndForget>>>(all, first, count, depth);
		launched = was_launched(all.tally);
	}
	if (launched)
		return;
	const unsigned *from = keys_of_depth(all, depth);
	if (from != all.keys)
		for (int i = first; i < first + count; i++)
			all.keys[i] = from[i];
	heap_sort(all.keys + first, count);
}

/* ---- the host ---- */

/* The first launch of `advanced`. */
static void start_advanced(const Sorting &all, int count)
{
	if (count <= TILE)
		sort_range<<<1, tile_threads(count)>>>(all, 0, count, 0);
	else if (all.most_depth == 0)
		sort_long_range<<<1, TILE_THREADS>>>(all, 0, count, 0);
	else
		split_range<<<split_blocks(count), SPLIT_THREADS>>>(all, 0, count, 0);
}

#endif
