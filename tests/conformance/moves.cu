// features: rvalue-references std-utilities new-delete constructors deleted-functions operators class-templates function-templates destructors
// Owners of device memory that can be moved and not copied; std::move, std::forward and overloads on value category.
#include <utility>

#include "check.h"

__device__ int made, gone;

template <typename T> class Array {
	T *data_ = nullptr;
	int size_ = 0;

  public:
	Array() = default;
	__device__ explicit Array(int size, T fill = T()) : data_(new T[size]), size_(size) {
		atomicAdd(&made, 1);
		for (int i = 0; i < size; i++)
			data_[i] = fill;
	}
	Array(const Array &) = delete;
	Array &operator=(const Array &) = delete;
	__device__ Array(Array &&other) : data_(other.data_), size_(other.size_) {
		other.data_ = nullptr;
		other.size_ = 0;
	}
	__device__ Array &operator=(Array &&other) {
		if (this != &other) {
			release();
			data_ = other.data_;
			size_ = other.size_;
			other.data_ = nullptr;
			other.size_ = 0;
		}
		return *this;
	}
	__device__ ~Array() { release(); }
	__device__ void release() {
		if (data_) {
			delete[] data_;
			atomicAdd(&gone, 1);
		}
		data_ = nullptr;
	}
	__device__ T &operator[](int i) { return data_[i]; }
	__device__ const T &operator[](int i) const { return data_[i]; }
	__device__ int size() const { return size_; }
	__device__ Array clone() const {
		Array copy(size_);
		for (int i = 0; i < size_; i++)
			copy[i] = data_[i];
		return copy;
	}
	__device__ friend void swap(Array &a, Array &b) {
		Array t(std::move(a));
		a = std::move(b);
		b = std::move(t);
	}
};

template <typename T> __device__ Array<T> joined(const Array<T> &a, const Array<T> &b) {
	Array<T> result(a.size() + b.size());
	for (int i = 0; i < result.size(); i++)
		result[i] = i < a.size() ? a[i] : b[i - a.size()];
	return result;
}

struct Log {
	int copies = 0, moves = 0, value = 0;
	__device__ Log(int value) : value(value) {}
	__device__ Log(const Log &o) : copies(o.copies + 1), moves(o.moves), value(o.value) {}
	__device__ Log(Log &&o) : copies(o.copies), moves(o.moves + 1), value(o.value) {}
};
__device__ inline int category(Log &) { return 1; }
__device__ inline int category(const Log &) { return 2; }
__device__ inline int category(Log &&) { return 3; }
template <typename T> __device__ int forwarded(T &&x) { return category(std::forward<T>(x)); }
template <typename T, typename... Args> __device__ T make(Args &&...args) { return T(std::forward<Args>(args)...); }

__device__ inline Array<int> sieve(int n) {
	Array<int> marks(n + 1, 1), primes;
	for (int i = 2; i <= n; i++) {
		if (!marks[i])
			continue;
		Array<int> one(1, i);
		primes = joined(primes, one);
		for (int k = 2 * i; k <= n; k += i)
			marks[k] = 0;
	}
	return primes;
}

__global__ void kernel(int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int *mine = out + i * 6;
	Array<int> primes = sieve(5 + i % 20), other(2, i);
	mine[0] = primes.size();
	Array<int> copy = primes.clone();
	swap(primes, other);
	mine[1] = primes[1] + other[other.size() - 1] * 1000;
	if (i % 3 == 0)
		other = std::move(copy);
	else
		other = Array<int>(4, 9);
	mine[2] = other.size() * 10 + copy.size();

	Log log(5);
	const Log constant(6);
	Log copied = log, moved = std::move(copied), again(std::move(moved));
	mine[3] = category(log) * 1000 + category(constant) * 100 + category(Log(7)) * 10 + category(std::move(log));
	mine[4] = forwarded(log) * 1000 + forwarded(constant) * 100 + forwarded(Log(1)) * 10 + again.copies + again.moves;
	Log built = make<Log>(make<int>(i));
	int &&temporary = i * 2;
	temporary += built.value;
	mine[5] = temporary;
}

int main() {
	const int n = 96;
	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
	int *out = device_array<int>(n * 6);
	kernel<<<3, 32>>>(out, n);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(out, n * 6);
	for (int i = 0; i < n; i++) {
		int count = 0, last = 0;
		for (int k = 2; k <= 5 + i % 20; k++) {
			bool prime = true;
			for (int d = 2; d < k; d++)
				prime = prime && k % d;
			if (prime)
				count++, last = k;
		}
		int expected[6] = {count, i + last * 1000, i % 3 == 0 ? count * 10 : 40 + count, 1233, 1233, 3 * i};
		for (int k = 0; k < 6; k++)
			expect_equal("result", i * 10 + k, got[i * 6 + k], expected[k]);
	}
	int counts[2];
	CHECK(cudaMemcpyFromSymbol(&counts[0], made, sizeof(int)));
	CHECK(cudaMemcpyFromSymbol(&counts[1], gone, sizeof(int)));
	expect(counts[0] > n * 4, "arrays were made");
	expect_equal("gone", 0, counts[1], counts[0]);
	return verdict();
}
