#include <thrust/complex.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#define CHECK(x) do { if (!(x)) { printf("%s:%d %s\n", __FILE__, __LINE__, #x); } } while (0)

template <typename Iterator> class strided_range {
public:
  typedef typename thrust::iterator_difference<Iterator>::type difference_type;
  struct stride_functor {
    difference_type stride;
    stride_functor(difference_type stride) : stride(stride) {}
    __host__ __device__ difference_type operator()(const difference_type &i) const { return stride * i; }
  };
  typedef typename thrust::counting_iterator<difference_type> CountingIterator;
  typedef typename thrust::transform_iterator<stride_functor, CountingIterator> TransformIterator;
  typedef typename thrust::permutation_iterator<Iterator, TransformIterator> PermutationIterator;
  typedef PermutationIterator iterator;
  strided_range(Iterator first, Iterator last, difference_type stride) : first(first), last(last), stride(stride) {}
  iterator begin() const { return PermutationIterator(first, TransformIterator(CountingIterator(0), stride_functor(stride))); }
  iterator end() const { return begin() + ((last - first) + (stride - 1)) / stride; }
protected:
  Iterator first, last; difference_type stride;
};

struct estimate_pi {
  __host__ __device__ float operator()(unsigned int id) {
    float sum = 0; unsigned N = 1000;
    thrust::default_random_engine rng(id + 1);
    thrust::uniform_real_distribution<float> u01(0, 1);
    for (unsigned i = 0; i < N; ++i) { float x = u01(rng), y = u01(rng); if (sqrtf(x * x + y * y) <= 1.0f) sum += 1.0f; }
    return 4 * sum / N;
  }
};

template <typename T> struct stats { T n, min, max, mean, M2; };
template <typename T> struct stats_unary { __host__ __device__ stats<T> operator()(const T &x) const { stats<T> r; r.n = 1; r.min = x; r.max = x; r.mean = x; r.M2 = 0; return r; } };
template <typename T> struct stats_binary {
  __host__ __device__ stats<T> operator()(const stats<T> &x, const stats<T> &y) const {
    stats<T> r; T n = x.n + y.n, delta = y.mean - x.mean; r.n = n; r.min = thrust::min(x.min, y.min); r.max = thrust::max(x.max, y.max);
    r.mean = n == 0 ? 0 : x.mean + delta * y.n / n; r.M2 = n == 0 ? 0 : x.M2 + y.M2 + delta * delta * x.n * y.n / n; return r;
  }
};
typedef thrust::tuple<float, float, float> Float3;
struct DotProduct {
  __host__ __device__ float operator()(const Float3 &a, const Float3 &b) const { return thrust::get<0>(a) * thrust::get<0>(b) + thrust::get<1>(a) * thrust::get<1>(b) + thrust::get<2>(a) * thrust::get<2>(b); }
};
struct is_neg { __host__ __device__ bool operator()(int x) const { return x < 0; } };

int main() {
  thrust::device_vector<int> data(12); thrust::sequence(data.begin(), data.end());
  strided_range<thrust::device_vector<int>::iterator> odd(data.begin() + 1, data.end(), 2);
  CHECK(thrust::reduce(odd.begin(), odd.end()) == 36);
  thrust::fill(odd.begin(), odd.end(), 10); CHECK(data[1] == 10 && data[2] == 2 && data[11] == 10);
  float pi = thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(300), estimate_pi(), 0.0f, thrust::plus<float>()) / 300;
  CHECK(fabs(pi - 3.14159f) < 0.01f);
  thrust::minstd_rand a(5), b(5); a.discard(1000); for (int i = 0; i < 1000; i++) b(); CHECK(a() == b());
  thrust::device_vector<float> x(1000); thrust::sequence(x.begin(), x.end());
  stats<float> zero; zero.n = zero.mean = zero.M2 = 0; zero.min = std::numeric_limits<float>::max(); zero.max = std::numeric_limits<float>::lowest();
  stats<float> s = thrust::transform_reduce(x.begin(), x.end(), stats_unary<float>(), zero, stats_binary<float>());
  CHECK(s.n == 1000 && s.min == 0 && s.max == 999 && fabs(s.mean - 499.5f) < 0.01f && fabs(s.M2 / 1000 - 83333.25f) < 10);
  thrust::device_vector<float> A(8, 1.f), B(8, 2.f), C(8, 3.f), R(8);
  auto first = thrust::make_zip_iterator(thrust::make_tuple(A.begin(), B.begin(), C.begin())), last = thrust::make_zip_iterator(thrust::make_tuple(A.end(), B.end(), C.end()));
  thrust::transform(first, last, first, R.begin(), DotProduct()); CHECK(R[7] == 14);
  cudaStream_t stream; cudaStreamCreate(&stream);
  thrust::device_vector<int> k(5), v(5); for (int i = 0; i < 5; i++) { k[i] = 5 - i; v[i] = i; }
  thrust::sort_by_key(thrust::cuda::par.on(stream), k.begin(), k.end(), v.begin()); CHECK(k[0] == 1 && v[0] == 4);
  auto zk = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), k.begin()));
  thrust::sort(zk, zk + 5); CHECK(v[0] == 0 && k[0] == 5);
  thrust::device_ptr<double> p = thrust::device_malloc<double>(10); thrust::fill_n(p, 10, 1.5); CHECK(thrust::reduce(p, p + 10) == 15.0); thrust::device_free(p);
  double *raw; cudaMalloc(&raw, 80); thrust::device_ptr<double> q(raw); thrust::tabulate(q, q + 10, thrust::negate<double>()); CHECK(thrust::reduce(thrust::device, raw, raw + 10) == -45);
  CHECK(*thrust::min_element(q, q + 10) == -9);
  thrust::host_vector<int> h(20); thrust::generate(h.begin(), h.end(), rand); thrust::device_vector<int> d(h.begin(), h.end()); thrust::copy(d.begin(), d.end(), h.begin());
  thrust::replace_if(d.begin(), d.end(), is_neg(), 0); CHECK(thrust::none_of(d.begin(), d.end(), is_neg()));
  std::copy(data.begin(), data.begin() + 3, std::ostream_iterator<int>(std::cout, " ")); std::cout << std::endl;
  thrust::copy(data.begin(), data.begin() + 3, std::ostream_iterator<int>(std::cout, " ")); std::cout << data[0] << std::endl;
  thrust::device_vector<thrust::complex<float>> z(4, thrust::complex<float>(1, 2)); thrust::transform(z.begin(), z.end(), z.begin(), z.begin(), thrust::multiplies<thrust::complex<float>>());
  thrust::complex<float> z0 = z[0]; CHECK(z0 == thrust::complex<float>(-3, 4) && thrust::abs(z0) == 5);
  thrust::device_vector<int> m(8), l1(4), l2(4); thrust::sequence(l1.begin(), l1.end(), 0, 2); thrust::sequence(l2.begin(), l2.end(), 1, 2);
  thrust::merge(l1.begin(), l1.end(), l2.begin(), l2.end(), m.begin()); for (int i = 0; i < 8; i++) CHECK(m[i] == i);
  int count = thrust::partition(m.begin(), m.end(), [] __host__ __device__ (int x) { return x % 2 == 0; }) - m.begin(); CHECK(count == 4);
  thrust::sort(m.begin(), m.begin() + count); thrust::sort(m.begin() + count, m.end()); CHECK(m[0] == 0 && m[3] == 6 && m[4] == 1 && m[7] == 7);
  thrust::device_vector<int> map(4); map[0] = 3; map[1] = 1; map[2] = 0; map[3] = 2; thrust::gather(map.begin(), map.end(), l1.begin(), l2.begin()); CHECK(l2[0] == 6 && l2[2] == 0);
  thrust::scatter(l1.begin(), l1.end(), map.begin(), l2.begin()); CHECK(l2[3] == 0 && l2[0] == 4);
  auto n = thrust::reduce_by_key(thrust::device, k.begin(), k.end(), v.begin(), thrust::make_discard_iterator(), m.begin()).second - m.begin(); CHECK(n == 5);
  puts("done");
}
