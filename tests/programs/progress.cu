// Threads that wait for other lanes of their warp, for other warps and blocks:
// locks of all kinds, barriers that lanes reach at different places.
#include <cstdio>
#include <vector>
__global__ void rejoined(int *out, float *fo) {
  volatile __shared__ int flag[64];
  int t = threadIdx.x;
  flag[t] = 0;
  __syncthreads();
  if (t % 2 == 0) {
    while (flag[t] == 0)
      ;
    out[t] = flag[t];
  } else {
    flag[t - 1] = t;
    out[t] = -1;
  }
  __syncwarp();
  int v = __shfl_xor_sync(~0u, t * 3, 1);
  unsigned b = __ballot_sync(~0u, t % 3 == 0);
  float f = __shfl_down_sync(~0u, t * 0.5f, 3);
  double d = __shfl_sync(~0u, t * 0.25, 5);
  unsigned m = __match_any_sync(~0u, t % 4);
  int s = __popc(__ballot_sync(~0u, t & 1));
  __syncthreads();
  out[t] += v * 100 + __popc(b) * 100000 + __popc(m) * 10000000;
  fo[t] = f + d + s;
}
__global__ void transfer(int *locks, volatile int *money, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = i % n, b = (i * 7 + 3) % n;
  if (a == b)
    return;
  int lo = min(a, b), hi = max(a, b);
  while (atomicCAS(&locks[lo], 0, 1) != 0)
    ;
  while (atomicCAS(&locks[hi], 0, 1) != 0)
    ;
  money[a] -= 1;
  money[b] += 1;
  __threadfence();
  atomicExch(&locks[hi], 0);
  atomicExch(&locks[lo], 0);
}
__device__ __noinline__ void wait_for(volatile int *f, int v) {
  while (*f != v)
    ;
}
__global__ void pingpong(volatile int *turn, int *out) {
  int t = threadIdx.x;
  if (t < 2)
    for (int i = 0; i < 100; i++) {
      wait_for(turn, t);
      out[t]++;
      __threadfence();
      *turn = 1 - t;
    }
  __syncthreads();
  if (t > 1)
    out[t] = out[0] + out[1];
}
__global__ void ticket(unsigned *tick, volatile unsigned *serving,
                       volatile int *sum) {
  unsigned my = atomicAdd(tick, 1);
  while (*serving != my)
    __nanosleep(100);
  *sum = *sum + 1;
  __threadfence();
  *serving = my + 1;
}
__global__ void backoff(int *lock, volatile int *sum) {
  unsigned ns = 8;
  while (atomicCAS(lock, 0, 1) == 1) {
    __nanosleep(ns);
    if (ns < 256)
      ns *= 2;
  }
  *sum = *sum + 1;
  __threadfence();
  atomicExch(lock, 0);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd((int *)sum + 1, *sum >= 64);
}
struct Mutex {
  int state;
  __device__ void lock() {
    while (atomicExch(&state, 1))
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(&state, 0);
  }
  __device__ bool try_lock() { return atomicExch(&state, 1) == 0; }
};
struct Guard {
  Mutex &m;
  __device__ Guard(Mutex &m) : m(m) { m.lock(); }
  __device__ ~Guard() { m.unlock(); }
};
__global__ void guarded(Mutex *m, volatile int *sum) {
  for (int i = 0; i < 3; i++) {
    Guard g(*m);
    if (threadIdx.x % 5 == 0) {
      *sum = *sum + 2;
      continue;
    }
    *sum = *sum + 1;
  }
}
__global__ void trying(Mutex *m, volatile int *sum) {
  int tries = 0;
  for (;;) {
    tries++;
    if (!m->try_lock())
      continue;
    *sum = *sum + 1;
    m->unlock();
    break;
  }
}
__global__ void chain(int *flag, int *out) { // lane i waits for lane i + 1
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  volatile int *f = flag;
  int rounds = 0;
  if (i < n - 1)
    while (f[i + 1] == 0)
      rounds++;
  out[i] = i < n - 1 ? f[i + 1] + 1 : 1;
  __threadfence();
  f[i] = out[i];
}

// Runs a launch and prints numbers of the array at `d`, the name of an error
// behind them.
#define RUN(indices, ...)                                                      \
  do {                                                                         \
    __VA_ARGS__;                                                               \
    show(d, indices, cudaGetLastError());                                      \
  } while (0)
static void show(int *d, std::vector<int> indices, cudaError_t code) {
  static int h[1024];
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i : indices)
    printf("%d ", h[i]);
  puts(cudaGetErrorName(code));
  cudaMemset(d, 0, sizeof h);
}
int main() {
  int *d;
  cudaMalloc(&d, 4096);
  cudaMemset(d, 0, 4096);
  using list_of = std::vector<int>;
  RUN((list_of{0, 1, 31, 32, 33, 63}),
      rejoined<<<1, 64>>>(d, (float *)d + 512));
  RUN((list_of{100, 103, 149}), transfer<<<4, 70>>>(d, d + 100, 50));
  RUN((list_of{1, 2, 30}), pingpong<<<1, 40>>>(d, d + 1));
  RUN((list_of{0, 1, 2}),
      ticket<<<7, 33>>>((unsigned *)d, (unsigned *)d + 1, d + 2));
  RUN((list_of{2, 3}), backoff<<<7, 64>>>(d, d + 2));
  RUN((list_of{2}), guarded<<<3, 50>>>((Mutex *)d, d + 2));
  RUN((list_of{2}), trying<<<3, 50>>>((Mutex *)d, d + 2));
  RUN((list_of{512, 612}), chain<<<3, 50>>>(d, d + 512));
}

// It prints:
// 81100301 81099999 81108999 81109933 81109599 81118599 cudaSuccess
// 0 0 1 cudaSuccess
// 100 100 200 cudaSuccess
// 231 231 231 cudaSuccess
// 448 7 cudaSuccess
// 540 cudaSuccess
// 150 cudaSuccess
// 150 50 cudaSuccess
