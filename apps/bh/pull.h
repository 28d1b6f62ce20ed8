/* The recursive walk of one body per thread, and the kernels that move bodies. */
#ifndef BH_PULL_H
#define BH_PULL_H

#include "octree.h"

/* What one thread knows of its body, and the pull that it has met: acceleration and potential. */
typedef struct {
	float x, y, z;
	float softening2; /* the softening length, squared */
	Vector pull;
} Query;

/* Adds the pull of a mass that lies dx, dy, dz away. */
__device__ void add_pull(float dx, float dy, float dz, float mass, Query *q)
{
	const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + q->softening2);
	const float potential = mass * inverse, strength = potential * inverse * inverse;
	q->pull.x += dx * strength;
	q->pull.y += dy * strength;
	q->pull.z += dz * strength;
	q->pull.w -= potential;
}

/* Adds the pull of the subtree of node n: of the whole node if it is far enough away, else of its parts. */
__device__ void visit(const Node *nodes, const Vector *bodies, int n, Query *q)
{
	const Node *node = &nodes[n];
	const float dx = node->center.x - q->x, dy = node->center.y - q->y, dz = node->center.z - q->z;
	if (dx * dx + dy * dy + dz * dz > node->reach2) {
		add_pull(dx, dy, dz, node->center.w, q);
		return;
	}
	if (node->count > 0) {
		for (int b = node->first; b < node->first + node->count; b++)
			add_pull(bodies[b].x - q->x, bodies[b].y - q->y, bodies[b].z - q->z, bodies[b].w, q);
		return;
	}
	for (int i = 0; i < 8; i++)
		if (node->child[i] >= 0)
			visit(nodes, bodies, node->child[i], q);
}

/* Query i is the body in row asked[i] of `place`, whose last component is the mass; its pull goes to pull[asked[i]].
 * The walk meets the body itself, once, which pulls with a potential only. */
__global__ void attract(const Node *nodes, const Vector *bodies, const Vector *place, const int *asked, int count,
						float softening2, Vector *pull)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	const Vector own = place[asked[i]];
	Query q;
	q.x = own.x;
	q.y = own.y;
	q.z = own.z;
	q.softening2 = softening2;
	q.pull.x = q.pull.y = q.pull.z = 0.0f;
	q.pull.w = own.w * rsqrtf(softening2);
	visit(nodes, bodies, 0, &q);
	pull[asked[i]] = q.pull;
}

/* Changes velocities by the pull that acts for `time`. */
__global__ void kick(Vector *velocity, const Vector *pull, int count, float time)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	velocity[i].x += pull[i].x * time;
	velocity[i].y += pull[i].y * time;
	velocity[i].z += pull[i].z * time;
}

/* Moves bodies on for `time`. */
__global__ void drift(Vector *place, const Vector *velocity, int count, float time)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	place[i].x += velocity[i].x * time;
	place[i].y += velocity[i].y * time;
	place[i].z += velocity[i].z * time;
}

#endif
