/* Thrust: searches in sorted ranges, and mergers of them. */
#ifndef S2S_THRUST_SEARCHING_H
#define S2S_THRUST_SEARCHING_H

#include "../../parallel/merge_sort.h"
#include "elementwise.h"

namespace thrust {

namespace details {

/* The first place whose element is not before the value; `Upper`: is after it. */
template <bool Upper, class It, class T, class Compare>
__host__ __device__ inline size_t bound(It it, size_t count, const T &value, Compare compare) {
	size_t low = 0;
	while (low < count) {
		size_t middle = (low + count) / 2;
		bool before;
		if constexpr (Upper)
			before = !compare(value, it[middle]);
		else
			before = compare(it[middle], value);
		if (before)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

enum class Asked { lower, upper, whether };

template <Asked What, class It, class Values, class Out, class Compare> struct Search {
	It it;
	size_t count;
	Values values;
	Out out;
	mutable Compare compare;
	__host__ __device__ void operator()(size_t i) {
		ValueOf<Values> value = values[i];
		size_t at = bound<What == Asked::upper>(it, count, value, compare);
		if constexpr (What == Asked::whether)
			out[i] = at < count && !compare(value, it[at]);
		else
			out[i] = at;
	}
};

template <Asked What, class Policy, class It, class Values, class Out, class Compare>
__host__ __device__ inline Out search_all(
	const Policy &policy, It first, It last, Values begin, Values end, Out out, Compare compare) {
	typedef Search<What, Bare<It>, Bare<Values>, Bare<Out>, Compare> Body;
	for_all(policy, end - begin, Body{bare(first), (size_t)(last - first), bare(begin), bare(out), compare});
	return out + (end - begin);
}

} /* namespace details */

/* With a range of values, each one is searched; with one value, the iterator is returned. */
#define S2S_THRUST_SEARCH(name, what)                                                                                  \
	template <class Policy, class It, class Values, class Out, class Compare, details::IfPolicy<Policy> = 0>           \
	__host__ __device__ Out name(                                                                                      \
		const Policy &policy, It first, It last, Values begin, Values end, Out out, Compare compare) {                 \
		return details::search_all<details::Asked::what>(policy, first, last, begin, end, out, compare);               \
	}                                                                                                                  \
	template <class Policy, class It, class Values, class Out, details::IfPolicy<Policy> = 0>                          \
	__host__ __device__ Out name(const Policy &policy, It first, It last, Values begin, Values end, Out out) {         \
		return details::search_all<details::Asked::what>(                                                              \
			policy, first, last, begin, end, out, less<details::ValueOf<It>>());                                       \
	}

S2S_THRUST_SEARCH(lower_bound, lower)
S2S_THRUST_SEARCH(upper_bound, upper)
S2S_THRUST_SEARCH(binary_search, whether)
#undef S2S_THRUST_SEARCH

template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ It lower_bound(const Policy &, It first, It last, const T &value) {
	details::wait_on_host();
	return first + details::bound<false>(details::bare(first), last - first, value, less<void>());
}
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ It upper_bound(const Policy &, It first, It last, const T &value) {
	details::wait_on_host();
	return first + details::bound<true>(details::bare(first), last - first, value, less<void>());
}
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ bool binary_search(const Policy &policy, It first, It last, const T &value) {
	It at = thrust::lower_bound(policy, first, last, value);
	return at != last && !(value < *at);
}
S2S_THRUST_ALGORITHM(lower_bound)
S2S_THRUST_ALGORITHM(upper_bound)
S2S_THRUST_ALGORITHM(binary_search)

template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<It, It> equal_range(const Policy &policy, It first, It last, const T &value) {
	return pair<It, It>(
		thrust::lower_bound(policy, first, last, value), thrust::upper_bound(policy, first, last, value));
}
S2S_THRUST_ALGORITHM(equal_range)

namespace details {

/* Which element of two sorted ranges is number k of their merger: of the first one if `second` says no. */
struct MergedFrom {
	bool second;
	size_t at;
	template <class A, class B, class Compare>
	__host__ __device__ MergedFrom(A a, size_t a_count, B b, size_t b_count, size_t k, Compare compare) {
		size_t low = k > b_count ? k - b_count : 0, high = k < a_count ? k : a_count;
		while (low < high) {
			size_t middle = (low + high) / 2;
			if (compare(b[k - 1 - middle], a[middle]))
				high = middle;
			else
				low = middle + 1;
		}
		size_t j = k - low;
		second = low == a_count || (j < b_count && compare(b[j], a[low]));
		at = second ? j : low;
	}
};

template <class A, class B, class Out, class Compare> struct MergeAt {
	A a;
	B b;
	Out out;
	mutable Compare compare;
	size_t a_count, b_count;
	__host__ __device__ void operator()(size_t k) {
		MergedFrom from(a, a_count, b, b_count, k, compare);
		if (from.second)
			out[k] = b[from.at];
		else
			out[k] = a[from.at];
	}
};

template <class A, class B, class AValues, class BValues, class Out, class OutValues, class Compare>
struct MergePairAt {
	A a;
	B b;
	AValues a_values;
	BValues b_values;
	Out out;
	OutValues out_values;
	mutable Compare compare;
	size_t a_count, b_count;
	__host__ __device__ void operator()(size_t k) {
		MergedFrom from(a, a_count, b, b_count, k, compare);
		if (from.second) {
			out[k] = b[from.at];
			out_values[k] = b_values[from.at];
		} else {
			out[k] = a[from.at];
			out_values[k] = a_values[from.at];
		}
	}
};

} /* namespace details */

template <class Policy, class A, class B, class Out, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ Out merge(
	const Policy &policy, A first, A last, B second, B second_last, Out out, Compare compare) {
	typedef details::MergeAt<details::Bare<A>, details::Bare<B>, details::Bare<Out>, Compare> Body;
	size_t a = last - first, b = second_last - second;
	details::for_all(
		policy, a + b, Body{details::bare(first), details::bare(second), details::bare(out), compare, a, b});
	return out + (a + b);
}
template <class Policy, class A, class B, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out merge(const Policy &policy, A first, A last, B second, B second_last, Out out) {
	return thrust::merge(policy, first, last, second, second_last, out, less<details::ValueOf<A>>());
}
S2S_THRUST_ALGORITHM(merge)

template <class Policy, class A, class B, class AValues, class BValues, class Out, class OutValues, class Compare,
	details::IfPolicy<Policy> = 0>
__host__ __device__ pair<Out, OutValues> merge_by_key(const Policy &policy, A first, A last, B second, B second_last,
	AValues values, BValues second_values, Out out, OutValues out_values, Compare compare) {
	typedef details::MergePairAt<details::Bare<A>, details::Bare<B>, details::Bare<AValues>, details::Bare<BValues>,
		details::Bare<Out>, details::Bare<OutValues>, Compare>
		Body;
	size_t a = last - first, b = second_last - second;
	details::for_all(policy, a + b,
		Body{details::bare(first), details::bare(second), details::bare(values), details::bare(second_values),
			details::bare(out), details::bare(out_values), compare, a, b});
	return pair<Out, OutValues>(out + (a + b), out_values + (a + b));
}
template <class Policy, class A, class B, class AValues, class BValues, class Out, class OutValues,
	details::IfPolicy<Policy> = 0>
__host__ __device__ pair<Out, OutValues> merge_by_key(const Policy &policy, A first, A last, B second, B second_last,
	AValues values, BValues second_values, Out out, OutValues out_values) {
	return thrust::merge_by_key(
		policy, first, last, second, second_last, values, second_values, out, out_values, less<details::ValueOf<A>>());
}
S2S_THRUST_ALGORITHM(merge_by_key)

} /* namespace thrust */

#endif
