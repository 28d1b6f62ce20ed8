/* Which rectangles are searched for, and in which order. */
#ifndef RTREE_QUERIES_H
#define RTREE_QUERIES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "../common/queries.h"
#include "../common/random.h"
#include "tree.h"

inline Box bounds_of(const std::vector<Box> &boxes)
{
	Box all = boxes[0];
	for (const Box &box : boxes)
		all = around(all, box);
	return all;
}

/* `count` rectangles around random records, each `selectivity` of the area of all records together, and as wide for its
 * height. */
inline std::vector<Box> random_queries(const std::vector<Box> &records, int count, float selectivity, uint64_t seed)
{
	Random random(seed + 1);
	const Box all = bounds_of(records);
	const float side = 0.5f * std::sqrt(selectivity);
	const float half_x = side * (all.x1 - all.x0), half_y = side * (all.y1 - all.y0);
	std::vector<Box> queries(count);
	for (Box &query : queries) {
		const Box &record = records[random.next() % records.size()];
		const float x = 0.5f * record.x0 + 0.5f * record.x1, y = 0.5f * record.y0 + 0.5f * record.y1;
		query = Box{x - half_x, y - half_y, x + half_x, y + half_y};
	}
	return queries;
}

/* How far along Hilbert's curve through 2^16 x 2^16 cells a cell lies. */
inline uint32_t along_curve(uint32_t x, uint32_t y)
{
	uint32_t place = 0;
	for (uint32_t side = 1u << 15; side > 0; side /= 2) {
		const uint32_t right = (x & side) > 0, up = (y & side) > 0;
		place += side * side * ((3 * right) ^ up);
		if (!up) {
			if (right) {
				x = 0xffff - x;
				y = 0xffff - y;
			}
			std::swap(x, y);
		}
	}
	return place;
}

/* The rows of the queries in the order in which they are asked: along a curve, or at random. */
inline std::vector<int> order_of(const std::vector<Box> &queries, bool shuffled, uint64_t seed)
{
	std::vector<int> order = all_queries(static_cast<int>(queries.size()), shuffled, seed);
	if (shuffled)
		return order;
	const Box all = bounds_of(queries);
	const auto cell = [](float low, float high, float least, float most) {
		const double range = 2.0 * (static_cast<double>(most) - least),
					 at = static_cast<double>(low) - least + high - least;
		return range > 0.0 ? static_cast<uint32_t>(std::min(at / range * 65536.0, 65535.0)) : 0u;
	};
	std::vector<uint32_t> places(queries.size());
	for (size_t i = 0; i < queries.size(); i++)
		places[i] = along_curve(cell(queries[i].x0, queries[i].x1, all.x0, all.x1),
								cell(queries[i].y0, queries[i].y1, all.y0, all.y1));
	radix_sort(places, 32, order);
	return order;
}

#endif
