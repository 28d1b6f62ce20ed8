/* Sorting by the threads of one block (Batcher, 1968). */
#ifndef SORT_BITONIC_H
#define SORT_BITONIC_H

const int TILE = 1024;             /* keys that a block sorts in shared memory */
const int TILE_THREADS = TILE / 2; /* one for each pair of keys */

/* Sorts `count` keys, which all threads of a block see. All comparisons put the smaller key first, so keys behind the
 * last one, which would be larger than all, need not be there. */
__device__ inline void bitonic_sort(unsigned *keys, int count)
{
	for (int width = 2; width / 2 < count; width *= 2)
		for (int half = width / 2; half > 0; half /= 2) {
			const bool mirrors = half == width / 2;
			for (int pair = threadIdx.x;; pair += blockDim.x) {
				const int offset = pair & (half - 1), first = 2 * (pair - offset), i = first + offset;
				if (i >= count)
					break;
				const int j = mirrors ? first + width - 1 - offset : i + half;
				if (j < count) {
					const unsigned one = keys[i], other = keys[j];
					keys[i] = min(one, other);
					keys[j] = max(one, other);
				}
			}
			__syncthreads();
		}
}

/* Sorts keys `from` at first, up to TILE of them, into `to`. */
__device__ inline void sort_tile(const unsigned *from, unsigned *to, int first, int count)
{
	__shared__ unsigned tile[TILE];
	for (int i = threadIdx.x; i < count; i += blockDim.x)
		tile[i] = from[first + i];
	__syncthreads();
	bitonic_sort(tile, count);
	for (int i = threadIdx.x; i < count; i += blockDim.x)
		to[first + i] = tile[i];
}

#endif
