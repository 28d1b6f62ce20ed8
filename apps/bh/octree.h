/* The octree of Barnes and Hut (1986), built on the host for the kernel and for the host's own walks. */
#ifndef BH_OCTREE_H
#define BH_OCTREE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vector.h"

/* A cube and the bodies in it; nodes lie in preorder, the root first. Plain C, for the host and the device. */
typedef struct {
	Vector center; /* of mass; w: the mass */
	float reach2;  /* a body farther from the center than this, squared, is pulled by the node as a whole */
	int first;     /* a leaf's first body */
	int count;     /* bodies of a leaf; 0 in other nodes */
	int child[8];  /* the parts that are not empty, then -1 */
} Node;

/* Smaller leaves mean fewer bodies but more nodes to look at. */
const int LEAF_BODIES = 16;

struct Octree {
	std::vector<Node> nodes;
	std::vector<Vector> bodies; /* in the order of the leaves: place and mass */
	std::vector<int> row;       /* which row of the input each body is */
};

class OctreeBuilder
{
public:
	/* `theta`: a node pulls as a whole what is farther away than its edge divided by theta. */
	OctreeBuilder(const std::vector<Vector> &input, float theta) : input(input), theta(theta)
	{
	}

	Octree build()
	{
		put_in_order();
		add_node(0, static_cast<int>(input.size()), LEVELS);
		return std::move(tree);
	}

private:
	static const int LEVELS = 21; /* below the root; as many bits of each coordinate fit into a Code */
	using Code = uint64_t;        /* which eighth of the root, which eighth of that, and so on, 3 bits each */

	struct Sum {
		double x, y, z, mass;
	};

	const std::vector<Vector> &input;
	const float theta;
	double edge = 0.0; /* of the root */
	std::vector<std::pair<Code, int>> order;
	Octree tree;

	void put_in_order()
	{
		double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
		for (const Vector &body : input) {
			const float at[3] = {body.x, body.y, body.z};
			for (int d = 0; d < 3; d++) {
				low[d] = std::min<double>(low[d], at[d]);
				high[d] = std::max<double>(high[d], at[d]);
			}
		}
		for (int d = 0; d < 3; d++)
			edge = std::max(edge, high[d] - low[d]);
		for (size_t i = 0; i < input.size(); i++) {
			const Code code = spread(cell(input[i].x - low[0])) << 2 | spread(cell(input[i].y - low[1])) << 1 |
							  spread(cell(input[i].z - low[2]));
			order.push_back({code, static_cast<int>(i)});
		}
		std::sort(order.begin(), order.end());
		for (const auto &[code, row] : order) {
			tree.bodies.push_back(input[row]);
			tree.row.push_back(row);
		}
	}

	Code cell(double offset) const
	{
		const Code cells = Code(1) << LEVELS;
		return edge > 0.0 ? std::min(static_cast<Code>(offset / edge * static_cast<double>(cells)), cells - 1) : 0;
	}

	/* Puts two zeros before each of the 21 bits. */
	static Code spread(Code bits)
	{
		bits = (bits | bits << 32) & 0x001f00000000ffff;
		bits = (bits | bits << 16) & 0x001f0000ff0000ff;
		bits = (bits | bits << 8) & 0x100f00f00f00f00f;
		bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
		return (bits | bits << 2) & 0x1249249249249249;
	}

	/* Adds the subtree of the bodies [first, end), in a cube that can be divided `levels` times; returns its mass and
	 * what its places add up to, each times its mass. More bodies than a leaf's stay together only at one place. */
	Sum add_node(int first, int end, int levels)
	{
		const size_t n = tree.nodes.size();
		const bool leaf = end - first <= LEAF_BODIES || levels == 0;
		tree.nodes.push_back(Node{{}, 0.0f, first, leaf ? end - first : 0, {-1, -1, -1, -1, -1, -1, -1, -1}});
		const Sum sum = leaf ? sum_of_bodies(first, end) : add_children(n, first, end, levels - 1);
		Node &node = tree.nodes[n];
		node.center = {static_cast<float>(sum.x / sum.mass), static_cast<float>(sum.y / sum.mass),
					   static_cast<float>(sum.z / sum.mass), static_cast<float>(sum.mass)};
		const double reach = std::ldexp(edge, levels - LEVELS) / theta;
		node.reach2 = edge > 0.0 ? static_cast<float>(reach * reach) : 0.0f;
		return sum;
	}

	Sum sum_of_bodies(int first, int end) const
	{
		Sum sum = {};
		for (int i = first; i < end; i++) {
			const Vector &body = tree.bodies[i];
			const double mass = body.w;
			sum = {sum.x + body.x * mass, sum.y + body.y * mass, sum.z + body.z * mass, sum.mass + mass};
		}
		return sum;
	}

	Sum add_children(size_t n, int first, int end, int levels)
	{
		Sum sum = {};
		for (int children = 0; first < end; children++) {
			const Code eighth = order[first].first >> 3 * levels;
			int next = first;
			while (next < end && order[next].first >> 3 * levels == eighth)
				next++;
			tree.nodes[n].child[children] = static_cast<int>(tree.nodes.size());
			const Sum part = add_node(first, next, levels);
			sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.mass + part.mass};
			first = next;
		}
		return sum;
	}
};

#endif
