// features: asm cstdint function-templates static-members clock
// Inline PTX as programs use it: special registers, carries, bits and bytes, wide products, loads and stores, shifts.
#include <cstdint>

#include "check.h"

__device__ __forceinline__ unsigned lane_id() {
	unsigned id;
	asm("mov.u32 %0, %%laneid;" : "=r"(id));
	return id;
}
__device__ __forceinline__ unsigned lanes_below() {
	unsigned mask;
	asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
	return mask;
}
__device__ __forceinline__ uint64_t global_timer() {
	uint64_t t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}
__device__ __forceinline__ unsigned bits(unsigned x, unsigned first, unsigned count) {
	unsigned r;
	asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(first), "r"(count));
	return r;
}
__device__ __forceinline__ unsigned insert(unsigned into, unsigned x, unsigned first, unsigned count) {
	unsigned r;
	asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(into), "r"(first), "r"(count));
	return r;
}
__device__ __forceinline__ unsigned permute(unsigned a, unsigned b, unsigned selector) {
	unsigned r;
	asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector));
	return r;
}
__device__ __forceinline__ unsigned majority(unsigned a, unsigned b, unsigned c) {
	unsigned r;
	asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
	return r;
}
struct Wide {
	unsigned low, high;
	__device__ static Wide sum(Wide a, Wide b) {
		Wide r;
		asm("add.cc.u32 %0, %2, %4;\n\t"
			"addc.u32 %1, %3, %5;"
			: "=r"(r.low), "=r"(r.high)
			: "r"(a.low), "r"(a.high), "r"(b.low), "r"(b.high));
		return r;
	}
	__device__ static uint64_t product(unsigned a, unsigned b) {
		uint64_t r;
		asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
		return r;
	}
};
template <typename T> __device__ T high_product(T a, T b);
template <> __device__ unsigned high_product(unsigned a, unsigned b) {
	unsigned r;
	asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
	return r;
}
__device__ __forceinline__ int load(const int *p) {
	int r;
	asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");
	return r;
}
__device__ __forceinline__ void store(int *p, int x) {
	asm volatile("st.global.wt.s32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
}
__device__ __forceinline__ float fused(float a, float b, float c) {
	float r;
	asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
	return r;
}
__device__ __forceinline__ unsigned rotate(unsigned x, unsigned n) {
	unsigned r;
	asm("shf.l.wrap.b32 %0, %1, %1, %2;" : "=r"(r) : "r"(x), "r"(n));
	return r;
}

enum { RESULTS = 12 };

__global__ void kernel(
	const unsigned *in, const int *numbers, unsigned *out, int *copies, float *floats, uint64_t *products, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	uint64_t before = global_timer();
	if (i >= n)
		return;
	unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n], *mine = out + i * RESULTS;
	mine[0] = lane_id() * 100 + __popc(lanes_below());
	mine[1] = bits(a, i % 30, 5);
	mine[2] = insert(a, b, i % 20, 9);
	mine[3] = permute(a, b, 0x6510 + i % 8);
	mine[4] = majority(a, b, c);
	Wide sum = Wide::sum({a, b}, {c, a});
	mine[5] = sum.low;
	mine[6] = sum.high;
	mine[7] = high_product(a, b);
	mine[8] = rotate(a, i % 32);
	int absolute;
	asm("abs.s32 %0, %1;" : "=r"(absolute) : "r"((int)a));
	mine[9] = absolute;
	asm("{\n\t.reg .u32 t;\n\tadd.u32 t, %1, 5;\n\tmul.lo.u32 %0, t, %1;\n\t}" : "=r"(mine[10]) : "r"(b));
	asm volatile("" ::: "memory");
	mine[11] = global_timer() >= before;
	store(copies + i, load(numbers + i) * 2);
	floats[i] = fused(0.1f * i, 3.0f, -0.3f * i);
	products[i] = Wide::product(a, b);
}

int main() {
	const int n = 150, block = 64;
	std::vector<unsigned> in(n);
	std::vector<int> numbers(n);
	Random random(61);
	for (int i = 0; i < n; i++) {
		in[i] = random.next() * 257 + random.next();
		numbers[i] = i - 70;
	}
	unsigned *out = device_array<unsigned>(n * RESULTS);
	int *copies = device_array<int>(n);
	float *floats = device_array<float>(n);
	uint64_t *products = device_array<uint64_t>(n);
	kernel<<<3, block>>>(to_device(in), to_device(numbers), out, copies, floats, products, n);
	CHECK_LAUNCH();
	std::vector<unsigned> got = to_host(out, n * RESULTS);
	std::vector<int> got_copies = to_host(copies, n);
	std::vector<float> got_floats = to_host(floats, n);
	std::vector<uint64_t> got_products = to_host(products, n);
	for (int i = 0; i < n; i++) {
		unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n], mask = 511u << i % 20, permuted = 0;
		for (int k = 0; k < 4; k++) {
			int from = (0x6510 + i % 8) >> 4 * k & 7;
			permuted |= ((from < 4 ? a >> 8 * from : b >> 8 * (from - 4)) & 255) << 8 * k;
		}
		uint64_t sum = ((uint64_t)b << 32 | a) + ((uint64_t)a << 32 | c);
		unsigned expected[RESULTS] = {i % block % 32 * 101u, a >> i % 30 & 31, (a & ~mask) | (b << i % 20 & mask),
			permuted, (a & b) | (a & c) | (b & c), (unsigned)sum, (unsigned)(sum >> 32),
			(unsigned)((uint64_t)a * b >> 32), i % 32 ? a << i % 32 | a >> (32 - i % 32) : a, (int)a < 0 ? 0u - a : a,
			(b + 5) * b, 1};
		for (int k = 0; k < RESULTS; k++)
			expect_equal("result", i * 100 + k, got[i * RESULTS + k], expected[k]);
		expect_equal("copy", i, got_copies[i], numbers[i] * 2);
		expect_near("fused", i, got_floats[i], fmaf(0.1f * i, 3.0f, -0.3f * i), 0);
		expect_equal("product", i, got_products[i], (uint64_t)a * b);
	}
	return verdict();
}
