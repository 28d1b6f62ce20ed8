/* The octree of Barnes and Hut: how kernels see it, and how the host builds it. */
#ifndef PEERS_OCTREE_H
#define PEERS_OCTREE_H

/* A cube of space with all its bodies, which far away count as one; or a single body. */
typedef struct {
	float x, y, z, mass; /* centre of mass */
	float opening2;      /* squared distance from which on the cell counts as one; 0 for a single body */
	int child[8];        /* the octants' cells, -1 for an empty one */
} Cell;

#ifdef __cplusplus

#include <algorithm>
#include <numeric>
#include <vector>

#include "../bench.h"

/* A cell counts as one if it looks smaller, in radians. Below 1 / sqrt(3) no cell counts so for a body inside. */
const float OPENING_ANGLE = 0.5f;
const float SOFTENING2 = 1e-6f; /* is added to squared distances, so that no force is infinite */

/* Bodies in the order of the tree, and the cells over them in preorder. */
struct Octree {
	std::vector<float> x, y, z, mass;
	std::vector<int> input_row; /* where each body stood in the input */
	std::vector<Cell> cells;
};

class OctreeBuilder {
  public:
	explicit OctreeBuilder(const Inputs &in)
		: x(in.array<float>("x").data), y(in.array<float>("y").data), z(in.array<float>("z").data),
		  mass(in.array<float>("mass").data), rows(in.array<float>("x").count) {
		std::iota(rows.begin(), rows.end(), 0);
	}

	Octree build() {
		float low = x[0], high = x[0];
		for (int row : rows) {
			low = std::min({low, x[row], y[row], z[row]});
			high = std::max({high, x[row], y[row], z[row]});
		}
		const float half = (high - low) / 2, middle = low + half;
		add_cell(0, static_cast<int>(rows.size()), middle, middle, middle, half, 0);
		for (int row : rows) {
			tree.x.push_back(x[row]);
			tree.y.push_back(y[row]);
			tree.z.push_back(z[row]);
			tree.mass.push_back(mass[row]);
		}
		tree.input_row = rows;
		return std::move(tree);
	}

  private:
	const float *x, *y, *z, *mass;
	std::vector<int> rows; /* each cell's are together */
	Octree tree;

	/* Adds the cell of bodies [first, end), a cube round (mx, my, mz), and those below it; returns its number. */
	int add_cell(int first, int end, float mx, float my, float mz, float half, int depth) {
		const int number = static_cast<int>(tree.cells.size());
		tree.cells.push_back(summary(first, end));
		if (end - first == 1 || depth == DEEPEST)
			return number;
		tree.cells[number].opening2 = 4 * half * half / (OPENING_ANGLE * OPENING_ANGLE);
		for (int octant = 0; octant < 8; octant++) {
			const auto in_octant = [&](int row) {
				return octant == ((x[row] >= mx) | (y[row] >= my) << 1 | (z[row] >= mz) << 2);
			};
			const auto rest = std::partition(rows.begin() + first, rows.begin() + end, in_octant);
			const int next = static_cast<int>(rest - rows.begin());
			const float quarter = half / 2;
			if (next > first)
				tree.cells[number].child[octant] = add_cell(first, next, octant & 1 ? mx + quarter : mx - quarter,
					octant & 2 ? my + quarter : my - quarter, octant & 4 ? mz + quarter : mz - quarter, quarter,
					depth + 1);
			first = next;
		}
		return number;
	}

	/* The bodies [first, end) as one. */
	Cell summary(int first, int end) const {
		double sum[4] = {};
		for (int i = first; i < end; i++) {
			const int row = rows[i];
			const double heavy = mass[row]; /* in double, so that a single body keeps its place to the bit */
			sum[0] += heavy * x[row];
			sum[1] += heavy * y[row];
			sum[2] += heavy * z[row];
			sum[3] += heavy;
		}
		const auto mean = [&](int i) { return static_cast<float>(sum[i] / sum[3]); };
		return {mean(0), mean(1), mean(2), static_cast<float>(sum[3]), 0.0f, {-1, -1, -1, -1, -1, -1, -1, -1}};
	}

	static const int DEEPEST = 40; /* bodies that are still together there count as one */
};

/* In which order the bodies are asked for, by their number in the tree: 0, 1, 2 ... or a permutation. */
inline std::vector<int> input_order(const Inputs &in) {
	const auto order = in.array<int>("order");
	return std::vector<int>(order.data, order.data + order.count);
}

/* Writes the accelerations, which are in that order, in the order of the input's bodies. */
inline void save_accelerations(Outputs &out, const Octree &tree, const std::vector<int> &order,
	const std::vector<float> &ax, const std::vector<float> &ay, const std::vector<float> &az) {
	const auto save = [&](const char *name, const std::vector<float> &values) {
		std::vector<float> rows(values.size());
		for (size_t i = 0; i < values.size(); i++)
			rows[tree.input_row[order[i]]] = values[i];
		out.array(name, rows.data(), rows.size());
	};
	save("ax", ax);
	save("ay", ay);
	save("az", az);
}

#endif

#endif
