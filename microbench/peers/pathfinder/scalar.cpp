/* The cheapest path down a grid of costs, row after row; a step goes straight or one column aside. */
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "../bench.h"

static int rows, columns;
static const int *wall;
static std::vector<int> from, to;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	columns = in.number("columns");
	wall = in.array<int>("wall").data;
	from.resize(columns);
	to.resize(columns);
}

static void reset() {
	std::memcpy(from.data(), wall, columns * sizeof(int));
}

static void run() {
#pragma omp parallel
	{
		int *before = from.data(), *after = to.data();
		for (int row = 1; row < rows; row++) {
			const int *cost = wall + (size_t)row * columns;
#pragma omp for simd schedule(static)
			for (int x = 1; x < columns - 1; x++)
				after[x] = cost[x] + std::min(std::min(before[x - 1], before[x]), before[x + 1]);
#pragma omp single
			{
				after[0] = cost[0] + std::min(before[0], before[1]);
				after[columns - 1] = cost[columns - 1] + std::min(before[columns - 2], before[columns - 1]);
			}
			std::swap(before, after);
		}
	}
	if (rows % 2 == 0)
		std::swap(from, to);
}

static void results(Outputs &out) {
	out.array("cost", from.data(), columns);
}
