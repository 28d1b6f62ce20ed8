/* Barriers with nothing between them, and barriers between which numbers are passed round the block. */
#ifndef MICROBENCH_BARRIER_KERNELS_H
#define MICROBENCH_BARRIER_KERNELS_H

__global__ void empty(int *out, int barriers) {
	for (int i = 0; i < barriers; i++)
		__syncthreads();
	out[threadIdx.x] = barriers;
}

/* Every thread takes the number of its neighbour, half as many times as there are barriers. */
__global__ void pass_round(int *out, int barriers) {
	__shared__ int numbers[1024];
	int tid = threadIdx.x;
	int neighbour = tid + 1 == blockDim.x ? 0 : tid + 1;
	numbers[tid] = tid;
	__syncthreads();
	for (int i = 0; i < barriers; i += 2) {
		int number = numbers[neighbour];
		__syncthreads();
		numbers[tid] = number;
		__syncthreads();
	}
	out[tid] = numbers[tid];
}

#endif
