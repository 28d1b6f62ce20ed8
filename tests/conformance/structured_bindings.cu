// features: structured-bindings condition-declarations switch-initialiser nested-structs auto references vector-types
// Structured bindings of structs and arrays, by value and by reference, and declarations in conditions.
#include "check.h"

template <typename A, typename B> struct Pair {
	A first;
	B second;
};
template <typename A, typename B> __host__ __device__ Pair<A, B> make_pair_of(A a, B b) { return {a, b}; }

struct Box {
	float low[2], high[2];
	int id;
};

__host__ __device__ inline Pair<int, bool> divide(int a, int b) {
	return b ? Pair<int, bool>{a / b, true} : Pair<int, bool>{0, false};
}

__host__ __device__ inline auto extremes(const int *data, int n) {
	struct {
		int low, high, place;
	} found = {data[0], data[0], 0};
	auto &[low, high, place] = found;
	for (int i = 1; i < n; i++) {
		if (data[i] < low)
			low = data[i];
		if (data[i] > high) {
			high = data[i];
			place = i;
		}
	}
	return found;
}

__host__ __device__ inline const int *find(const int *data, int n, int wanted) {
	for (int i = 0; i < n; i++)
		if (data[i] == wanted)
			return data + i;
	return nullptr;
}

enum class Size { Small, Medium, Large };
__host__ __device__ inline Pair<Size, int> classify(int x) {
	return x < 10   ? Pair<Size, int>{Size::Small, x}
		   : x < 60 ? Pair<Size, int>{Size::Medium, x - 10}
					: Pair<Size, int>{Size::Large, x - 60};
}

struct Result {
	int quotients, spread, found, sizes, steps;
	float area, twisted;
};

__host__ __device__ inline void compute(const int *data, int n, const Box *boxes, int wanted, Result &out) {
	int quotients = 0;
	for (int i = 0; i + 1 < n; i++) {
		if (auto [value, fine] = divide(data[i], data[i + 1] % 5); fine)
			quotients += value;
		else
			quotients += 10000 + value;
	}
	out.quotients = quotients;

	const auto [low, high, place] = extremes(data, n);
	out.spread = (high - low) * 100 + place;

	out.found = -1;
	if (const int *place = find(data, n, wanted))
		out.found = (int)(place - data);
	else if (int missing = wanted * 2; missing > n)
		out.found -= missing;

	int sizes = 0;
	for (int i = 0; i < n; i++)
		switch (auto [size, rest] = classify(data[i]); size) {
		case Size::Small: sizes += rest; break;
		case Size::Medium: sizes += 1000; [[fallthrough]];
		case Size::Large: sizes += rest * 2; break;
		}
	out.sizes = sizes;

	int steps = 0, x = wanted + 1;
	while (int bit = x & -x) {
		steps = steps * 3 + (bit > 8);
		x ^= bit;
	}
	for (; int left = wanted - steps % 7; wanted -= 3)
		if (left < 0)
			break;
	out.steps = steps * 100 + wanted;

	float area = 0;
	for (int i = 0; i < 3; i++) {
		const auto &[low, high, id] = boxes[i];
		auto [x0, y0] = low;
		auto &[x1, y1] = high;
		area += (x1 - x0) * (y1 - y0) * (id + 1);
	}
	out.area = area;

	float4 v = make_float4(1, 2, data[0], 4);
	auto &[a, b, c, d] = v;
	a += c;
	d = a * b;
	auto both = make_pair_of(v, make_pair_of(2.0f, 'x'));
	auto [vector, other] = both;
	auto [scale, letter] = other;
	out.twisted = vector.w * scale + (letter - 'a') + v.x;
}

constexpr int EACH = 8;

__global__ void kernel(const int *data, const Box *boxes, Result *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		compute(data + i * EACH, 2 + i % (EACH - 1), boxes + i % 7, i % 50, out[i]);
}

int main() {
	const int n = 180;
	std::vector<int> data(n * EACH);
	std::vector<Box> boxes(10);
	Random random(23);
	for (int &x : data)
		x = random.below(100);
	for (int i = 0; i < 10; i++)
		boxes[i] = {{i * 0.5f, i * 0.25f}, {i * 0.5f + 2, i + 1.0f}, i % 4};
	int *d_data = to_device(data);
	Box *d_boxes = to_device(boxes);
	Result *out = device_array<Result>(n);
	kernel<<<4, 48>>>(d_data, d_boxes, out, n);
	CHECK_LAUNCH();
	std::vector<Result> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		Result e;
		compute(&data[i * EACH], 2 + i % (EACH - 1), &boxes[i % 7], i % 50, e);
		expect_equal("quotients", i, got[i].quotients, e.quotients);
		expect_equal("spread", i, got[i].spread, e.spread);
		expect_equal("found", i, got[i].found, e.found);
		expect_equal("sizes", i, got[i].sizes, e.sizes);
		expect_equal("steps", i, got[i].steps, e.steps);
		expect_near("area", i, got[i].area, e.area, 1e-6);
		expect_near("twisted", i, got[i].twisted, (1 + data[i * EACH]) * 4 + 23 + 1 + data[i * EACH], 1e-6);
	}
	return verdict();
}
