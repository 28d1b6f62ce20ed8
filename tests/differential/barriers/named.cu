// Named barriers, by PTX: groups of warps meet by themselves, and producers do not wait for consumers.

__device__ void meet(int number, int threads) { asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory"); }

// Each half of the warps adds up its own elements; the last half may have fewer warps.
__global__ void halves(const int *in, int *out, int n) {
  __shared__ int values[256], sums[2];
  int i = blockIdx.x * blockDim.x + threadIdx.x, warps = (blockDim.x + 31) / 32, warp = threadIdx.x / 32;
  int half = warp >= (warps + 1) / 2, size = half ? warps / 2 : (warps + 1) / 2;
  values[threadIdx.x] = i < n ? in[i] : 0;
  __barrier_sync(9);
  __barrier_sync_count(10, warps * 32);
  for (int round = 0; round < 3; round++) {
    meet(1 + half, size * 32);
    int first = half ? (warps + 1) / 2 * 32 : 0;
    if (threadIdx.x == first) {
      int sum = round;
      for (int k = first; k < first + size * 32 && k < blockDim.x; k++) sum += values[k];
      sums[half] = sum;
    }
    meet(1 + half, size * 32);
    values[threadIdx.x] += sums[half] % 7;
  }
  __syncthreads();
  if (i < n) out[i] = values[threadIdx.x] + sums[0];
}

// The first warp makes what the others use: it waits only until they have used what it made before.
__global__ void pipeline(const int *in, int *out, int n) {
  __shared__ int buffer[32];
  unsigned threads = (blockDim.x + 31) / 32 * 32;
  int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int round = 0; round < 4; round++) {
    if (threadIdx.x < 32) {
      if (round) asm volatile("barrier.cta.sync.aligned 2, %0;" : : "r"(threads));
      if (lane + round < n) buffer[lane] = in[lane + round];
      asm volatile("bar.arrive 1, %0;" : : "r"(threads));
    } else {
      asm volatile("bar.sync 1, %0;" : : "r"(threads));
      for (int k = 0; k <= lane; k++) sum += k < blockDim.x && k + round < n ? buffer[k] : 0;
      if (round < 3) asm volatile("bar.arrive 2, %0;" : : "r"(threads));
    }
  }
  if (i < n) out[i] = sum;
}

__global__ void votes(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, odd = i < n && in[i] % 2;
  unsigned count, all, some;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 3, p; }" : "=r"(count) : "r"(odd));
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; barrier.cta.red.and.pred q, 3, !p; selp.u32 %0, 1, 0, q; }"
               : "=r"(all) : "r"(odd));
  asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 98; bar.red.or.pred q, 4, p; selp.u32 %0, 1, 0, q; }"
               : "=r"(some) : "r"(i < n ? in[i] : 0));
  if (i < n) out[i] = count * 4 + all * 2 + some;
}

// Threads that have ended count as arrived.
__global__ void exits(const int *in, int *out, int n) {
  __shared__ int values[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 1;
  if (threadIdx.x / 32 % 2) return;
  asm volatile("barrier.sync 5;");
  if (i < n) out[i] = values[(threadIdx.x ^ 1) < blockDim.x ? threadIdx.x ^ 1 : threadIdx.x];
}
