/* The cheapest path down a grid of costs, row after row; a step goes straight or one column aside. A block follows
 * PYRAMID rows in shared memory, and so its columns overlap those of its neighbours by PYRAMID on each side. */
#include <utility>

#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define BLOCK 256
#define PYRAMID 20

#define WITHIN(x, low, high) ((x) >= (low) && (x) <= (high))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__global__ void follow(int steps, const int *wall, const int *from, int *to, int columns, int first_row, int border) {
	__shared__ int previous[BLOCK];
	__shared__ int result[BLOCK];

	const int tx = threadIdx.x;
	const int left = (BLOCK - 2 * border) * blockIdx.x - border, right = left + BLOCK - 1;
	const int x = left + tx;

	/* The first and last thread whose column is one of the grid. */
	const int first = left < 0 ? -left : 0;
	const int last = right > columns - 1 ? BLOCK - 1 - (right - columns + 1) : BLOCK - 1;
	const int west = tx - 1 < first ? first : tx - 1;
	const int east = tx + 1 > last ? last : tx + 1;
	const bool valid = WITHIN(tx, first, last);

	if (WITHIN(x, 0, columns - 1))
		previous[tx] = from[x];
	__syncthreads();

	bool computed = false;
	for (int i = 0; i < steps; i++) {
		computed = false;
		if (WITHIN(tx, i + 1, BLOCK - i - 2) && valid) {
			computed = true;
			const int at_west = previous[west], above = previous[tx], at_east = previous[east];
			int shortest = MIN(at_west, above);
			shortest = MIN(shortest, at_east);
			result[tx] = shortest + wall[columns * (first_row + i) + x];
		}
		__syncthreads();
		if (i == steps - 1)
			break;
		if (computed)
			previous[tx] = result[tx];
		__syncthreads();
	}
	if (computed)
		to[x] = result[tx];
}

static int rows, columns;
static const int *first_row;
static DeviceArray<int> wall, from, to;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	columns = in.number("columns");
	first_row = in.array<int>("wall").data;
	wall.assign(first_row + columns, (size_t)(rows - 1) * columns);
	from.resize(columns);
	to.resize(columns);
}

static void reset() {
	from.copy_from(first_row);
}

static void run() {
	const int inner = BLOCK - 2 * PYRAMID, blocks = (columns + inner - 1) / inner;
	for (int row = 0; row < rows - 1; row += PYRAMID) {
		const int steps = std::min(PYRAMID, rows - 1 - row);
		follow<<<blocks, BLOCK>>>(steps, wall.data(), from.data(), to.data(), columns, row, PYRAMID);
		std::swap(from, to);
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	out.array("cost", from.to_host().data(), columns);
}
