// Atomic objects whose bytes are no word: threads of all blocks change them.
#include <cstdio>
#include <cuda/atomic>
#include <new>
struct Big {
  int n;
  unsigned char c[20];
  long sum;
  __host__ __device__ bool operator==(const Big &other) const {
    return n == other.n && sum == other.sum;
  }
};
struct Three {
  char a, b, c;
  __host__ __device__ bool operator==(const Three &o) const {
    return a == o.a && b == o.b && c == o.c;
  }
};
typedef cuda::atomic<Big, cuda::thread_scope_device> Shared;
__global__ void add(Shared *x, cuda::atomic<Three> *y, int *wins) {
  Big before = x->load(), next;
  do {
    next = before;
    next.n++;
    next.sum += threadIdx.x;
    for (int k = 0; k < 20; k++)
      next.c[k] += k;
  } while (!x->compare_exchange_weak(before, next, cuda::memory_order_relaxed));
  Three none = {0, 0, 0}, own = {(char)threadIdx.x, 1, 2};
  if (y->compare_exchange_strong(none, own))
    atomicAdd(wins, 1);
  else if (none.b != 1 || none.c != 2)
    atomicAdd(wins, 1000);
  Big other = x[1].exchange(next);
  if (other.n == next.n)
    atomicAdd(wins, 100000);
}
int main() {
  Shared *x;
  cuda::atomic<Three> *y;
  int *wins;
  cudaMallocManaged(&x, 2 * sizeof *x);
  cudaMallocManaged(&y, sizeof *y);
  cudaMallocManaged(&wins, 4);
  for (int i = 0; i < 2; i++)
    new (x + i) Shared(Big{});
  new (y) cuda::atomic<Three>(Three{});
  *wins = 0;
  add<<<7, 96>>>(x, y, wins);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  Big b = *x;
  bool right = b.n == 7 * 96 && b.sum == 7 * 96 * 95 / 2;
  for (int k = 0; k < 20; k++)
    right &= b.c[k] == (unsigned char)(7 * 96 * k);
  Three t = y->load();
  printf("%d %d %d %d %d\n", right, *wins, t.b, t.c, x->is_lock_free());
}
// It prints:
// cudaSuccess
// 1 1 1 2 0
