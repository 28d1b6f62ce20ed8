// features: virtual placement-new new-delete class-templates inheritance pointers-to-pointers destructors methods functors
// Containers behind an abstract base: one on the device heap for many launches, one built by placement new in shared
// memory; elements with constructors and destructors.
#include <new>

#include "check.h"

__device__ int constructed, destroyed;

struct Sample {
	int a;
	float b;
	__device__ Sample(int a = -1, float b = 0) : a(a), b(b) { atomicAdd(&constructed, 1); }
	__device__ Sample(const Sample &o) : a(o.a), b(o.b) { atomicAdd(&constructed, 1); }
	Sample &operator=(const Sample &) = default;
	__device__ ~Sample() { atomicAdd(&destroyed, 1); }
};

template <class T> class Container {
  public:
	__device__ Container() {}
	__device__ virtual ~Container() {}
	__device__ virtual bool push(const T &x) = 0;
	__device__ virtual bool pop(T &x) = 0;
	__device__ virtual int size() const { return -1; }
};

// A stack that any number of threads may push to at once, or pop from at once.
template <class T> class Stack : public Container<T> {
	T *items_;
	int top_, room_;
	bool owns_;

  public:
	__device__ explicit Stack(int room) : items_(new T[room]), top_(0), room_(room), owns_(true) {}
	__device__ Stack(T *items, int room) : items_(items), top_(0), room_(room), owns_(false) {}
	__device__ ~Stack() override {
		if (owns_)
			delete[] items_;
	}
	__device__ bool push(const T &x) override {
		int at = atomicAdd(&top_, 1);
		if (at >= room_) {
			atomicSub(&top_, 1);
			return false;
		}
		items_[at] = x;
		return true;
	}
	__device__ bool pop(T &x) override {
		int at = atomicSub(&top_, 1);
		if (at <= 0) {
			atomicAdd(&top_, 1);
			return false;
		}
		x = items_[at - 1];
		return true;
	}
	__device__ int size() const override { return top_; }
};

// Keeps only a running total.
class Total final : public Container<int> {
	int total_ = 0;

  public:
	__device__ bool push(const int &x) override { return atomicAdd(&total_, x) >= 0; }
	__device__ bool pop(int &x) override { return (x = atomicExch(&total_, 0)) != 0; }
};

__global__ void create(Container<int> **out, int room) {
	out[0] = new Stack<int>(room);
	out[1] = new Total;
}
__global__ void push_all(Container<int> **containers, int *failed) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Container<int> *mine = containers[i % 2];
	if (!mine->push(i))
		atomicAdd(failed, 1);
}
__global__ void pop_all(Container<int> **containers, int *out, int *sizes) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = -1;
	if (i < 2)
		sizes[i] = containers[i]->size();
	__syncthreads();
	if (i > 0)
		containers[0]->pop(x);
	else
		containers[1]->pop(x);
	out[i] = x;
}
__global__ void destroy(Container<int> **containers) { delete containers[threadIdx.x]; }

__global__ void in_shared(float *out) {
	alignas(8) __shared__ unsigned char place[sizeof(Stack<Sample>)], items[sizeof(Sample) * 64];
	__shared__ Stack<Sample> *stack;
	if (threadIdx.x == 0)
		stack = new (place) Stack<Sample>(reinterpret_cast<Sample *>(items), 64);
	__syncthreads();
	if (threadIdx.x % 2 == 0)
		stack->push(Sample(threadIdx.x, blockIdx.x * 0.5f));
	__syncthreads();
	Sample mine;
	bool found = stack->pop(mine);
	Sample *copy = new Sample(mine);
	out[blockIdx.x * blockDim.x + threadIdx.x] = found ? copy->a + copy->b : -1.0f;
	delete copy;
	__syncthreads();
	if (threadIdx.x == 0)
		stack->~Stack();
}

int main() {
	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
	const int threads = 192, room = 60;
	Container<int> **containers = device_array<Container<int> *>(2);
	int *failed = device_array<int>(1), *out = device_array<int>(64), *sizes = device_array<int>(2);
	create<<<1, 1>>>(containers, room);
	push_all<<<3, threads / 3>>>(containers, failed);
	pop_all<<<1, 64>>>(containers, out, sizes);
	destroy<<<1, 2>>>(containers);
	CHECK_LAUNCH();
	expect_equal("failed", 0, to_host(failed, 1)[0], threads / 2 - room);
	expect_equal("size", 0, to_host(sizes, 2)[0], room);
	expect_equal("size of a total", 0, to_host(sizes, 2)[1], -1);
	std::vector<int> got = to_host(out, 64), seen(threads);
	expect_equal("total", 0, got[0], threads / 2 * (threads / 2));
	int popped = 0;
	for (int i = 1; i < 64; i++)
		if (got[i] >= 0) {
			popped++;
			expect(got[i] % 2 == 0 && !seen[got[i]]++, "each number comes once");
		}
	expect_equal("popped", 0, popped, room);

	const int blocks = 5, block = 64;
	float *values = device_array<float>(blocks * block);
	in_shared<<<blocks, block>>>(values);
	CHECK_LAUNCH();
	std::vector<float> sums = to_host(values, blocks * block);
	for (int b = 0; b < blocks; b++) {
		double sum = 0;
		for (int i = 0; i < block; i++)
			sum += sums[b * block + i];
		expect_near("sum", b, sum, 31 * 32 + 32 * (b * 0.5) - 32, 1e-9);
	}
	int counts[2];
	CHECK(cudaMemcpyFromSymbol(&counts[0], constructed, sizeof(int)));
	CHECK(cudaMemcpyFromSymbol(&counts[1], destroyed, sizeof(int)));
	expect_equal("constructed", 0, counts[0], blocks * (32 + 64 + 64));
	expect_equal("destroyed", 0, counts[1], counts[0]);
	return verdict();
}
