// features: value-parameters function-templates specialisation kernel-templates functors std-utilities if-constexpr
// Bitonic sort by templates that call themselves: a network within a thread's registers, then one in shared memory.
#include <algorithm>
#include <utility>

#include "check.h"

template <typename T, typename Less> __device__ __forceinline__ void order(T &a, T &b, bool up, Less less) {
	if (less(b, a) == up) {
		T kept = std::move(a);
		a = std::move(b);
		b = std::move(kept);
	}
}

// The network that merges N elements from `First` on.
template <int N, int First = 0> struct Merge {
	template <typename T, typename Less> __device__ static void run(T *v, bool up, Less less) {
#pragma unroll
		for (int i = 0; i < N / 2; i++)
			order(v[First + i], v[First + i + N / 2], up, less);
		Merge<N / 2, First>::run(v, up, less);
		Merge<N / 2, First + N / 2>::run(v, up, less);
	}
};
template <int First> struct Merge<1, First> {
	template <typename T, typename Less> __device__ static void run(T *, bool, Less) {}
};

template <int N, int First, typename T, typename Less> __device__ void sort_registers(T *v, bool up, Less less) {
	if constexpr (N > 1) {
		sort_registers<N / 2, First>(v, true, less);
		sort_registers<N / 2, First + N / 2>(v, false, less);
		Merge<N, First>::run(v, up, less);
	}
}

struct Descending {
	template <typename T> __device__ bool operator()(const T &a, const T &b) const { return b < a; }
};
struct Record {
	int key;
	float weight;
};
struct ByKey {
	__host__ __device__ bool operator()(const Record &a, const Record &b) const {
		return a.key != b.key ? a.key < b.key : a.weight < b.weight;
	}
};

// Sorts 4 * BLOCK elements in each block.
template <int BLOCK, typename T, typename Less> __global__ void sort_blocks(T *data, Less less) {
	constexpr int PER_THREAD = 4, ALL = BLOCK * PER_THREAD;
	__shared__ T shared[ALL];
	T *block = data + blockIdx.x * ALL, mine[PER_THREAD];
	for (int k = 0; k < PER_THREAD; k++)
		mine[k] = block[threadIdx.x * PER_THREAD + k];
	sort_registers<PER_THREAD, 0>(mine, threadIdx.x % 2 == 0, less);
	for (int k = 0; k < PER_THREAD; k++)
		shared[threadIdx.x * PER_THREAD + k] = mine[k];
	for (int size = 2 * PER_THREAD; size <= ALL; size *= 2)
		for (int stride = size / 2; stride > 0; stride /= 2) {
			__syncthreads();
			for (int pair = threadIdx.x; pair < ALL / 2; pair += BLOCK) {
				int low = pair / stride * stride * 2 + pair % stride;
				order(shared[low], shared[low + stride], (low & size) == 0, less);
			}
		}
	__syncthreads();
	for (int k = threadIdx.x; k < ALL; k += BLOCK)
		block[k] = shared[k];
}

int main() {
	constexpr int block = 64, blocks = 5, n = block * 4 * blocks;
	std::vector<int> numbers(n);
	std::vector<Record> records(n);
	Random random(13);
	for (int i = 0; i < n; i++) {
		numbers[i] = random.below(500) - 250;
		records[i] = {random.below(50), random.uniform()};
	}
	int *d_numbers = to_device(numbers);
	Record *d_records = to_device(records);
	sort_blocks<block><<<blocks, block>>>(d_numbers, Descending());
	sort_blocks<block / 2><<<blocks * 2, block / 2>>>(d_records, ByKey{});
	CHECK_LAUNCH();
	std::vector<int> got = to_host(d_numbers, n);
	std::vector<Record> got_records = to_host(d_records, n);
	for (int b = 0; b < blocks; b++)
		std::sort(
			numbers.begin() + b * block * 4, numbers.begin() + (b + 1) * block * 4, [](int x, int y) { return x > y; });
	for (int b = 0; b < 2 * blocks; b++)
		std::sort(records.begin() + b * block * 2, records.begin() + (b + 1) * block * 2, ByKey());
	for (int i = 0; i < n; i++) {
		expect_equal("number", i, got[i], numbers[i]);
		expect_equal("key", i, got_records[i].key, records[i].key);
		expect_near("weight", i, got_records[i].weight, records[i].weight, 0);
	}
	return verdict();
}
