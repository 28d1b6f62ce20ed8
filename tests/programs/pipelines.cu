// Pipelines, asynchronous copies, barriers as functions, latches and semaphores: each kernel sums what it copies.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>
#include <new>
namespace cg = cooperative_groups;

const int ROUNDS = 7, N = 96;

__host__ __device__ int sum_of(const int *values, int thread, int round) {
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += values[(thread * 5 + i * round) % N] * (i + 1);
	return sum;
}

template <int Stages> __global__ void staged(const int *in, int *out) {
	auto block = cg::this_thread_block();
	__shared__ int stages[Stages][N];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
	auto pipe = cuda::make_pipeline(block, &state);
	int sum = 0;
	for (int round = 0, filled = 0; round < ROUNDS; round++) {
		for (; filled < ROUNDS && filled < round + Stages; filled++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, stages[filled % Stages], in + filled * N, N * sizeof(int), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		sum += sum_of(stages[round % Stages], threadIdx.x, round);
		pipe.consumer_release();
	}
	out[threadIdx.x] = sum;
}

// The first warp fills stages, the threads of the others use them.
template <bool ByCount> __global__ void by_role(const int *in, int *out) {
	auto block = cg::this_thread_block();
	__shared__ int stages[2][N];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	bool fills = threadIdx.x < 32;
	auto role = fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
	auto pipe = ByCount ? cuda::make_pipeline(block, &state, size_t(32)) : cuda::make_pipeline(block, &state, role);
	int sum = 0;
	for (int round = 0; round < ROUNDS; round++) {
		int *stage = stages[round % 2];
		if (fills) {
			pipe.producer_acquire();
			for (int i = threadIdx.x; i < N; i += 32)
				cuda::memcpy_async(&stage[i], &in[round * N + i], cuda::aligned_size_t<4>(4), pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			sum += sum_of(stage, threadIdx.x - 32, round);
			pipe.consumer_release();
		}
	}
	if (!fills)
		out[threadIdx.x - 32] = sum;
}

__global__ void by_thread(const int *in, int *out) {
	__shared__ int stages[2][N];
	auto pipe = cuda::make_pipeline();
	int t = threadIdx.x, sum = 0;
	pipe.producer_acquire();
	cuda::memcpy_async(&stages[0][t], &in[t], sizeof(int), pipe);
	pipe.producer_commit();
	for (int round = 0; round < ROUNDS; round++) {
		pipe.producer_acquire();
		if (round + 1 < ROUNDS)
			cuda::memcpy_async(&stages[(round + 1) % 2][t], &in[(round + 1) * N + t], sizeof(int), pipe);
		pipe.producer_commit();
		cuda::pipeline_consumer_wait_prior<1>(pipe);
		__syncthreads();
		sum += sum_of(stages[round % 2], t, round);
		__syncthreads();
		pipe.consumer_release();
	}
	out[t] = sum;
}

__global__ void primitives(const int *in, int *out) {
	__shared__ int stages[2][N];
	__shared__ __mbarrier_t ready;
	int t = threadIdx.x, sum = 0;
	if (t == 0)
		__mbarrier_init(&ready, blockDim.x);
	__pipeline_memcpy_async(&stages[0][t], &in[t], 4);
	__pipeline_commit();
	__syncthreads();
	for (int round = 0; round < ROUNDS; round++) {
		if (round + 1 < ROUNDS)
			__pipeline_memcpy_async(&stages[(round + 1) % 2][t], &in[(round + 1) * N + t], 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__mbarrier_token_t token = __mbarrier_arrive(&ready);
		while (!__mbarrier_test_wait(&ready, token)) {
		}
		sum += sum_of(stages[round % 2], t, round);
		__syncthreads();
	}
	out[t] = sum;
}

__global__ void zeros(int *out) {
	__shared__ int4 copied;
	__shared__ nvcuda::experimental::awbarrier barrier;
	if (threadIdx.x == 0)
		init(&barrier, blockDim.x);
	__syncthreads();
	const int4 from = {1, 2, 3, 4};
	if (threadIdx.x == 0)
		__pipeline_memcpy_async(&copied, &from, 16, 8);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	barrier.arrive_and_wait();
	if (threadIdx.x == 40)
		printf("zeros: %d %d %d %d\n", copied.x, copied.y, copied.z, copied.w);
}

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 3> places{3};
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one{1};
__device__ int inside, most, total;

__global__ void blocks_wait(int *out, cuda::latch<cuda::thread_scope_device> *all_there) {
	if (threadIdx.x == 0) {
		static_cast<volatile int *>(out)[blockIdx.x] = blockIdx.x + 1;
		all_there->arrive_and_wait();
		atomicAdd(&total, static_cast<volatile int *>(out)[(blockIdx.x + 5) % 12]);
		places.acquire();
		atomicMax(&most, atomicAdd(&inside, 1) + 1);
		__nanosleep(100);
		atomicSub(&inside, 1);
		places.release();
		one.acquire();
		*static_cast<volatile int *>(&total) += 1000;
		__threadfence();
		one.release();
	}
}

int main() {
	int *in, *out, expected[N] = {};
	cudaMallocManaged(&in, ROUNDS * N * sizeof(int));
	cudaMallocManaged(&out, N * sizeof(int));
	for (int i = 0; i < ROUNDS * N; i++)
		in[i] = i * 7919 % 1009;
	for (int t = 0; t < N; t++)
		for (int round = 0; round < ROUNDS; round++)
			expected[t] += sum_of(in + round * N, t, round);
	void (*kernels[])(const int *, int *) = {staged<1>, staged<3>, by_role<false>, by_role<true>, by_thread, primitives};
	int threads[] = {N, N, N + 32, N + 32, N, N};
	for (int k = 0; k < 6; k++) {
		for (int t = 0; t < N; t++)
			out[t] = -1;
		kernels[k]<<<1, threads[k]>>>(in, out);
		cudaDeviceSynchronize();
		int wrong = 0;
		for (int t = 0; t < N; t++)
			wrong += out[t] != expected[t];
		printf("%d wrong\n", wrong);
	}
	zeros<<<1, 64>>>(out);
	cudaDeviceSynchronize();
	cuda::latch<cuda::thread_scope_device> *all_there;
	cudaMallocManaged(&all_there, sizeof *all_there);
	new (all_there) cuda::latch<cuda::thread_scope_device>(12);
	blocks_wait<<<12, 32>>>(out, all_there);
	int sum, crowd;
	cudaMemcpyFromSymbol(&sum, total, sizeof sum);
	cudaMemcpyFromSymbol(&crowd, most, sizeof crowd);
	printf("%d, at most 3: %d\n%s\n", sum, crowd <= 3, cudaGetErrorString(cudaGetLastError()));
}

// It prints:
// 0 wrong
// 0 wrong
// 0 wrong
// 0 wrong
// 0 wrong
// 0 wrong
// zeros: 1 2 0 0
// 12078, at most 3: 1
// no error
