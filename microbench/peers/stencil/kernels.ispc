/* A step of a 5-point stencil, in some rows. */
export void step(const uniform float from[], uniform float to[], uniform int first, uniform int end,
                 uniform int width) {
	for (uniform int y = first; y < end; y++) {
		foreach (x = 1 ... width - 1) {
			int i = y * width + x;
			to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
		}
	}
}
