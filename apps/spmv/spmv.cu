/* y = A x, of a sparse matrix A whose rows differ in length. A thread has a row; a child grid has a long one, or the
 * long ones of a warp, a block or the grid. */
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/nested.h"
#include "../common/sparse.h"

/* Of A: see Sparse. All are on the device. */
struct Rows {
	int rows;
	const int *start, *column;
	const float *value;
};

__device__ inline int length(const Rows &a, int row)
{
	return a.start[row + 1] - a.start[row];
}

/* Returns a row's product with x. */
__device__ inline float multiply(const Rows &a, int row, const float *x)
{
	float sum = 0.0f;
	for (int i = a.start[row]; i < a.start[row + 1]; i++)
		sum += a.value[i] * x[a.column[i]];
	return sum;
}

/* The same by all CHILD threads of a block; the result counts in thread 0. */
__device__ inline float multiply_together(const Rows &a, int row, const float *x)
{
	__shared__ float of_warp[CHILD / 32];
	float sum = 0.0f;
	for (int i = a.start[row] + threadIdx.x; i < a.start[row + 1]; i += CHILD)
		sum += a.value[i] * x[a.column[i]];
	for (int away = 16; away > 0; away /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, away);
	if (threadIdx.x % 32 == 0)
		of_warp[threadIdx.x / 32] = sum;
	__syncthreads();
	for (int warp = 1; threadIdx.x == 0 && warp < CHILD / 32; warp++)
		sum += of_warp[warp];
	__syncthreads();
	return sum;
}

__global__ void flat(Rows a, const float *x, float *y)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row < a.rows)
		y[row] = multiply(a, row, x);
}

/* ---- basic ---- */

__global__ void child(Rows a, int row, const float *x, float *y)
{
	const float sum = multiply_together(a, row, x);
	if (threadIdx.x == 0)
		y[row] = sum;
}

__global__ void parent(Rows a, const float *x, float *y, Launches launches)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= a.rows)
		return;
	if (length(a, row) > launches.threshold) {
		child<<<1, CHILD, 0, cudaStreamFireAndForget>>>(a, row, x, y);
		note_launch(launches, 1);
	} else {
		y[row] = multiply(a, row, x);
	}
}

/* ---- consolidated ---- */

/* A block fetches one row after the other. */
__global__ void fetching_child(Rows a, const int *items, int count, const float *x, float *y)
{
	for (int item = blockIdx.x; item < count; item += gridDim.x) {
		const float sum = multiply_together(a, items[item], x);
		if (threadIdx.x == 0)
			y[items[item]] = sum;
	}
}

template <Level LEVEL> __global__ void collecting_parent(Rows a, const float *x, float *y, Launches launches)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	const bool there = row < a.rows, large = there && length(a, row) > launches.threshold;
	if (there && !large)
		y[row] = multiply(a, row, x);
	const Collected collected = collect<LEVEL>(large, row, launches);
	if (collected.launches) {
		fetching_child<<<blocks_for(launches, collected.count), CHILD, 0, cudaStreamFireAndForget>>>(
			a, collected.items, collected.count, x, y);
		note_launch(launches, collected.count);
	}
}

/* ---- on the device ---- */

static void multiply_by(const std::string &form, const Rows &a, const float *x, float *y, const Launches &launches)
{
	const int blocks = blocks_of(PARENT, a.rows);
	if (form == "flat")
		flat<<<blocks, PARENT>>>(a, x, y);
	else if (form == "basic")
		parent<<<blocks, PARENT>>>(a, x, y, launches);
	else if (form == "warp")
		collecting_parent<IN_WARP><<<blocks, PARENT>>>(a, x, y, launches);
	else if (form == "block")
		collecting_parent<IN_BLOCK><<<blocks, PARENT>>>(a, x, y, launches);
	else
		collecting_parent<IN_GRID><<<blocks, PARENT>>>(a, x, y, launches);
}

static NestedTime multiply_on_device(const Sparse &matrix, const std::vector<float> &value, const std::vector<float> &x,
									 const NestedOptions &nested, int reps, std::vector<float> &y)
{
	const DeviceArray<int> start(matrix.start), column(matrix.column);
	const DeviceArray<float> values(value), vector(x), result(matrix.rows);
	const Rows a{matrix.rows, start.get(), column.get(), values.get()};
	const NestedTime time = time_nested(
		nested, reps, "spmv", resident_blocks(fetching_child), matrix.rows, matrix.rows,
		[&] { check(cudaMemset(result.get(), 0xff, matrix.rows * sizeof(float)), "cudaMemset"); },
		[&](const Launches &launches) {
			multiply_by(nested.form, a, vector.get(), result.get(), launches);
			return 1;
		});
	result.copy_to(y);
	return time;
}

/* ---- on the host ---- */

static float multiply_on_host(const Sparse &matrix, const std::vector<float> &value, const std::vector<float> &x,
							  int row)
{
	float sum = 0.0f;
	for (int i = matrix.start[row]; i < matrix.start[row + 1]; i++)
		sum += value[i] * x[matrix.column[i]];
	return sum;
}

static double multiply_all_on_host(const Sparse &matrix, const std::vector<float> &value, const std::vector<float> &x,
								   bool parallel, int reps, std::vector<float> &y)
{
	y.resize(matrix.rows);
	return least_host_ms(reps, [&] {
#pragma omp parallel for schedule(dynamic, 1024) if (parallel)
		for (int row = 0; row < matrix.rows; row++)
			y[row] = multiply_on_host(matrix, value, x, row);
	});
}

/* The bound of a sum of n products in any order is n * 2^-24 times the sum of their magnitudes. */
static void check_products(const Sparse &matrix, const std::vector<float> &value, const std::vector<float> &x,
						   const std::vector<float> &y)
{
	for (int row = 0; row < matrix.rows; row++) {
		double sum = 0.0, magnitude = 0.0;
		for (int i = matrix.start[row]; i < matrix.start[row + 1]; i++) {
			const double product = static_cast<double>(value[i]) * x[matrix.column[i]];
			sum += product;
			magnitude += std::fabs(product);
		}
		if (!(std::fabs(y[row] - sum) <= (matrix.degree(row) + 1) * 0x1p-24 * magnitude + FLT_MIN))
			fail<WrongAnswer>("row %d is %g, expected %g", row, y[row], sum);
	}
}

/* ---- the program ---- */

/* Values of a file as they are, others random in [-1, 1), the same on both sides of the diagonal. */
static std::vector<float> values_of(const Sparse &matrix, const std::string &input, bool pattern, uint64_t seed)
{
	std::vector<float> value(matrix.column.size(), 1.0f);
	for (int row = 0; row < matrix.rows && !pattern; row++)
		for (int i = matrix.start[row]; i < matrix.start[row + 1]; i++) {
			const uint64_t bits = edge_bits(row, matrix.column[i], seed);
			value[i] = matrix.value.empty() ? static_cast<float>(static_cast<int64_t>(bits) >> 40) * 0x1p-23f
											: static_cast<float>(matrix.value[i]);
			if (!std::isfinite(value[i]) || std::fabs(value[i]) > 1e18f)
				fail<InputError>("%s: the entry in row %d, column %d is too large; at most 1e18 is supported",
								 input.c_str(), row + 1, matrix.column[i] + 1);
		}
	return value;
}

static int multiply(CommandLine &line)
{
	const NestedRun run(line, "citation");
	const NestedOptions nested(line);
	line.end();
	const Sparse matrix = make_sparse(run.input, run.seed);
	const std::vector<float> value =
		values_of(matrix, run.input, !is_generated(run.input) && matrix.value.empty(), run.seed);
	std::vector<float> x(matrix.columns), y;
	Random random(run.seed);
	for (float &each : x)
		each = random.uniform();
	print_sparse(matrix);
	if (!nested.save_graph.empty()) {
		save_sparse(nested.save_graph, matrix);
		write_list(nested.save_graph + "-value.npy", "'<f4'", value);
		write_list(nested.save_graph + "-x.npy", "'<f4'", x);
	}
	NestedTime time{};
	if (nested.host.empty())
		time = multiply_on_device(matrix, value, x, nested, run.reps, y);
	else
		time.ms = multiply_all_on_host(matrix, value, x, nested.host == "openmp", run.reps, y);
	print_nested(nested, run, time, matrix.entries(), "entries");
	if (!run.out.empty())
		write_list(run.out, "'<f4'", y);
	if (run.check) {
		check_products(matrix, value, x, y);
		std::printf("check: PASS, %zu rows compared with sums in double precision\n", y.size());
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: spmv [--input INPUT] [--form FORM] [--threshold N] [--kc X] [--seed S] [--reps R] [--host HOW]\n"
		"            [--check] [--out FILE] [--save-graph NAME]\n"
		"\n"
		"Multiplies a sparse matrix with a vector of random numbers.\n"
		"\n" +
		usage_of_nested_options() + usage_of_nested_run("the product, float32");
	return run_program("spmv", usage, multiply, argc, argv);
}
