/* Heat in a chip: a 5-point stencil. A group computes `steps` steps of a tile in local memory before it writes back, and
 * so its tile overlaps those of its neighbours by as many cells on each side. */

#define TILE 16

#define WITHIN(x, low, high) ((x) >= (low) && (x) <= (high))

__kernel void heat(int steps, __global const float *power, __global const float *from, __global float *to, int columns,
				   int rows, float cap, float rx, float ry, float rz, float step)
{
	__local float temperature[TILE][TILE];
	__local float tile_power[TILE][TILE];
	__local float updated[TILE][TILE];

	const float ambient = 80.0f;
	const float step_over_cap = step / cap;
	const float rx_inverse = 1 / rx, ry_inverse = 1 / ry, rz_inverse = 1 / rz;
	const int tx = get_local_id(0), ty = get_local_id(1);

	/* The tile's first and last row and column; those outside the chip do not count. */
	const int inner = TILE - steps * 2;
	const int top = inner * (int)get_group_id(1) - steps, left = inner * (int)get_group_id(0) - steps;
	const int bottom = top + TILE - 1, right = left + TILE - 1;
	const int y = top + ty, x = left + tx;
	const int index = columns * y + x;
	if (WITHIN(y, 0, rows - 1) && WITHIN(x, 0, columns - 1)) {
		temperature[ty][tx] = from[index];
		tile_power[ty][tx] = power[index];
	}
	barrier(CLK_LOCAL_MEM_FENCE);

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
				here + step_over_cap *
						   (tile_power[ty][tx] +
							(temperature[south][tx] + temperature[north][tx] - 2.0f * here) * ry_inverse +
							(temperature[ty][east] + temperature[ty][west] - 2.0f * here) * rx_inverse +
							(ambient - here) * rz_inverse);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i == steps - 1)
			break;
		if (computed)
			temperature[ty][tx] = updated[ty][tx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (computed)
		to[index] = updated[ty][tx];
}
