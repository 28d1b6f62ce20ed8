#include <cub/cub.cuh>
extern "C" __global__ void cub_reduce_scan(const float *in, float *out, int *scan, int *items) {
  typedef cub::BlockReduce<float, 100> R; __shared__ typename R::TempStorage t;
  typedef cub::BlockScan<int, 100> S; __shared__ typename S::TempStorage s;
  int i = threadIdx.x; float x = in[blockIdx.x * 100 + i];
  float v = R(t).Sum(x); if (i == 0) out[2*blockIdx.x] = v;
  __syncthreads();
  v = R(t).Reduce(x, cub::Max(), 70); if (i == 0) out[2*blockIdx.x+1] = v;
  int e, a; S(s).ExclusiveSum((int)x, e, a); scan[(blockIdx.x*100+i)*2]=e; scan[(blockIdx.x*100+i)*2+1]=a;
  __syncthreads();
  int it[3] = {(int)x, 1, i}; S(s).InclusiveSum(it, it); for (int j=0;j<3;j++) items[(blockIdx.x*100+i)*3+j]=it[j];
}
