/* The sum of floats, as in reduction.cu. */

#define GROUP 256

__kernel void reduce(__global const float *x, int n, __global float *partial)
{
	__local float sums[GROUP];
	const int item = get_local_id(0);
	const int i = get_global_id(0);
#ifdef ONE_ELEMENT
	sums[item] = i < n ? x[i] : 0.0f;
#else
	float sum = 0.0f;
	for (int j = i; j < n; j += get_global_size(0))
		sum += x[j];
	sums[item] = sum;
#endif
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int s = GROUP / 2; s > 0; s /= 2) {
		if (item < s)
			sums[item] += sums[item + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (item == 0)
		partial[get_group_id(0)] = sums[0];
}
