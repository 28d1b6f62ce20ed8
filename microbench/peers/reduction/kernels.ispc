/* The sum of some floats. Each addition waits for the one before, so there are four sums in turn, but with -DAS_WRITTEN
 * one. */
static inline uniform float sum_of(const uniform float x[], uniform int first, uniform int end) {
	float sum = 0.0f;
#ifndef AS_WRITTEN
	float sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
	for (; end - first >= 4 * programCount; first += 4 * programCount) {
		uniform float *uniform four = &x[first];
		sum += four[programIndex];
		sum1 += four[programCount + programIndex];
		sum2 += four[2 * programCount + programIndex];
		sum3 += four[3 * programCount + programIndex];
	}
	sum = (sum + sum1) + (sum2 + sum3);
#endif
	foreach (i = first ... end)
		sum += x[i];
	return reduce_add(sum);
}

export uniform float sum(const uniform float x[], uniform int first, uniform int end) {
	return sum_of(x, first, end);
}

/* The sums of some blocks. */
export void sum_blocks(const uniform float x[], uniform int n, uniform float sums[], uniform int first,
                       uniform int end, uniform int block) {
	for (uniform int i = first; i < end; i++)
		sums[i] = sum_of(x, i * block, min((i + 1) * block, n));
}
