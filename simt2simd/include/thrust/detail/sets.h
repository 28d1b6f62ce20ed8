/* Thrust: sorted ranges as sets. Of equal elements there may be several: each is paired with one of the other range.
 *
 * One thread goes through both ranges.
 */
#ifndef S2S_THRUST_SETS_H
#define S2S_THRUST_SETS_H

#include "elementwise.h"

namespace thrust {

namespace details {

/* Of which elements a set consists: those of the first range alone, of both, of the second alone. */
struct Wanted {
	bool first, both, second;
};

/* Writes keys. */
template <class A, class B, class Out> struct KeysOnly {
	A a;
	B b;
	Out out;
	__host__ __device__ void first(size_t from, size_t at) {
		out[at] = a[from];
	}
	__host__ __device__ void second(size_t from, size_t at) {
		out[at] = b[from];
	}
};

/* Writes values with the keys. */
template <class Keys, class A, class B, class Out> struct WithValues {
	Keys keys;
	A a;
	B b;
	Out out;
	__host__ __device__ void first(size_t from, size_t at) {
		keys.first(from, at);
		out[at] = a[from];
	}
	__host__ __device__ void second(size_t from, size_t at) {
		keys.second(from, at);
		out[at] = b[from];
	}
};

template <class A, class B, class Write, class Compare> struct SetOfBoth {
	A a;
	B b;
	size_t a_count, b_count;
	Wanted wanted;
	Write write;
	mutable Compare compare;
	size_t *written;
	__host__ __device__ void operator()(size_t) {
		size_t i = 0, j = 0, at = 0;
		while (i < a_count || j < b_count) {
			bool first = j == b_count || (i < a_count && compare(a[i], b[j]));
			bool second = !first && (i == a_count || compare(b[j], a[i]));
			if (second) {
				if (wanted.second)
					write.second(j, at++);
				j++;
			} else {
				if (first ? wanted.first : wanted.both)
					write.first(i, at++);
				i++;
				j += !first;
			}
		}
		*written = at;
	}
};

template <class Policy, class A, class B, class Write, class Compare>
__host__ __device__ inline size_t set_of_both(
	const Policy &policy, A first, A last, B second, B second_last, Wanted wanted, Write write, Compare compare) {
	typedef SetOfBoth<Bare<A>, Bare<B>, Write, Compare> Body;
	size_t a = last - first, b = second_last - second;
	if constexpr (Policy::launches) {
		Temporary<size_t> written(1);
		for_all(policy, 1, Body{bare(first), bare(second), a, b, wanted, write, compare, written.get()});
		wait(policy);
		return *written.get();
	} else {
		size_t written = 0;
		for_all(policy, 1, Body{bare(first), bare(second), a, b, wanted, write, compare, &written});
		return written;
	}
}

} /* namespace details */

#define S2S_THRUST_SET(name, a_alone, both, b_alone)                                                                   \
	template <class Policy, class A, class B, class Out, class Compare, details::IfPolicy<Policy> = 0>                 \
	__host__ __device__ Out name(                                                                                      \
		const Policy &policy, A first, A last, B second, B second_last, Out out, Compare compare) {                    \
		typedef details::KeysOnly<details::Bare<A>, details::Bare<B>, details::Bare<Out>> Write;                       \
		return out + details::set_of_both(policy, first, last, second, second_last,                                    \
						 details::Wanted{a_alone, both, b_alone},                                                      \
						 Write{details::bare(first), details::bare(second), details::bare(out)}, compare);             \
	}                                                                                                                  \
	template <class Policy, class A, class B, class Out, details::IfPolicy<Policy> = 0>                                \
	__host__ __device__ Out name(const Policy &policy, A first, A last, B second, B second_last, Out out) {            \
		return thrust::name(policy, first, last, second, second_last, out, less<details::ValueOf<A>>());               \
	}                                                                                                                  \
	S2S_THRUST_ALGORITHM(name)

#define S2S_THRUST_SET_BY_KEY(name, a_alone, both, b_alone)                                                            \
	template <class Policy, class A, class B, class AValues, class BValues, class Out, class OutValues, class Compare, \
		details::IfPolicy<Policy> = 0>                                                                                 \
	__host__ __device__ pair<Out, OutValues> name(const Policy &policy, A first, A last, B second, B second_last,      \
		AValues values, BValues second_values, Out out, OutValues out_values, Compare compare) {                       \
		typedef details::KeysOnly<details::Bare<A>, details::Bare<B>, details::Bare<Out>> Keys;                        \
		typedef details::WithValues<Keys, details::Bare<AValues>, details::Bare<BValues>, details::Bare<OutValues>>    \
			Write;                                                                                                     \
		Keys keys = {details::bare(first), details::bare(second), details::bare(out)};                                 \
		size_t written =                                                                                               \
			details::set_of_both(policy, first, last, second, second_last, details::Wanted{a_alone, both, b_alone},    \
				Write{keys, details::bare(values), details::bare(second_values), details::bare(out_values)}, compare); \
		return pair<Out, OutValues>(out + written, out_values + written);                                              \
	}                                                                                                                  \
	template <class Policy, class A, class B, class AValues, class BValues, class Out, class OutValues,                \
		details::IfPolicy<Policy> = 0>                                                                                 \
	__host__ __device__ pair<Out, OutValues> name(const Policy &policy, A first, A last, B second, B second_last,      \
		AValues values, BValues second_values, Out out, OutValues out_values) {                                        \
		return thrust::name(policy, first, last, second, second_last, values, second_values, out, out_values,          \
			less<details::ValueOf<A>>());                                                                              \
	}                                                                                                                  \
	S2S_THRUST_ALGORITHM(name)

S2S_THRUST_SET(set_union, true, true, true)
S2S_THRUST_SET(set_intersection, false, true, false)
S2S_THRUST_SET(set_difference, true, false, false)
S2S_THRUST_SET(set_symmetric_difference, true, false, true)
S2S_THRUST_SET_BY_KEY(set_union_by_key, true, true, true)
S2S_THRUST_SET_BY_KEY(set_difference_by_key, true, false, false)
S2S_THRUST_SET_BY_KEY(set_symmetric_difference_by_key, true, false, true)
#undef S2S_THRUST_SET
#undef S2S_THRUST_SET_BY_KEY

/* What is in both has the values of the first range. */
template <class Policy, class A, class B, class Values, class Out, class OutValues, class Compare,
	details::IfPolicy<Policy> = 0>
__host__ __device__ pair<Out, OutValues> set_intersection_by_key(const Policy &policy, A first, A last, B second,
	B second_last, Values values, Out out, OutValues out_values, Compare compare) {
	typedef details::KeysOnly<details::Bare<A>, details::Bare<B>, details::Bare<Out>> Keys;
	typedef details::WithValues<Keys, details::Bare<Values>, details::Bare<Values>, details::Bare<OutValues>> Write;
	Keys keys = {details::bare(first), details::bare(second), details::bare(out)};
	size_t written = details::set_of_both(policy, first, last, second, second_last, details::Wanted{false, true, false},
		Write{keys, details::bare(values), details::bare(values), details::bare(out_values)}, compare);
	return pair<Out, OutValues>(out + written, out_values + written);
}
template <class Policy, class A, class B, class Values, class Out, class OutValues, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<Out, OutValues> set_intersection_by_key(
	const Policy &policy, A first, A last, B second, B second_last, Values values, Out out, OutValues out_values) {
	return thrust::set_intersection_by_key(
		policy, first, last, second, second_last, values, out, out_values, less<details::ValueOf<A>>());
}
S2S_THRUST_ALGORITHM(set_intersection_by_key)

} /* namespace thrust */

#endif
