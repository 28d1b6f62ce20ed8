#include <cub/cub.cuh>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <numeric>
#include <random>
#define CHECK(x) do { if (!(x)) { printf("%s:%d %s\n", __FILE__, __LINE__, #x); } } while (0)
template <class F> void with_storage(F f) { void *p = nullptr; size_t b = 0; CubDebugExit(f(p, b)); cudaMalloc(&p, b); CubDebugExit(f(p, b)); cudaFree(p); }
struct Even { __host__ __device__ bool operator()(int x) const { return x % 2 == 0; } };
struct Big { __device__ bool operator()(const float &a, const float &b) const { return a > b; } };
template <class T> std::vector<T> get(T *p, int n) { std::vector<T> v(n); cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost); return v; }
void run(int n) {
  std::mt19937 r(n);
  std::vector<int> h(n); for (auto &x : h) x = (int)r() % 1000;
  int *in, *out, *total, *len; cudaMalloc(&in, n*4+4); cudaMalloc(&out, n*4+4); cudaMalloc(&total, 4); cudaMalloc(&len, n*4+12);
  cudaMemcpy(in, h.data(), n*4, cudaMemcpyHostToDevice);
  with_storage([&](void *p, size_t &b) { return cub::DeviceReduce::Sum(p, b, in, total, n); });
  CHECK(get(total,1)[0] == std::accumulate(h.begin(), h.end(), 0));
  with_storage([&](void *p, size_t &b) { return cub::DeviceReduce::Max(p, b, in, total, n); });
  CHECK(get(total,1)[0] == (n ? *std::max_element(h.begin(), h.end()) : INT_MIN));
  cub::KeyValuePair<int,int> *kv; cudaMalloc(&kv, sizeof *kv);
  with_storage([&](void *p, size_t &b) { return cub::DeviceReduce::ArgMin(p, b, in, kv, n); });
  if (n) CHECK(get(kv,1)[0].key == std::min_element(h.begin(), h.end()) - h.begin());
  with_storage([&](void *p, size_t &b) { return cub::DeviceScan::ExclusiveSum(p, b, in, out, n); });
  std::vector<int> s(n); std::exclusive_scan(h.begin(), h.end(), s.begin(), 0); CHECK(get(out,n) == s);
  with_storage([&](void *p, size_t &b) { return cub::DeviceScan::InclusiveScan(p, b, in, out, cub::Max(), n); });
  std::inclusive_scan(h.begin(), h.end(), s.begin(), [](int a, int b) { return std::max(a, b); }); CHECK(get(out,n) == s);
  with_storage([&](void *p, size_t &b) { return cub::DeviceRadixSort::SortKeys(p, b, in, out, n); });
  s = h; std::sort(s.begin(), s.end()); CHECK(get(out,n) == s); std::vector<int> sorted = s;
  with_storage([&](void *p, size_t &b) { return cub::DeviceRadixSort::SortKeysDescending(p, b, in, out, n); });
  std::reverse(s.begin(), s.end()); CHECK(get(out,n) == s);
  std::vector<float> f(n); for (auto &x : f) x = ((int)r() % 2000) / 7.f;
  float *fi, *fo; cudaMalloc(&fi, n*4+4); cudaMalloc(&fo, n*4+4); cudaMemcpy(fi, f.data(), n*4, cudaMemcpyHostToDevice);
  int *vi; cudaMalloc(&vi, n*4+4); std::vector<int> idx(n); std::iota(idx.begin(), idx.end(), 0); cudaMemcpy(vi, idx.data(), n*4, cudaMemcpyHostToDevice);
  with_storage([&](void *p, size_t &b) { return cub::DeviceRadixSort::SortPairs(p, b, fi, fo, vi, out, n); });
  std::stable_sort(idx.begin(), idx.end(), [&](int a, int b) { return f[a] < f[b]; }); CHECK(get(out,n) == idx);
  cub::DoubleBuffer<float> dk(fi, fo); cub::DoubleBuffer<int> dv(vi, out);
  with_storage([&](void *p, size_t &b) { return cub::DeviceRadixSort::SortPairsDescending(p, b, dk, dv, n, 0, 20); });
  cudaMemcpy(fi, f.data(), n*4, cudaMemcpyHostToDevice);
  with_storage([&](void *p, size_t &b) { return cub::DeviceMergeSort::SortKeys(p, b, fi, n, Big()); });
  std::vector<float> g = f; std::sort(g.begin(), g.end(), std::greater<float>()); CHECK(get(fi,n) == g);
  with_storage([&](void *p, size_t &b) { return cub::DeviceSelect::If(p, b, in, out, total, n, Even()); });
  s.clear(); std::copy_if(h.begin(), h.end(), std::back_inserter(s), Even()); CHECK(get(total,1)[0] == (int)s.size()); CHECK(get(out,s.size()) == s);
  cudaMemcpy(in, sorted.data(), n*4, cudaMemcpyHostToDevice);
  with_storage([&](void *p, size_t &b) { return cub::DeviceSelect::Unique(p, b, in, out, total, n); });
  s = sorted; s.erase(std::unique(s.begin(), s.end()), s.end()); CHECK(get(total,1)[0] == (int)s.size()); CHECK(get(out,s.size()) == s);
  with_storage([&](void *p, size_t &b) { return cub::DeviceRunLengthEncode::Encode(p, b, in, out, len, total, n); });
  CHECK(get(out,s.size()) == s); std::vector<int> l; for (int v : s) l.push_back(std::count(sorted.begin(), sorted.end(), v)); CHECK(get(len, l.size()) == l);
  with_storage([&](void *p, size_t &b) { return cub::DeviceReduce::ReduceByKey(p, b, in, out, cub::ConstantInputIterator<int>(2), len, total, cub::Sum(), n); });
  for (auto &x : l) x *= 2; CHECK(get(len, l.size()) == l);
  int *hist; cudaMalloc(&hist, 400);
  with_storage([&](void *p, size_t &b) { return cub::DeviceHistogram::HistogramEven(p, b, in, hist, 11, 0, 500, n); });
  std::vector<int> hh(10); for (int x : h) if (x >= 0 && x < 500) hh[x / 50]++; CHECK(get(hist,10) == hh);
  int *offsets; cudaMalloc(&offsets, 16); int bounds[4] = {0, n / 3, n / 3, n}; cudaMemcpy(offsets, bounds, 16, cudaMemcpyHostToDevice);
  cudaMemcpy(in, h.data(), n*4, cudaMemcpyHostToDevice);
  with_storage([&](void *p, size_t &b) { return cub::DeviceSegmentedReduce::Sum(p, b, in, len, 3, offsets, offsets + 1); });
  CHECK((get(len,3) == std::vector<int>{std::accumulate(h.begin(), h.begin() + n / 3, 0), 0, std::accumulate(h.begin() + n / 3, h.end(), 0)}));
  with_storage([&](void *p, size_t &b) { return cub::DeviceSegmentedSort::SortKeys(p, b, in, out, n, 3, offsets, offsets + 1); });
  s = h; std::sort(s.begin(), s.begin() + n / 3); std::sort(s.begin() + n / 3, s.end()); CHECK(get(out,n) == s);
  with_storage([&](void *p, size_t &b) { return cub::DevicePartition::If(p, b, in, out, total, n, Even()); });
  s = h; auto middle = std::stable_partition(s.begin(), s.end(), Even()); std::reverse(middle, s.end()); CHECK(get(out,n) == s);
  std::vector<int> keys(n); for (int i = 0; i < n; i++) keys[i] = i / 700;
  cudaMemcpy(len, keys.data(), n*4, cudaMemcpyHostToDevice);
  with_storage([&](void *p, size_t &b) { return cub::DeviceScan::ExclusiveSumByKey(p, b, len, in, out, n); });
  for (int i = 0, sum = 0; i < n; i++) { if (i % 700 == 0) sum = 0; s[i] = sum; sum += h[i]; } CHECK(get(out,n) == s);
  with_storage([&](void *p, size_t &b) { return cub::DeviceScan::InclusiveSumByKey(p, b, len, in, out, n); });
  for (int i = 0; i < n; i++) s[i] += h[i]; CHECK(get(out,n) == s);
  printf("%d done\n", n);
}
int main() { run(0); run(1); run(1000); run(100003); }
