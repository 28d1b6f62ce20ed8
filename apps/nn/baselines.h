/* What the kernel is measured against: the same search by hand, over the same tree. Compiled for one dimension, as the
 * kernel that they are compared with: -DDIM=7. */
#ifndef NN_BASELINES_H
#define NN_BASELINES_H

#include <vector>

#include "../common/kdtree.h"

/* Answers `queries`, which are points of a tree of DIM dimensions by their number, with `threads` threads: query i's
 * nearest point and its distance. */
using Search = void(const Tree &tree, const std::vector<int> &queries, int threads, std::vector<int> &nearest,
					std::vector<float> &distance);

/* Another algorithm, the quickest known here for one query at a time: instead of boxes, it keeps the distance to the
 * cell of each node (Arya and Mount, 1993). */
Search scalar_cell_search;

/* The kernel's algorithm with AVX-512 intrinsics: what a compiler could reach. */
Search limit_search;

const int QUERIES_AT_A_TIME = 256; /* what a thread takes; a multiple of 16 */

#endif
