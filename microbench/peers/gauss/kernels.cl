/* Gaussian elimination without pivoting, a column after the other. x is the row and y the column; with -DCOALESCED the
 * first dimension runs along the columns. */

/* The factors by which row `t` is taken from the rows below. */
__kernel void factors(__global float *factor, __global const float *a, int size, int t)
{
	const int row = get_global_id(0);
	if (row >= size - 1 - t)
		return;
	factor[size * (row + t + 1) + t] = a[size * (row + t + 1) + t] / a[size * t + t];
}

__kernel void eliminate(__global const float *factor, __global float *a, __global float *b, int size, int t)
{
#ifdef COALESCED
	const int x = get_global_id(1), y = get_global_id(0);
#else
	const int x = get_global_id(0), y = get_global_id(1);
#endif
	if (x >= size - 1 - t)
		return;
	if (y >= size - t)
		return;
	a[size * (x + 1 + t) + (y + t)] -= factor[size * (x + 1 + t) + t] * a[size * t + (y + t)];
	if (y == 0)
		b[x + 1 + t] -= factor[size * (x + 1 + t) + t] * b[t];
}
