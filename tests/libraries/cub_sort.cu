#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/iterator/iterators.cuh>
extern "C" __global__ void cub_sort(const float *in, float *out, int *places, unsigned *hist, int *flags) {
  typedef cub::BlockLoad<float, 48, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> L;
  typedef cub::BlockStore<float, 48, 4> St;
  typedef cub::BlockRadixSort<float, 48, 4, int> R;
  __shared__ union { typename L::TempStorage l; typename St::TempStorage s; typename R::TempStorage r; } t;
  float x[4]; int v[4]; int n = 190; int b = threadIdx.x * 4;
  L(t.l).Load(in, x, n, 1e9f); for (int i=0;i<4;i++) v[i]=b+i;
  __syncthreads();
  R(t.r).Sort(x, v);
  __syncthreads();
  St(t.s).Store(out, x, n); 
  for (int i=0;i<4;i++) if (b+i<n) places[b+i]=v[i];
  typedef cub::BlockDiscontinuity<int, 48> D; __shared__ typename D::TempStorage d;
  int y[4], f[4]; for (int i=0;i<4;i++) y[i]=b+i<n?abs((int)x[i]):99;
  D(d).FlagHeads(f, y, cub::Inequality()); for (int i=0;i<4;i++) flags[b+i]=f[i];
  __shared__ unsigned h[100]; unsigned char u[4]; for (int i=0;i<4;i++) u[i]=y[i];
  typedef cub::BlockHistogram<unsigned char, 48, 4, 100> H; __shared__ typename H::TempStorage ht;
  H(ht).Histogram(u, h); for (int i=threadIdx.x;i<100;i+=48) hist[i]=h[i];
  cub::CountingInputIterator<int> c(3);
  if (c[threadIdx.x] != 3 + threadIdx.x) hist[0] = 1000;
  R(t.r).SortDescendingBlockedToStriped(x);
  for (int i=0;i<4;i++) out[192+i*48+threadIdx.x]=x[i];
}
