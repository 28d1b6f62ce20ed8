/* The cheapest way down a grid of costs: from any cell of the first row to every cell of the last one, a step goes
 * straight down or one column aside. Dynamic programming, row after row.
 *
 * A block follows STEPS rows in shared memory before it writes back. So its tile overlaps those of its neighbours by
 * STEPS columns on each side, whose results it does not know in the end: a pyramid. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/matrix.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/random.h"

#define TILE 1024      /* columns of a tile, a thread for each */
#define STEPS 20       /* rows of a launch, at most */
#define FAR 1000000000 /* more than any way costs; the cost of places outside the grid */
#define MOST_COST 1000

/* Follows `steps` rows of costs from `wall` on. `from` has the costs of the ways to the row above, `to` gets those of
 * the ways to the last of the rows. */
__global__ void follow(int steps, const int *wall, const int *from, int *to, int columns)
{
	__shared__ int even[TILE + 2], odd[TILE + 2]; /* place t + 1 is the tile's column t */
	const int t = threadIdx.x, x = (TILE - 2 * STEPS) * (int)blockIdx.x - STEPS + t;
	const bool inside = x >= 0 && x < columns;
	even[t + 1] = inside ? from[x] : FAR;
	if (t == 0) {
		even[0] = FAR;
		even[TILE + 1] = FAR;
		odd[0] = FAR;
		odd[TILE + 1] = FAR;
	}
	__syncthreads();

	/* What is wrong at the tile's ends grows by a column a step, and does not reach the columns that are written. */
	for (int step = 0; step < steps; step++) {
		const int *above = step & 1 ? odd : even;
		int *here = step & 1 ? even : odd;
		int cheapest = above[t] < above[t + 1] ? above[t] : above[t + 1];
		cheapest = cheapest < above[t + 2] ? cheapest : above[t + 2];
		here[t + 1] = inside ? cheapest + wall[(size_t)step * columns + x] : FAR;
		__syncthreads();
	}

	if (t >= STEPS && t < TILE - STEPS && x < columns)
		to[x] = (steps & 1 ? odd : even)[t + 1];
}

struct Grid {
	int rows, columns;
	std::vector<int> costs;

	const int *row(int y) const
	{
		return costs.data() + static_cast<size_t>(y) * columns;
	}
};

static int blocks_for(int columns)
{
	return blocks_of(TILE - 2 * STEPS, columns);
}

static double follow_on_device(const Grid &grid, const RunOptions &options, std::vector<int> &answers, int &launches)
{
	const DeviceArray<int> wall(grid.costs);
	DeviceArray<int> first(grid.columns), second(grid.columns);
	int *from = first.get(), *to = second.get();
	const double ms = least_launches_ms(
		options.reps, "follow",
		[&] {
			from = first.get();
			to = second.get();
			check(cudaMemcpy(from, grid.row(0), grid.columns * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&] {
			int launched = 0;
			for (int y = 1; y < grid.rows; y += STEPS, launched++) {
				const int *row = wall.get() + static_cast<size_t>(y) * grid.columns;
				follow<<<blocks_for(grid.columns), TILE>>>(std::min(STEPS, grid.rows - y), row, from, to, grid.columns);
				std::swap(from, to);
			}
			return launched;
		},
		launches);
	(from == first.get() ? first : second).copy_to(answers);
	return ms;
}

/* One row after the other, a loop over the columns. */
static double follow_on_host(const Grid &grid, const RunOptions &options, std::vector<int> &answers)
{
	const int last = grid.columns - 1;
	std::vector<int> other(grid.columns);
	answers.resize(grid.columns);
	const double ms = least_host_ms(
		options.reps, [&] { std::copy(grid.row(0), grid.row(1), answers.begin()); },
		[&] {
#pragma omp parallel
			{
				int *above = answers.data(), *here = other.data();
				for (int y = 1; y < grid.rows; y++) {
					const int *cost = grid.row(y);
#pragma omp for simd schedule(static)
					for (int x = 1; x < last; x++)
						here[x] = cost[x] + std::min(std::min(above[x - 1], above[x]), above[x + 1]);
#pragma omp single
					{
						here[0] = cost[0] + std::min(above[0], above[std::min(1, last)]);
						here[last] = cost[last] + std::min(above[std::max(last - 1, 0)], above[last]);
					}
					std::swap(above, here);
				}
			}
			if (grid.rows % 2 == 0)
				std::swap(answers, other);
		});
	return ms;
}

/* Compares with a loop over all cells. */
static void check_costs(const Grid &grid, const std::vector<int> &answers)
{
	std::vector<int> before(grid.row(0), grid.row(1)), costs(grid.columns);
	for (int y = 1; y < grid.rows; y++) {
		for (int x = 0; x < grid.columns; x++) {
			int cheapest = before[x];
			if (x > 0)
				cheapest = std::min(cheapest, before[x - 1]);
			if (x + 1 < grid.columns)
				cheapest = std::min(cheapest, before[x + 1]);
			costs[x] = cheapest + grid.row(y)[x];
		}
		std::swap(before, costs);
	}
	for (int x = 0; x < grid.columns; x++)
		if (answers[x] != before[x])
			fail<WrongAnswer>("column %d: %d found, %d is right", x, answers[x], before[x]);
}

static Grid make_grid(const std::string &input, uint64_t seed)
{
	Grid grid{0, 0, std::vector<int>()};
	if (is_random_matrix(input, grid.rows, grid.columns)) {
		Random random(seed);
		grid.costs.resize(static_cast<size_t>(grid.rows) * grid.columns);
		for (int &cost : grid.costs)
			cost = static_cast<int>(random.next() % 10);
	} else {
		const Matrix matrix = read_matrix(input);
		grid = Grid{matrix.rows, matrix.columns, std::vector<int>(matrix.x.size())};
		for (size_t i = 0; i < matrix.x.size(); i++) {
			const float cost = matrix.x[i];
			if (!(cost >= 0.0f && cost <= MOST_COST) || cost != std::floor(cost))
				fail<InputError>("%s: row %zu, column %zu: a cost of %g; whole numbers from 0 to %d are supported",
								 input.c_str(), i / matrix.columns, i % matrix.columns, cost, MOST_COST);
			grid.costs[i] = static_cast<int>(cost);
		}
	}
	if (grid.rows > FAR / MOST_COST)
		fail<InputError>("%s: %d rows are too many; at most %d are supported", input.c_str(), grid.rows,
						 FAR / MOST_COST);
	return grid;
}

static int find_paths(CommandLine &line)
{
	const RunOptions options(line);
	const std::string input = line.text("--input", "random:100x100000");
	line.end();
	const Grid grid = make_grid(input, options.seed);
	std::printf("grid: %d rows of %d columns\n", grid.rows, grid.columns);

	std::vector<int> answers;
	int launches = 0;
	const double ms =
		options.host ? follow_on_host(grid, options, answers) : follow_on_device(grid, options, answers, launches);
	print_run(options, ms, static_cast<double>(grid.costs.size()), "cells");
	if (!options.host)
		print_launches(blocks_for(grid.columns), TILE, launches, ms);
	std::printf("cheapest way: %d\n", *std::min_element(answers.begin(), answers.end()));
	if (!options.out.empty())
		write_npy(options.out, "'<i4'", "(" + std::to_string(answers.size()) + ",)", answers.data(),
				  answers.size() * sizeof(int));
	if (options.check) {
		check_costs(grid, answers);
		std::printf("check: PASS, %zu answers compared with a loop over all cells\n", answers.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: pathfinder [--input INPUT] [--seed S] [--reps R] [--host] [--check] [--out FILE]\n"
		"\n"
		"Finds the cheapest ways down a grid of costs, from the first row to every cell of the last one, on the "
		"device.\n"
		"A step goes down, straight or one column aside.\n"
		"\n"
		"  --input INPUT  random:ROWSxCOLUMNS: costs from 0 to 9 (default: random:100x100000);\n"
		"                 FILE.npy: a float32 or float64 matrix of whole numbers; FILE: text, a row a line, with\n"
		"                 blanks or commas between the numbers\n" +
		usage_of_run_options("the costs of the ways, int32");
	return run_program("pathfinder", usage, find_paths, argc, argv);
}
