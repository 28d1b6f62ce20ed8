/* Thrust: sorts. Numbers in their natural order sort by their bits, all else by comparisons; all sorts are stable. */
#ifndef S2S_THRUST_SORTING_H
#define S2S_THRUST_SORTING_H

#ifndef __CUDA_ARCH__
#include <algorithm>
#include <vector>
#endif

#include "../../parallel/merge_sort.h"
#include "elementwise.h"

namespace thrust {

namespace details {

/* Whether an order is that of the bits of numbers: 1 rising, -1 falling, 0 neither. */
template <class Key, class Compare> struct BitOrder {
	static constexpr bool number = s2s_parallel::KindOf<Key>::value != s2s_parallel::Kind::none;
	static constexpr bool rising = std::is_same<Compare, less<Key>>::value || std::is_same<Compare, less<void>>::value;
	static constexpr bool falling =
		std::is_same<Compare, greater<Key>>::value || std::is_same<Compare, greater<void>>::value;
	static constexpr int value = !number ? 0 : rising ? 1 : falling ? -1 : 0;
};

/* Sort arrays of the device; `values` may be none. */
template <class Key, class Value, class Compare>
void sort_arrays(Key *keys, Value *values, size_t count, Compare compare, cudaStream_t stream) {
	constexpr bool has_values = !std::is_same<Value, s2s_parallel::NoValue>::value;
	constexpr int order = BitOrder<Key, Compare>::value;
	Temporary<Key> spare_keys(count);
	Temporary<Value> spare_values(has_values ? count : 1);
	if constexpr (order != 0) {
		Temporary<size_t> counts(s2s_parallel::radix_counts(count));
		constexpr int bits = 8 * sizeof(Key);
		/* One pass is odd: then the keys are copied first. */
		constexpr bool odd = bits / s2s_parallel::radix_bits % 2 == 1;
		const Key *from = keys;
		const Value *values_from = values;
		if constexpr (odd) {
			s2s_parallel::each(count, s2s_parallel::CopyOf<Key>{keys, spare_keys.get()}, stream);
			from = spare_keys.get();
			if constexpr (has_values) {
				s2s_parallel::each(count, s2s_parallel::CopyOf<Value>{values, spare_values.get()}, stream);
				values_from = spare_values.get();
			}
		}
		s2s_parallel::radix_sort<(order < 0)>(from, values_from, keys, values, spare_keys.get(), spare_values.get(),
			counts.get(), count, 0, bits, stream);
	} else {
		s2s_parallel::merge_sort(keys, values, spare_keys.get(), spare_values.get(), count, compare, stream);
	}
	cudaStreamSynchronize(stream);
}

/* An array of what an iterator reads: itself where it is one, else a copy that goes back at the end. */
template <class It> class AsArray {
	typedef ValueOf<It> T;

  public:
	AsArray(It first, size_t count, const DevicePolicy &policy) : _first(first), _copy(count), _policy(policy) {
		_count = count;
		thrust::copy(policy, first, first + count, device_ptr<T>(_copy.get()));
	}
	~AsArray() {
		thrust::copy(_policy, device_ptr<T>(_copy.get()), device_ptr<T>(_copy.get()) + _count, _first);
	}
	T *get() const {
		return _copy.get();
	}

  private:
	It _first;
	Temporary<T> _copy;
	DevicePolicy _policy;
	size_t _count;
};
template <class T> class AsArray<T *> {
  public:
	AsArray(T *first, size_t, const DevicePolicy &) : _first(first) {
	}
	T *get() const {
		return _first;
	}

  private:
	T *_first;
};

/* On the host, by the C++ library: the keys' places are sorted, then keys and values are put there. */
#ifndef __CUDA_ARCH__
template <class It, class Compare> void sort_on_host(It keys, size_t count, Compare compare) {
	typedef ValueOf<It> Key;
	std::vector<Key> sorted(count);
	for (size_t i = 0; i < count; i++)
		sorted[i] = keys[i];
	std::stable_sort(sorted.begin(), sorted.end(), compare);
	for (size_t i = 0; i < count; i++)
		keys[i] = sorted[i];
}

template <class Keys, class Values, class Compare>
void sort_pairs_on_host(Keys keys, Values values, size_t count, Compare compare) {
	typedef std::pair<ValueOf<Keys>, ValueOf<Values>> Pair;
	std::vector<Pair> sorted;
	for (size_t i = 0; i < count; i++)
		sorted.push_back(Pair(keys[i], values[i]));
	std::stable_sort(
		sorted.begin(), sorted.end(), [&](const Pair &a, const Pair &b) { return compare(a.first, b.first); });
	for (size_t i = 0; i < count; i++) {
		keys[i] = sorted[i].first;
		values[i] = sorted[i].second;
	}
}
#endif

/* By the one that calls: heaps, in place. */
template <class It, class Compare>
__host__ __device__ inline void sift(It it, size_t at, size_t count, Compare compare) {
	ValueOf<It> value = it[at];
	for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
		if (child + 1 < count && compare(it[child], it[child + 1]))
			child++;
		if (!compare(value, it[child]))
			break;
		it[at] = it[child];
		at = child;
	}
	it[at] = value;
}

/* By the one that calls, stable: each element moves to its place among those before. */
template <class Keys, class Values, class Compare>
__host__ __device__ inline void insert_all(Keys keys, Values values, size_t count, Compare compare) {
	for (size_t i = 1; i < count; i++) {
		ValueOf<Keys> key = keys[i];
		ValueOf<Values> value = values[i];
		size_t at = i;
		for (; at > 0 && compare(key, keys[at - 1]); at--) {
			keys[at] = keys[at - 1];
			values[at] = values[at - 1];
		}
		keys[at] = key;
		values[at] = value;
	}
}

template <class It, class Compare>
__host__ __device__ inline void sort_in_kernel(It it, size_t count, Compare compare) {
	for (size_t at = count / 2; at-- > 0;)
		details::sift(it, at, count, compare);
	for (size_t end = count; end-- > 1;) {
		ValueOf<It> greatest = it[0];
		it[0] = it[end];
		it[end] = greatest;
		details::sift(it, 0, end, compare);
	}
}

} /* namespace details */

template <class Policy, class Keys, class Values, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ void stable_sort_by_key(
	const Policy &policy, Keys first, Keys last, Values values, Compare compare) {
	size_t count = last - first;
	auto keys = details::bare(first);
	auto others = details::bare(values);
	if constexpr (Policy::launches) {
		if (count < 2)
			return;
		details::AsArray<details::Bare<Keys>> key_array(keys, count, policy);
		details::AsArray<details::Bare<Values>> value_array(others, count, policy);
		details::sort_arrays(key_array.get(), value_array.get(), count, compare, policy.stream);
	} else if constexpr (details::in_kernel) {
		details::insert_all(keys, others, count, compare);
	} else {
		details::sort_pairs_on_host(keys, others, count, compare);
	}
}

template <class Policy, class It, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ void stable_sort(const Policy &policy, It first, It last, Compare compare) {
	size_t count = last - first;
	auto keys = details::bare(first);
	if constexpr (Policy::launches) {
		if (count < 2)
			return;
		details::AsArray<details::Bare<It>> array(keys, count, policy);
		s2s_parallel::NoValue *none = nullptr;
		details::sort_arrays(array.get(), none, count, compare, policy.stream);
	} else if constexpr (details::in_kernel) {
		details::insert_all(keys, discard_iterator(), count, compare);
	} else {
		details::sort_on_host(keys, count, compare);
	}
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ void stable_sort(const Policy &policy, It first, It last) {
	thrust::stable_sort(policy, first, last, less<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(stable_sort)
template <class Policy, class Keys, class Values, details::IfPolicy<Policy> = 0>
__host__ __device__ void stable_sort_by_key(const Policy &policy, Keys first, Keys last, Values values) {
	thrust::stable_sort_by_key(policy, first, last, values, less<details::ValueOf<Keys>>());
}
S2S_THRUST_ALGORITHM(stable_sort_by_key)

template <class Policy, class It, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ void sort(const Policy &policy, It first, It last, Compare compare) {
	if constexpr (details::in_kernel)
		details::sort_in_kernel(details::bare(first), (size_t)(last - first), compare);
	else
		thrust::stable_sort(policy, first, last, compare);
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ void sort(const Policy &policy, It first, It last) {
	thrust::sort(policy, first, last, less<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(sort)
template <class Policy, class Keys, class Values, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ void sort_by_key(const Policy &policy, Keys first, Keys last, Values values, Compare compare) {
	thrust::stable_sort_by_key(policy, first, last, values, compare);
}
template <class Policy, class Keys, class Values, details::IfPolicy<Policy> = 0>
__host__ __device__ void sort_by_key(const Policy &policy, Keys first, Keys last, Values values) {
	thrust::stable_sort_by_key(policy, first, last, values);
}
S2S_THRUST_ALGORITHM(sort_by_key)

} /* namespace thrust */

#endif
