// Barriers of <cuda/barrier>.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reduce(const int *in, int *out, int n) {
  __shared__ barrier meeting;
  __shared__ int values[256];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&meeting, block.size());
  block.sync();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  meeting.wait_parity(true);
  for (int step = 1; step < 256; step *= 2) {
    auto token = meeting.arrive();
    int own = threadIdx.x * 2 * step;
    meeting.wait(static_cast<barrier::arrival_token &&>(token));
    if (own + step < blockDim.x) values[own] += values[own + step];
  }
  meeting.arrive_and_wait();
  if (i < n) out[i] = values[0] + i;
}

// Warps leave one after the other, and the rest continue.
__global__ void drops(const int *in, int *out, int n) {
  __shared__ alignas(cuda::std::barrier<>) unsigned char storage[sizeof(cuda::std::barrier<>)];
  __shared__ int values[257];
  cuda::std::barrier<> &meeting = *reinterpret_cast<cuda::std::barrier<> *>(storage);
  if (threadIdx.x == 0) {
    new (&meeting) cuda::std::barrier<>(blockDim.x);
    values[blockDim.x] = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, rounds = 3 - threadIdx.x / 32 % 4, sum = 0;
  values[threadIdx.x] = i;
  for (int round = 0; round < rounds; round++) {
    meeting.arrive_and_wait();
    sum += values[threadIdx.x + 1 < blockDim.x ? threadIdx.x + 1 : 0] + round;
  }
  meeting.arrive_and_drop();
  if (i < n) out[i] = sum;
}

// The first warps fill one half of a buffer while the others use the other half.
__global__ void two_buffers(const int *in, int *out, int n) {
  __shared__ barrier full[2], empty[2];
  __shared__ int buffer[2][32];
  int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int half = 0; half < 2 && threadIdx.x == 0; half++) {
    init(full + half, blockDim.x);
    init(empty + half, blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int round = 0; round < 5; round++) {
      empty[round % 2].arrive_and_wait();
      buffer[round % 2][lane] = lane + round < n ? in[lane + round] : round;
      full[round % 2].arrive();
    }
  } else {
    empty[0].arrive();
    empty[1].arrive();
    for (int round = 0; round < 5; round++) {
      full[round % 2].arrive_and_wait();
      sum += buffer[round % 2][lane] * (round + 1);
      empty[round % 2].arrive();
    }
  }
  if (i < n) out[i] = sum;
}

struct Count {
  int *rounds;
  __device__ void operator()() { ++*rounds; }
};

__global__ void completes(const int *in, int *out, int n) {
  __shared__ int rounds, copied[256];
  __shared__ cuda::barrier<cuda::thread_scope_block, Count> meeting;
  if (threadIdx.x == 0) {
    rounds = 0;
    init(&meeting, blockDim.x, Count{&rounds});
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  copied[threadIdx.x] = 0;
  for (int round = 0; round < 3; round++) {
    if (i < n) cuda::memcpy_async(copied + threadIdx.x, in + i, cuda::aligned_size_t<4>(4), meeting);
    meeting.arrive_and_wait();
    sum += copied[blockDim.x - 1 - threadIdx.x] + rounds * 1000;
    meeting.arrive_and_wait();
  }
  if (i < n) out[i] = sum;
}
