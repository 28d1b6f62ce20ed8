// features: assert default-arguments class-templates value-parameters string-literals
// A child process in which an assertion fails: its message names file, line, function, block and thread, and the
// runtime says cudaErrorAssert. Assertions that hold, and their side effects, change nothing.
#include <cassert>
#include <cstring>
#include <string>

#include "check.h"

enum { ASSERTION = __LINE__ + 1 };
__device__ void only_up(int by) { assert(by >= 0 && "only up"); }

template <int LIMIT> class Bounded {
	int value_ = 0;

  public:
	__device__ void add(int by) {
		only_up(by);
		value_ += by;
		assert(value_ < LIMIT);
	}
	__device__ int value() const { return value_; }
};

__global__ void sum(const int *in, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Bounded<1000> total;
	for (int k = 0; k < 10 && i + k < n; k++)
		total.add(in[i + k]);
	if (i < n)
		out[i] = total.value();
}

static std::vector<int> numbers(int n, int wrong = -1) {
	std::vector<int> in(n);
	for (int i = 0; i < n; i++)
		in[i] = i == wrong ? -5 : i % 30;
	return in;
}

// Exit code 3: cudaErrorAssert, as expected.
static int child() {
	const int n = 128;
	int *in = to_device(numbers(n, n - 1)), *out = device_array<int>(n);
	sum<<<2, 64>>>(in, out, n);
	cudaError_t error = cudaDeviceSynchronize();
	fflush(stdout);
	return error == cudaErrorAssert && cudaGetLastError() == cudaErrorAssert ? 3 : 4;
}

int main(int argc, char **argv) {
	if (argc > 1 && strcmp(argv[1], "--child") == 0)
		return child();
	const int n = 100;
	int *in = to_device(numbers(n)), *out = device_array<int>(n);
	sum<<<2, 64>>>(in, out, n);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		int expected = 0;
		for (int k = i; k < i + 10 && k < n; k++)
			expected += k % 30;
		expect_equal("sum", i, got[i], expected);
	}

	std::string command = std::string("'") + argv[0] + "' --child 2>&1", text;
	FILE *pipe = popen(command.c_str(), "r");
	for (int c; (c = fgetc(pipe)) != EOF;)
		text += (char)c;
	int status = pclose(pipe);
	expect(status == 3 << 8, "the child ends with cudaErrorAssert");
	// Ten threads of the second block add the last number.
	expect(text.find("block: [1,0,0], thread: [63,0,0]") != std::string::npos, "block and thread");
	expect(text.find("Assertion `by >= 0 && \"only up\"` failed") != std::string::npos, "the condition");
	expect(text.find("assert_child.cu:" + std::to_string(ASSERTION)) != std::string::npos, "file and line");
	expect(text.find("block: [0,0,0]") == std::string::npos, "no assertion failed in the first block");
	if (failures)
		printf("FAIL the child said:\n%s\n", text.c_str());
	return verdict();
}
