// Kernels whose blocks wait for each other at the barrier of the grid.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int swap_halves(int *a, int *b, cg::grid_group grid) {
	int i = grid.thread_rank(), n = grid.size();
	b[i] = a[(i + n / 2) % n];
	grid.sync();
	a[i] = b[i] + 1;
	grid.sync();
	return a[n - 1 - i];
}

__global__ void rounds(int *a, int *b, int rounds) {
	__shared__ int s[256];
	cg::grid_group grid = cg::this_grid();
	int sum = 0;
	for (int r = 0; r < rounds; r++) {
		s[threadIdx.x] = a[grid.thread_rank()];
		__syncthreads();
		sum += s[(threadIdx.x + 1) % blockDim.x];
		__syncthreads();
		sum += swap_halves(a, b, grid);
		grid.sync();
	}
	b[grid.thread_rank()] = sum;
}

__global__ void scan(const int *in, int *out, int *parts) {
	int i = threadIdx.x + blockIdx.x * blockDim.x, lane = threadIdx.x % 32, v = in[i];
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffffu, v, d);
		if (lane >= d) v += other;
	}
	int warps = (blockDim.x + 31) / 32, warp = blockIdx.x * warps + threadIdx.x / 32;
	if (lane == 31 || threadIdx.x == blockDim.x - 1) parts[warp] = v;
	cg::this_grid().sync();
	for (int w = 0; w < warp; w++) v += parts[w];
	out[i] = v;
}
