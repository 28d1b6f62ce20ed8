#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/inner_product.h>
#include <thrust/extrema.h>
#include <thrust/count.h>
#include <thrust/find.h>
#include <thrust/remove.h>
#include <thrust/unique.h>
#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/sequence.h>
#include <thrust/functional.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/binary_search.h>
#include <thrust/logical.h>
#include <thrust/iterator/constant_iterator.h>
#include <cstdio>
#include <random>
#include <numeric>
#define CHECK(x) do { if (!(x)) { printf("%s:%d %s\n", __FILE__, __LINE__, #x); } } while (0)
struct Saxpy { float a; Saxpy(float a) : a(a) {} __host__ __device__ float operator()(float x, float y) const { return a * x + y; } };
struct Square { __device__ int operator()(int x) const { return x * x; } };
struct Odd { __host__ __device__ bool operator()(int x) const { return x % 2 != 0; } };
struct Triple { __host__ __device__ void operator()(thrust::tuple<int &, int &> t) const { thrust::get<1>(t) = thrust::get<0>(t) * 3; } };
struct Zipped { template <class Tuple> __host__ __device__ int operator()(const Tuple &t) const { return thrust::get<0>(t) + thrust::get<1>(t); } };
struct Point { int x; float y; };
struct ByX { __host__ __device__ bool operator()(const Point &a, const Point &b) const { return a.x < b.x; } };
__global__ void in_kernel(int *p, int n, int *out) { if (threadIdx.x == 0 && blockIdx.x == 0) { thrust::sort(thrust::seq, p, p + n); *out = thrust::reduce(thrust::device, p, p + n); } }
void run(int n) {
  std::mt19937 r(n);
  thrust::host_vector<int> h(n); for (auto &x : h) x = (int)r() % 1000;
  thrust::device_vector<int> d = h, e(n);
  CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
  CHECK(thrust::reduce(d.begin(), d.end(), -1000, thrust::maximum<int>()) == (n ? *std::max_element(h.begin(), h.end()) : -1000));
  thrust::inclusive_scan(d.begin(), d.end(), e.begin());
  thrust::host_vector<int> s(n); std::partial_sum(h.begin(), h.end(), s.begin()); CHECK(s == e);
  thrust::exclusive_scan(thrust::device, d.begin(), d.end(), e.begin(), 5); for (int i = 0; i < n; i++) CHECK(e[i] == s[i] - h[i] + 5);
  e = d; thrust::sort(e.begin(), e.end()); s = h; std::sort(s.begin(), s.end()); CHECK(s == e);
  thrust::sort(e.begin(), e.end(), thrust::greater<int>()); std::reverse(s.begin(), s.end()); CHECK(s == e);
  thrust::device_vector<int> idx(n); thrust::sequence(idx.begin(), idx.end());
  e = d; thrust::stable_sort_by_key(e.begin(), e.end(), idx.begin());
  std::vector<int> order(n); std::iota(order.begin(), order.end(), 0); std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] < h[b]; });
  for (int i = 0; i < n; i++) CHECK(idx[i] == order[i] && e[i] == h[order[i]]);
  thrust::device_vector<float> x(n, 2.0f), y(n); thrust::sequence(y.begin(), y.end(), 0.0f, 0.5f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy(3)); for (int i = 0; i < n; i++) CHECK(y[i] == 6 + i * 0.5f);
  CHECK(thrust::transform_reduce(d.begin(), d.end(), Square(), 0, thrust::plus<int>()) == std::inner_product(h.begin(), h.end(), h.begin(), 0));
  CHECK(thrust::inner_product(d.begin(), d.end(), d.begin(), 0) == std::inner_product(h.begin(), h.end(), h.begin(), 0));
  CHECK(thrust::count_if(d.begin(), d.end(), Odd()) == std::count_if(h.begin(), h.end(), Odd()));
  CHECK(thrust::count(d.begin(), d.end(), 7) == std::count(h.begin(), h.end(), 7));
  CHECK(thrust::max_element(d.begin(), d.end()) - d.begin() == std::max_element(h.begin(), h.end()) - h.begin());
  CHECK(thrust::min_element(thrust::device, d.begin(), d.end()) - d.begin() == std::min_element(h.begin(), h.end()) - h.begin());
  CHECK(thrust::find(d.begin(), d.end(), 9) - d.begin() == std::find(h.begin(), h.end(), 9) - h.begin());
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(d.begin(), e.begin())), thrust::make_zip_iterator(thrust::make_tuple(d.end(), e.end())), Triple());
  for (int i = 0; i < n; i++) CHECK(e[i] == 3 * h[i]);
  thrust::transform(thrust::make_zip_iterator(thrust::make_tuple(d.begin(), thrust::counting_iterator<int>(0))), thrust::make_zip_iterator(thrust::make_tuple(d.end(), thrust::counting_iterator<int>(n))), e.begin(), Zipped());
  for (int i = 0; i < n; i++) CHECK(e[i] == h[i] + i);
  int *raw = thrust::raw_pointer_cast(e.data()); int k = 3;
  thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), [=] __device__ (int i) { raw[i] = i * k; });
  for (int i = 0; i < n; i++) CHECK(e[i] == 3 * i);
  auto end = thrust::copy_if(d.begin(), d.end(), e.begin(), Odd()); s.clear(); std::copy_if(h.begin(), h.end(), std::back_inserter(s), Odd());
  CHECK(end - e.begin() == (long)s.size() && std::equal(s.begin(), s.end(), e.begin()));
  e = d; e.erase(thrust::remove_if(e.begin(), e.end(), Odd()), e.end()); s = h; s.erase(std::remove_if(s.begin(), s.end(), Odd()), s.end()); CHECK(s == e);
  e = d; thrust::sort(e.begin(), e.end()); s = h; std::sort(s.begin(), s.end());
  thrust::device_vector<int> keys(n), sums(n);
  auto ends = thrust::reduce_by_key(e.begin(), e.end(), thrust::make_constant_iterator(1), keys.begin(), sums.begin());
  thrust::device_vector<int> low(n); thrust::lower_bound(e.begin(), e.end(), d.begin(), d.end(), low.begin());
  for (int i = 0; i < n; i++) CHECK(low[i] == std::lower_bound(s.begin(), s.end(), h[i]) - s.begin());
  e.erase(thrust::unique(e.begin(), e.end()), e.end()); auto t = s; s.erase(std::unique(s.begin(), s.end()), s.end()); CHECK(s == e);
  CHECK(ends.first - keys.begin() == (long)s.size()); for (size_t i = 0; i < s.size(); i++) CHECK(keys[i] == s[i] && sums[i] == std::count(t.begin(), t.end(), s[i]));
  thrust::device_vector<Point> p(n); for (int i = 0; i < n; i++) p[i] = Point{h[i], (float)i};
  thrust::stable_sort(p.begin(), p.end(), ByX()); for (int i = 0; i < n; i++) CHECK(((Point)p[i]).y == order[i]);
  thrust::device_ptr<int> dp = thrust::device_pointer_cast(raw); thrust::fill(dp, dp + (n < 3 ? n : 3), 42); if (n) CHECK(*dp == 42);
  thrust::sort(h.begin(), h.end()); CHECK(std::is_sorted(h.begin(), h.end()));
  int *o; cudaMallocManaged(&o, 4); d.resize(n < 50 ? n : 50); int total = thrust::reduce(d.begin(), d.end());
  in_kernel<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), (int)d.size(), o); cudaDeviceSynchronize(); CHECK(*o == total); CHECK(thrust::is_sorted(d.begin(), d.end()));
  printf("%d done\n", n);
}
int main() { run(0); run(1); run(1000); run(50003); }
