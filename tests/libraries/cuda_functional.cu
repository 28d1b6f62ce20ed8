#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <thrust/device_vector.h>
#include <cstdio>
__global__ void k(int *out) { typedef cub::BlockReduce<int, 64> R; __shared__ R::TempStorage t; int s = R(t).Reduce((int)threadIdx.x, cuda::maximum<>{}); __syncthreads(); int m = R(t).Reduce((int)threadIdx.x + 5, cuda::minimum<int>()); __syncthreads(); int p = R(t).Reduce(1, cuda::std::plus<>{}); if (threadIdx.x == 0) out[0] = s, out[1] = m, out[2] = p; }
int main() { int *o; cudaMallocManaged(&o, 12); k<<<1, 64>>>(o); cudaDeviceSynchronize(); printf("%d %d %d\n", o[0], o[1], o[2]);
  thrust::device_vector<int> v(100, 2); printf("%d\n", thrust::transform_reduce(v.begin(), v.end(), cuda::proclaim_return_type<int>([] __device__ (int x) { return x * 3; }), 0, cuda::maximum<int>())); }
