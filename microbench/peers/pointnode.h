/* A node of a kd-tree that holds a point, as kernels see it; plain C. */
#ifndef PEERS_POINTNODE_H
#define PEERS_POINTNODE_H

typedef struct {
	int axis;        /* which coordinate the node splits */
	float split;     /* that coordinate of its point: none on the left is larger, none on the right smaller */
	int left, right; /* -1: no such child */
} PointNode;

#endif
