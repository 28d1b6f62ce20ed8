/* The octree of Barnes and Hut (1986) down to single bodies, level by level. */
#ifndef MC_OCTREE_H
#define MC_OCTREE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../bh/bodies.h"
#include "../common/level_tree.h"

/* The cubes that hold bodies; one that holds a single body is not divided. `order` has the bodies as the cubes have
 * them; those of node n are order[begin[n]] to order[end[n] - 1]. */
struct Octree {
	LevelTree tree;
	std::vector<int> order, begin, end;
};

const int OCTREE_LEVELS = 21; /* below the root; bodies that this does not part stay together */

/* Puts two zeros before each of the 21 bits. */
inline uint64_t spread(uint64_t bits)
{
	bits = (bits | bits << 32) & 0x001f00000000ffff;
	bits = (bits | bits << 16) & 0x001f0000ff0000ff;
	bits = (bits | bits << 8) & 0x100f00f00f00f00f;
	bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
	return (bits | bits << 2) & 0x1249249249249249;
}

/* For each body, which eighth of the root it is in, which eighth of that, and so on, 3 bits each. */
inline std::vector<std::pair<uint64_t, int>> octants_of(const std::vector<Vector> &place)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, edge = 0.0;
	for (const Vector &body : place) {
		const float at[3] = {body.x, body.y, body.z};
		for (int d = 0; d < 3; d++) {
			low[d] = std::min<double>(low[d], at[d]);
			high[d] = std::max<double>(high[d], at[d]);
		}
	}
	for (int d = 0; d < 3; d++)
		edge = std::max(edge, high[d] - low[d]);
	const uint64_t cells = uint64_t(1) << OCTREE_LEVELS;
	const auto cell = [&](double offset) {
		return edge > 0.0 ? std::min(static_cast<uint64_t>(offset / edge * static_cast<double>(cells)), cells - 1) : 0;
	};
	std::vector<std::pair<uint64_t, int>> octants;
	for (size_t i = 0; i < place.size(); i++)
		octants.push_back({spread(cell(place[i].x - low[0])) << 2 | spread(cell(place[i].y - low[1])) << 1 |
							   spread(cell(place[i].z - low[2])),
						   static_cast<int>(i)});
	return octants;
}

inline Octree octree_of(const std::vector<Vector> &place)
{
	std::vector<std::pair<uint64_t, int>> octants = octants_of(place);
	std::sort(octants.begin(), octants.end());
	Octree octree;
	for (const auto &[octant, body] : octants)
		octree.order.push_back(body);
	octree.tree.parent = {-1};
	octree.begin = {0};
	octree.end = {static_cast<int>(place.size())};
	int node = 0;
	for (int level = 1; level <= OCTREE_LEVELS; level++) {
		const int shift = 3 * (OCTREE_LEVELS - level), level_end = octree.tree.nodes();
		for (; node < level_end; node++) {
			const int end = octree.end[node];
			for (int first = octree.begin[node]; end - octree.begin[node] > 1 && first < end;) {
				int next = first + 1;
				while (next < end && octants[next].first >> shift == octants[first].first >> shift)
					next++;
				octree.tree.parent.push_back(node);
				octree.begin.push_back(first);
				octree.end.push_back(next);
				first = next;
			}
		}
	}
	index_levels(octree.tree);
	return octree;
}

#endif
