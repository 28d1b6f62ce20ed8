#include <cub/cub.cuh>
#include <curand_kernel.h>
#include <cstdio>
// blocks of other shapes, warps of other sizes, no storage given
__global__ void k(int *out) {
  typedef cub::BlockReduce<int, 16, cub::BLOCK_REDUCE_RAKING, 16> R; __shared__ R::TempStorage t;
  int s = R(t).Sum(1); if (threadIdx.x == 0 && threadIdx.y == 0) out[0] = s;
  __syncthreads();
  int items[2] = {1, 2}; s = R(t).Sum(items); if (threadIdx.x == 0 && threadIdx.y == 0) out[1] = s;
  typedef cub::BlockScan<int, 16, cub::BLOCK_SCAN_RAKING, 16> S; __shared__ S::TempStorage u; int x; S(u).InclusiveSum(1, x); out[10 + threadIdx.y * 16 + threadIdx.x] = x;
}
__global__ void w(double *out) {
  typedef cub::WarpReduce<double, 16> W; __shared__ W::TempStorage t[4];
  double s = W(t[threadIdx.x / 16]).Sum((double)threadIdx.x); if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = s;
}
__global__ void own(int *out) { int s = cub::BlockReduce<int, 64>().Sum(2); if (threadIdx.x == 0) *out = s; }
__global__ void small(int *out) { typedef cub::BlockReduce<int, 20> R; __shared__ R::TempStorage t; int s = R(t).Sum(threadIdx.x); if (threadIdx.x == 0) *out = s; }
extern __shared__ char dynamic[];
__global__ void dyn(int *out) { typedef cub::BlockScan<int, 128> S; auto &t = *reinterpret_cast<typename S::TempStorage *>(dynamic); int x; S(t).ExclusiveSum(threadIdx.x, x); out[threadIdx.x] = x; }
int main() {
  int *o; double *d; cudaMallocManaged(&o, 4000); cudaMallocManaged(&d, 400);
  k<<<1, dim3(16, 16)>>>(o); cudaDeviceSynchronize(); printf("%d %d %d %d\n", o[0], o[1], o[10], o[265]);
  w<<<1, 64>>>(d); cudaDeviceSynchronize(); printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
  own<<<3, 64>>>(o); cudaDeviceSynchronize(); printf("%d\n", o[0]);
  small<<<1, 20>>>(o); cudaDeviceSynchronize(); printf("%d\n", o[0]);
  dyn<<<1, 128, sizeof(typename cub::BlockScan<int, 128>::TempStorage)>>>(o); cudaDeviceSynchronize(); printf("%d %d\n", o[0], o[127]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
