// Algorithms that return events and futures give what those that wait give.
#include <thrust/async/copy.h>
#include <thrust/async/for_each.h>
#include <thrust/async/reduce.h>
#include <thrust/async/scan.h>
#include <thrust/async/sort.h>
#include <thrust/async/transform.h>
#include <thrust/device_vector.h>
#include <thrust/event.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

struct Square {
	__host__ __device__ int operator()(int x) const { return x * x; }
};
struct Increment {
	__host__ __device__ void operator()(int &x) const { x++; }
};

int main() {
	const int n = 10007;
	thrust::host_vector<int> given(n);
	unsigned x = 1;
	for (int i = 0; i < n; i++) given[i] = (x = x * 1664525u + 1013904223u) >> 20;
	thrust::device_vector<int> a(n), b(n), c(n);
	cudaStream_t stream;
	cudaStreamCreate(&stream);

	thrust::device_event copied = thrust::async::copy(given.begin(), given.end(), a.begin());
	auto squared = thrust::async::transform(
		thrust::device.after(copied).on(stream), a.begin(), a.end(), b.begin(), Square());
	auto incremented = thrust::async::for_each(thrust::device.after(squared), b.begin(), b.end(), Increment());
	auto sum = thrust::async::reduce(thrust::device.after(incremented), b.begin(), b.end(), 0LL);
	auto most = thrust::async::reduce(a.begin(), a.end(), 0, thrust::maximum<int>());
	long long want = n;
	for (int v : given) want += v * v;
	if (!sum.valid_content() || sum.get() != want || sum.extract() != want || sum.valid_content()) puts("reduce");
	if (most.get() != *std::max_element(given.begin(), given.end())) puts("maximum");
	if (squared.stream() != stream || !squared.ready()) puts("stream");

	thrust::async::reduce_into(a.begin(), a.end(), c.begin(), 5).wait();
	if (c[0] != std::accumulate(given.begin(), given.end(), 5)) puts("reduce_into");
	auto scanned = thrust::async::inclusive_scan(a.begin(), a.end(), b.begin());
	auto other = thrust::async::exclusive_scan(thrust::device, a.begin(), a.end(), c.begin(), 7);
	thrust::when_all(scanned, other).wait();
	std::vector<int> sums(n);
	std::partial_sum(given.begin(), given.end(), sums.begin());
	for (int i = 0; i < n; i++)
		if (b[i] != sums[i] || c[i] != 7 + sums[i] - given[i]) return puts("scan"), 1;
	thrust::device_event sorted = thrust::async::sort(thrust::device, a.begin(), a.end(), thrust::greater<int>());
	thrust::device_event moved = std::move(sorted);
	if (sorted.valid_stream() || !moved.valid_stream()) puts("event");
	moved.wait();
	thrust::host_vector<int> found(n);
	thrust::async::copy(thrust::device, thrust::host, a.begin(), a.end(), found.begin()).wait();
	std::stable_sort(given.begin(), given.end(), std::greater<int>());
	if (!std::equal(given.begin(), given.end(), found.begin())) puts("sort");
	puts("done");
}
