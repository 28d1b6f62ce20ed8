/* Warp functions and CUB beside C++ for all cores: OpenMP and, where the limit is asked for, AVX-512.
 *
 * `libraries [RUNS [COUNT]]`: each pair has the same numbers and runs in turns, so many times. A line of JSON for each,
 * with the least milliseconds of either and whether the results are right. `python -m microbench libraries` builds
 * it and shows a table.
 */
#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <parallel/algorithm>
#include <random>
#include <thread>
#include <vector>

#include <cub/cub.cuh>

#include "peers/device.h"

static const int THREADS = 256, ITEMS = 4, TILE = THREADS * ITEMS;

/* ---- kernels ---- */

__device__ float sum_of_warp(float x) {
	for (int by = 16; by > 0; by /= 2)
		x += __shfl_down_sync(0xffffffffu, x, by);
	return x;
}

__global__ void sums_of_warps(const float *in, float *sums) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const float sum = sum_of_warp(in[i]);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}

__global__ void sum_of_grid(const float *in, float *sum, int n) {
	float own = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		own += in[i];
	own = sum_of_warp(own);
	if (threadIdx.x % 32 == 0)
		atomicAdd(sum, own);
}

__global__ void sums_of_blocks(const float *in, float *sums) {
	typedef cub::BlockReduce<float, THREADS> Reduce;
	__shared__ typename Reduce::TempStorage storage;
	const int first = blockIdx.x * TILE + threadIdx.x;
	float own = 0;
	for (int k = 0; k < ITEMS; k++)
		own += in[first + k * THREADS];
	const float sum = Reduce(storage).Sum(own);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum;
}

__global__ void prefixes_of_blocks(const int *in, int *out) {
	typedef cub::BlockScan<int, THREADS> Scan;
	__shared__ typename Scan::TempStorage storage;
	const int i = blockIdx.x * THREADS + threadIdx.x;
	int sum;
	Scan(storage).InclusiveSum(in[i], sum);
	out[i] = sum;
}

__global__ void sorts_of_blocks(const int *in, int *out) {
	typedef cub::BlockRadixSort<int, THREADS, ITEMS> Sort;
	__shared__ typename Sort::TempStorage storage;
	const int first = blockIdx.x * TILE + threadIdx.x * ITEMS;
	int keys[ITEMS];
	for (int k = 0; k < ITEMS; k++)
		keys[k] = in[first + k];
	Sort(storage).Sort(keys);
	for (int k = 0; k < ITEMS; k++)
		out[first + k] = keys[k];
}

/* ---- the same in C++ ---- */

/* The sum of each 32 floats, of 16 warps at a time: a tree whose steps each halve the vectors. */
static __m512 pairs_added(__m512 a, __m512 b, const __m512i even, const __m512i odd) {
	return _mm512_add_ps(_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b));
}

static void warps_by_vectors(const float *in, float *sums, int n) {
	const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
	const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
#pragma omp parallel for schedule(static)
	for (int first = 0; first < n; first += 512) {
		__m512 part[16];
		for (int i = 0; i < 16; i++)
			part[i] = _mm512_add_ps(_mm512_loadu_ps(in + first + 32 * i), _mm512_loadu_ps(in + first + 32 * i + 16));
		for (int count = 8; count > 0; count /= 2)
			for (int i = 0; i < count; i++)
				part[i] = pairs_added(part[2 * i], part[2 * i + 1], even, odd);
		_mm512_storeu_ps(sums + first / 32, part[0]);
	}
}

static float sum_by_vectors(const float *in, int n) {
	float sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int first = 0; first < n; first += 1 << 16) {
		__m512 part[8] = {};
		for (int i = first; i < first + (1 << 16); i += 8 * 16)
			for (int k = 0; k < 8; k++)
				part[k] = _mm512_add_ps(part[k], _mm512_loadu_ps(in + i + k * 16));
		for (int k = 1; k < 8; k++)
			part[0] = _mm512_add_ps(part[0], part[k]);
		sum += _mm512_reduce_add_ps(part[0]);
	}
	return sum;
}

static void blocks_reduced(const float *in, float *sums, int n) {
#pragma omp parallel for schedule(static)
	for (int first = 0; first < n; first += TILE) {
		float sum = 0;
#pragma omp simd reduction(+ : sum)
		for (int i = 0; i < TILE; i++)
			sum += in[first + i];
		sums[first / TILE] = sum;
	}
}

static void blocks_scanned(const int *in, int *out, int n) {
#pragma omp parallel for schedule(static)
	for (int first = 0; first < n; first += THREADS)
		std::partial_sum(in + first, in + first + THREADS, out + first);
}

static void blocks_sorted(const int *in, int *out, int n) {
#pragma omp parallel for schedule(static)
	for (int first = 0; first < n; first += TILE) {
		std::copy(in + first, in + first + TILE, out + first);
		std::sort(out + first, out + first + TILE);
	}
}

static int sum_of(const int *in, int n) {
	int sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += in[i];
	return sum;
}

/* Each core sums its part, then makes the prefixes of it. */
static void scanned(const int *in, int *out, int n) {
	std::vector<int> sums(omp_get_max_threads() + 1);
#pragma omp parallel
	{
		const long cores = omp_get_num_threads(), core = omp_get_thread_num();
		const int *begin = in + n * core / cores, *end = in + n * (core + 1) / cores;
		sums[core + 1] = std::accumulate(begin, end, 0);
#pragma omp barrier
		int sum = std::accumulate(sums.begin(), sums.begin() + core + 1, 0);
		for (int *to = out + (begin - in); begin < end; begin++)
			*to++ = sum += *begin;
	}
}

/* ---- measuring ---- */

static double ms(const std::function<void()> &run) {
	/* Threads of the other side that wait for work stop doing so at the cost of a core. */
	std::this_thread::sleep_for(std::chrono::milliseconds(2));
	const auto start = std::chrono::steady_clock::now();
	run();
	check(cudaDeviceSynchronize());
	return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

static int runs = 10;
static bool all_right = true;

static void compare(const char *name, const char *beside, const std::function<void()> &ours,
	const std::function<void()> &theirs, const std::function<bool()> &right) {
	double ours_ms = 1e30, theirs_ms = 1e30;
	for (int i = 0; i < runs; i++) {
		ours_ms = std::min(ours_ms, ms(ours));
		theirs_ms = std::min(theirs_ms, ms(theirs));
	}
	const bool checked = right();
	all_right = all_right && checked;
	printf("{\"name\": \"%s\", \"beside\": \"%s\", \"ms\": %.4f, \"beside_ms\": %.4f, \"checked\": %s}\n", name, beside,
		ours_ms, theirs_ms, checked ? "true" : "false");
	fflush(stdout);
}

template <class T> static T *allocated(size_t count) {
	T *memory;
	check(cudaMalloc(&memory, count * sizeof(T)));
	std::fill(memory, memory + count, T());
	return memory;
}

static bool close(const float *a, const float *b, int count) {
	for (int i = 0; i < count; i++)
		if (!(std::fabs(a[i] - b[i]) <= 1e-4f * std::fabs(b[i])))
			return false;
	return true;
}

/* The memory that an algorithm of the device asks for. */
struct Storage {
	void *memory = nullptr;
	size_t bytes = 0;
	template <class Algorithm> explicit Storage(Algorithm algorithm) {
		algorithm(memory, bytes);
		memory = allocated<char>(bytes);
	}
};

int main(int argc, char **argv) {
	if (argc > 1)
		runs = std::atoi(argv[1]);
	const int n = argc > 2 ? std::atoi(argv[2]) : 1 << 24; /* a multiple of 65536 */
	float *x = allocated<float>(n), *sums = allocated<float>(n / 32), *expected = allocated<float>(n / 32);
	int *keys = allocated<int>(n), *out = allocated<int>(n), *other = allocated<int>(n);
	std::mt19937 random(1);
	for (int i = 0; i < n; i++) {
		keys[i] = (int)random();
		x[i] = (float)(random() >> 8) / (1 << 24);
	}
	const auto same = [&] { return std::equal(out, out + n, other); };

	compare(
		"shuffles, a sum per warp", "AVX-512", [&] { sums_of_warps<<<n / THREADS, THREADS>>>(x, sums); },
		[&] { warps_by_vectors(x, expected, n); }, [&] { return close(sums, expected, n / 32); });
	compare(
		"shuffles, one sum", "AVX-512",
		[&] {
			*sums = 0;
			sum_of_grid<<<1024, THREADS>>>(x, sums, n);
		},
		[&] { *expected = sum_by_vectors(x, n); }, [&] { return close(sums, expected, 1); });
	compare(
		"BlockReduce", "OpenMP", [&] { sums_of_blocks<<<n / TILE, THREADS>>>(x, sums); },
		[&] { blocks_reduced(x, expected, n); }, [&] { return close(sums, expected, n / TILE); });
	compare(
		"BlockScan", "OpenMP, std::partial_sum", [&] { prefixes_of_blocks<<<n / THREADS, THREADS>>>(keys, out); },
		[&] { blocks_scanned(keys, other, n); }, same);
	compare(
		"BlockRadixSort", "OpenMP, std::sort", [&] { sorts_of_blocks<<<n / TILE, THREADS>>>(keys, out); },
		[&] { blocks_sorted(keys, other, n); }, same);

	Storage reduce([&](void *memory, size_t &bytes) { cub::DeviceReduce::Sum(memory, bytes, keys, out, n); });
	compare(
		"DeviceReduce", "OpenMP", [&] { cub::DeviceReduce::Sum(reduce.memory, reduce.bytes, keys, out, n); },
		[&] { *other = sum_of(keys, n); }, [&] { return *out == *other; });
	Storage scan([&](void *memory, size_t &bytes) { cub::DeviceScan::InclusiveSum(memory, bytes, keys, out, n); });
	compare(
		"DeviceScan", "OpenMP", [&] { cub::DeviceScan::InclusiveSum(scan.memory, scan.bytes, keys, out, n); },
		[&] { scanned(keys, other, n); }, same);
	Storage sort([&](void *memory, size_t &bytes) { cub::DeviceRadixSort::SortKeys(memory, bytes, keys, out, n); });
	compare(
		"DeviceRadixSort", "__gnu_parallel::sort",
		[&] { cub::DeviceRadixSort::SortKeys(sort.memory, sort.bytes, keys, out, n); },
		[&] {
			std::copy(keys, keys + n, other);
			__gnu_parallel::sort(other, other + n);
		},
		same);
	return all_right ? 0 : 1;
}
