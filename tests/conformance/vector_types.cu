// features: vector-types alignment overloading function-templates specialisation kernel-templates static-assert cstdint generic-pointers
// All built-in vector types: sizes and alignment, make functions, wide loads through casts, bytes of colours.
#include <cstddef>
#include <cstdint>

#include "check.h"

template <typename V> struct Parts;
#define PARTS(V, T, N)                                                                                                 \
	template <> struct Parts<V> {                                                                                      \
		typedef T type;                                                                                                \
		static constexpr int count = N;                                                                                \
	};
#define PARTS_OF_ALL(NAME, T)                                                                                          \
	PARTS(NAME##1, T, 1)                                                                                               \
	PARTS(NAME##2, T, 2)                                                                                               \
	PARTS(NAME##3, T, 3)                                                                                               \
	PARTS(NAME##4, T, 4)
PARTS_OF_ALL(char, signed char)
PARTS_OF_ALL(uchar, unsigned char)
PARTS_OF_ALL(short, short)
PARTS_OF_ALL(ushort, unsigned short)
PARTS_OF_ALL(int, int)
PARTS_OF_ALL(uint, unsigned)
PARTS_OF_ALL(float, float)
PARTS(longlong1, long long, 1)
PARTS(longlong2, long long, 2)
PARTS(longlong3, long long, 3)
PARTS(double1, double, 1)
PARTS(double2, double, 2)
PARTS(double3, double, 3)

static_assert(sizeof(char3) == 3 && alignof(char4) == 4 && sizeof(short3) == 6 && alignof(ushort4) == 8, "small ones");
static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float4) == 16 && alignof(int2) == 8, "words");
static_assert(sizeof(double3) == 24 && alignof(double2) == 16 && sizeof(longlong2) == 16, "long ones");

struct Mixed {
	char c;
	float4 v;
	uchar2 b;
	double2 d;
	short3 s;
};
static_assert(offsetof(Mixed, v) == 16 && offsetof(Mixed, d) == 48 && sizeof(Mixed) == 80, "members are aligned");

template <typename V> __host__ __device__ V scaled(V v, typename Parts<V>::type by) {
	auto *part = reinterpret_cast<typename Parts<V>::type *>(&v);
	for (int k = 0; k < Parts<V>::count; k++)
		part[k] = part[k] * by + k;
	return v;
}

template <typename V> __global__ void scale(const V *in, V *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = scaled(in[i], 3);
}

template <typename V> void test(const char *name) {
	typedef typename Parts<V>::type T;
	const int n = 85;
	std::vector<V> in(n);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < Parts<V>::count; k++)
			((T *)&in[i])[k] = T(i + k * 10);
	V *out = device_array<V>(n);
	scale<<<2, 48>>>(to_device(in), out, n);
	CHECK_LAUNCH();
	std::vector<V> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < Parts<V>::count; k++)
			expect_equal(name, i, ((const T *)&got[i])[k], T(T(i + k * 10) * 3 + k));
}

// Four neighbours by one load; colours by bytes; conversions between the types.
__global__ void convert(const float *in, uchar4 *colours, double2 *sums, int4 *packed, Mixed *mixed, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float4 v = *reinterpret_cast<const float4 *>(&in[4 * i]);
	float4 w = reinterpret_cast<const float4 *>(in)[(i + 1) % n];
	colours[i] = make_uchar4(v.x * 255, v.y * 255, v.z * 255, 255);
	colours[i].w -= (unsigned char)i;
	sums[i] = make_double2((double)v.x + v.y + v.z + v.w, w.x * (double)w.w);
	short2 low = make_short2((short)i, (short)-i);
	int2 pair = *(const int2 *)&v;
	packed[i] = make_int4(pair.x, __float_as_int(v.y) == pair.y, *(int *)&low, low.y);
	Mixed m = {'a', v, {1, 2}, {3, 4}, make_short3(5, 6, 7)};
	m.v = w;
	m.b.y += m.s.z + (unsigned char)i;
	float3 three{m.v.x, m.v.y, 1.0f};
	m.d.x = three.x + three.z;
	mixed[i] = m;
}

int main() {
	test<char1>("char1"), test<char2>("char2"), test<char3>("char3"), test<char4>("char4");
	test<uchar1>("uchar1"), test<uchar2>("uchar2"), test<uchar3>("uchar3"), test<uchar4>("uchar4");
	test<short1>("short1"), test<short2>("short2"), test<short3>("short3"), test<short4>("short4");
	test<ushort1>("ushort1"), test<ushort2>("ushort2"), test<ushort3>("ushort3"), test<ushort4>("ushort4");
	test<int1>("int1"), test<int2>("int2"), test<int3>("int3"), test<int4>("int4");
	test<uint1>("uint1"), test<uint2>("uint2"), test<uint3>("uint3"), test<uint4>("uint4");
	test<float1>("float1"), test<float2>("float2"), test<float3>("float3"), test<float4>("float4");
	test<longlong1>("longlong1"), test<longlong2>("longlong2"), test<longlong3>("longlong3");
	test<double1>("double1"), test<double2>("double2"), test<double3>("double3");

	const int n = 100;
	std::vector<float> in(4 * n);
	Random random(73);
	for (float &x : in)
		x = random.below(256) / 256.0f;
	uchar4 *colours = device_array<uchar4>(n);
	double2 *sums = device_array<double2>(n);
	int4 *packed = device_array<int4>(n);
	Mixed *mixed = device_array<Mixed>(n);
	convert<<<4, 32>>>(to_device(in), colours, sums, packed, mixed, n);
	CHECK_LAUNCH();
	std::vector<uchar4> c = to_host(colours, n);
	std::vector<double2> s = to_host(sums, n);
	std::vector<int4> p = to_host(packed, n);
	std::vector<Mixed> m = to_host(mixed, n);
	for (int i = 0; i < n; i++) {
		const float *v = &in[4 * i], *w = &in[(i + 1) % n * 4];
		expect_equal("colour", i, c[i].y, (unsigned char)(v[1] * 255));
		expect_equal("alpha", i, c[i].w, (unsigned char)(255 - i));
		expect_near("sum", i, s[i].x, (double)v[0] + v[1] + v[2] + v[3], 0);
		expect_near("product", i, s[i].y, (double)w[0] * w[3], 0);
		expect_equal("bits", i, p[i].x, *(const int *)v);
		expect_equal("same", i, p[i].y, 1);
		expect_equal("low", i, p[i].z, (int)(i | (unsigned)-i << 16));
		expect_near("mixed", i, m[i].v.w + m[i].d.x + m[i].s.y, w[3] + w[0] + 1 + 6, 1e-6);
		expect_equal("byte", i, m[i].b.y, (unsigned char)(9 + i));
	}
	return verdict();
}
