/* Prefixes and reductions of arrays of all lengths about those of rows and
 * chunks. */
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

/* The map x -> a * x + b, modulo 2^16: one after the other, in this order. */
struct After {
  __host__ __device__ unsigned operator()(unsigned first,
                                          unsigned second) const {
    unsigned a = (first & 65535) * (second & 65535);
    unsigned b = (first >> 16) * (second & 65535) + (second >> 16);
    return (a & 65535) | b << 16;
  }
};

template <class F> void with_storage(F f) {
  void *memory = nullptr;
  size_t bytes = 0;
  f(memory, bytes);
  cudaMalloc(&memory, bytes);
  f(memory, bytes);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

void expect(bool right, const char *what, int n) {
  if (!right)
    printf("%s of %d\n", what, n);
}

int main() {
  const int most = 100003;
  unsigned *in, *out;
  long long *longs;
  cudaMalloc(&in, most * 4);
  cudaMalloc(&out, most * 4 + 4);
  cudaMalloc(&longs, most * 8);
  for (int i = 0; i < most; i++)
    in[i] = (i * 2654435761u) | 1;
  for (int n : {0, 1, 15, 16, 17, 31, 32, 33, 64, 79, 8191, 16384, 16415, 24577,
                most}) {
    std::vector<unsigned> sums(in, in + n), before(n);
    std::partial_sum(sums.begin(), sums.end(), sums.begin(), After());
    for (int i = 0; i < n; i++)
      before[i] = i == 0 ? 7 : After()(7, sums[i - 1]);
    out[n] = 42;
    with_storage([&](void *p, size_t &b) {
      cub::DeviceScan::InclusiveScan(p, b, in, out, After(), n);
    });
    expect(std::equal(sums.begin(), sums.end(), out) && out[n] == 42,
           "InclusiveScan", n);
    with_storage([&](void *p, size_t &b) {
      cub::DeviceScan::ExclusiveScan(p, b, in, out, After(), 7u, n);
    });
    expect(std::equal(before.begin(), before.end(), out) && out[n] == 42,
           "ExclusiveScan", n);
    std::copy(in, in + n, out);
    with_storage([&](void *p, size_t &b) {
      cub::DeviceScan::ExclusiveScan(p, b, out, out, After(), 7u, n);
    });
    expect(std::equal(before.begin(), before.end(), out),
           "ExclusiveScan in place", n);

    for (int i = 0; i < n; i++)
      longs[i] = i % 2 ? -(long long)in[i] : in[i];
    std::vector<long long> maxima(longs, longs + n);
    long long least = n ? *std::min_element(longs, longs + n) : 0;
    std::partial_sum(maxima.begin(), maxima.end(), maxima.begin(),
                     [](long long a, long long b) { return std::max(a, b); });
    if (n > 0) {
      with_storage([&](void *p, size_t &b) {
        cub::DeviceReduce::Min(p, b, longs, (long long *)out, n);
      });
      expect(*(long long *)out == least, "Min", n);
    }
    with_storage([&](void *p, size_t &b) {
      cub::DeviceScan::InclusiveScan(p, b, longs, longs, cub::Max(), n);
    });
    expect(std::equal(maxima.begin(), maxima.end(), longs),
           "InclusiveScan in place", n);
    with_storage(
        [&](void *p, size_t &b) { cub::DeviceReduce::Sum(p, b, in, out, n); });
    expect(*out == std::accumulate(in, in + n, 0u), "Sum", n);
  }
  printf("done\n");
}
