/* Breadth-first search, level by level: every work-item owns a node and looks whether it is in the frontier. */

/* Nodes of the frontier put their unseen neighbours into the next one. */
__kernel void expand(__global const int *start, __global const int *degree, __global const int *edges,
					 __global char *frontier, __global char *next, __global const char *seen, __global int *level, int n)
{
	const int node = get_global_id(0);
	if (node < n && frontier[node]) {
		frontier[node] = 0;
		for (int i = start[node]; i < start[node] + degree[node]; i++) {
			const int neighbour = edges[i];
			if (!seen[neighbour]) {
				level[neighbour] = level[node] + 1;
				next[neighbour] = 1;
			}
		}
	}
}

/* The next frontier becomes the frontier; `*more` says whether it holds anything. */
__kernel void advance(__global char *frontier, __global char *next, __global char *seen, __global int *more, int n)
{
	const int node = get_global_id(0);
	if (node < n && next[node]) {
		frontier[node] = 1;
		seen[node] = 1;
		next[node] = 0;
		*more = 1;
	}
}
