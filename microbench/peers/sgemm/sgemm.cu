/* C = A B, three ways: a thread computes one element from global memory (the default), one element
 * through tiles in shared memory (-DTILED), or 4 x 4 elements in registers through tiles (-DBLOCKED). */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#if defined BLOCKED

#define THREADS 16 /* a side */
#define EACH 4     /* elements of a thread, a side */
#define TILE (THREADS * EACH)
#define DEPTH 16

__global__ void multiply(const float *a, const float *b, float *c, int inner, int columns) {
	__shared__ float tile_a[TILE][DEPTH];
	__shared__ float tile_b[DEPTH][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	float sum[EACH][EACH] = {{0.0f}};

	for (int k = 0; k < inner; k += DEPTH) {
		for (int i = 0; i < EACH; i++) {
			tile_a[ty + i * THREADS][tx] = a[(row + ty + i * THREADS) * inner + k + tx];
			tile_b[ty][tx + i * THREADS] = b[(k + ty) * columns + column + tx + i * THREADS];
		}
		__syncthreads();
#pragma unroll
		for (int kk = 0; kk < DEPTH; kk++)
#pragma unroll
			for (int i = 0; i < EACH; i++)
#pragma unroll
				for (int j = 0; j < EACH; j++)
					sum[i][j] += tile_a[ty + i * THREADS][kk] * tile_b[kk][tx + j * THREADS];
		__syncthreads();
	}
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++)
			c[(row + ty + i * THREADS) * columns + column + tx + j * THREADS] = sum[i][j];
}

#elif defined TILED

#define THREADS 16
#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int inner, int columns) {
	__shared__ float tile_a[TILE][TILE];
	__shared__ float tile_b[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
	float sum = 0.0f;
	for (int k = 0; k < inner; k += TILE) {
		tile_a[ty][tx] = a[row * inner + k + tx];
		tile_b[ty][tx] = b[(k + ty) * columns + column];
		__syncthreads();
		for (int kk = 0; kk < TILE; kk++)
			sum += tile_a[ty][kk] * tile_b[kk][tx];
		__syncthreads();
	}
	c[row * columns + column] = sum;
}

#else

#define THREADS 16
#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int inner, int columns) {
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	const int column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;
	for (int k = 0; k < inner; k++)
		sum += a[row * inner + k] * b[k * columns + column];
	c[row * columns + column] = sum;
}

#endif

static int rows, inner, columns; /* multiples of TILE */
static DeviceArray<float> a, b, c;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	inner = in.number("inner");
	columns = in.number("columns");
	a.assign(in.array<float>("a").data, (size_t)rows * inner);
	b.assign(in.array<float>("b").data, (size_t)inner * columns);
	c.resize((size_t)rows * columns);
}

static void reset() {
}

static void run() {
	dim3 block(THREADS, THREADS), grid(columns / TILE, rows / TILE);
	multiply<<<grid, block>>>(a.data(), b.data(), c.data(), inner, columns);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = c.to_host();
	out.array("c", host.data(), host.size());
}
