/* The same walk for OpenCL C, which has no recursion: every work-item keeps the cells that it still has to visit on a
 * stack of its own. */
typedef struct {
	float x, y, z, mass;
	float opening2;
	int child[8];
} Cell;

__kernel void accelerations(__global const Cell *cells, __global const float *x, __global const float *y,
	__global const float *z, __global const int *order, int count, float softening2, __global float *ax,
	__global float *ay, __global float *az) {
	const int i = get_global_id(0);
	if (i >= count)
		return;
	const float bx = x[order[i]], by = y[order[i]], bz = z[order[i]];
	float sx = 0.0f, sy = 0.0f, sz = 0.0f;
	int stack[320]; /* up to seven more for each level of the tree */
	int height = 1;
	stack[0] = 0;
	while (height > 0) {
		__global const Cell *cell = &cells[stack[--height]];
		const float dx = cell->x - bx, dy = cell->y - by, dz = cell->z - bz;
		const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
		if (distance2 > cell->opening2) {
			const float inverse = rsqrt(distance2);
			const float pull = cell->mass * inverse * inverse * inverse;
			sx += pull * dx;
			sy += pull * dy;
			sz += pull * dz;
		} else {
			for (int k = 7; k >= 0; k--)
				if (cell->child[k] >= 0)
					stack[height++] = cell->child[k];
		}
	}
	ax[i] = sx;
	ay[i] = sy;
	az[i] = sz;
}
