/* y = a exp(x) + b for few elements. */
export void scaled_exp(uniform const float x[], uniform float y[], uniform int n, uniform float a, uniform float b) {
	foreach (i = 0 ... n)
		y[i] = a * exp(x[i]) + b;
}
