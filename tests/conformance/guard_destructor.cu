// features: destructors constructors deleted-functions references methods device-variables memcpy-symbol class-templates
// Guards whose destructors run on every way out of a scope: the end, return, break, continue, and nested calls.
#include "check.h"

__device__ int depth_errors;

struct Trace {
	int *events;
	int count;
	int depth;
	__device__ explicit Trace(int *events) : events(events), count(0), depth(0) {}
	__device__ void log(int what) { events[count++] = what; }
};

class Scope {
	Trace &trace_;
	int id_;

  public:
	__device__ Scope(Trace &trace, int id) : trace_(trace), id_(id) {
		trace_.depth++;
		trace_.log(id_);
	}
	Scope(const Scope &) = delete;
	Scope &operator=(const Scope &) = delete;
	__device__ ~Scope() {
		trace_.depth--;
		trace_.log(-id_);
	}
};

// Puts a value back when the scope ends.
template <typename T> struct Restore {
	T &place;
	T old;
	__device__ Restore(T &place, T now) : place(place), old(place) { place = now; }
	__device__ ~Restore() { place = old; }
};

__device__ int inner(Trace &trace, int n) {
	Scope whole(trace, 100 + n);
	if (n % 3 == 0)
		return n;
	Scope rest(trace, 200 + n);
	if (n % 3 == 1)
		return -n;
	return trace.depth;
}

__device__ int outer(Trace &trace, int n) {
	int sum = 0;
	Scope all(trace, 1);
	for (int i = 0; i < n; i++) {
		Scope round(trace, 10 + i);
		if (i == n - 3)
			continue;
		{
			Restore<int> quiet(trace.depth, 50);
			sum += inner(trace, i);
		}
		Scope second(trace, 20 + i);
		if (i == 4)
			break;
		sum += trace.depth;
	}
	return sum;
}

__global__ void run(int *events, int *counts, int *sums, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Trace trace(events + i * 64);
	sums[i] = outer(trace, i % 8);
	counts[i] = trace.count;
	if (trace.depth != 0)
		atomicAdd(&depth_errors, 1);
}

// The same by hand.
struct Expected {
	std::vector<int> events;
	int depth = 0, sum = 0;
	void in(int id) { depth++, events.push_back(id); }
	void out(int id) { depth--, events.push_back(-id); }
	int inner(int n) {
		in(100 + n);
		int result = n;
		if (n % 3 != 0) {
			in(200 + n);
			result = n % 3 == 1 ? -n : depth;
			out(200 + n);
		}
		out(100 + n);
		return result;
	}
	void outer(int n) {
		in(1);
		bool stop = false;
		for (int i = 0; i < n && !stop; i++) {
			in(10 + i);
			if (i != n - 3) {
				int kept = depth;
				depth = 50;
				sum += inner(i);
				depth = kept;
				in(20 + i);
				if (i == 4)
					stop = true;
				else
					sum += depth;
				out(20 + i);
			}
			out(10 + i);
		}
		out(1);
	}
};

int main() {
	const int n = 100;
	int *events = device_array<int>(n * 64), *counts = device_array<int>(n), *sums = device_array<int>(n);
	run<<<3, 48>>>(events, counts, sums, n);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(events, n * 64), got_counts = to_host(counts, n), got_sums = to_host(sums, n);
	for (int i = 0; i < n; i++) {
		Expected expected;
		expected.outer(i % 8);
		expect_equal("count", i, got_counts[i], expected.events.size());
		expect_equal("sum", i, got_sums[i], expected.sum);
		for (size_t k = 0; k < expected.events.size(); k++)
			expect_equal("event", i * 64 + k, got[i * 64 + k], expected.events[k]);
	}
	int errors = -1;
	CHECK(cudaMemcpyFromSymbol(&errors, depth_errors, sizeof errors));
	expect_equal("depth errors", 0, errors, 0);
	return verdict();
}
