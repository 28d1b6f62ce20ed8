/* How often each of 256 values occurs among bytes: a histogram in local memory for each group, added up at its end. */

#define BINS 256

__kernel void histogram(__global const uchar *values, int n, __global uint *bins)
{
	__local uint counts[BINS];
	const int item = get_local_id(0);
	counts[item] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_inc(&counts[values[i]]);
	barrier(CLK_LOCAL_MEM_FENCE);

	atomic_add(&bins[item], counts[item]);
}
