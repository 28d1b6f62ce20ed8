// Atomic objects of <cuda/atomic>, and atomic functions on 1, 2 and 16 bytes.
#include <cuda/atomic>
#include <cuda/std/atomic>

namespace {

template <class T>
using ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

template <class T>
__device__ void numbers(T *to, T x) {
  ref<T>(to[0]).fetch_add(x, cuda::memory_order_relaxed);
  ref<T>(to[1]).fetch_sub(x);
  ref<T>(to[2]).fetch_min(x, cuda::std::memory_order_acq_rel);
  ref<T>(to[3]).fetch_max(x);
  ref<T>(to[4]) += x;
}

template <class T>
__device__ void bits(T *to, T x) {
  ref<T>(to[5]).fetch_and(x);
  ref<T>(to[6]) |= x;
  ref<T>(to[7]) ^= x;
  ++ref<T>(to[8]);
  ref<T>(to[9])--;
}

} // namespace

template <class T>
__device__ void all(T *to, int x) {
  numbers(to + (x & 1) * 10, T(x));
  bits(to + (x & 1) * 10, T(x));
}

__global__ void integers(const int *in, unsigned char *bytes, short *shorts, int *ints, long long *longs, float *floats,
                         double *doubles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  all(bytes, in[i]);
  all(shorts, in[i]);
  if (in[i] % 3) all(ints, in[i]);
  all(longs, in[i]);
  numbers(floats, float(in[i]));
  numbers(doubles, double(in[i]));
}

struct alignas(16) Pair {
  unsigned long long count, sum;
};

__global__ void pairs(const int *in, Pair *total, Pair *last, unsigned *bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 5 == 0) return;
  Pair old = *total, found;
  for (;;) {
    found = atomicCAS(total, old, Pair{old.count + 1, old.sum + in[i]});
    if (found.count == old.count && found.sum == old.sum) break;
    old = found;
  }
  cuda::atomic_ref<Pair> other(total[1]);
  Pair now = other.load(cuda::memory_order_relaxed);
  while (!other.compare_exchange_weak(now, Pair{now.count + 2, now.sum ^ in[i]})) {
  }
  Pair before = atomicExch_block(last, Pair{1, 5});
  atomicOr(bits, before.count ? 1 : 2);
}

struct Small {
  short x, y;
};

__device__ cuda::atomic<int> counter{7};

__global__ void owned(const int *in, int *out, Small *small, int **place, int n) {
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> seen;
  __shared__ cuda::std::atomic<int> most;
  __shared__ cuda::std::atomic_flag flag;
  if (threadIdx.x == 0) {
    seen.store(0, cuda::memory_order_relaxed);
    most = -1;
    flag.clear(cuda::std::memory_order_release);
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool first = false;
  if (i < n) {
    seen.fetch_or(1u << in[i] % 32);
    int known = most.load(cuda::std::memory_order_relaxed);
    while (in[i] > known && !most.compare_exchange_strong(known, in[i])) {
    }
    if (in[i] % 2) first = !flag.test_and_set(cuda::std::memory_order_acquire);
    counter.fetch_add(in[i]);
    cuda::atomic_ref<Small> sums(*small);
    Small now = sums.load();
    while (!sums.compare_exchange_weak(now, Small{short(now.x + 1), short(now.y + in[i])})) {
    }
    cuda::atomic_ref<int *>(*place).fetch_add(1);
  }
  int firsts = __syncthreads_count(first);
  if (i < n) out[i] = seen.load() + most * 3 + firsts * 5 + flag.test();
}
