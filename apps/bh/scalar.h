/* The same walk as scalar C++ on the host, one body after the other: what the kernel is measured against. */
#ifndef BH_SCALAR_H
#define BH_SCALAR_H

#include <cmath>

#include "octree.h"

/* A body on its walk, and the pull that it has met. */
class ScalarWalk
{
public:
	ScalarWalk(const Octree &tree, const Vector &place, float softening2)
		: nodes(tree.nodes.data()), bodies(tree.bodies.data()), place(place), softening2(softening2)
	{
	}

	Vector recursive()
	{
		visit(nodes[0]);
		return pull;
	}

	Vector iterative()
	{
		int stack[8 * 22], size = 0; /* a node's children, for each level below the root */
		stack[size++] = 0;
		while (size > 0) {
			const Node &node = nodes[stack[--size]];
			if (pulls_as_a_whole(node))
				continue;
			if (node.count > 0)
				add_leaf(node);
			else
				for (int i = 0; i < 8 && node.child[i] >= 0; i++)
					stack[size++] = node.child[i];
		}
		return pull;
	}

private:
	const Node *nodes;
	const Vector *bodies;
	const Vector place;
	const float softening2;
	Vector pull = {0.0f, 0.0f, 0.0f, 0.0f};

	void visit(const Node &node)
	{
		if (pulls_as_a_whole(node))
			return;
		if (node.count > 0)
			return add_leaf(node);
		for (int i = 0; i < 8 && node.child[i] >= 0; i++)
			visit(nodes[node.child[i]]);
	}

	bool pulls_as_a_whole(const Node &node)
	{
		const float dx = node.center.x - place.x, dy = node.center.y - place.y, dz = node.center.z - place.z;
		const float distance2 = dx * dx + dy * dy + dz * dz;
		if (distance2 <= node.reach2)
			return false;
		add(dx, dy, dz, distance2, node.center.w);
		return true;
	}

	void add_leaf(const Node &leaf)
	{
		for (int b = leaf.first; b < leaf.first + leaf.count; b++) {
			const float dx = bodies[b].x - place.x, dy = bodies[b].y - place.y, dz = bodies[b].z - place.z;
			add(dx, dy, dz, dx * dx + dy * dy + dz * dz, bodies[b].w);
		}
	}

	void add(float dx, float dy, float dz, float distance2, float mass)
	{
		const float inverse = 1.0f / std::sqrt(distance2 + softening2);
		const float potential = mass * inverse, strength = potential * inverse * inverse;
		pull.x += dx * strength;
		pull.y += dy * strength;
		pull.z += dz * strength;
		pull.w -= potential;
	}
};

#endif
