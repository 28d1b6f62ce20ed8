/* Searches with a stack of some capacity, by a thread, a warp or a block: all of them stop where the stack is full and
 * can continue from there with a larger one. */
#ifndef RTREE_WALKS_H
#define RTREE_WALKS_H

#include "tree.h"

#define WARP 32
#define BLOCK 128
#define ALL_LANES 0xffffffffu

/* Whether entry e of a node overlaps a query; edges that touch do. `box` is what the tree says of its boxes. */
__device__ inline bool overlaps(const float *box, int count, int e, const Box &q)
{
	return (box[e] <= q.x1) & (box[count + e] <= q.y1) & (box[2 * count + e] >= q.x0) & (box[3 * count + e] >= q.y0);
}

/* How a search has stopped: nothing is left; the next entries do not fit on the stack; there are enough on it. */
enum Stop { CONTINUES, DONE, FULL, ENOUGH };

/* Where a search is: at entry `entry` of node `node`, with `top` nodes on its stack. */
typedef struct {
	int node, entry, top;
	int stop; /* a Stop */
} Place;

/* What a thread has found. */
typedef struct {
	int count;
	unsigned sum;
} Hits;

/* A search by one thread, from a place on; returns where it has stopped. */
__device__ inline Place walk_thread(const Tree &tree, const Box &q, int *stack, int capacity, Place from, Hits *hits)
{
	int n = from.node, e = from.entry, top = from.top, stop = CONTINUES;
	do {
		const Node node = tree.nodes[n];
		const float *box = tree.boxes + 4 * node.first;
		const int *child = tree.child + node.first;
		for (; e < node.count; e++) {
			if (!overlaps(box, node.count, e, q))
				continue;
			if (node.leaf) {
				hits->count++;
				hits->sum += child[e];
			} else if (top < capacity) {
				stack[top++] = child[e];
			} else {
				stop = FULL;
				break;
			}
		}
		if (stop != FULL && top == 0)
			stop = DONE;
		if (stop == CONTINUES) {
			n = stack[--top];
			e = 0;
		}
	} while (stop == CONTINUES);
	return Place{n, e, top, stop};
}

/* A search by the lanes of a warp, which look at 32 entries together; one of them pushes. After a node it stops where
 * `enough` nodes are on the stack. All lanes have the same place. */
__device__ inline Place walk_warp(const Tree &tree, const Box &q, int *stack, int capacity, int enough, Place from,
								  Hits *hits)
{
	const int lane = threadIdx.x % WARP;
	int n = from.node, first = from.entry, top = from.top, stop = CONTINUES;
	do {
		const Node node = tree.nodes[n];
		const float *box = tree.boxes + 4 * node.first;
		const int *child = tree.child + node.first;
		for (; first < node.count; first += WARP) {
			const int e = first + lane;
			const bool hit = e < node.count && overlaps(box, node.count, e, q);
			if (node.leaf) {
				if (hit) {
					hits->count++;
					hits->sum += child[e];
				}
				continue;
			}
			const unsigned found = __ballot_sync(ALL_LANES, hit);
			if (top + __popc(found) > capacity) {
				stop = FULL;
				break;
			}
			if (lane == 0) {
				int at = top;
				for (unsigned left = found; left; left &= left - 1)
					stack[at++] = child[first + __ffs(left) - 1];
			}
			top += __popc(found);
		}
		__syncwarp();
		if (stop != FULL)
			stop = top == 0 ? DONE : top >= enough ? ENOUGH : CONTINUES;
		if (stop == CONTINUES) {
			n = stack[--top];
			first = 0;
		}
		__syncwarp();
	} while (stop == CONTINUES);
	return Place{n, first, top, stop};
}

/* The same by the threads of a block; `found` is shared and has room for a vote of each warp. */
__device__ inline Place walk_block(const Tree &tree, const Box &q, int *stack, int capacity, int enough,
								   unsigned *found, Place from, Hits *hits)
{
	const int tid = threadIdx.x;
	int n = from.node, first = from.entry, top = from.top, stop = CONTINUES;
	do {
		const Node node = tree.nodes[n];
		const float *box = tree.boxes + 4 * node.first;
		const int *child = tree.child + node.first;
		for (; first < node.count; first += BLOCK) {
			const int e = first + tid;
			const bool hit = e < node.count && overlaps(box, node.count, e, q);
			if (node.leaf) {
				if (hit) {
					hits->count++;
					hits->sum += child[e];
				}
				continue;
			}
			const unsigned mine = __ballot_sync(ALL_LANES, hit);
			if (tid % WARP == 0)
				found[tid / WARP] = mine;
			__syncthreads();
			int more = 0;
			for (int warp = 0; warp < BLOCK / WARP; warp++)
				more += __popc(found[warp]);
			if (top + more > capacity) {
				stop = FULL;
				break;
			}
			if (tid == 0) {
				int at = top;
				for (int warp = 0; warp < BLOCK / WARP; warp++)
					for (unsigned left = found[warp]; left; left &= left - 1)
						stack[at++] = child[first + warp * WARP + __ffs(left) - 1];
			}
			top += more;
			__syncthreads();
		}
		if (stop != FULL)
			stop = top == 0 ? DONE : top >= enough ? ENOUGH : CONTINUES;
		if (stop == CONTINUES) {
			n = stack[--top];
			first = 0;
		}
		__syncthreads();
	} while (stop == CONTINUES);
	return Place{n, first, top, stop};
}

/* Adds what the lanes of a warp have found to an answer that others add to as well. */
__device__ inline void add_warp(Hits hits, Answer *answer)
{
	for (int distance = WARP / 2; distance > 0; distance /= 2) {
		hits.count += __shfl_down_sync(ALL_LANES, hits.count, distance);
		hits.sum += __shfl_down_sync(ALL_LANES, hits.sum, distance);
	}
	if (threadIdx.x % WARP == 0 && hits.count > 0) {
		atomicAdd(&answer->count, hits.count);
		atomicAdd(&answer->sum, hits.sum);
	}
}

#endif
