// features: rdc explicit-instantiation function-pointers constant-variables device-variables memcpy-symbol enums kernel-templates
// flags: -rdc=true
// Three files that use each other's device functions, device variables and instances of kernel templates.
#include <algorithm>

#include "../check.h"
#include "filters.h"

__global__ void call_across_files(int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = helper_index(i - 5, n - 10, i % 2 ? Edge::Zero : Edge::Clamp) * 1000 + (int)helper_limited(i * 30.0f);
}

template <typename T> static T expected_of(const std::vector<T> &in, int i, bool clamp, float high) {
	const float weights[] = {0.25f, 0.1875f, 0.125f, 0.03125f};
	int n = (int)in.size();
	T sum = 0;
	for (int d = -3; d <= 3; d++) {
		int at = clamp ? std::min(std::max(i + d, 0), n - 1) : i + d;
		if (at >= 0 && at < n)
			sum += in[at] * T(weights[d < 0 ? -d : d] * 16);
	}
	float finished = i % 2 ? (float)sum * 2 : std::min(std::max((float)sum, -1000.0f), high);
	return T(finished) + T(3);
}

int main() {
	const int n = 300;
	std::vector<float> in(n);
	std::vector<int> ints(n);
	for (int i = 0; i < n; i++) {
		in[i] = (i * 37 % 101 - 50) * 0.5f;
		ints[i] = i * 13 % 57 - 20;
	}
	float *d_in = to_device(in), *out = device_array<float>(n), last_tap = 0.03125f;
	int *d_ints = to_device(ints), *out_ints = device_array<int>(n);
	CHECK(cudaMemcpyToSymbol(tap_weights, &last_tap, sizeof(float), 3 * sizeof(float)));
	Limits<float> limits = {-1000, 200};
	CHECK(cudaMemcpyToSymbol(output_limits, &limits, sizeof limits));

	smooth<float, Edge::Zero><<<5, 64>>>(d_in, out, n);
	CHECK_LAUNCH();
	std::vector<float> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_near("zero", i, got[i], expected_of(in, i, false, 200), 1e-6);
	smooth<float, Edge::Clamp><<<5, 64>>>(d_in, out, n);
	smooth_ints(d_ints, out_ints, n);
	CHECK_LAUNCH();
	got = to_host(out, n);
	std::vector<int> got_ints = to_host(out_ints, n);
	for (int i = 0; i < n; i++) {
		expect_near("clamp", i, got[i], expected_of(in, i, true, 200), 1e-6);
		expect_equal("ints", i, got_ints[i], expected_of(ints, i, true, 200));
	}
	call_across_files<<<5, 64>>>(out_ints, n);
	CHECK_LAUNCH();
	got_ints = to_host(out_ints, n);
	for (int i = 0; i < n; i++) {
		int at = i - 5, m = n - 10;
		at = i % 2 ? (at < 0 || at >= m ? -1 : at) : std::min(std::max(at, 0), m - 1);
		expect_equal("across", i, got_ints[i], at * 1000 + std::min(i * 30, 200));
	}
	int calls = 0;
	CHECK(cudaMemcpyFromSymbol(&calls, calls_of_helpers, sizeof calls));
	expect_equal("calls", 0, calls, 3 * n / 2 + n);
	return verdict();
}
