/* Heat in a chip: a 5-point stencil. A block computes a few steps (the pyramid's height) of a tile in shared memory
 * before it writes back, and so its tile overlaps those of its neighbours by as many cells on each side. */
#include <utility>

#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define TILE 16

#define WITHIN(x, low, high) ((x) >= (low) && (x) <= (high))

__global__ void heat(int steps, const float *power, const float *from, float *to, int columns, int rows, float cap,
	float rx, float ry, float rz, float step) {
	__shared__ float temperature[TILE][TILE];
	__shared__ float tile_power[TILE][TILE];
	__shared__ float updated[TILE][TILE];

	const float ambient = 80.0f;
	const float step_over_cap = step / cap;
	const float rx_inverse = 1 / rx, ry_inverse = 1 / ry, rz_inverse = 1 / rz;
	const int tx = threadIdx.x, ty = threadIdx.y;

	/* The tile's first and last row and column; those outside the chip do not count. */
	const int inner = TILE - steps * 2;
	const int top = inner * blockIdx.y - steps, left = inner * blockIdx.x - steps;
	const int bottom = top + TILE - 1, right = left + TILE - 1;
	const int y = top + ty, x = left + tx;
	const int index = columns * y + x;
	if (WITHIN(y, 0, rows - 1) && WITHIN(x, 0, columns - 1)) {
		temperature[ty][tx] = from[index];
		tile_power[ty][tx] = power[index];
	}
	__syncthreads();

	const int first_row = top < 0 ? -top : 0, first_column = left < 0 ? -left : 0;
	const int last_row = bottom > rows - 1 ? TILE - 1 - (bottom - rows + 1) : TILE - 1;
	const int last_column = right > columns - 1 ? TILE - 1 - (right - columns + 1) : TILE - 1;
	const int north = ty - 1 < first_row ? first_row : ty - 1;
	const int south = ty + 1 > last_row ? last_row : ty + 1;
	const int west = tx - 1 < first_column ? first_column : tx - 1;
	const int east = tx + 1 > last_column ? last_column : tx + 1;

	bool computed = false;
	for (int i = 0; i < steps; i++) {
		computed = false;
		if (WITHIN(tx, i + 1, TILE - i - 2) && WITHIN(ty, i + 1, TILE - i - 2) &&
			WITHIN(tx, first_column, last_column) && WITHIN(ty, first_row, last_row)) {
			computed = true;
			const float here = temperature[ty][tx];
			updated[ty][tx] =
				here +
				step_over_cap *
					(tile_power[ty][tx] + (temperature[south][tx] + temperature[north][tx] - 2.0f * here) * ry_inverse +
						(temperature[ty][east] + temperature[ty][west] - 2.0f * here) * rx_inverse +
						(ambient - here) * rz_inverse);
		}
		__syncthreads();
		if (i == steps - 1)
			break;
		if (computed)
			temperature[ty][tx] = updated[ty][tx];
		__syncthreads();
	}
	if (computed)
		to[index] = updated[ty][tx];
}

static int rows, columns, steps, pyramid;
static float cap, rx, ry, rz, step;
static const float *initial;
static DeviceArray<float> power, from, to;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	columns = in.number("columns");
	steps = in.number("steps");
	pyramid = in.number("pyramid");
	cap = in.number("cap");
	rx = in.number("rx");
	ry = in.number("ry");
	rz = in.number("rz");
	step = in.number("step");
	const auto temperature = in.array<float>("temperature");
	initial = temperature.data;
	power.assign(in.array<float>("power").data, temperature.count);
	from.resize(temperature.count);
	to.resize(temperature.count);
}

static void reset() {
	from.copy_from(initial);
}

static void run() {
	const int inner = TILE - pyramid * 2;
	const dim3 block(TILE, TILE), grid((columns + inner - 1) / inner, (rows + inner - 1) / inner);
	for (int done = 0; done < steps; done += pyramid) {
		const int now = std::min(pyramid, steps - done);
		heat<<<grid, block>>>(now, power.data(), from.data(), to.data(), columns, rows, cap, rx, ry, rz, step);
		std::swap(from, to);
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = from.to_host();
	out.array("temperature", host.data(), host.size());
}
