/* Merge sort, launched by the host: tiles in shared memory, then pairs of sorted runs, pass after pass. Each block of a
 * pass makes a tile of what comes out, and finds by binary search where in the two runs it begins and ends (Green,
 * McColl and Bader, "GPU Merge Path", 2012). */
#ifndef SORT_MERGE_H
#define SORT_MERGE_H

#include <utility>

#include "bitonic.h"

const int MERGE_THREADS = 128;
const int MERGE_KEYS = TILE / MERGE_THREADS; /* of a thread */

__global__ void __launch_bounds__(TILE_THREADS) sort_tiles(const unsigned *from, unsigned *to, int count)
{
	const int first = blockIdx.x * TILE;
	sort_tile(from, to, first, min(TILE, count - first));
}

/* Returns how many of the first `taken` keys of two runs merged come from the first run. */
__device__ inline int taken_from_first(const unsigned *one, int ones, const unsigned *other, int others, int taken)
{
	int least = max(0, taken - others), most = min(taken, ones);
	while (least < most) {
		const int middle = (least + most) / 2;
		if (one[middle] <= other[taken - 1 - middle])
			least = middle + 1;
		else
			most = middle;
	}
	return least;
}

/* Merges each two runs of `width` keys, a multiple of TILE; the last ones may be shorter or missing. */
__global__ void __launch_bounds__(MERGE_THREADS) merge_runs(const unsigned *from, unsigned *to, int count, int width)
{
	__shared__ unsigned tile[TILE];
	__shared__ int bounds[2];
	const int t = threadIdx.x, out = blockIdx.x * TILE;
	const int start = static_cast<int>(out / (2LL * width) * 2 * width);
	const int middle = static_cast<int>(min(static_cast<long long>(start) + width, static_cast<long long>(count)));
	const int end = static_cast<int>(min(static_cast<long long>(middle) + width, static_cast<long long>(count)));
	const int begins = out - start, ends = min(begins + TILE, end - start);
	if (t < 2)
		bounds[t] = taken_from_first(from + start, middle - start, from + middle, end - middle, t ? ends : begins);
	__syncthreads();
	const int ones = bounds[1] - bounds[0], all = ends - begins;
	const unsigned *one = from + start + bounds[0], *other = from + middle + (begins - bounds[0]);
	for (int i = t; i < all; i += MERGE_THREADS)
		tile[i] = i < ones ? one[i] : other[i - ones];
	__syncthreads();
	const int mine = min(t * MERGE_KEYS, all), more = min(MERGE_KEYS, all - mine);
	int i = taken_from_first(tile, ones, tile + ones, all - ones, mine), j = ones + mine - i;
	unsigned merged[MERGE_KEYS];
	for (int k = 0; k < MERGE_KEYS; k++) {
		if (k >= more)
			break;
		const bool takes_first = j == all || (i < ones && tile[i] <= tile[j]);
		merged[k] = tile[takes_first ? i : j];
		i += takes_first;
		j += !takes_first;
	}
	__syncthreads();
	for (int k = 0; k < more; k++)
		tile[mine + k] = merged[k];
	__syncthreads();
	for (int k = t; k < all; k += MERGE_THREADS)
		to[out + k] = tile[k];
}

/* Sorts `count` keys; `spare` has room for as many. Returns the number of launches. */
static int merge_sort(unsigned *keys, unsigned *spare, int count)
{
	const int tiles = (count + TILE - 1) / TILE;
	int passes = 0;
	while (tiles > 1LL << passes)
		passes++;
	unsigned *from = keys, *to = passes % 2 ? spare : keys;
	sort_tiles<<<tiles, TILE_THREADS>>>(from, to, count);
	from = to;
	to = from == keys ? spare : keys;
	for (int pass = 0; pass < passes; pass++) {
		merge_runs<<<tiles, MERGE_THREADS>>>(from, to, count, TILE << pass);
		std::swap(from, to);
	}
	return 1 + passes;
}

#endif
