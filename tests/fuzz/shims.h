// CUDA-C as plain C++: what the programs of the fuzzer use of it, for one thread at a time.
//
// The threads of a block run one after the other. At a barrier the next one goes on; when all that are left wait, the
// first one goes on. Undefined arithmetic ends the launch: the compiler's checks call the functions at the end.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define __global__ static
#define __device__ static
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __restrict__ __restrict

struct Index {
	unsigned x, y, z;
};
static Index threadIdx, blockIdx, blockDim, gridDim;

struct Launch {
	Index grid, block;
	int synchronises;
};

static const int MAX_THREADS = 1024, STACK_BYTES = 1 << 16;
static ucontext_t scheduler, fibers[MAX_THREADS];
static char stacks[MAX_THREADS][STACK_BYTES];
static bool ended[MAX_THREADS];
static int running;
static bool on_fiber;
static volatile int undefined_behaviour;
static void (*volatile entry)(void **);
static void **volatile entry_arguments;

static void fiber_main() {
	entry(entry_arguments);
	ended[running] = true;
	swapcontext(&fibers[running], &scheduler);
}

static void __syncthreads() {
	swapcontext(&fibers[running], &scheduler);
}
static void __threadfence() {
}

static void run_fibers(int threads) {
	for (int t = 0; t < threads; t++) {
		getcontext(&fibers[t]);
		fibers[t].uc_stack.ss_sp = stacks[t];
		fibers[t].uc_stack.ss_size = STACK_BYTES;
		fibers[t].uc_link = nullptr;
		makecontext(&fibers[t], fiber_main, 0);
		ended[t] = false;
	}
	for (int left = threads; left > 0 && !undefined_behaviour;)
		for (int t = 0; t < threads && !undefined_behaviour; t++)
			if (!ended[t]) {
				running = t;
				threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
				swapcontext(&scheduler, &fibers[t]);
				left -= ended[t];
			}
}

// Runs all threads of the grid; returns whether the program did something undefined.
static int each_thread(const Launch *launch, void (*function)(void **), void **arguments) {
	gridDim = launch->grid, blockDim = launch->block;
	entry = function, entry_arguments = arguments;
	undefined_behaviour = 0;
	int threads = blockDim.x * blockDim.y * blockDim.z;
	for (unsigned b = 0; b < gridDim.x * gridDim.y * gridDim.z && !undefined_behaviour; b++) {
		blockIdx = {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y};
		// Also threads that never wait run on a stack of their own, which can be left when something is undefined.
		if (launch->synchronises) {
			run_fibers(threads);
			continue;
		}
		for (int t = 0; t < threads && !undefined_behaviour; t++) {
			threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
			if (getcontext(&scheduler), !undefined_behaviour)
				function(arguments);
		}
	}
	return undefined_behaviour;
}

// Arithmetic. Types are those of CUDA's overloads.
#define EACH_INTEGER(X) X(int) X(unsigned) X(long) X(unsigned long) X(long long) X(unsigned long long)
#define MIN_MAX(T)                                                                                                     \
	static inline T min(T a, T b) {                                                                                    \
		return b < a ? b : a;                                                                                          \
	}                                                                                                                  \
	static inline T max(T a, T b) {                                                                                    \
		return a < b ? b : a;                                                                                          \
	}
EACH_INTEGER(MIN_MAX)
static inline int abs(int a) {
	return a < 0 ? -a : a;
}
static inline int __popc(unsigned a) {
	return __builtin_popcount(a);
}
static inline int __clz(int a) {
	return a ? __builtin_clz(a) : 32;
}
static inline int __ffs(int a) {
	return __builtin_ffs(a);
}
static inline int __mulhi(int a, int b) {
	return (int)((long long)a * b >> 32);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
	return (unsigned)((unsigned long long)a * b >> 32);
}
static inline unsigned __brev(unsigned a) {
	unsigned r = 0;
	for (int i = 0; i < 32; i++)
		r |= (a >> i & 1) << (31 - i);
	return r;
}

// Atomic functions: there is one thread. Sums wrap.
template <class T> struct same {
	typedef T type;
};
#define ATOMIC(NAME, NEW)                                                                                              \
	template <class T> static inline T atomic##NAME(T *at, typename same<T>::type value) {                             \
		T old = *at;                                                                                                   \
		*at = (NEW);                                                                                                   \
		return old;                                                                                                    \
	}
template <class T> static inline T wrapped_sum(T a, T b) {
	return a + b;
}
template <> inline int wrapped_sum(int a, int b) {
	return (int)((unsigned)a + (unsigned)b);
}
ATOMIC(Add, wrapped_sum(old, value))
ATOMIC(Sub, (T)((unsigned)old - (unsigned)value))
ATOMIC(Exch, value)
ATOMIC(Min, min(old, value))
ATOMIC(Max, max(old, value))
ATOMIC(And, old &value)
ATOMIC(Or, old | value)
ATOMIC(Xor, old ^ value)
ATOMIC(Inc, old >= value ? 0 : old + 1)
template <class T> static inline T atomicCAS(T *at, typename same<T>::type expected, typename same<T>::type value) {
	T old = *at;
	if (old == expected)
		*at = value;
	return old;
}

// What the compiler's checks call.
static void undefined() {
	undefined_behaviour = 1;
	setcontext(&scheduler);
}
#define CHECK(NAME)                                                                                                    \
	extern "C" void __ubsan_handle_##NAME() {                                                                          \
		undefined();                                                                                                   \
	}
CHECK(add_overflow)
CHECK(sub_overflow)
CHECK(mul_overflow)
CHECK(negate_overflow)
CHECK(divrem_overflow)
CHECK(shift_out_of_bounds)
CHECK(out_of_bounds)
CHECK(float_cast_overflow)
