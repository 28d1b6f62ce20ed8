/* Solves A x = b by Gaussian elimination without pivoting: the matrix [A b] becomes an upper triangle on the device,
 * the unknowns follow from it on the host.
 *
 * There are two forms. `steps` takes one column after the other: fan1 computes by how much the pivot's row is to be
 * taken from each row below it, fan2 takes it. `panels` takes PANEL columns at once, so that every element of the rest
 * is read and written once for all of them.
 *
 * In memory, A is filled up with rows and columns of the unit matrix to a multiple of PANEL; then comes b, alone in as
 * many columns. */
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/matrix.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/random.h"

#define PANEL 16
#define FAN1_THREADS 128
#define FAN2_COLUMNS 64
#define FAN2_ROWS 4
#define REST_ROWS 8 /* of a thread */
#define MOST_SIZE 16384

/* ---- steps ---- */

/* How often row t is to be taken from each row below it. */
__global__ void fan1(const float *a, float *factors, int size, int pitch, int t, int *singular)
{
	const int row = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;
	const float pivot = a[t * pitch + t];
	if (row < size)
		factors[row] = a[row * pitch + t] / pivot;
	if (row == t + 1 && pivot == 0.0f)
		atomicMin(singular, t);
}

/* Takes row t from the rows below it. The first column is the last that is not after t and at which rows are aligned.
 */
__global__ void fan2(float *a, const float *factors, int size, int pitch, int t)
{
	const int column = t / PANEL * PANEL + blockIdx.x * blockDim.x + threadIdx.x;
	const int row = t + 1 + blockIdx.y * blockDim.y + threadIdx.y;
	if (row < size && column >= t && column < pitch)
		a[row * pitch + column] -= factors[row] * a[t * pitch + column];
}

/* ---- panels ---- */

/* Eliminates in the panel that begins at row and column t. A block has either rows below it, whose factors it computes
 * (factor p of a row is at factors[p * size + row]), or columns on the panel's right, from which it takes the panel's
 * rows above. All blocks need the square where the panel's rows and columns meet, and each makes a triangle of it;
 * what the first one makes goes to `triangle`, since the others still read `a`. */
__global__ void panel_fan1(float *a, float *factors, float *triangle, int size, int pitch, int t, int *singular)
{
	__shared__ float square[PANEL][PANEL];
	const int tid = threadIdx.x;
	for (int i = tid; i < PANEL * PANEL; i += FAN1_THREADS)
		square[i / PANEL][i % PANEL] = a[(t + i / PANEL) * pitch + t + i % PANEL];
	__syncthreads();
	for (int p = 0; p < PANEL; p++) {
		if (tid > p && tid < PANEL)
			for (int r = p + 1; r < PANEL; r++)
				square[r][tid] -= square[r][p] / square[p][p] * square[p][tid];
		__syncthreads();
	}
	if (blockIdx.x == 0) {
		for (int i = tid; i < PANEL * PANEL; i += FAN1_THREADS)
			triangle[i] = square[i / PANEL][i % PANEL];
		if (tid < PANEL && square[tid][tid] == 0.0f)
			atomicMin(singular, t + tid);
	}

	const int column_blocks = (pitch - t - PANEL + FAN1_THREADS - 1) / FAN1_THREADS;
	float value[PANEL];
	if (blockIdx.x < column_blocks) {
		const int column = t + PANEL + blockIdx.x * FAN1_THREADS + tid;
		if (column < pitch) {
			for (int r = 0; r < PANEL; r++)
				value[r] = a[(t + r) * pitch + column];
			for (int p = 0; p < PANEL; p++)
				for (int r = p + 1; r < PANEL; r++)
					value[r] -= square[r][p] / square[p][p] * value[p];
			for (int r = 0; r < PANEL; r++)
				a[(t + r) * pitch + column] = value[r];
		}
	} else {
		const int row = t + PANEL + (blockIdx.x - column_blocks) * FAN1_THREADS + tid;
		if (row < size) {
			for (int p = 0; p < PANEL; p++)
				value[p] = a[row * pitch + t + p];
			for (int p = 0; p < PANEL; p++) {
				value[p] /= square[p][p];
				for (int q = p + 1; q < PANEL; q++)
					value[q] -= value[p] * square[p][q];
			}
			for (int p = 0; p < PANEL; p++)
				factors[p * size + row] = value[p];
		}
	}
}

/* Takes the panel's rows from REST_ROWS rows below it, in one column on its right. */
__global__ void panel_fan2(float *a, const float *factors, int size, int pitch, int t)
{
	const int column = t + PANEL + blockIdx.x * blockDim.x + threadIdx.x;
	const int row = t + PANEL + (blockIdx.y * blockDim.y + threadIdx.y) * REST_ROWS;
	if (row >= size || column >= pitch)
		return;
	float rest[REST_ROWS];
	for (int r = 0; r < REST_ROWS; r++)
		rest[r] = a[(row + r) * pitch + column];
	for (int p = 0; p < PANEL; p++) {
		const float above = a[(t + p) * pitch + column];
		for (int r = 0; r < REST_ROWS; r++)
			rest[r] -= factors[p * size + row + r] * above;
	}
	for (int r = 0; r < REST_ROWS; r++)
		a[(row + r) * pitch + column] = rest[r];
}

/* ---- host ---- */

struct Problem {
	int unknowns;
	int size, pitch; /* of [A b] in memory */
	std::vector<float> matrix;

	Problem(int unknowns)
		: unknowns(unknowns), size((unknowns + PANEL - 1) / PANEL * PANEL), pitch(size + PANEL),
		  matrix(static_cast<size_t>(size) * pitch)
	{
		for (int i = unknowns; i < size; i++)
			matrix[static_cast<size_t>(i) * pitch + i] = 1.0f;
	}

	/* The element of A, or of b in column `unknowns`. */
	float &at(int row, int column)
	{
		return matrix[static_cast<size_t>(row) * pitch + (column < unknowns ? column : size)];
	}

	float at(int row, int column) const
	{
		return matrix[static_cast<size_t>(row) * pitch + (column < unknowns ? column : size)];
	}
};

static dim3 rest_blocks(const Problem &problem, int first_row, int first_column, int rows_of_a_thread)
{
	return dim3(blocks_of(FAN2_COLUMNS, problem.pitch - first_column),
				blocks_of(FAN2_ROWS * rows_of_a_thread, problem.size - first_row));
}

static int launch_steps(const Problem &problem, float *a, float *factors, int *singular)
{
	const int size = problem.size, pitch = problem.pitch;
	for (int t = 0; t < size - 1; t++) {
		fan1<<<blocks_of(FAN1_THREADS, size - t - 1), FAN1_THREADS>>>(a, factors, size, pitch, t, singular);
		fan2<<<rest_blocks(problem, t + 1, t / PANEL * PANEL, 1), dim3(FAN2_COLUMNS, FAN2_ROWS)>>>(a, factors, size,
																								   pitch, t);
	}
	return 2 * (size - 1);
}

static int launch_panels(const Problem &problem, float *a, float *factors, float *triangles, int *singular)
{
	const int size = problem.size, pitch = problem.pitch;
	for (int t = 0; t < size; t += PANEL) {
		const int behind = t + PANEL;
		const int blocks = blocks_of(FAN1_THREADS, pitch - behind) + blocks_of(FAN1_THREADS, size - behind);
		panel_fan1<<<blocks, FAN1_THREADS>>>(a, factors, triangles + t * PANEL, size, pitch, t, singular);
		if (behind < size)
			panel_fan2<<<rest_blocks(problem, behind, behind, REST_ROWS), dim3(FAN2_COLUMNS, FAN2_ROWS)>>>(
				a, factors, size, pitch, t);
	}
	return 2 * (size / PANEL) - 1;
}

[[noreturn]] static void fail_singular(int row)
{
	fail<InputError>("row %d: the pivot is 0: the matrix is singular, or its rows would have to change places", row);
}

/* Makes a triangle of the matrix; returns the kernels' least time in milliseconds. */
static double eliminate_on_device(const Problem &problem, bool steps, const RunOptions &options,
								  std::vector<float> &triangle, int &launches)
{
	const int size = problem.size, pitch = problem.pitch, none = INT_MAX;
	DeviceArray<float> a(problem.matrix.size()), factors(static_cast<size_t>(size) * PANEL);
	DeviceArray<float> triangles(static_cast<size_t>(size) * PANEL);
	DeviceArray<int> singular(1);
	const double ms = least_launches_ms(
		options.reps, "gaussian",
		[&] {
			check(cudaMemcpy(a.get(), problem.matrix.data(), problem.matrix.size() * sizeof(float),
							 cudaMemcpyHostToDevice),
				  "cudaMemcpy");
			check(cudaMemcpy(singular.get(), &none, sizeof none, cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&] {
			return steps ? launch_steps(problem, a.get(), factors.get(), singular.get())
						 : launch_panels(problem, a.get(), factors.get(), triangles.get(), singular.get());
		},
		launches);
	std::vector<int> row;
	singular.copy_to(row);
	if (row[0] != none)
		fail_singular(row[0]);
	a.copy_to(triangle);
	if (!steps) {
		std::vector<float> squares;
		triangles.copy_to(squares);
		for (int i = 0; i < size * PANEL; i++) {
			const int row_of_square = i / PANEL, column = row_of_square / PANEL * PANEL + i % PANEL;
			triangle[static_cast<size_t>(row_of_square) * pitch + column] = squares[i];
		}
	}
	return ms;
}

/* Takes `pivots` rows from t on from each other, and then from the rows below them. A row lies in the cache while the
 * rows of a panel are taken from it. */
static void eliminate_rows(float *a, int size, int pitch, int t, int pivots)
{
	const auto take = [&](int from, int row) {
		float *to = a + static_cast<size_t>(row) * pitch;
		const float *pivot = a + static_cast<size_t>(from) * pitch;
		const float factor = to[from] / pivot[from];
#pragma omp simd
		for (int x = from; x < pitch; x++)
			to[x] -= factor * pivot[x];
	};
#pragma omp single
	for (int row = t + 1; row < t + pivots; row++)
		for (int from = t; from < row; from++)
			take(from, row);
#pragma omp for schedule(static)
	for (int row = t + pivots; row < size; row++)
		for (int from = t; from < t + pivots; from++)
			take(from, row);
}

static double eliminate_on_host(const Problem &problem, bool steps, const RunOptions &options,
								std::vector<float> &triangle)
{
	const int pivots = steps ? 1 : PANEL;
	const double ms = least_host_ms(
		options.reps, [&] { triangle = problem.matrix; },
		[&] {
#pragma omp parallel
			for (int t = 0; t < problem.size; t += pivots)
				eliminate_rows(triangle.data(), problem.size, problem.pitch, t, pivots);
		});
	for (int row = 0; row < problem.size; row++)
		if (triangle[static_cast<size_t>(row) * problem.pitch + row] == 0.0f)
			fail_singular(row);
	return ms;
}

/* The unknowns, from the last to the first. */
static std::vector<float> unknowns_of(const Problem &problem, const std::vector<float> &triangle)
{
	std::vector<float> x(problem.unknowns);
	for (int row = problem.unknowns - 1; row >= 0; row--) {
		const float *elements = triangle.data() + static_cast<size_t>(row) * problem.pitch;
		double sum = elements[problem.size];
		for (int column = row + 1; column < problem.unknowns; column++)
			sum -= static_cast<double>(elements[column]) * x[column];
		x[row] = static_cast<float>(sum / elements[row]);
		if (!std::isfinite(x[row]))
			fail<InputError>("row %d: the unknown is not finite: the matrix is singular, or its rows would have to "
							 "change places",
							 row);
	}
	return x;
}

/* Compares A x with b. Every element may be off by a few roundings of the largest that it is made of, for each of the
 * rows that were taken from it. */
static void check_unknowns(const Problem &problem, const std::vector<float> &x)
{
	for (int row = 0; row < problem.unknowns; row++) {
		double sum = 0.0, size = std::fabs(problem.at(row, problem.unknowns));
		for (int column = 0; column < problem.unknowns; column++) {
			sum += static_cast<double>(problem.at(row, column)) * x[column];
			size += std::fabs(problem.at(row, column) * x[column]);
		}
		if (!(std::fabs(sum - problem.at(row, problem.unknowns)) <= problem.unknowns * 0x1p-22 * size))
			fail<WrongAnswer>("row %d: A x is %.9g, b is %.9g", row, sum, problem.at(row, problem.unknowns));
	}
}

/* Numbers from -1 to 1, but on the diagonal one that is larger than all others of the row together, so that no pivot
 * is small. */
static Problem random_problem(int unknowns, uint64_t seed)
{
	Random random(seed);
	Problem problem(unknowns);
	for (int row = 0; row < unknowns; row++) {
		float sum = 1.0f;
		for (int column = 0; column <= unknowns; column++) {
			problem.at(row, column) = 2.0f * random.uniform() - 1.0f;
			if (column != row && column < unknowns)
				sum += std::fabs(problem.at(row, column));
		}
		problem.at(row, row) = problem.at(row, row) < 0.0f ? -sum : sum;
	}
	return problem;
}

static Problem make_problem(const std::string &input, uint64_t seed)
{
	if (input.compare(0, 7, "random:") == 0) {
		long long unknowns;
		int used = 0;
		if (std::sscanf(input.c_str(), "random:%lld%n", &unknowns, &used) < 1 ||
			static_cast<size_t>(used) != input.size() || unknowns < 1 || unknowns > MOST_SIZE)
			fail<UsageError>("%s: expected random:N with N from 1 to %d, for example random:1024", input.c_str(),
							 MOST_SIZE);
		return random_problem(static_cast<int>(unknowns), seed);
	}
	const Matrix matrix = read_matrix(input);
	if (matrix.columns != matrix.rows + 1)
		fail<InputError>("%s: %d rows of %d numbers; rows of %d are expected, the last number is b's", input.c_str(),
						 matrix.rows, matrix.columns, matrix.rows + 1);
	if (matrix.rows > MOST_SIZE)
		fail<InputError>("%s: %d unknowns are too many; at most %d are supported", input.c_str(), matrix.rows,
						 MOST_SIZE);
	Problem problem(matrix.rows);
	for (int row = 0; row < matrix.rows; row++)
		for (int column = 0; column < matrix.columns; column++)
			problem.at(row, column) = matrix.x[static_cast<size_t>(row) * matrix.columns + column];
	return problem;
}

static int solve(CommandLine &line)
{
	const RunOptions options(line);
	const std::string input = line.text("--input", "random:1024");
	const bool steps = line.one_of("--form", "panels", "panels", "steps") == "steps";
	line.end();
	const Problem problem = make_problem(input, options.seed);
	std::printf("matrix: %d unknowns\n", problem.unknowns);

	std::vector<float> triangle;
	int launches = 0;
	const double ms = options.host ? eliminate_on_host(problem, steps, options, triangle)
								   : eliminate_on_device(problem, steps, options, triangle, launches);
	const std::vector<float> x = unknowns_of(problem, triangle);
	print_run(options, ms, problem.unknowns / 3.0 * problem.unknowns * problem.unknowns, "multiplications");
	if (!options.host)
		print_launches(rest_blocks(problem, problem.size / 2, problem.size / 2, steps ? 1 : REST_ROWS),
					   dim3(FAN2_COLUMNS, FAN2_ROWS), launches, ms);
	std::printf("first unknown: %.6g\n", x[0]);
	if (!options.out.empty())
		write_npy(options.out, "'<f4'", "(" + std::to_string(x.size()) + ",)", x.data(), x.size() * sizeof(float));
	if (options.check) {
		check_unknowns(problem, x);
		std::printf("check: PASS, A x compared with b in %zu rows\n", x.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: gaussian [--input INPUT] [--form panels|steps] [--seed S] [--reps R] [--host] [--check] [--out FILE]\n"
		"\n"
		"Solves A x = b by Gaussian elimination on the device. Rows do not change places: a pivot of 0 is an error.\n"
		"\n"
		"  --input INPUT  random:N: a random A whose diagonal outweighs its rows (default: random:1024); FILE.npy: a\n"
		"                 float32 or float64 matrix, b in the last column; FILE: text, a row a line, with blanks or\n"
		"                 commas between the numbers\n"
		"  --form FORM    panels: 16 columns at a time (default); steps: one column after the other\n" +
		usage_of_run_options("the unknowns, float32");
	return run_program("gaussian", usage, solve, argc, argv);
}
