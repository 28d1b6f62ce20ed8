// One lane of each warp writes.
#define ALL 0xffffffffu

__global__ void one_of_warp(const int *in, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int next = __shfl_down_sync(ALL, in[i], 1), last = threadIdx.x + 1 == blockDim.x;
	if (threadIdx.x % 32 == 0) out[i + i / 3] = last ? 0 : next;
}
