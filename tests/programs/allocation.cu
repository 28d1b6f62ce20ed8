// Allocation functions of the program: for arguments in parentheses, and in
// place of those that are always there.
#include <cstdio>
#include <new>

struct Pool {
  alignas(16) char data[2048];
  size_t used;
  __host__ __device__ void *take(size_t n) {
    char *at = data + used;
    used += (n + 15) / 16 * 16;
    return at;
  }
};

__device__ int taken, given_back;
__device__ void *operator new(size_t n, Pool *p, int skip) {
  return (char *)p->take(n + skip) + skip;
}
__device__ void *operator new[](size_t n, Pool *p) { return p->take(n * 2); }
__device__ void *operator new(size_t n) {
  atomicAdd(&taken, (int)n);
  return malloc(n);
}
__device__ void operator delete(void *p) {
  atomicAdd(&given_back, 1);
  free(p);
}

struct T {
  int v;
  __device__ T(int v) : v(v) {}
  __device__ ~T() { v = 0; }
};

__device__ int f(Pool &pool, int a, int b) {
  pool.used = 0;
  T *t = new (&pool, 32) T(a);
  int *list = new (&pool) int[b & 7]{};
  char space[64];
  T *there = new (space) T(b);
  int sum = there->v + t->v;
  for (int i = 0; i < (b & 7); i++)
    sum += list[i];
  T *heap = new T(3);
  double *x = (double *)::operator new(8);
  *x = a;
  sum += heap->v + (int)*x;
  if (a % 2)
    delete heap;
  ::operator delete(x);
  return sum * 1000 + (int)pool.used + (int)((char *)t - pool.data);
}

__global__ void k(Pool *pools, int *out) {
  out[threadIdx.x] = f(pools[threadIdx.x], threadIdx.x, threadIdx.x * 3);
}

int main() {
  Pool *pools;
  int *out, counts[2], sum = 0;
  cudaMallocManaged(&pools, 33 * sizeof(Pool));
  cudaMallocManaged(&out, 33 * sizeof(int));
  k<<<1, 33>>>(pools, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 33; i++)
    sum += out[i];
  cudaMemcpyFromSymbol(&counts[0], taken, sizeof(int));
  cudaMemcpyFromSymbol(&counts[1], given_back, sizeof(int));
  printf("%d %d, %d bytes, %d given back\n", out[0], out[32], sum,
         counts[0] + counts[1] * 1000);
}
// It prints:
// 3080 163080, 2742664 bytes, 49396 given back
