// cuda::std::mdspan and cuda::std::span, by kernels and by the host: each number has to be that of a plain array.
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <cuda/std/utility>
#include <cstdio>
#include <vector>
namespace cs = cuda::std;
using Static = cs::extents<int, 2, 3, 4>;
using Mixed = cs::extents<unsigned, 2, cs::dynamic_extent, 4>;
using Strided = cs::layout_stride::mapping<cs::dextents<long, 2>>;

static_assert(sizeof(cs::mdspan<int, Static>) == 8 && sizeof(cs::mdspan<int, Mixed>) == 16);
static_assert(sizeof(cs::mdspan<int, cs::dextents<int, 2>>) == 16);
static_assert(cs::is_empty_v<Static> && cs::is_empty_v<cs::layout_left::mapping<Static>>);
static_assert(cs::is_trivially_copyable_v<cs::mdspan<int, Mixed, cs::layout_left>>);
static_assert(Mixed::rank() == 3 && Mixed::rank_dynamic() == 1 && Mixed::static_extent(2) == 4);
static_assert(cs::is_convertible_v<Static, Mixed> && !cs::is_convertible_v<Mixed, Static>);
static_assert(!cs::is_constructible_v<Static, cs::extents<int, 2, 5, 4>>);
static_assert(cs::is_convertible_v<cs::mdspan<int, Static>, cs::mdspan<const int, Mixed>>);
static_assert(!cs::is_constructible_v<cs::mdspan<int, Static>, cs::mdspan<const int, Static>>);
static_assert(cs::is_same_v<decltype(cs::mdspan((int *)0, 3, 4)), cs::mdspan<int, cs::dims<2>>>);
static_assert(cs::is_same_v<decltype(cs::extents(3, 4)), cs::dims<2>>);

__host__ __device__ int wrong(int x) {
	int a[24], bad = 0;
	for (int i = 0; i < 24; ++i)
		a[i] = i * 7 + x;
	cs::mdspan<int, Static> s(a);
	cs::mdspan<const int, cs::dextents<int, 3>> d(s);
	cs::mdspan<int, Mixed, cs::layout_left> l(a, 3);
	cs::mdspan<int, cs::dextents<long, 2>, cs::layout_stride> t(
		a, Strided(cs::dextents<long, 2>(3, 4), cs::array<int, 2>{2, 5}));
	cs::mdspan m(a, 6, 4);
	cs::mdspan<int, cs::dims<1>> v(a, 24);
	for (int i = 0; i < 2; ++i)
		for (int j = 0; j < 3; ++j)
			for (int k = 0; k < 4; ++k) {
				cs::array<int, 3> at{i, j, k};
				bad += s(i, j, k) != a[(i * 3 + j) * 4 + k] || &d(i, j, k) != &s(i, j, k) || &d[at] != &s(i, j, k);
				bad += l(i, j, k) != a[i + 2 * (j + 3 * k)] || &l[cs::span<int, 3>(at)] != &l(i, j, k);
				bad += t(j, k) != a[2 * j + 5 * k] || m(2 * j + i, k) != a[(2 * j + i) * 4 + k];
				bad += v[i * 12 + j * 4 + k] != s(i, j, k);
			}
	cs::layout_stride::mapping<Static> by_steps(s.mapping());
	bad += !(by_steps == s.mapping()) || by_steps(1, 2, x & 3) != 20 + (x & 3) || !by_steps.is_exhaustive();
	bad += t.mapping().is_exhaustive() || t.mapping().required_span_size() != 20 || t.stride(1) != 5;
	bad += s.stride(0) != 12 || l.stride(2) != 6 || d.size() != 24 || d.empty() || l.extent(1) != 3;
	bad += !(s.extents() == d.extents()) || s.extents() == cs::extents<int, 2, 3, 5>() || s.extents() == cs::dims<2>(2, 3);
	cs::mdspan<const int, cs::dextents<int, 3>> e(a, 0, 1, 2);
	swap(d, e);
	return bad + !d.empty() + (e.size() != 24);
}

__host__ __device__ int sum(cs::span<const int> values) {
	int found = 0;
	for (auto it = values.rbegin(); it != values.rend(); ++it)
		found = found * 3 + *it;
	return found;
}
__host__ __device__ int wrong_spans(int x) {
	int a[8] = {1, 2, 3, 4, 5, 6, 7, x}, bad = 0;
	cs::array<int, 3> b{4, 5, x};
	cs::span s(a);
	cs::span first(a, a + x % 8);
	static_assert(cs::is_same_v<decltype(s), cs::span<int, 8>> && cs::is_same_v<decltype(first), cs::span<int>>);
	static_assert(cs::is_same_v<decltype(s.subspan<2>()), cs::span<int, 6>>);
	static_assert(!cs::is_convertible_v<cs::span<int>, cs::span<int, 4>>);
	static_assert(!cs::is_constructible_v<cs::span<int>, cs::span<const int>>);
	bad += first.size() != x % 8 || s.subspan<2, 3>()[1] != 4 || s.at(7) != x || sum(b) != (x * 3 + 5) * 3 + 4;
	bad += sum({a + 1, 2}) != 11 || sum(s.first(2)) != 7 || cs::as_bytes(s).size() != 32;
	return bad + (cs::as_writable_bytes(s).size() != 32) + (s.last<1>()[0] != x);
}

__global__ void k(int *out, cs::mdspan<const float, cs::dextents<int, 2>, cs::layout_left> f, cs::span<int> u) {
	int x = threadIdx.x;
	out[x] = wrong(x) + wrong_spans(x) + (f(x % 4, x % 3) != x % 4 + 4 * (x % 3)) + (u[x % 5] != x % 5);
}

int main() {
	int *out, bad = 0;
	float *grid;
	cudaMallocManaged(&out, 70 * sizeof(int));
	cudaMallocManaged(&grid, 12 * sizeof(float));
	std::vector<int> u{0, 1, 2, 3, 4};
	for (int i = 0; i < 12; ++i)
		grid[i] = i;
	k<<<1, 70>>>(out, cs::mdspan<float, cs::dextents<int, 2>, cs::layout_left>(grid, 4, 3), u);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int x = 0; x < 70; ++x)
		bad += out[x] + wrong(x) + wrong_spans(x);
	printf("%d wrong\n", bad);
}
