/* The same walk for OpenCL C, which has no recursion: every work-item keeps the nodes that it still has to visit on a
 * stack of its own. */
typedef struct {
	int axis;
	float split;
	int right;
	int count;
} Node;

__kernel void correlate(__global const Node *nodes, __global const float *boxes, __global const float *points,
	__global const int *queries, int count, float radius, __global int *found) {
	const int i = get_global_id(0);
	if (i >= count)
		return;
	float x[DIM];
	for (int d = 0; d < DIM; d++)
		x[d] = points[queries[i] * DIM + d];
	int near = 0;
	int stack[64];
	int height = 1;
	stack[0] = 0;
	while (height > 0) {
		const int n = stack[--height];
		__global const float *box = boxes + n * 2 * DIM;
		float sum = 0.0f;
		for (int d = 0; d < DIM; d++) {
			const float diff = x[d] - fmin(fmax(x[d], box[d]), box[DIM + d]);
			sum += diff * diff;
		}
		if (sum > radius * radius)
			continue;
		if (nodes[n].axis >= 0) {
			stack[height++] = nodes[n].right;
			stack[height++] = n + 1;
			continue;
		}
		const int end = nodes[n].right + nodes[n].count;
		for (int p = nodes[n].right; p < end; p++) {
			sum = 0.0f;
			for (int d = 0; d < DIM; d++) {
				const float diff = points[p * DIM + d] - x[d];
				sum += diff * diff;
			}
			if (sum <= radius * radius)
				near++;
		}
	}
	found[i] = near;
}
