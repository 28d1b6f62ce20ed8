/* y = a x + y */
export void saxpy(uniform int first, uniform int end, uniform float a, const uniform float x[], uniform float y[]) {
	foreach (i = first ... end)
		y[i] = a * x[i] + y[i];
}
