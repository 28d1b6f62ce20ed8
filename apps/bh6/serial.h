/* The same six parts as serial C++ on the host, written for speed: what the kernels are measured against. */
#ifndef BH6_SERIAL_H
#define BH6_SERIAL_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/host_time.h"
#include "result.h"

class Serial
{
public:
	Serial(const Bodies &bodies, const Physics &physics)
		: start(bodies), physics(physics), bodies(bodies), acceleration(bodies.place.size())
	{
	}

	void begin()
	{
		bodies = start;
	}

	void find_forces(int step, Times &times)
	{
		times.ms[BOX] += host_ms([&] { find_box(); });
		times.ms[TREE] += host_ms([&] { build(); });
		times.ms[SUMS] += host_ms([&] { sum_up(); });
		times.ms[SORT] += host_ms([&] { sort(); });
		times.ms[FORCES] += host_ms([&] { attract(step); });
	}

	void count_work(Work &) const
	{
	}

	void move(Times &times)
	{
		times.ms[MOVE] += host_ms([&] { move_bodies(); });
	}

	void copy_places(std::vector<Vector> &places) const
	{
		places = bodies.place;
	}

	void copy_tree(Result &result) const
	{
		Tree &tree = result.tree;
		const int count = bodies.count();
		tree.first_cell = tree.root = count;
		tree.cells = static_cast<int>(cells.size());
		tree.nodes = bodies.place;
		tree.edge = edge;
		for (const Cell &cell : cells) {
			tree.nodes.push_back(cell.center);
			tree.count.push_back(cell.bodies);
			int children = 0;
			for (int child : cell.child)
				if (child != NOTHING) {
					tree.child.push_back(child);
					children++;
				}
			tree.child.insert(tree.child.end(), 8 - children, NOTHING);
		}
		for (const Stop &stop : stops)
			if (stop.body != NOTHING)
				tree.sorted.push_back(stop.body);
	}

	void copy_to(Result &result) const
	{
		result.bodies = bodies;
		result.acceleration = acceleration;
		result.cells = static_cast<int>(cells.size());
		result.depth = deepest;
	}

private:
	/* A cell has a larger number than its parent. */
	struct Cell {
		int child[8];  /* a body, bodies.count() + a cell, or NOTHING */
		Vector center; /* of gravity; w: mass */
		int bodies;
		int stops; /* of the cell and all below */
		int depth;
	};

	/* A node in the order of a walk. */
	struct Stop {
		Vector center;
		float far2; /* the distance from which it pulls as a whole, squared */
		int next;   /* where the walk continues after all that is below it */
		int body;   /* NOTHING: a cell */
	};

	struct Cube {
		float x, y, z, quarter;

		int eighth(const Vector &place) const
		{
			return (x < place.x ? 1 : 0) + (y < place.y ? 2 : 0) + (z < place.z ? 4 : 0);
		}

		void go_down(int eighth)
		{
			x += eighth & 1 ? quarter : -quarter;
			y += eighth & 2 ? quarter : -quarter;
			z += eighth & 4 ? quarter : -quarter;
			quarter *= 0.5f;
		}
	};

	const Bodies &start;
	const Physics physics;
	Bodies bodies;
	std::vector<Vector> acceleration;
	Cube whole = {};
	float edge = 0.0f;
	std::vector<Cell> cells;
	std::vector<Stop> stops;
	std::vector<int> first_stop; /* of each cell */
	int deepest = 0;

	void find_box()
	{
		float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
		for (const Vector &place : bodies.place) {
			const float at[3] = {place.x, place.y, place.z};
			for (int d = 0; d < 3; d++) {
				low[d] = std::min(low[d], at[d]);
				high[d] = std::max(high[d], at[d]);
			}
		}
		edge = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
		whole = {0.5f * (low[0] + high[0]), 0.5f * (low[1] + high[1]), 0.5f * (low[2] + high[2]), 0.25f * edge};
	}

	int add_cell(int depth)
	{
		const Cell empty = {{NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING}, {}, 0, 0, depth};
		cells.push_back(empty);
		deepest = std::max(deepest, depth);
		return static_cast<int>(cells.size()) - 1;
	}

	void build()
	{
		cells.clear();
		cells.reserve(most_cells(bodies.count()));
		deepest = 0;
		add_cell(0);
		for (int body = 0; body < bodies.count(); body++)
			put(body);
	}

	void put(int body)
	{
		const Vector place = bodies.place[body];
		const int count = bodies.count();
		Cube cube = whole;
		int cell = 0, depth = 0, eighth = cube.eighth(place), there = cells[0].child[eighth];
		while (there >= count) {
			cell = there - count;
			cube.go_down(eighth);
			depth++;
			eighth = cube.eighth(place);
			there = cells[cell].child[eighth];
		}
		while (there != NOTHING) {
			if (depth == MAX_DEPTH)
				fail_too_deep(body, there);
			if (static_cast<int>(cells.size()) == most_cells(count))
				fail_too_many_cells(count);
			depth++;
			const int made = add_cell(depth);
			cells[cell].child[eighth] = count + made;
			cell = made;
			cube.go_down(eighth);
			eighth = cube.eighth(place);
			const int of_other = cube.eighth(bodies.place[there]);
			cells[cell].child[of_other] = there;
			if (of_other != eighth)
				there = NOTHING;
		}
		cells[cell].child[eighth] = body;
	}

	void sum_up()
	{
		const int count = bodies.count();
		for (size_t c = cells.size(); c-- > 0;) {
			Cell &cell = cells[c];
			Vector sum = {0.0f, 0.0f, 0.0f, 0.0f};
			cell.bodies = 0;
			cell.stops = 1;
			for (int child : cell.child) {
				if (child == NOTHING)
					continue;
				const bool is_body = child < count;
				const Vector &part = is_body ? bodies.place[child] : cells[child - count].center;
				sum.x += part.x * part.w;
				sum.y += part.y * part.w;
				sum.z += part.z * part.w;
				sum.w += part.w;
				cell.bodies += is_body ? 1 : cells[child - count].bodies;
				cell.stops += is_body ? 1 : cells[child - count].stops;
			}
			cell.center = {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w};
		}
	}

	/* Puts cells and bodies in the order of a walk. */
	void sort()
	{
		const int count = bodies.count();
		float far2[MAX_DEPTH + 1];
		for (int depth = 0; depth <= MAX_DEPTH; depth++) {
			const float own_edge = std::ldexp(edge, -depth);
			far2[depth] = own_edge > 0.0f ? own_edge * own_edge * physics.per_theta2() : 0.0f;
		}
		stops.resize(cells[0].stops);
		first_stop.resize(cells.size());
		first_stop[0] = 0;
		for (size_t c = 0; c < cells.size(); c++) {
			const Cell &cell = cells[c];
			int at = first_stop[c];
			stops[at] = {cell.center, far2[cell.depth], at + cell.stops, NOTHING};
			at++;
			for (int child : cell.child) {
				if (child >= count) {
					first_stop[child - count] = at;
					at += cells[child - count].stops;
				} else if (child != NOTHING) {
					stops[at] = {bodies.place[child], 0.0f, at + 1, child};
					at++;
				}
			}
		}
	}

	void attract(int step)
	{
		const float half = 0.5f * physics.dt;
		for (const Stop &stop : stops) {
			if (stop.body == NOTHING)
				continue;
			const Vector pull = pull_on(stop.center);
			Vector &old = acceleration[stop.body], &velocity = bodies.velocity[stop.body];
			if (step > 0) {
				velocity.x += (pull.x - old.x) * half;
				velocity.y += (pull.y - old.y) * half;
				velocity.z += (pull.z - old.z) * half;
			}
			old = pull;
		}
	}

	Vector pull_on(const Vector &place) const
	{
		const float softening2 = physics.softening * physics.softening;
		const int end = static_cast<int>(stops.size());
		Vector pull = {0.0f, 0.0f, 0.0f, 0.0f};
		for (int s = 0; s < end;) {
			const Stop &stop = stops[s];
			const float dx = stop.center.x - place.x, dy = stop.center.y - place.y, dz = stop.center.z - place.z;
			const float distance2 = dx * dx + dy * dy + dz * dz;
			if (distance2 < stop.far2) {
				s++;
				continue;
			}
			const float inverse = 1.0f / std::sqrt(distance2 + softening2);
			const float strength = stop.center.w * inverse * inverse * inverse;
			pull.x += dx * strength;
			pull.y += dy * strength;
			pull.z += dz * strength;
			s = stop.next;
		}
		return pull;
	}

	void move_bodies()
	{
		const float dt = physics.dt, half = 0.5f * dt;
		for (int i = 0; i < bodies.count(); i++) {
			Vector &place = bodies.place[i], &velocity = bodies.velocity[i];
			const Vector kick = {acceleration[i].x * half, acceleration[i].y * half, acceleration[i].z * half, 0.0f};
			const Vector v = {velocity.x + kick.x, velocity.y + kick.y, velocity.z + kick.z, 0.0f};
			place = {place.x + v.x * dt, place.y + v.y * dt, place.z + v.z * dt, place.w};
			velocity = {v.x + kick.x, v.y + kick.y, v.z + kick.z, 0.0f};
		}
	}
};

#endif
