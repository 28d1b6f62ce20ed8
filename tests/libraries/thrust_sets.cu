/* Sorted ranges as sets, and other algorithms on two ranges: each compared with the C++ library's. */
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/replace.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#define CHECK(x)                                                                                                       \
	do {                                                                                                               \
		if (!(x))                                                                                                      \
			printf("%d: %s\n", __LINE__, #x);                                                                          \
	} while (0)

typedef std::vector<int> Ints;

struct Even {
	__host__ __device__ bool operator()(int x) const {
		return x % 2 == 0;
	}
};

struct Seven {
	__host__ __device__ int operator()() const {
		return 7;
	}
};

Ints sorted(int count, int most, int seed) {
	std::mt19937 random(seed);
	Ints made(count);
	for (int &x : made)
		x = random() % most;
	std::sort(made.begin(), made.end());
	return made;
}

template <class End> Ints until(const thrust::device_vector<int> &out, End end) {
	return Ints(out.begin(), out.begin() + (end - out.begin()));
}

#define SET(name)                                                                                                      \
	{                                                                                                                  \
		Ints expected;                                                                                                 \
		std::name(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));                               \
		auto end = thrust::name(x.begin(), x.end(), y.begin(), y.end(), out.begin());                                  \
		CHECK(until(out, end) == expected);                                                                            \
		Ints host(a.size() + b.size());                                                                                \
		host.resize(thrust::name(thrust::host, a.begin(), a.end(), b.begin(), b.end(), host.begin()) - host.begin());  \
		CHECK(host == expected);                                                                                       \
		auto ends = thrust::name##_by_key(x.begin(), x.end(), y.begin(), y.end(), KEYS, out.begin(), values.begin());  \
		CHECK(until(out, ends.first) == expected && ends.second - values.begin() == (long)expected.size());            \
		for (size_t i = 0; i < expected.size(); i++)                                                                   \
			CHECK(values[i] == expected[i] * 3 || values[i] == expected[i] * 5);                                       \
	}

void compare(const Ints &a, const Ints &b) {
	thrust::device_vector<int> x = a, y = b, out(a.size() + b.size()), values(out.size()), thrice = a, fivefold = b;
	for (size_t i = 0; i < a.size(); i++)
		thrice[i] = a[i] * 3;
	for (size_t i = 0; i < b.size(); i++)
		fivefold[i] = b[i] * 5;
#define KEYS thrice.begin(), fivefold.begin()
	SET(set_union)
	SET(set_difference)
	SET(set_symmetric_difference)
#undef KEYS
#define KEYS thrice.begin()
	SET(set_intersection)
	Ints expected(out.size());
	std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
	auto ends = thrust::merge_by_key(x.begin(), x.end(), y.begin(), y.end(), thrice.begin(), fivefold.begin(),
		out.begin(), values.begin());
	CHECK(until(out, ends.first) == expected && ends.second == values.end());
	for (size_t i = 0; i < expected.size(); i++)
		CHECK(values[i] == expected[i] * (i > 0 && expected[i] == expected[i - 1] && values[i - 1] != expected[i] * 3
											  ? 5
											  : values[i] == expected[i] * 3 ? 3 : 5));
}

int main() {
	compare({}, {});
	compare({1, 2, 2, 3}, {});
	compare({}, {4, 4});
	compare({1, 2, 2, 2, 5, 9}, {2, 2, 3, 5, 5});
	compare(sorted(1000, 300, 1), sorted(700, 400, 2));

	thrust::device_vector<int> x = Ints{5, 6, 7, 8}, map = Ints{3, 1, 0, 2}, out(4, -1);
	thrust::device_vector<int> stencil = Ints{1, 0, 1, 0};
	thrust::gather_if(map.begin(), map.end(), stencil.begin(), x.begin(), out.begin());
	CHECK(Ints(out.begin(), out.end()) == (Ints{8, -1, 5, -1}));
	thrust::scatter_if(thrust::device, x.begin(), x.end(), map.begin(), stencil.begin(), out.begin(), Even());
	CHECK(Ints(out.begin(), out.end()) == (Ints{8, 6, 8, -1}));
	thrust::replace_copy_if(x.begin(), x.end(), out.begin(), Even(), 0);
	CHECK(Ints(out.begin(), out.end()) == (Ints{5, 0, 7, 0}));
	thrust::replace_copy(x.begin(), x.end(), out.begin(), 7, 70);
	CHECK(Ints(out.begin(), out.end()) == (Ints{5, 6, 70, 8}));
	CHECK(thrust::generate_n(out.begin(), 2, Seven()) - out.begin() == 2 && out[1] == 7 && out[2] == 70);

	thrust::device_vector<int> steps = Ints{1, 2, 2, 2, 7, 3, 4};
	auto range = thrust::equal_range(steps.begin(), steps.begin() + 5, 2);
	CHECK(range.first - steps.begin() == 1 && range.second - steps.begin() == 4);
	CHECK(thrust::is_sorted_until(steps.begin(), steps.end()) - steps.begin() == 5);
	CHECK(thrust::is_sorted_until(steps.begin(), steps.begin() + 1) - steps.begin() == 1);
	thrust::device_vector<int> parted = Ints{2, 8, 4, 5, 7};
	CHECK(thrust::is_partitioned(parted.begin(), parted.end(), Even()));
	CHECK(!thrust::is_partitioned(steps.begin(), steps.end(), Even()));
	CHECK(thrust::partition_point(parted.begin(), parted.end(), Even()) - parted.begin() == 3);
	printf("done\n");
}
