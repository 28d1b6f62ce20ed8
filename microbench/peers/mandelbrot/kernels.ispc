/* How many steps z = z * z + c takes for z to leave the circle of radius 2, for c of some rows of the Mandelbrot set. */
export void mandelbrot(uniform int counts[], uniform int first, uniform int end, uniform int width, uniform float left,
                       uniform float top, uniform float dx, uniform float dy, uniform int most) {
	foreach (y = first ... end, x = 0 ... width) {
		float c_re = left + x * dx, c_im = top + y * dy;
		float re = c_re, im = c_im;
		int count = 0;
		while (count < most && re * re + im * im <= 4.0f) {
			float new_re = re * re - im * im;
			float new_im = 2.0f * re * im;
			re = c_re + new_re;
			im = c_im + new_im;
			count++;
		}
		counts[y * width + x] = count;
	}
}
