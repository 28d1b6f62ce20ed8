// features: clock function-templates functors typedef-struct volatile methods destructors
// Clocks in kernels: how long pieces of work take, by guards that write when they end; only their order is checked.
#include "check.h"

typedef long long int Ticks;

typedef struct {
	Ticks start, stop;
	int work;
} Record;

class Timer {
	Record *record_;

  public:
	__device__ explicit Timer(Record *record) : record_(record) {
		if (record_)
			record_->start = clock64();
	}
	__device__ ~Timer() {
		if (record_)
			record_->stop = clock64();
	}
};

__device__ int collatz(int x) {
	int steps = 0;
	for (; x != 1; steps++)
		x = x % 2 ? 3 * x + 1 : x / 2;
	return steps;
}

__global__ void timed(Record *records, clock_t *blocks, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__shared__ clock_t begin;
	if (threadIdx.x == 0)
		begin = clock();
	__syncthreads();
	if (i < n) {
		Timer timer(i % 2 ? nullptr : &records[i]);
		if (i % 3 == 0)
			records[i].work = -1;
		else
			records[i].work = collatz(i + 1);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		__nanosleep(200);
		blocks[blockIdx.x * 2] = begin;
		blocks[blockIdx.x * 2 + 1] = clock();
	}
}

template <typename F> __device__ Ticks ticks_of(F f) {
	Ticks before = clock64();
	f();
	return clock64() - before;
}

__global__ void compare(Ticks *out, volatile int *sink) {
	out[0] = ticks_of([=] { *sink = 1; });
	out[1] = ticks_of([=] {
		for (int i = 0; i < 20000; i++)
			*sink = *sink + i;
	});
	Ticks start = clock64();
	while (clock64() - start < 2000) // the usual way to wait
		;
	out[2] = clock64() - start;
}

int main() {
	const int n = 200, blocks = 4;
	Record *records = device_array<Record>(n);
	clock_t *times = device_array<clock_t>(blocks * 2);
	Ticks *ticks = device_array<Ticks>(3);
	int *sink = device_array<int>(1);
	cudaEvent_t begin, end;
	float milliseconds = -1;
	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	CHECK(cudaEventRecord(begin, 0));
	timed<<<blocks, 64>>>(records, times, n);
	compare<<<1, 1>>>(ticks, sink);
	CHECK(cudaEventRecord(end, 0));
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
	CHECK_LAUNCH();
	expect(milliseconds >= 0, "events are in order");
	std::vector<Record> got = to_host(records, n);
	for (int i = 0; i < n; i++) {
		int steps = 0;
		for (int x = i + 1; x != 1; steps++)
			x = x % 2 ? 3 * x + 1 : x / 2;
		expect_equal("work", i, got[i].work, i % 3 == 0 ? -1 : steps);
		if (i % 2)
			expect(got[i].start == 0 && got[i].stop == 0, "no record, no time");
		else
			expect(got[i].stop >= got[i].start && got[i].start != 0, "time does not run backwards");
	}
	std::vector<clock_t> got_times = to_host(times, blocks * 2);
	for (int b = 0; b < blocks; b++)
		expect((int)(got_times[b * 2 + 1] - got_times[b * 2]) >= 0, "clock() of a block");
	std::vector<Ticks> got_ticks = to_host(ticks, 3);
	expect(got_ticks[0] >= 0 && got_ticks[1] > got_ticks[0], "more work takes longer");
	expect(got_ticks[2] >= 2000, "waiting takes its time");
	return verdict();
}
