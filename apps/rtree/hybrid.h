/* Hybrid stacks (Yang et al., 2009, section 2.4): a search begins with one stack, and when that holds enough nodes,
 * they are searched with stacks of fewer threads. A thread that finds a stack full dumps it, and the second kernel
 * continues. */
#ifndef RTREE_HYBRID_H
#define RTREE_HYBRID_H

#include "overflow.h"

const int LANE_STACK = 64; /* entries at most */

/* b_stack, then w_stacks: a query a block. When its stack holds `enough` nodes, its warps take one after the other,
 * each with a stack of its own. */
__global__ void search_by_blocks_then_warps(Tree tree, const Box *queries, int begin, int capacity, int enough,
											Dump dump, Answer *answers)
{
	extern __shared__ int stacks[]; /* the block's, then those of the warps */
	__shared__ unsigned found[BLOCK / WARP];
	__shared__ int where[2], left, full;
	const int i = begin + blockIdx.x, lane = threadIdx.x % WARP;
	const Box q = queries[i];
	int *const own = stacks + capacity * (1 + threadIdx.x / WARP);
	Hits hits = {0, 0};
	const Place at = walk_block(tree, q, stacks, capacity, enough, found, THE_ROOT, &hits);
	if (at.stop == FULL)
		dump_block(dump, i, stacks, at, where);
	if (at.stop == ENOUGH) {
		if (threadIdx.x == 0) {
			left = at.top;
			full = 0;
		}
		__syncthreads();
		for (;;) {
			int taken = 0;
			if (lane == 0 && atomicAdd(&full, 0) == 0)
				taken = atomicSub(&left, 1);
			taken = __shfl_sync(ALL_LANES, taken, 0);
			if (taken <= 0)
				break;
			const Place root = {stacks[taken - 1], 0, 0, CONTINUES};
			const Place below = walk_warp(tree, q, own, capacity, capacity + 1, root, &hits);
			if (below.stop == FULL) {
				dump_warp(dump, i, own, below);
				if (lane == 0)
					atomicExch(&full, 1);
				break;
			}
		}
		__syncthreads();
		if (left > 0) {
			const Place rest = {NO_NODE, 0, left, CONTINUES};
			dump_block(dump, i, stacks, rest, where);
		}
	}
	add_warp(hits, &answers[i]);
}

/* w_stack, then t_stacks: a query a warp. Whenever its stack holds `enough` nodes, each lane takes one. */
__global__ void search_by_warps_then_threads(Tree tree, const Box *queries, int begin, int count, int capacity,
											 int enough, Dump dump, Answer *answers)
{
	extern __shared__ int stacks[];
	const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, i = blockIdx.x * (BLOCK / WARP) + warp;
	if (i >= count)
		return;
	const Box q = queries[begin + i];
	int *const stack = stacks + warp * capacity;
	int own[LANE_STACK];
	Place at = THE_ROOT;
	Hits hits = {0, 0};
	for (;;) {
		at = walk_warp(tree, q, stack, capacity, enough, at, &hits);
		if (at.stop == FULL)
			dump_warp(dump, begin + i, stack, at);
		if (at.stop != ENOUGH)
			break;
		const int taken = min(at.top, WARP);
		bool full = false;
		if (lane < taken) {
			const Place root = {stack[at.top - 1 - lane], 0, 0, CONTINUES};
			const Place below = walk_thread(tree, q, own, min(capacity, LANE_STACK), root, &hits);
			full = below.stop == FULL;
			if (full)
				dump_thread(dump, begin + i, own, below);
		}
		at.top -= taken;
		if (at.top == 0)
			break;
		if (__any_sync(ALL_LANES, full)) {
			at.node = NO_NODE;
			dump_warp(dump, begin + i, stack, at);
			break;
		}
		at.node = stack[--at.top];
		at.entry = 0;
		__syncwarp();
	}
	add_warp(hits, &answers[begin + i]);
}

#endif
