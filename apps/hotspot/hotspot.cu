/* Heat in a chip: the temperature of each cell after some steps, from the power that it uses and what flows from and to
 * its four neighbours, itself at the edges, and the air. A stencil of five points.
 *
 * A block of 16 x 16 threads computes several steps (the height of a pyramid) of a tile in shared memory before it
 * writes back, and so its tile overlaps those of its neighbours by as many cells on each side. Each thread has
 * CELLS_X x CELLS_Y cells of the tile, at distances of 16. */
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

#define THREADS 16
#ifndef CELLS_X
#define CELLS_X 4
#define CELLS_Y 2
#endif
#define WIDTH (THREADS * CELLS_X)
#define HEIGHT (THREADS * CELLS_Y)
#define CELLS (CELLS_X * CELLS_Y)
#define PITCH (WIDTH + 16) /* of a tile's rows, in shared memory: one column more would do, but not be aligned */
#define MOST_PYRAMID 7
#define AIR 80.0f

/* What a step makes of a cell and its neighbours. */
typedef struct {
	float step_over_capacity, along_x, along_y, to_air;
} Chip;

__host__ __device__ inline float heated(float here, float power, float north, float south, float west, float east,
										Chip chip)
{
	return here + chip.step_over_capacity * (power + (south + north - 2.0f * here) * chip.along_y +
											 (east + west - 2.0f * here) * chip.along_x + (AIR - here) * chip.to_air);
}

/* The cell of 0 to count - 1 that has the values of cell i: the chip continues beyond its edge as in a mirror, which is
 * the same as an edge that no heat crosses. Cells farther than `count` behind the edge have no right value. */
__device__ inline int mirrored(int i, int count)
{
	int place = i < 0 ? -1 - i : i;
	place = place < count ? place : 2 * count - 1 - place;
	place = place > 0 ? place : 0;
	return place < count ? place : count - 1;
}

/* Computes `steps` steps from `from` to `to`; at most as many as the chip has rows and columns. */
__global__ void heat(int steps, const float *power, const float *from, float *to, int columns, int rows, Chip chip)
{
	__shared__ float even[HEIGHT][PITCH], odd[HEIGHT][PITCH];
	float own_power[CELLS];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int left = (WIDTH - 2 * steps) * (int)blockIdx.x - steps,
			  top = (HEIGHT - 2 * steps) * (int)blockIdx.y - steps;

	if (left >= 0 && left + WIDTH <= columns) {
		for (int k = 0; k < CELLS; k++) {
			const int i = tx + k % CELLS_X * THREADS, j = ty + k / CELLS_X * THREADS;
			const int cell = mirrored(top + j, rows) * columns + left + i;
			even[j][i] = from[cell];
			own_power[k] = power[cell];
		}
	} else {
		for (int k = 0; k < CELLS; k++) {
			const int i = tx + k % CELLS_X * THREADS, j = ty + k / CELLS_X * THREADS;
			const int cell = mirrored(top + j, rows) * columns + mirrored(left + i, columns);
			even[j][i] = from[cell];
			own_power[k] = power[cell];
		}
	}
	/* the margins: column -1 of a row is the last of the row before it */
	for (int k = 0; k < CELLS_Y; k++) {
		even[ty + k * THREADS][WIDTH + tx] = AIR;
		odd[ty + k * THREADS][WIDTH + tx] = AIR;
	}
	__syncthreads();

	/* What is wrong at the tile's edges grows by a cell a step, and does not reach the cells that are written. */
	for (int step = 0; step < steps; step++) {
		const float *now = step & 1 ? &odd[0][0] : &even[0][0];
		float *next = step & 1 ? &even[0][0] : &odd[0][0];
		for (int k = 0; k < CELLS; k++) {
			const int i = tx + k % CELLS_X * THREADS, j = ty + k / CELLS_X * THREADS;
			const int at = j * PITCH + i;
			if (j > step && j < HEIGHT - 1 - step)
				next[at] =
					heated(now[at], own_power[k], now[at - PITCH], now[at + PITCH], now[at - 1], now[at + 1], chip);
		}
		__syncthreads();
	}

	const float *last = steps & 1 ? &odd[0][0] : &even[0][0];
	for (int k = 0; k < CELLS; k++) {
		const int i = tx + k % CELLS_X * THREADS, j = ty + k / CELLS_X * THREADS;
		if (j >= steps && j < HEIGHT - steps && top + j < rows && i >= steps && i < WIDTH - steps && left + i < columns)
			to[(top + j) * columns + left + i] = last[j * PITCH + i];
	}
}

struct Problem {
	int rows, columns, steps, pyramid;
	std::vector<float> temperature, power;
	Chip chip;
};

/* A chip of 16 mm by 16 mm, half a millimetre thick, of silicon. */
static Chip chip_of(int rows, int columns)
{
	const double height = 0.016 / rows, width = 0.016 / columns, thickness = 0.0005;
	const double heat_capacity = 1.75e6, conductivity = 100.0, most_power = 3.0e6, precision = 0.001;
	const double capacity = 0.5 * heat_capacity * thickness * width * height;
	const double step = precision / (most_power / (0.5 * thickness * heat_capacity));
	return Chip{static_cast<float>(step / capacity),
				static_cast<float>(2.0 * conductivity * thickness * height / width),
				static_cast<float>(2.0 * conductivity * thickness * width / height),
				static_cast<float>(conductivity * height * width / thickness)};
}

static dim3 blocks_for(const Problem &problem)
{
	const int overlap = 2 * std::min(problem.pyramid, problem.steps);
	return dim3(blocks_of(WIDTH - overlap, problem.columns), blocks_of(HEIGHT - overlap, problem.rows));
}

static double heat_on_device(const Problem &problem, const RunOptions &options, std::vector<float> &answers,
							 int &launches)
{
	const size_t bytes = problem.temperature.size() * sizeof(float);
	const DeviceArray<float> power(problem.power);
	DeviceArray<float> first(problem.temperature.size()), second(problem.temperature.size());
	float *from = first.get(), *to = second.get();
	const double ms = least_launches_ms(
		options.reps, "heat",
		[&] {
			from = first.get();
			to = second.get();
			check(cudaMemcpy(from, problem.temperature.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&] {
			int launched = 0;
			for (int done = 0; done < problem.steps; done += problem.pyramid, launched++) {
				const int steps = std::min(problem.pyramid, problem.steps - done);
				const dim3 blocks(blocks_of(WIDTH - 2 * steps, problem.columns),
								  blocks_of(HEIGHT - 2 * steps, problem.rows));
				heat<<<blocks, dim3(THREADS, THREADS)>>>(steps, power.get(), from, to, problem.columns, problem.rows,
														 problem.chip);
				std::swap(from, to);
			}
			return launched;
		},
		launches);
	(from == first.get() ? first : second).copy_to(answers);
	return ms;
}

/* One step after the other, a loop over the rows. */
static void heat_once(const Problem &problem, const float *from, float *to)
{
	const int last = problem.columns - 1;
#pragma omp parallel for schedule(static)
	for (int y = 0; y < problem.rows; y++) {
		const size_t row = static_cast<size_t>(y) * problem.columns;
		const float *here = from + row, *power = problem.power.data() + row;
		const float *north = y > 0 ? here - problem.columns : here;
		const float *south = y < problem.rows - 1 ? here + problem.columns : here;
		float *out = to + row;
		const auto cell = [&](int x, int west, int east) {
			out[x] = heated(here[x], power[x], north[x], south[x], here[west], here[east], problem.chip);
		};
		cell(0, 0, std::min(1, last));
#pragma omp simd
		for (int x = 1; x < last; x++)
			cell(x, x - 1, x + 1);
		if (last > 0)
			cell(last, last - 1, last);
	}
}

static double heat_on_host(const Problem &problem, const RunOptions &options, std::vector<float> &answers)
{
	std::vector<float> other(problem.temperature.size());
	return least_host_ms(
		options.reps, [&] { answers = problem.temperature; },
		[&] {
			for (int i = 0; i < problem.steps; i++) {
				heat_once(problem, answers.data(), other.data());
				std::swap(answers, other);
			}
		});
}

/* Compares with the same steps in double precision. A step multiplies and adds a few numbers of the size of the
 * temperature: each may round by a part in 2^23 of it. */
static void check_temperatures(const Problem &problem, const std::vector<float> &answers)
{
	const int rows = problem.rows, columns = problem.columns;
	std::vector<double> from(problem.temperature.begin(), problem.temperature.end()), to(from.size());
	const auto at = [&](int y, int x) {
		return from[static_cast<size_t>(std::clamp(y, 0, rows - 1)) * columns + std::clamp(x, 0, columns - 1)];
	};
	for (int i = 0; i < problem.steps; i++) {
		for (int y = 0; y < rows; y++)
			for (int x = 0; x < columns; x++) {
				const double here = at(y, x), power = problem.power[static_cast<size_t>(y) * columns + x];
				to[static_cast<size_t>(y) * columns + x] =
					here + problem.chip.step_over_capacity *
							   (power + (at(y + 1, x) + at(y - 1, x) - 2.0 * here) * problem.chip.along_y +
								(at(y, x + 1) + at(y, x - 1) - 2.0 * here) * problem.chip.along_x +
								(AIR - here) * problem.chip.to_air);
			}
		std::swap(from, to);
	}
	for (size_t i = 0; i < from.size(); i++)
		if (!(std::fabs(answers[i] - from[i]) <= (problem.steps + 1) * 0x1p-22 * std::fabs(from[i])))
			fail<WrongAnswer>("row %zu, column %zu: %.9g found, %.9g is right", i / columns, i % columns, answers[i],
							  from[i]);
}

static Problem make_problem(CommandLine &line, uint64_t seed)
{
	const std::string input = line.text("--input", "random:1024x1024"), power_input = line.text("--power", "");
	Problem problem{0, 0, 0, 0, {}, {}, {}};
	problem.steps = static_cast<int>(line.whole_number("--steps", 16, 1, 100000));
	problem.pyramid = static_cast<int>(line.whole_number("--pyramid", 4, 1, MOST_PYRAMID));
	line.end();
	if (is_random_matrix(input, problem.rows, problem.columns)) {
		Random random(seed);
		const size_t cells = static_cast<size_t>(problem.rows) * problem.columns;
		for (size_t i = 0; i < cells; i++)
			problem.temperature.push_back(323.0f + 10.0f * random.uniform());
		for (size_t i = 0; i < cells; i++)
			problem.power.push_back(0.01f * random.uniform());
	} else {
		const Matrix matrix = read_matrix(input);
		problem.rows = matrix.rows;
		problem.columns = matrix.columns;
		problem.temperature = matrix.x;
		problem.power.assign(matrix.x.size(), 0.0f);
	}
	if (!power_input.empty()) {
		const Matrix matrix = read_matrix(power_input);
		if (matrix.rows != problem.rows || matrix.columns != problem.columns)
			fail<InputError>("%s: %d x %d cells, but %d x %d temperatures", power_input.c_str(), matrix.rows,
							 matrix.columns, problem.rows, problem.columns);
		problem.power = matrix.x;
	}
	problem.pyramid = std::min({problem.pyramid, problem.rows, problem.columns});
	problem.chip = chip_of(problem.rows, problem.columns);
	return problem;
}

static int compute_heat(CommandLine &line)
{
	const RunOptions options(line);
	const Problem problem = make_problem(line, options.seed);
	std::printf("chip: %d x %d cells, %d steps\n", problem.rows, problem.columns, problem.steps);

	std::vector<float> answers;
	int launches = 0;
	const double ms =
		options.host ? heat_on_host(problem, options, answers) : heat_on_device(problem, options, answers, launches);
	print_run(options, ms, static_cast<double>(answers.size()) * problem.steps, "cells");
	if (!options.host)
		print_launches(blocks_for(problem), dim3(THREADS, THREADS), launches, ms);
	std::printf("hottest: %.6g\n", *std::max_element(answers.begin(), answers.end()));
	if (!options.out.empty())
		write_npy(options.out, "'<f4'",
				  "(" + std::to_string(problem.rows) + ", " + std::to_string(problem.columns) + ")", answers.data(),
				  answers.size() * sizeof(float));
	if (options.check) {
		check_temperatures(problem, answers);
		std::printf("check: PASS, %zu answers compared with those of double precision\n", answers.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: hotspot [--input INPUT] [--power FILE] [--steps N] [--pyramid H] [--seed S] [--reps R] [--host]\n"
		"               [--check] [--out FILE]\n"
		"\n"
		"Computes how a chip's temperature changes, on the device, several steps of a tile in shared memory at a "
		"time.\n"
		"\n"
		"  --input INPUT  random:ROWSxCOLUMNS: random temperatures and powers (default: random:1024x1024);\n"
		"                 FILE.npy: a float32 or float64 matrix of temperatures; FILE: text, a row a line, with\n"
		"                 blanks or commas between the numbers\n"
		"  --power FILE   what each cell adds to the heat, in the same form (default: nothing, of a file's cells)\n"
		"  --steps N      1 to 100000 (default: 16)\n"
		"  --pyramid H    steps of a launch, 1 to 7 (default: 4)\n" +
		usage_of_run_options("the temperatures, float32, rows x columns");
	return run_program("hotspot", usage, compute_heat, argc, argv);
}
