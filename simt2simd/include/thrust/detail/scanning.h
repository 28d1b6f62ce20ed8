/* Thrust: prefixes. */
#ifndef S2S_THRUST_SCANNING_H
#define S2S_THRUST_SCANNING_H

#include "../../parallel/scan.h"
#include "elementwise.h"

namespace s2s_parallel {

template <class T> struct Commutes<thrust::maximum<T>> {
	static constexpr bool value = true;
};
template <class T> struct Commutes<thrust::minimum<T>> {
	static constexpr bool value = true;
};

} /* namespace s2s_parallel */

namespace thrust {

namespace details {

template <bool Exclusive, bool Initial, class T, class Policy, class In, class Out, class Op>
__host__ __device__ inline void scan(const Policy &policy, In in, Out out, size_t count, Op op, T initial) {
	if constexpr (Policy::launches) {
		s2s_parallel::Arena needed(nullptr);
		s2s_parallel::ScanSpace<T>(needed, count);
		Temporary<char> memory(needed.used());
		s2s_parallel::Arena arena(memory.get());
		s2s_parallel::ScanSpace<T> space(arena, count);
		s2s_parallel::scan<T, Exclusive, Initial>(in, out, count, op, initial, space, policy.stream);
		wait(policy);
	} else {
		T sum = initial;
		size_t i = 0;
		if (!Initial && count > 0) {
			sum = in[0];
			out[0] = sum;
			i = 1;
		}
		for (; i < count; i++) {
			T value = in[i];
			if constexpr (Exclusive) {
				out[i] = sum;
				sum = op(sum, value);
			} else {
				sum = op(sum, value);
				out[i] = sum;
			}
		}
	}
}

/* Prefixes within runs of equal keys: pairs of a sum and whether a run begins within it. */
template <class T> struct RunSum {
	T sum;
	bool begins;
};

template <class T, class Keys, class Values, class Equal> struct RunValues {
	Keys keys;
	Values values;
	mutable Equal equal;
	__host__ __device__ RunSum<T> operator[](size_t i) const {
		return RunSum<T>{values[i], i == 0 || !equal(keys[i - 1], keys[i])};
	}
};

/* The value before each one, or the initial value where a run begins. */
template <class T, class Keys, class Values, class Equal, class Op> struct RunValuesBefore {
	Keys keys;
	Values values;
	mutable Equal equal;
	mutable Op op;
	T initial;
	__host__ __device__ RunSum<T> operator[](size_t i) const {
		bool begins = i == 0 || !equal(keys[i - 1], keys[i]);
		return RunSum<T>{begins ? initial : (T)values[i - 1], begins};
	}
};

template <class T, class Op> struct SumWithinRun {
	mutable Op op;
	__host__ __device__ RunSum<T> operator()(const RunSum<T> &a, const RunSum<T> &b) const {
		return RunSum<T>{b.begins ? b.sum : (T)op(a.sum, b.sum), a.begins || b.begins};
	}
};

template <class T, class Out> struct SumsOnly {
	struct Place {
		Out out;
		size_t i;
		__host__ __device__ void operator=(const RunSum<T> &value) {
			out[i] = value.sum;
		}
	};
	Out out;
	__host__ __device__ Place operator[](size_t i) const {
		return Place{out, i};
	}
};

} /* namespace details */

template <class Policy, class In, class Out, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ Out inclusive_scan(const Policy &policy, In first, In last, Out out, Op op) {
	typedef details::ValueOf<In> T;
	details::scan<false, false>(policy, details::bare(first), details::bare(out), last - first, op, T());
	return out + (last - first);
}
template <class Policy, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out inclusive_scan(const Policy &policy, In first, In last, Out out) {
	return thrust::inclusive_scan(policy, first, last, out, plus<details::ValueOf<In>>());
}
S2S_THRUST_ALGORITHM(inclusive_scan)

template <class Policy, class In, class Out, class T, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ Out exclusive_scan(const Policy &policy, In first, In last, Out out, T initial, Op op) {
	details::scan<true, true>(policy, details::bare(first), details::bare(out), last - first, op, initial);
	return out + (last - first);
}
template <class Policy, class In, class Out, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ Out exclusive_scan(const Policy &policy, In first, In last, Out out, T initial) {
	return thrust::exclusive_scan(policy, first, last, out, initial, plus<T>());
}
template <class Policy, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out exclusive_scan(const Policy &policy, In first, In last, Out out) {
	typedef details::ValueOf<In> T;
	return thrust::exclusive_scan(policy, first, last, out, T(0), plus<T>());
}
S2S_THRUST_ALGORITHM(exclusive_scan)

template <class Policy, class In, class Out, class F, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ Out transform_inclusive_scan(const Policy &policy, In first, In last, Out out, F f, Op op) {
	return thrust::inclusive_scan(
		policy, thrust::make_transform_iterator(first, f), thrust::make_transform_iterator(last, f), out, op);
}
S2S_THRUST_ALGORITHM(transform_inclusive_scan)
template <class Policy, class In, class Out, class F, class T, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ Out transform_exclusive_scan(
	const Policy &policy, In first, In last, Out out, F f, T initial, Op op) {
	return thrust::exclusive_scan(
		policy, thrust::make_transform_iterator(first, f), thrust::make_transform_iterator(last, f), out, initial, op);
}
S2S_THRUST_ALGORITHM(transform_exclusive_scan)

template <class Policy, class Keys, class Values, class Out, class Equal, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ Out inclusive_scan_by_key(
	const Policy &policy, Keys first, Keys last, Values values, Out out, Equal equal, Op op) {
	typedef details::ValueOf<Values> T;
	details::RunValues<T, details::Bare<Keys>, details::Bare<Values>, Equal> pairs = {
		details::bare(first), details::bare(values), equal};
	details::SumsOnly<T, details::Bare<Out>> sums = {details::bare(out)};
	details::scan<false, false>(
		policy, pairs, sums, last - first, details::SumWithinRun<T, Op>{op}, details::RunSum<T>());
	return out + (last - first);
}
template <class Policy, class Keys, class Values, class Out, class Equal, details::IfPolicy<Policy> = 0>
__host__ __device__ Out inclusive_scan_by_key(
	const Policy &policy, Keys first, Keys last, Values values, Out out, Equal equal) {
	return thrust::inclusive_scan_by_key(policy, first, last, values, out, equal, plus<details::ValueOf<Values>>());
}
template <class Policy, class Keys, class Values, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out inclusive_scan_by_key(const Policy &policy, Keys first, Keys last, Values values, Out out) {
	return thrust::inclusive_scan_by_key(policy, first, last, values, out, equal_to<details::ValueOf<Keys>>());
}
S2S_THRUST_ALGORITHM(inclusive_scan_by_key)

/* The values must not be written over: `out` is another array. */
template <class Policy, class Keys, class Values, class Out, class T, class Equal, class Op,
	details::IfPolicy<Policy> = 0>
__host__ __device__ Out exclusive_scan_by_key(
	const Policy &policy, Keys first, Keys last, Values values, Out out, T initial, Equal equal, Op op) {
	details::RunValuesBefore<T, details::Bare<Keys>, details::Bare<Values>, Equal, Op> pairs = {
		details::bare(first), details::bare(values), equal, op, initial};
	details::SumsOnly<T, details::Bare<Out>> sums = {details::bare(out)};
	details::scan<false, false>(
		policy, pairs, sums, last - first, details::SumWithinRun<T, Op>{op}, details::RunSum<T>());
	return out + (last - first);
}
template <class Policy, class Keys, class Values, class Out, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ Out exclusive_scan_by_key(
	const Policy &policy, Keys first, Keys last, Values values, Out out, T initial) {
	return thrust::exclusive_scan_by_key(
		policy, first, last, values, out, initial, equal_to<details::ValueOf<Keys>>(), plus<T>());
}
template <class Policy, class Keys, class Values, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out exclusive_scan_by_key(const Policy &policy, Keys first, Keys last, Values values, Out out) {
	typedef details::ValueOf<Values> T;
	return thrust::exclusive_scan_by_key(policy, first, last, values, out, T(0));
}
S2S_THRUST_ALGORITHM(exclusive_scan_by_key)

} /* namespace thrust */

#endif
