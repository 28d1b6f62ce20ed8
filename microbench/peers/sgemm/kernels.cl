/* C = A B, three ways, as in sgemm.cu. */

#if defined BLOCKED

#define ITEMS 16 /* a side */
#define EACH 4 /* elements of a work-item, a side */
#define TILE (ITEMS * EACH)
#define DEPTH 16

__kernel void multiply(__global const float *a, __global const float *b, __global float *c, int inner, int columns)
{
	__local float tile_a[TILE][DEPTH];
	__local float tile_b[DEPTH][TILE];
	const int tx = get_local_id(0), ty = get_local_id(1);
	const int row = get_group_id(1) * TILE, column = get_group_id(0) * TILE;
	float sum[EACH][EACH] = {{0.0f}};

	for (int k = 0; k < inner; k += DEPTH) {
		for (int i = 0; i < EACH; i++) {
			tile_a[ty + i * ITEMS][tx] = a[(row + ty + i * ITEMS) * inner + k + tx];
			tile_b[ty][tx + i * ITEMS] = b[(k + ty) * columns + column + tx + i * ITEMS];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
		for (int kk = 0; kk < DEPTH; kk++)
#pragma unroll
			for (int i = 0; i < EACH; i++)
#pragma unroll
				for (int j = 0; j < EACH; j++)
					sum[i][j] += tile_a[ty + i * ITEMS][kk] * tile_b[kk][tx + j * ITEMS];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++)
			c[(row + ty + i * ITEMS) * columns + column + tx + j * ITEMS] = sum[i][j];
}

#elif defined TILED

#define TILE 16

__kernel void multiply(__global const float *a, __global const float *b, __global float *c, int inner, int columns)
{
	__local float tile_a[TILE][TILE];
	__local float tile_b[TILE][TILE];
	const int tx = get_local_id(0), ty = get_local_id(1);
	const int row = get_global_id(1), column = get_global_id(0);
	float sum = 0.0f;
	for (int k = 0; k < inner; k += TILE) {
		tile_a[ty][tx] = a[row * inner + k + tx];
		tile_b[ty][tx] = b[(k + ty) * columns + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int kk = 0; kk < TILE; kk++)
			sum += tile_a[ty][kk] * tile_b[kk][tx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * columns + column] = sum;
}

#else

__kernel void multiply(__global const float *a, __global const float *b, __global float *c, int inner, int columns)
{
	const int row = get_global_id(1), column = get_global_id(0);
	float sum = 0.0f;
	for (int k = 0; k < inner; k++)
		sum += a[row * inner + k] * b[k * columns + column];
	c[row * columns + column] = sum;
}

#endif
