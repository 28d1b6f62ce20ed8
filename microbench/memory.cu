/* What does irregular access to global memory cost? Every thread reads in[i + r], r a random number below `degree` (0:
 * its own element), `iterations` times; in the form `write` it also writes to out[i + r]: several threads may write one
 * element at once, but all write the same. A single warp goes over all elements, or there is a thread for each. */
#include <vector>

#include <cuda_runtime.h>

#include "suite.h"

#define SEED(i) ((unsigned)(i) * 747796405u + 2891336453u)
#define NEXT(state) ((state) * 1664525u + 1013904223u)
#define PLACE(i, state, mask) ((i) + (int)((state) >> 11 & (mask)))

__global__ void read(const int *in, int *out, unsigned mask, int elements, int iterations) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
		unsigned state = SEED(i);
		int sum = 0;
		for (int k = 0; k < iterations; k++) {
			state = NEXT(state);
			sum += in[PLACE(i, state, mask)];
		}
		out[i] = sum;
	}
}

__global__ void read_and_write(const int *in, int *out, unsigned mask, int elements, int iterations) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
		unsigned state = SEED(i);
		for (int k = 0; k < iterations; k++) {
			state = NEXT(state);
			int place = PLACE(i, state, mask);
			out[place] = in[place] ^ 0x5a5a;
		}
	}
}

static std::vector<int> expected_result(
	const std::vector<int> &in, bool writes, unsigned mask, int elements, int iterations) {
	std::vector<int> out(in.size(), 0);
	for (int i = 0; i < elements; i++) {
		unsigned state = SEED(i);
		for (int k = 0; k < iterations; k++) {
			state = NEXT(state);
			const int place = PLACE(i, state, mask);
			if (writes)
				out[place] = in[place] ^ 0x5a5a;
			else
				out[i] += in[place];
		}
	}
	return out;
}

static Measured measure(const Point &point) {
	const bool writes = point.text("form") == "write";
	const int degree = point.number("degree"), elements = point.number("elements");
	const int iterations = point.number("iterations");
	const unsigned mask = degree > 0 ? degree - 1 : 0;
	const bool single = point.text("warps") == "1";
	const int blocks = single ? 1 : (elements + 255) / 256, threads = single ? 32 : 256;
	std::vector<int> in(elements + degree);
	for (size_t i = 0; i < in.size(); i++)
		in[i] = NEXT(SEED(i)) >> 20;

	DeviceArray<int> in_array(in), out_array(std::vector<int>(in.size(), 0));
	const auto launch = [&](int launches) {
		for (int i = 0; i < launches; i++)
			if (writes)
				read_and_write<<<blocks, threads>>>(in_array.data(), out_array.data(), mask, elements, iterations);
			else
				read<<<blocks, threads>>>(in_array.data(), out_array.data(), mask, elements, iterations);
	};
	const int launches = affordable(point, point.number("launches"), launch);
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(launches); }); });
	static std::vector<int> expected; /* the same for any number of warps */
	static std::string expected_of;
	const std::string parameters = point.text("form") + point.text("degree");
	if (expected_of != parameters)
		expected = expected_result(in, writes, mask, elements, iterations);
	expected_of = parameters;
	return {"ns per 16 accesses", ns_per_piece(times, elements / 16.0 * iterations * launches),
		out_array.to_host() == expected, "launches", launches};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"form", "read,write"}, {"degree", "0,4,16,64,256,1024,4096,16384,65536,262144,1048576"},
			{"elements", "2097152"}, {"iterations", "10"}, {"warps", "1,all"}, {"launches", "100"}},
		measure);
}
