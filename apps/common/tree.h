/* The kd-tree as a kernel sees it; plain C, for the host and the device.
 *
 * Nodes lie in preorder: the left child of node n is n + 1. The points lie in the order of the leaves, so that a leaf
 * is a range of points. The box of node n, `dim` lower bounds and then `dim` upper bounds, begins at
 * boxes[n * 2 * dim] and encloses the node's points tightly.
 */
#ifndef COMMON_TREE_H
#define COMMON_TREE_H

typedef struct {
	int axis;    /* which coordinate the node splits; -1 in a leaf */
	float split; /* no point on the left has a larger coordinate, none on the right a smaller one */
	int right;   /* the right child; in a leaf, its first point */
	int count;   /* points of a leaf; 0 in other nodes */
} Node;

#endif
