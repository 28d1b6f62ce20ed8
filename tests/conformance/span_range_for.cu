// features: range-for class-templates methods operators constructors auto references const-array-references using-aliases
// Views of arrays and generators of numbers in range-based for loops in device code.
#include <cstddef>

#include "check.h"

template <typename T> class span {
	T *data_ = nullptr;
	size_t size_ = 0;

  public:
	using iterator = T *;
	using value_type = T;
	span() = default;
	__host__ __device__ span(T *data, size_t size) : data_(data), size_(size) {}
	template <size_t N> __host__ __device__ span(T (&array)[N]) : data_(array), size_(N) {}
	__host__ __device__ iterator begin() const { return data_; }
	__host__ __device__ iterator end() const { return data_ + size_; }
	__host__ __device__ T &operator[](size_t i) const { return data_[i]; }
	__host__ __device__ size_t size() const { return size_; }
	__host__ __device__ bool empty() const { return size_ == 0; }
	__host__ __device__ span subspan(size_t first, size_t count) const {
		return {data_ + first, count < size_ - first ? count : size_ - first};
	}
	__host__ __device__ T &back() const { return data_[size_ - 1]; }
};

// The numbers from `first` in steps to `last`.
struct steps {
	struct iterator {
		int at, by;
		__host__ __device__ int operator*() const { return at; }
		__host__ __device__ iterator &operator++() {
			at += by;
			return *this;
		}
		__host__ __device__ bool operator!=(const iterator &other) const { return at < other.at; }
	};
	int first, last, by;
	__host__ __device__ iterator begin() const { return {first, by}; }
	__host__ __device__ iterator end() const { return {last, by}; }
};

__device__ inline steps grid_stride(int n) {
	return {(int)(blockIdx.x * blockDim.x + threadIdx.x), n, (int)(gridDim.x * blockDim.x)};
}

namespace chain {
struct Link {
	int value;
	int next;
};
struct List {
	const Link *links;
	int head;
};
struct Cursor {
	const Link *links;
	int at;
	__host__ __device__ const Link &operator*() const { return links[at]; }
	__host__ __device__ void operator++() { at = links[at].next; }
};
__host__ __device__ inline bool operator!=(const Cursor &a, const Cursor &b) { return a.at != b.at; }
// Found by the argument's namespace.
__host__ __device__ inline Cursor begin(const List &list) { return {list.links, list.head}; }
__host__ __device__ inline Cursor end(const List &list) { return {list.links, -1}; }
} // namespace chain

template <typename Range> __host__ __device__ long long weighted(const Range &range) {
	long long sum = 0;
	int position = 1;
	for (const auto &x : range)
		sum += (long long)x * position++;
	return sum;
}

__host__ __device__ inline int compute(span<int> mine, span<const int> all, chain::List list, int limit) {
	const int primes[] = {2, 3, 5, 7, 11};
	int result = 0;
	for (int &x : mine) { // writes through the reference
		if (x < 0)
			continue;
		x = x * 2 + 1;
	}
	for (int x : mine)
		for (int p : primes) {
			if (p > limit)
				break;
			result += x % p == 0 ? p : 0;
		}
	for (auto i : steps{0, (int)all.size(), 3})
		result ^= all[i];
	for (const auto &link : list) {
		if (link.value == limit)
			return result;
		result += link.value;
	}
	for (auto row : {1, 20, 300})
		result += row;
	if (!mine.empty())
		mine.back() += limit;
	span<const int> known(primes);
	return result + (int)weighted(known) + (int)(weighted(all.subspan(2, 4)) % 1000);
}

__global__ void kernel(span<int> data, span<const int> all, const chain::Link *links, int *results, int n, int each) {
	for (int i : grid_stride(n)) {
		span<int> mine = data.subspan(i * each, i % (each + 1));
		results[i] = compute(mine, all, {links, i % 5}, i % 13);
	}
}

int main() {
	const int n = 200, each = 6;
	std::vector<int> data(n * each), all(40);
	Random random(19);
	for (int &x : data)
		x = random.below(100) - 20;
	for (int &x : all)
		x = random.below(1000);
	std::vector<chain::Link> links;
	for (int i = 0; i < 20; i++)
		links.push_back({random.below(13), i + 5 < 20 ? i + 5 : -1});
	int *d_data = to_device(data), *d_all = to_device(all), *results = device_array<int>(n);
	chain::Link *d_links = to_device(links);
	kernel<<<2, 48>>>({d_data, data.size()}, {d_all, all.size()}, d_links, results, n, each);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(results, n), got_data = to_host(d_data, data.size());
	for (int i = 0; i < n; i++) {
		span<int> mine(&data[i * each], i % (each + 1));
		expect_equal("result", i, got[i], compute(mine, {all.data(), all.size()}, {links.data(), i % 5}, i % 13));
	}
	for (size_t i = 0; i < data.size(); i++)
		expect_equal("data", i, got_data[i], data[i]);
	return verdict();
}
