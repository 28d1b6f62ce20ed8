// What the programs of this suite share: error checks, copies between host and device, the verdict.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
	do {                                                                                                               \
		cudaError_t error_ = (call);                                                                                   \
		if (error_ != cudaSuccess) {                                                                                   \
			printf("FAIL %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));                     \
			exit(1);                                                                                                   \
		}                                                                                                              \
	} while (0)

// Waits for what was launched before and ends the program if it failed.
#define CHECK_LAUNCH()                                                                                                 \
	do {                                                                                                               \
		CHECK(cudaGetLastError());                                                                                     \
		CHECK(cudaDeviceSynchronize());                                                                                \
	} while (0)

template <typename T> T *device_array(size_t n) {
	T *p = nullptr;
	CHECK(cudaMalloc(&p, n * sizeof(T)));
	CHECK(cudaMemset(p, 0, n * sizeof(T)));
	return p;
}

template <typename T> T *to_device(const std::vector<T> &host) {
	T *p = nullptr;
	CHECK(cudaMalloc(&p, host.size() * sizeof(T)));
	CHECK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
	return p;
}

template <typename T> std::vector<T> to_host(const T *device, size_t n) {
	std::vector<T> host(n);
	CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
	return host;
}

// A small generator, so that every run has the same numbers.
struct Random {
	unsigned state;
	explicit Random(unsigned seed) : state(seed * 2654435761u + 1) {}
	unsigned next() {
		state = state * 1664525u + 1013904223u;
		return state >> 8;
	}
	int below(int n) { return (int)(next() % (unsigned)n); }
	float uniform() { return next() * (1.0f / 16777216.0f); }
};

static int failures = 0;

// Reports the first few values that differ by more than `tolerance`, relative to their size.
template <typename T, typename U> void expect_near(const char *what, size_t at, T got, U expected, double tolerance) {
	double difference = std::fabs((double)got - (double)expected);
	if (difference <= tolerance * (1.0 + std::fabs((double)expected)))
		return;
	if (failures++ < 5)
		printf("FAIL %s[%zu]: %.9g, expected %.9g\n", what, at, (double)got, (double)expected);
}

template <typename T, typename U> void expect_equal(const char *what, size_t at, T got, U expected) {
	if (got == (T)expected)
		return;
	if (failures++ < 5)
		printf("FAIL %s[%zu]: %lld, expected %lld\n", what, at, (long long)got, (long long)expected);
}

inline void expect(bool holds, const char *what) {
	if (!holds && failures++ < 5)
		printf("FAIL %s\n", what);
}

// Prints the verdict; the exit code of the program.
inline int verdict() {
	if (failures == 0)
		printf("PASS\n");
	else
		printf("FAIL %d values\n", failures);
	return failures != 0;
}
