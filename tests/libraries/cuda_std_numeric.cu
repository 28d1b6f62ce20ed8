// cuda::std: sums, scans and midpoints, by kernels and by the host: each has to be that of a plain loop.
#include <cuda/std/numeric>
#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cstdio>
#include <numeric>
namespace cs = cuda::std;

static_assert(cs::midpoint(-3, 6) == 1 && cs::midpoint(6, -3) == 2 && cs::midpoint(~0u, 1u) == 1u << 31);
static_assert(cs::midpoint(3e38f, 3e38f) == 3e38f && cs::gcd(-4, 6u) == 2 && cs::lcm(-4, 6u) == 12);
static_assert(cs::is_same_v<decltype(cs::midpoint(short(1), short(2))), short>);

__host__ __device__ int wrong(int x) {
	int in[6], other[6], out[6], sums[7] = {}, bad = 0;
	for (int i = 0; i < 6; i++) in[i] = (x + 3) * (i + 2) % 11 - 4, other[i] = x - i, sums[i + 1] = sums[i] + in[i];
	int dot = 0;
	for (int i = 0; i < 6; i++) dot += in[i] * other[i];
	bad += cs::reduce(in, in + 6) != sums[6] || cs::reduce(in, in + 6, x, cs::minus<>()) != x - sums[6];
	bad += cs::transform_reduce(in, in + 6, other, x) != x + dot || cs::inner_product(in, in + 6, other, 1) != dot + 1;
	bad += cs::transform_reduce(in, in + 6, 5, cs::plus<>(), [](int v) { return v * 2; }) != 5 + 2 * sums[6];
	bad += cs::partial_sum(in, in + 6, out) != out + 6;
	for (int i = 0; i < 6; i++) bad += out[i] != sums[i + 1];
	bad += cs::adjacent_difference(out, out + 6, out) != out + 6;
	for (int i = 0; i < 6; i++) bad += out[i] != in[i];
	bad += cs::inclusive_scan(in, in + 6, out, cs::plus<>(), x) != out + 6;
	for (int i = 0; i < 6; i++) bad += out[i] != x + sums[i + 1];
	cs::exclusive_scan(in, in + 6, out, x);
	for (int i = 0; i < 6; i++) bad += out[i] != x + sums[i];
	cs::transform_inclusive_scan(in, in + 6, out, cs::plus<>(), cs::negate<>());
	for (int i = 0; i < 6; i++) bad += out[i] != -sums[i + 1];
	cs::transform_exclusive_scan(in, in + 6, out, x, cs::plus<>(), cs::negate<>());
	for (int i = 0; i < 6; i++) bad += out[i] != x - sums[i];
	return bad + (cs::midpoint(in, in + 5) != in + 2) + (cs::midpoint(in + 5, in) != in + 3);
}

__global__ void k(int *out) { out[threadIdx.x] = wrong(threadIdx.x); }

int main() {
	int *out, bad = 0;
	cudaMallocManaged(&out, 70 * sizeof(int));
	k<<<1, 70>>>(out);
	if (cudaDeviceSynchronize() != cudaSuccess) return 1;
	for (int i = 0; i < 70; i++) bad += out[i] + wrong(i);
	printf("%d wrong\n", bad);
}
