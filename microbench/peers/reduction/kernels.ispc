/* The sum of some floats, and the sums of some blocks of them. */
static inline uniform float sum_of(const uniform float x[], uniform int first, uniform int end) {
	float sum = 0.0f;
	foreach (i = first ... end)
		sum += x[i];
	return reduce_add(sum);
}

export uniform float sum(const uniform float x[], uniform int first, uniform int end) {
	return sum_of(x, first, end);
}

export void sum_blocks(const uniform float x[], uniform int n, uniform float sums[], uniform int first,
                       uniform int end, uniform int block) {
	for (uniform int i = first; i < end; i++)
		sums[i] = sum_of(x, i * block, min((i + 1) * block, n));
}
