/* Whether a tree is one of all bodies. */
#ifndef BH6_CHECKS_H
#define BH6_CHECKS_H

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "../common/errors.h"
#include "result.h"

/* Walks through a tree and throws a WrongAnswer at the first thing that is wrong with it. All CPUs walk, each through
 * cells of one level, whose place in the order follows from how many bodies cells say that they have. Of more than
 * MOST_CHECKED bodies it walks through a sample of these cells, and sees that the order has every body once. */
class TreeCheck
{
public:
	TreeCheck(const Tree &tree, const std::vector<Vector> &bodies, size_t most_checked = 4000000)
		: MOST_CHECKED(most_checked), tree(tree), bodies(bodies)
	{
	}

	void run()
	{
		find_parts(tree.root, 0, 0);
		const size_t step = (bodies.size() + MOST_CHECKED - 1) / MOST_CHECKED;
		for (size_t i = 0; i < parts.size(); i++)
			if (i % step != 0)
				take_as_told(parts[i]);
		if (is_sample())
			check_order();
		std::atomic<size_t> taken(0);
		const auto check_some = [&] {
			for (size_t i = taken++; i < parts.size(); i = taken++)
				if (!parts[i].is_told)
					check_part(parts[i]);
		};
		std::vector<std::thread> others(std::thread::hardware_concurrency());
		for (std::thread &other : others)
			other = std::thread(check_some);
		for (std::thread &other : others)
			other.join();
		const Sum all = check_cell(tree.root, 0);
		if (all.count != bodies.size())
			fail<WrongAnswer>("%zu of %zu bodies are in the tree", all.count, bodies.size());
		if (!is_sample() && cells != static_cast<size_t>(tree.cells))
			fail<WrongAnswer>("%zu of %d cells are in the tree", cells, tree.cells);
	}

	bool is_sample() const
	{
		return bodies.size() > MOST_CHECKED;
	}

private:
	const size_t MOST_CHECKED;
	const double ROUNDING = 1e-5; /* of sums of floats, one for each level */

	/* What bodies are together, in double precision. */
	struct Sum {
		size_t count = 0;
		double mass = 0.0, moment[3] = {}; /* places, each times its mass */
		double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

		void add(const Sum &part)
		{
			count += part.count;
			mass += part.mass;
			for (int d = 0; d < 3; d++) {
				moment[d] += part.moment[d];
				low[d] = std::min(low[d], part.low[d]);
				high[d] = std::max(high[d], part.high[d]);
			}
		}
	};

	/* A cell that is checked by itself, with all below it. */
	struct PartOfTree {
		int cell, depth;
		size_t start; /* its first body in the order */
		Sum sum;
		size_t cells;
		std::string wrong; /* what is wrong with it, if anything is */
		bool is_told;      /* it is not checked: what it says of itself is taken for right */
	};

	const int PARTS_DEPTH = 4; /* of these cells */
	const Tree &tree;
	const std::vector<Vector> &bodies;
	std::vector<PartOfTree> parts; /* in the order of a walk */
	size_t met = 0, cells = 0;     /* bodies and cells so far */
	size_t next_part = 0;

	int cells_there() const
	{
		return static_cast<int>(tree.count.size());
	}

	/* Finds the parts. Nothing has been checked yet; what is no cell belongs to none. */
	void find_parts(int number, int depth, size_t start)
	{
		const int c = number - tree.first_cell;
		if (c < 0 || c >= cells_there())
			return;
		if (depth == PARTS_DEPTH) {
			parts.push_back({number, depth, start, Sum(), 0, "", false});
			return;
		}
		for (int k = 0; k < 8; k++) {
			const int child = tree.child[8 * static_cast<size_t>(c) + k], below = child - tree.first_cell;
			find_parts(child, depth + 1, start);
			start += below >= 0 && below < cells_there() ? tree.count[below] : child != NOTHING;
		}
	}

	void take_as_told(PartOfTree &part) const
	{
		const Vector &center = tree.nodes[part.cell];
		const double place[3] = {center.x, center.y, center.z};
		part.is_told = true;
		part.sum.count = tree.count[part.cell - tree.first_cell];
		part.sum.mass = center.w;
		for (int d = 0; d < 3; d++) {
			part.sum.moment[d] = place[d] * center.w;
			part.sum.low[d] = part.sum.high[d] = place[d];
		}
	}

	void check_order() const
	{
		std::vector<char> seen(bodies.size());
		for (size_t i = 0; i < bodies.size(); i++) {
			const int body = tree.sorted[i];
			if (body < 0 || static_cast<size_t>(body) >= bodies.size() || seen[body])
				fail<WrongAnswer>("body %d is in place %zu of the tree's order, and elsewhere or nowhere", body, i);
			seen[body] = 1;
		}
	}

	void check_part(PartOfTree &part) const
	{
		TreeCheck own(tree, bodies);
		own.met = part.start;
		try {
			part.sum = own.check_below(part.cell, part.depth);
			part.cells = own.cells;
		} catch (const WrongAnswer &fault) {
			part.wrong = fault.what();
		}
	}

	Sum check_body(int body)
	{
		if (met >= bodies.size() || tree.sorted[met] != body)
			fail<WrongAnswer>("body %d is in place %zu of the tree, where the order has another one", body, met);
		met++;
		const Vector &at = bodies[body];
		const double place[3] = {at.x, at.y, at.z};
		Sum sum;
		sum.count = 1;
		sum.mass = at.w;
		for (int d = 0; d < 3; d++) {
			sum.moment[d] = place[d] * at.w;
			sum.low[d] = sum.high[d] = place[d];
		}
		return sum;
	}

	/* A part has been checked already. */
	Sum check_cell(int number, int depth)
	{
		if (next_part == parts.size() || parts[next_part].cell != number)
			return check_below(number, depth);
		const PartOfTree &part = parts[next_part++];
		if (!part.wrong.empty())
			throw WrongAnswer(part.wrong);
		met += part.sum.count;
		cells += part.cells;
		return part.sum;
	}

	Sum check_below(int number, int depth)
	{
		const int c = number - tree.first_cell;
		if (depth > MAX_DEPTH || c >= cells_there())
			fail<WrongAnswer>("cell %d has the depth %d", c, depth);
		cells++;
		Sum sum;
		bool ended = false;
		for (int k = 0; k < 8; k++) {
			const int child = tree.child[8 * static_cast<size_t>(c) + k];
			if (child < NOTHING || (ended && child != NOTHING) ||
				(child >= static_cast<int>(bodies.size()) && child < tree.first_cell))
				fail<WrongAnswer>("child %d of cell %d is %d", k, c, child);
			ended = child == NOTHING;
			if (!ended)
				sum.add(child < tree.first_cell ? check_body(child) : check_cell(child, depth + 1));
		}
		check_sum(number, depth, sum);
		return sum;
	}

	void check_sum(int number, int depth, const Sum &sum) const
	{
		const int c = number - tree.first_cell;
		const Vector &found = tree.nodes[number];
		const double center[3] = {found.x, found.y, found.z}, edge = std::ldexp(tree.edge, -depth);
		if (static_cast<size_t>(tree.count[c]) != sum.count)
			fail<WrongAnswer>("cell %d has %zu bodies, not %d", c, sum.count, tree.count[c]);
		if (!(std::fabs(found.w - sum.mass) <= ROUNDING * sum.mass))
			fail<WrongAnswer>("cell %d has the mass %.9g, not %.9g", c, sum.mass, found.w);
		for (int d = 0; d < 3; d++) {
			const double size = std::max(std::fabs(sum.low[d]), std::fabs(sum.high[d]));
			if (!(std::fabs(center[d] - sum.moment[d] / sum.mass) <= ROUNDING * size))
				fail<WrongAnswer>("cell %d has its center of gravity at %.9g, not %.9g", c, sum.moment[d] / sum.mass,
								  center[d]);
			if (!(sum.high[d] - sum.low[d] <= edge + ROUNDING * size))
				fail<WrongAnswer>("cell %d has bodies %.9g apart, and an edge of %.9g", c, sum.high[d] - sum.low[d],
								  edge);
		}
	}
};

#endif
