/* Warps load, exchange, sort and store; functions for each element. */
#include <cub/cub.cuh>
#include <cuda/std/tuple>

#include <algorithm>
#include <cstdio>
#include <vector>

#define CHECK(x)                                                                                                       \
	do {                                                                                                               \
		if (!(x))                                                                                                      \
			printf("%d: %s\n", __LINE__, #x);                                                                          \
	} while (0)

struct Less {
	__device__ bool operator()(int a, int b) const {
		return a < b;
	}
};

template <int WARP, int ITEMS> __global__ void sort_tiles(const int *in, int *out, int valid) {
	typedef cub::WarpLoad<int, ITEMS, cub::WARP_LOAD_STRIPED, WARP> Load;
	typedef cub::WarpExchange<int, ITEMS, WARP> Exchange;
	typedef cub::WarpMergeSort<int, ITEMS, WARP> Sort;
	typedef cub::WarpStore<int, ITEMS, cub::WARP_STORE_DIRECT, WARP> Store;
	constexpr int warps = 64 / WARP;
	__shared__ typename Load::TempStorage load[warps];
	__shared__ typename Exchange::TempStorage exchange[warps];
	__shared__ typename Sort::TempStorage sort[warps];
	__shared__ typename Store::TempStorage store[warps];
	const int warp = threadIdx.x / WARP, first = warp * WARP * ITEMS, left = valid - first;
	int items[ITEMS];
	Load(load[warp]).Load(in + first, items, left < 0 ? 0 : left, 1 << 20);
	Exchange(exchange[warp]).StripedToBlocked(items, items);
	Sort(sort[warp]).Sort(items, Less());
	Store(store[warp]).Store(out + first, items, left < 0 ? 0 : left);
}

struct Mad {
	__host__ __device__ int operator()(int a, int b, int c) const {
		return a * b + c;
	}
};

template <class F> void with_storage(F f) {
	void *memory = nullptr;
	size_t bytes = 0;
	f(memory, bytes);
	cudaMalloc(&memory, bytes);
	f(memory, bytes);
	cudaDeviceSynchronize();
	cudaFree(memory);
}

template <int WARP, int ITEMS> void check_tiles(const int *in, int *out, int valid) {
	std::fill(out, out + 64 * ITEMS, -1);
	sort_tiles<WARP, ITEMS><<<1, 64>>>(in, out, valid);
	cudaDeviceSynchronize();
	std::vector<int> expected(64 * ITEMS, -1);
	for (int first = 0; first < valid; first += WARP * ITEMS) {
		int last = std::min(first + WARP * ITEMS, valid);
		std::copy(in + first, in + last, expected.begin() + first);
		std::sort(expected.begin() + first, expected.begin() + last);
	}
	CHECK(std::equal(expected.begin(), expected.end(), out));
}

int main() {
	const int n = 1000;
	int *in, *out, *b, *c;
	cudaMallocManaged(&in, n * 4);
	cudaMallocManaged(&out, n * 4);
	cudaMallocManaged(&b, n * 4);
	cudaMallocManaged(&c, n * 4);
	for (int i = 0; i < n; i++)
		in[i] = i * 7919 % 1009, b[i] = i % 13, c[i] = i;
	check_tiles<32, 3>(in, out, 192);
	check_tiles<32, 4>(in, out, 201);
	check_tiles<16, 2>(in, out, 77);
	check_tiles<8, 1>(in, out, 64);

	int *sum = b + 1;
	cub::DeviceFor::Bulk(n, [=] __device__(int i) { out[i] = 2 * i; });
	cub::DeviceFor::ForEachN(out, 10, [] __device__(int &x) { x += 1; });
	cudaDeviceSynchronize();
	CHECK(out[9] == 19 && out[10] == 20 && out[n - 1] == 2 * n - 2 && *sum == 1);
	cub::DeviceTransform::Transform(cuda::std::make_tuple(in, b, c), out, n, Mad());
	cudaDeviceSynchronize();
	for (int i = 0; i < n; i++)
		CHECK(out[i] == in[i] * b[i] + c[i]);
	cub::DeviceTransform::Transform(in, out, n, [] __device__(int x) { return -x; });
	cudaDeviceSynchronize();
	CHECK(out[0] == -in[0] && out[n - 1] == -in[n - 1]);

	with_storage([&](void *p, size_t &bytes) {
		return cub::DeviceAdjacentDifference::SubtractLeftCopy(p, bytes, in, out, n);
	});
	CHECK(out[0] == in[0] && out[1] == in[1] - in[0] && out[n - 1] == in[n - 1] - in[n - 2]);
	with_storage([&](void *p, size_t &bytes) {
		return cub::DeviceAdjacentDifference::SubtractRightCopy(p, bytes, in, out, n);
	});
	CHECK(out[0] == in[0] - in[1] && out[n - 2] == in[n - 2] - in[n - 1] && out[n - 1] == in[n - 1]);
	std::copy(in, in + n, out);
	/* In place: what is there is read before. */
	void *memory = nullptr;
	size_t bytes = 0;
	cub::DeviceAdjacentDifference::SubtractLeft(memory, bytes, out, n);
	cudaMalloc(&memory, bytes);
	cub::DeviceAdjacentDifference::SubtractLeft(memory, bytes, out, n);
	cudaDeviceSynchronize();
	for (int i = 1; i < n; i++)
		CHECK(out[i] == in[i] - in[i - 1]);
	printf("done\n");
}
