/* Quotient and remainder of unsigned integers, all different. */
__kernel void divide(
	__global const uint *a, __global const uint *b, __global uint *quotient, __global uint *remainder, int n) {
	int i = get_global_id(0);
	if (i < n) {
		uint x = a[i], y = b[i];
		quotient[i] = x / y;
		remainder[i] = x % y;
	}
}
