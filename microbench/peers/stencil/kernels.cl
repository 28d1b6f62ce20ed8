/* One step of a 5-point stencil; the edge of the grid stays as it is. */
__kernel void step_once(__global const float *in, __global float *out, int width, int height) {
	int x = get_global_id(0);
	int y = get_global_id(1);
	if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
		return;
	int i = y * width + x;
	out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
