/* How many steps z = z * z + c takes for z to leave the circle of radius 2, for c all over the Mandelbrot set. */
__kernel void mandelbrot(
	__global int *counts, int width, int height, float left, float top, float dx, float dy, int most) {
	int x = get_global_id(0);
	int y = get_global_id(1);
	if (x >= width || y >= height)
		return;
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
