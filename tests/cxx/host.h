// Device code as plain C++, one thread: for the same text by the system's compiler.
#pragma once
// All before the macros: some of these headers have the words of CUDA as attributes.
#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <forward_list>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <shared_mutex>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#define __global__ static
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))

using std::max;
using std::min;

template <class T> static T __ldg(const T *p) { return *p; }
template <class T> static T __ldcg(const T *p) { return *p; }
template <class T> static T __ldcs(const T *p) { return *p; }
template <class T> static void __stcs(T *p, T v) { *p = v; }
static void __builtin_assume(bool) {}
static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __float_as_int(float x) {
	int i;
	memcpy(&i, &x, 4);
	return i;
}

#define VECTORS(T, NAME)                                                                                               \
	struct alignas(2 * sizeof(T)) NAME##2 { T x, y; };                                                                 \
	struct NAME##3 { T x, y, z; };                                                                                     \
	struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) NAME##4 { T x, y, z, w; };                                 \
	static inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                                                  \
	static inline NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                                          \
	static inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
VECTORS(signed char, char)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(float, float)
VECTORS(double, double)
VECTORS(long long, longlong)
struct dim3 {
	unsigned x, y, z;
	constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
	constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	constexpr operator uint3() const { return uint3{x, y, z}; }
};

// There is one thread.
#define __shared__ static
static const dim3 threadIdx(0, 0, 0), blockIdx(0, 0, 0), blockDim, gridDim;
static inline void __threadfence() {}
