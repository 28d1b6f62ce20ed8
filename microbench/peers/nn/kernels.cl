/* The same search for OpenCL C, which has no recursion: every work-item keeps the subtrees that it still has to search
 * on a stack of its own, with the squared distance to the plane before each. */
typedef struct {
	int axis;
	float split;
	int right;
	int count;
} Node;

__kernel void find_nearest(__global const Node *nodes, __global const float *points, __global const int *queries,
	int count, __global int *nearest, __global float *distance) {
	const int i = get_global_id(0);
	if (i >= count)
		return;
	const int self = queries[i];
	float x[DIM];
	for (int d = 0; d < DIM; d++)
		x[d] = points[self * DIM + d];
	int found = -1;
	float best = INFINITY;
	int subtree[64];
	float to_plane[64];
	int height = 1;
	subtree[0] = 0;
	to_plane[0] = 0.0f;
	while (height > 0) {
		height--;
		if (to_plane[height] >= best)
			continue;
		int n = subtree[height];
		while (nodes[n].axis >= 0) {
			const float diff = x[nodes[n].axis] - nodes[n].split;
			const int left = n + 1, right = nodes[n].right;
			subtree[height] = diff < 0.0f ? right : left;
			to_plane[height] = diff * diff;
			height++;
			n = diff < 0.0f ? left : right;
		}
		const int end = nodes[n].right + nodes[n].count;
		for (int p = nodes[n].right; p < end; p++) {
			float sum = 0.0f;
			for (int d = 0; d < DIM; d++) {
				const float diff = points[p * DIM + d] - x[d];
				sum += diff * diff;
			}
			if (sum < best && p != self) {
				best = sum;
				found = p;
			}
		}
	}
	nearest[i] = found;
	distance[i] = sqrt(best);
}
