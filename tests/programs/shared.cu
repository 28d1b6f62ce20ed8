// Dynamic and static shared memory: in templates, in device functions, by
// several names, over 48 KiB.
#include <cstdio>
#include <cuda_runtime.h>
#define CHECK(x)                                                               \
  do {                                                                         \
    if (!(x))                                                                  \
      printf("%s (%s)\n", #x, cudaGetErrorString(cudaGetLastError()));         \
  } while (0)
template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};
template <class T> __global__ void reduce(T *in, T *out) {
  T *s = SharedMemory<T>();
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int h = blockDim.x / 2; h; h /= 2) {
    if (t < h)
      s[t] += s[t + h];
    __syncthreads();
  }
  if (!t)
    *out = s[0];
}
extern __shared__ char pool[];
__device__ double *doubles() {
  extern __shared__ __align__(8) double d[];
  return d;
}
__device__ int helper(int i) {
  extern __shared__ int ints[];
  return ints[i];
}
__global__ void alias(int *o) {
  extern __shared__ float f[];
  __shared__ char c;
  __shared__ double st[4];
  c = 1;
  st[threadIdx.x & 3] = 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    f[0] = 1.0f;
    o[0] = helper(0);
    o[1] = (char *)doubles() == (char *)f;
    o[2] = (void *)pool == (void *)f;
    o[3] = (size_t)doubles() % 8;
    o[4] = __isShared(f);
    char *cc = pool + 16;
    int *ii = (int *)(cc + 16);
    ii[3] = 5;
    o[5] = helper(11);
    o[6] = &c < pool && (char *)st < pool;
  }
}
template <class T> __global__ void two(T *o, int n) {
  extern __shared__ __align__(sizeof(T)) unsigned char raw[];
  T *a = reinterpret_cast<T *>(raw);
  T *b = a + n;
  a[threadIdx.x] = threadIdx.x;
  b[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = a[n - 1 - threadIdx.x] + b[n - 1 - threadIdx.x];
}
template <class T, int N> __global__ void tile(const T *in, T *out) {
  __shared__ T t[N][N + 1];
  t[threadIdx.y][threadIdx.x] = in[threadIdx.y * N + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * N + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
int main() {
  int *i;
  float *f;
  double *d;
  cudaMallocManaged(&i, 4096);
  cudaMallocManaged(&f, 4096);
  cudaMallocManaged(&d, 4096);
  for (int k = 0; k < 64; k++) {
    i[k] = k;
    f[k] = k * .5f;
    d[k] = k * .25;
  }
  reduce<<<1, 64, 64 * 4>>>(i, i + 100);
  reduce<<<1, 64, 64 * 4>>>(f, f + 100);
  reduce<<<1, 64, 64 * 8>>>(d, d + 100);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%d %g %g\n", i[100], f[100], d[100]);
  alias<<<1, 32, 256>>>(i);
  CHECK(cudaDeviceSynchronize() == 0);
  for (int k = 0; k < 7; k++)
    printf("%d ", i[k]);
  puts("");
  two<<<1, 32, 32 * 16>>>(d, 32);
  two<<<1, 32, 32 * 8>>>(f, 32);
  two<char><<<1, 32, 64>>>((char *)i, 32);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%g %g %d\n", d[0], f[1], ((char *)i)[2]);
  for (int k = 0; k < 64; k++)
    i[k] = k;
  tile<int, 8><<<1, dim3(8, 8)>>>(i, i + 64);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%d %d\n", i[65], i[64 + 8]);
  CHECK((two<double><<<1, 32, 60000>>>(d, 32),
         cudaGetLastError() == cudaErrorInvalidValue));
  CHECK(cudaFuncSetAttribute(two<double>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             60000) == 0);
  CHECK((two<double><<<1, 32, 60000>>>(d, 32), cudaGetLastError() == 0));
  CHECK((two<float><<<1, 32, 60000>>>(f, 32),
         cudaGetLastError() == cudaErrorInvalidValue));
  CHECK(cudaFuncSetAttribute(two<double>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             300000) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute((const void *)alias,
                             cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared) == 0);
  cudaFuncAttributes a;
  CHECK(cudaFuncGetAttributes(&a, tile<float, 8>) == 0);
  printf("%zu %d\n", a.sharedSizeBytes, a.maxThreadsPerBlock);
  CHECK(cudaFuncGetAttributes(&a, two<double>) == 0);
  printf("%d\n", a.maxDynamicSharedSizeBytes);
  CHECK(cudaDeviceSynchronize() == 0);
}

// It prints:
// 2016 1008 504
// 1065353216 1 1 0 1 5 1
// 93 90 87
// 8 1
// 288 1024
// 60000
