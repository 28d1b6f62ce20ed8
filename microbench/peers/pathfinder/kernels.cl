/* The cheapest path down a grid of costs, row after row; a step goes straight or one column aside. A group follows a few
 * rows in local memory, and so its columns overlap those of its neighbours by `border` on each side. */

#define GROUP 256

#define WITHIN(x, low, high) ((x) >= (low) && (x) <= (high))

__kernel void follow(int steps, __global const int *wall, __global const int *from, __global int *to, int columns,
					 int first_row, int border)
{
	__local int previous[GROUP];
	__local int result[GROUP];

	const int tx = get_local_id(0);
	const int left = (GROUP - 2 * border) * (int)get_group_id(0) - border, right = left + GROUP - 1;
	const int x = left + tx;

	/* The first and last work-item whose column is one of the grid. */
	const int first = left < 0 ? -left : 0;
	const int last = right > columns - 1 ? GROUP - 1 - (right - columns + 1) : GROUP - 1;
	const int west = tx - 1 < first ? first : tx - 1;
	const int east = tx + 1 > last ? last : tx + 1;
	const bool valid = WITHIN(tx, first, last);

	if (WITHIN(x, 0, columns - 1))
		previous[tx] = from[x];
	barrier(CLK_LOCAL_MEM_FENCE);

	bool computed = false;
	for (int i = 0; i < steps; i++) {
		computed = false;
		if (WITHIN(tx, i + 1, GROUP - i - 2) && valid) {
			computed = true;
			const int shortest = min(min(previous[west], previous[tx]), previous[east]);
			result[tx] = shortest + wall[columns * (first_row + i) + x];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i == steps - 1)
			break;
		if (computed)
			previous[tx] = result[tx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (computed)
		to[x] = result[tx];
}
