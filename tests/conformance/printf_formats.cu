// features: printf string-literals vector-types function-templates packs
// What kernels print, caught in a file: every directive, strings, pointers, widths from arguments, many threads.
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "check.h"

__device__ const char *names[] = {"zero", "one", "two", "many"};

__global__ void formats(double d, float f, long long big, unsigned u, const char *) {
	printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
	printf("[%u] [%x] [%X] [%#x] [%o] [%#o]\n", u, u, u, u, u, u);
	printf("[%lld] [%llu] [%llx] [%ld] [%hd]\n", big, (unsigned long long)big, big, (long)big, (short)u);
	printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%e] [%.3E] [%g] [%G] [%a]\n", d, d, d, d, d, d, d, d, d);
	printf("[%f] [%g] [%f] [%g]\n", f, f * 1e10f, -f, 1.0f / 3);
	printf("[%c] [%s] [%10s] [%-6s] [%.2s] %%\n", 'A' + 2, "text", "right", "left", "cut");
	printf("[%*d] [%-*d]\n", 7, 5, 4, 6);
	printf("%s and %s%s", names[1], names[u % 4], "\n");
	printf("%d %s\n", printf("x\n"), "arguments were 0");
	printf("\ttab \"quotes\" \\ %d%%\n", 50);
}

template <typename... Args> __device__ void show(const char *format, Args... args) {
	printf(format, args...);
	printf("(%d values)\n", (int)sizeof...(Args));
}

__global__ void from_threads(int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && i % 3 == 0)
		printf("thread %d of block %u says %s, %.1f\n", threadIdx.x, blockIdx.x, names[i % 4], i * 0.5);
}

__global__ void from_templates() {
	show("%d %f %s\n", 1, 2.5, "three");
	show("nothing\n");
	float4 v = make_float4(1, 2, 3, 4);
	show("<%g, %g, %g, %g>\n", v.x, v.y, v.z, v.w);
}

// Runs `action` and returns what was written to the standard output.
template <typename F> std::string caught(F action) {
	fflush(stdout);
	FILE *file = tmpfile();
	int kept = dup(1);
	dup2(fileno(file), 1);
	action();
	CHECK(cudaDeviceSynchronize());
	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	std::string text;
	rewind(file);
	for (int c; (c = fgetc(file)) != EOF;)
		text += (char)c;
	fclose(file);
	return text;
}

static void expect_text(const std::string &got, const std::string &expected) {
	if (got == expected)
		return;
	failures++;
	printf("FAIL got:\n%s\nexpected:\n%s\n", got.c_str(), expected.c_str());
}

int main() {
	const double d = -3.14159;
	const float f = 2.5f;
	const long long big = -123456789012345;
	const unsigned u = 3000000011u;
	std::string got = caught([&] { formats<<<1, 1>>>(d, f, big, u, nullptr); });
	char text[2000];
	int at = snprintf(text, sizeof text, "[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
	at += snprintf(text + at, 200, "[%u] [%x] [%X] [%#x] [%o] [%#o]\n", u, u, u, u, u, u);
	at += snprintf(
		text + at, 200, "[%lld] [%llu] [%llx] [%ld] [%hd]\n", big, (unsigned long long)big, big, (long)big, (short)u);
	at += snprintf(
		text + at, 300, "[%f] [%.2f] [%10.3f] [%-10.1f] [%e] [%.3E] [%g] [%G] [%a]\n", d, d, d, d, d, d, d, d, d);
	at += snprintf(text + at, 200, "[%f] [%g] [%f] [%g]\n", f, f * 1e10f, -f, 1.0f / 3);
	at += snprintf(text + at, 200, "[C] [text] [     right] [left  ] [cu] %%\n");
	at += snprintf(text + at, 200, "[%*d] [%-*d]\n", 7, 5, 4, 6);
	at += snprintf(text + at, 200, "one and many\n");
	at += snprintf(text + at, 200, "x\n0 arguments were 0\n");
	at += snprintf(text + at, 200, "\ttab \"quotes\" \\ 50%%\n");
	expect_text(got, text);

	got = caught([] { from_templates<<<1, 1>>>(); });
	expect_text(got, "1 2.500000 three\n(3 values)\nnothing\n(0 values)\n<1, 2, 3, 4>\n(4 values)\n");

	const int n = 200;
	const char *host_names[] = {"zero", "one", "two", "many"};
	got = caught([] { from_threads<<<4, 64>>>(n); });
	std::vector<int> seen(n);
	int lines = 0;
	for (size_t begin = 0, end; (end = got.find('\n', begin)) != std::string::npos; begin = end + 1, lines++) {
		int thread = -1, block = -1;
		sscanf(got.c_str() + begin, "thread %d of block %d", &thread, &block);
		int i = block * 64 + thread;
		snprintf(text, sizeof text, "thread %d of block %d says %s, %.1f", thread, block, host_names[i & 3], i * 0.5);
		expect(got.substr(begin, end - begin) == text, "line of a thread");
		if (i >= 0 && i < n)
			seen[i]++;
	}
	expect_equal("lines", 0, lines, (n + 2) / 3);
	for (int i = 0; i < n; i += 3)
		expect_equal("seen", i, seen[i], 1);
	return verdict();
}
