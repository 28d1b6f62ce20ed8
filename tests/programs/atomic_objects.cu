// Threads that wait by cuda::atomic: for what other threads compute, and for
// locks.
#include <cstdio>
#include <cuda/atomic>
typedef cuda::atomic<int, cuda::thread_scope_device> Flag;
__global__ void dataflow(Flag *ready, int *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a = i / 2, b = i - 64, s = i;
  if (i >= 1 && a < i) {
    while (!ready[a].load(cuda::memory_order_acquire))
      ;
    s += v[a];
  }
  if (b >= 0) {
    while (!ready[b].load(cuda::memory_order_acquire))
      ;
    s += v[b];
  }
  v[i] = s & 0xffff;
  ready[i].store(1, cuda::memory_order_release);
}
void run_dataflow() {
  int n = 2000, ok = 0, *v, want[2000];
  Flag *ready;
  cudaMallocManaged(&v, n * 4);
  cudaMallocManaged(&ready, n * 4);
  for (int i = 0; i < n; i++)
    ready[i].store(0);
  dataflow<<<16, 128>>>(ready, v, n);
  cudaError_t e = cudaDeviceSynchronize();
  if (e)
    printf("%s\n", cudaGetErrorString(e));
  for (int i = 0; i < n; i++) {
    int s = i;
    if (i >= 1)
      s += want[i / 2];
    if (i >= 64)
      s += want[i - 64];
    want[i] = s & 0xffff;
    ok += v[i] == want[i];
  }
  printf("dataflow %d ok\n", ok);
}
__device__ cuda::atomic<int, cuda::thread_scope_device> a{0};
__global__ void exchange_block(volatile int *c) {
  if (threadIdx.x == 0) {
    while (a.exchange(1, cuda::memory_order_acquire) == 1)
      ;
    *c = *c + 1;
    a.store(0, cuda::memory_order_release);
  }
}
__global__ void exchange(volatile int *c) {
  while (a.exchange(1, cuda::memory_order_acquire) == 1)
    ;
  *c = *c + 1;
  a.store(0, cuda::memory_order_release);
}
__global__ void compare(volatile int *c) {
  int free = 0;
  while (!a.compare_exchange_weak(free, 1, cuda::memory_order_acquire,
                                  cuda::memory_order_relaxed))
    free = 0;
  *c = *c + 1;
  a.store(0, cuda::memory_order_release);
}
int main() {
  run_dataflow();
  int *c;
  cudaMallocManaged(&c, 4);
  *c = 0;
  exchange_block<<<10, 64>>>(c);
  cudaDeviceSynchronize();
  printf("exchange_block %d\n", *c);
  {
    *c = 0;
    exchange<<<10, 64>>>(c);
    cudaDeviceSynchronize();
    printf("exchange %d\n", *c);
  }
  *c = 0;
  compare<<<10, 64>>>(c);
  cudaDeviceSynchronize();
  printf("compare %d\n", *c);
}

// It prints:
// dataflow 2000 ok
// exchange_block 10
// exchange 640
// compare 640
