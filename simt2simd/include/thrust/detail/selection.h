/* Thrust: some of the elements, runs of equal elements, and partitions. */
#ifndef S2S_THRUST_SELECTION_H
#define S2S_THRUST_SELECTION_H

#include "../../parallel/select.h"
#include "elementwise.h"

namespace thrust {

namespace details {

/* Call `take(i, at)` for the chosen elements and `leave(i, at)` for the others; return how many are chosen. */
template <class Policy, class Chosen, class Take, class Leave>
__host__ __device__ inline size_t choose(const Policy &policy, size_t count, Chosen chosen, Take take, Leave leave) {
	if constexpr (Policy::launches) {
		size_t number = s2s_parallel::counts_of_select(count);
		Temporary<size_t> counts(number + 1);
		size_t *total = counts.get() + number;
		s2s_parallel::select(count, chosen, take, leave, total, counts.get(), policy.stream);
		wait(policy);
		return *total;
	} else {
		size_t at = 0;
		for (size_t i = 0; i < count; i++) {
			if (chosen(i)) {
				take(i, at);
				at++;
			} else {
				leave(i, i - at);
			}
		}
		return at;
	}
}

template <class It, class Predicate> struct Fulfils {
	It it;
	mutable Predicate predicate;
	__host__ __device__ bool operator()(size_t i) const {
		return predicate(it[i]);
	}
};
template <class It, class Equal> struct Begins {
	It it;
	mutable Equal equal;
	__host__ __device__ bool operator()(size_t i) const {
		return i == 0 || !equal(it[i - 1], it[i]);
	}
};
struct Leave {
	__host__ __device__ void operator()(size_t, size_t) const {
	}
};
template <class In, class Out> struct CopyTo {
	In in;
	mutable Out out;
	__host__ __device__ void operator()(size_t i, size_t at) const {
		out[at] = in[i];
	}
};
template <class One, class Other> struct BothOf {
	One one;
	Other other;
	__host__ __device__ void operator()(size_t i, size_t at) const {
		one(i, at);
		other(i, at);
	}
};
struct NoteBegin {
	size_t *begins;
	__host__ __device__ void operator()(size_t i, size_t at) const {
		begins[at] = i;
	}
};

/* The chosen elements of an array move to its front; kernels go by way of a copy, for they move out of order. */
template <class Policy, class It, class Chosen>
__host__ __device__ inline It keep(const Policy &policy, It first, size_t count, Chosen chosen) {
	typedef Bare<It> In;
	auto in = bare(first);
	if constexpr (Policy::launches) {
		typedef ValueOf<It> T;
		Temporary<T> kept(count);
		size_t number = choose(policy, count, chosen, CopyTo<In, T *>{in, kept.get()}, Leave());
		thrust::copy(policy, device_ptr<T>(kept.get()), device_ptr<T>(kept.get()) + number, first);
		return first + number;
	} else {
		return first + choose(policy, count, chosen, CopyTo<In, In>{in, in}, Leave());
	}
}

} /* namespace details */

template <class Policy, class In, class Stencil, class Out, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ Out copy_if(
	const Policy &policy, In first, In last, Stencil stencil, Out out, Predicate predicate) {
	details::Fulfils<details::Bare<Stencil>, Predicate> chosen = {details::bare(stencil), predicate};
	details::CopyTo<details::Bare<In>, details::Bare<Out>> take = {details::bare(first), details::bare(out)};
	return out + details::choose(policy, last - first, chosen, take, details::Leave());
}
template <class Policy, class In, class Out, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ Out copy_if(const Policy &policy, In first, In last, Out out, Predicate predicate) {
	return thrust::copy_if(policy, first, last, first, out, predicate);
}
S2S_THRUST_ALGORITHM(copy_if)

template <class Policy, class In, class Out, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ Out remove_copy_if(const Policy &policy, In first, In last, Out out, Predicate predicate) {
	return thrust::copy_if(policy, first, last, out, unary_negate<Predicate>{predicate});
}
S2S_THRUST_ALGORITHM(remove_copy_if)
template <class Policy, class It, class Stencil, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ It remove_if(const Policy &policy, It first, It last, Stencil stencil, Predicate predicate) {
	details::Fulfils<details::Bare<Stencil>, unary_negate<Predicate>> chosen = {
		details::bare(stencil), unary_negate<Predicate>{predicate}};
	return details::keep(policy, first, last - first, chosen);
}
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ It remove_if(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::remove_if(policy, first, last, first, predicate);
}
S2S_THRUST_ALGORITHM(remove_if)
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ It remove(const Policy &policy, It first, It last, T value) {
	return thrust::remove_if(policy, first, last, details::EqualTo<T>{value});
}
S2S_THRUST_ALGORITHM(remove)

template <class Policy, class It, class Equal, details::IfPolicy<Policy> = 0>
__host__ __device__ It unique(const Policy &policy, It first, It last, Equal equal) {
	if constexpr (Policy::launches) {
		details::Begins<details::Bare<It>, Equal> chosen = {details::bare(first), equal};
		return details::keep(policy, first, last - first, chosen);
	} else {
		It kept = first;
		for (It it = first; it != last; ++it) {
			if (it == first || !equal(*(kept - 1), *it)) {
				*kept = *it;
				++kept;
			}
		}
		return kept;
	}
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ It unique(const Policy &policy, It first, It last) {
	return thrust::unique(policy, first, last, equal_to<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(unique)
template <class Policy, class In, class Out, class Equal, details::IfPolicy<Policy> = 0>
__host__ __device__ Out unique_copy(const Policy &policy, In first, In last, Out out, Equal equal) {
	details::Begins<details::Bare<In>, Equal> chosen = {details::bare(first), equal};
	details::CopyTo<details::Bare<In>, details::Bare<Out>> take = {details::bare(first), details::bare(out)};
	return out + details::choose(policy, last - first, chosen, take, details::Leave());
}
template <class Policy, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out unique_copy(const Policy &policy, In first, In last, Out out) {
	return thrust::unique_copy(policy, first, last, out, equal_to<details::ValueOf<In>>());
}
S2S_THRUST_ALGORITHM(unique_copy)

template <class Policy, class Keys, class Values, class OutKeys, class OutValues, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<OutKeys, OutValues> unique_by_key_copy(
	const Policy &policy, Keys first, Keys last, Values values, OutKeys out_keys, OutValues out_values) {
	typedef equal_to<details::ValueOf<Keys>> Equal;
	typedef details::CopyTo<details::Bare<Keys>, details::Bare<OutKeys>> TakeKey;
	typedef details::CopyTo<details::Bare<Values>, details::Bare<OutValues>> TakeValue;
	details::Begins<details::Bare<Keys>, Equal> chosen = {details::bare(first), Equal()};
	details::BothOf<TakeKey, TakeValue> take = {
		{details::bare(first), details::bare(out_keys)}, {details::bare(values), details::bare(out_values)}};
	size_t count = details::choose(policy, last - first, chosen, take, details::Leave());
	return pair<OutKeys, OutValues>(out_keys + count, out_values + count);
}
S2S_THRUST_ALGORITHM(unique_by_key_copy)
template <class Policy, class Keys, class Values, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<Keys, Values> unique_by_key(const Policy &policy, Keys first, Keys last, Values values) {
	size_t count = last - first;
	if constexpr (Policy::launches) {
		typedef details::ValueOf<Keys> K;
		typedef details::ValueOf<Values> V;
		details::Temporary<K> keys(count);
		details::Temporary<V> others(count);
		device_ptr<K> kept(keys.get());
		device_ptr<V> kept_values(others.get());
		size_t number = thrust::unique_by_key_copy(policy, first, last, values, kept, kept_values).first - kept;
		thrust::copy(policy, kept, kept + number, first);
		thrust::copy(policy, kept_values, kept_values + number, values);
		return pair<Keys, Values>(first + number, values + number);
	} else {
		size_t number = 0;
		for (size_t i = 0; i < count; i++) {
			if (i > 0 && first[number - 1] == first[i])
				continue;
			first[number] = first[i];
			values[number] = values[i];
			number++;
		}
		return pair<Keys, Values>(first + number, values + number);
	}
}
S2S_THRUST_ALGORITHM(unique_by_key)

template <class Policy, class Keys, class Values, class OutKeys, class OutValues, class Equal, class Op,
	details::IfPolicy<Policy> = 0>
__host__ __device__ pair<OutKeys, OutValues> reduce_by_key(const Policy &policy, Keys first, Keys last, Values values,
	OutKeys out_keys, OutValues out_values, Equal equal, Op op) {
	typedef details::ValueOf<Values> T;
	size_t count = last - first, runs = 0;
	auto keys = details::bare(first);
	auto in = details::bare(values);
	auto to_keys = details::bare(out_keys);
	auto to_values = details::bare(out_values);
	if constexpr (Policy::launches) {
		typedef details::CopyTo<details::Bare<Keys>, details::Bare<OutKeys>> TakeKey;
		details::Begins<details::Bare<Keys>, Equal> chosen = {keys, equal};
		details::Temporary<size_t> begins(count + 1);
		details::BothOf<TakeKey, details::NoteBegin> take = {{keys, to_keys}, {begins.get()}};
		runs = details::choose(policy, count, chosen, take, details::Leave());
		size_t *total = begins.get() + count;
		*total = runs;
		s2s_parallel::reduce_runs<T>(begins.get(), total, in, to_values, op, count, policy.stream);
		details::wait(policy);
	} else {
		for (size_t i = 0; i < count; runs++) {
			T sum = in[i];
			size_t begin = i;
			for (i++; i < count && equal(keys[i - 1], keys[i]); i++)
				sum = op(sum, in[i]);
			to_keys[runs] = keys[begin];
			to_values[runs] = sum;
		}
	}
	return pair<OutKeys, OutValues>(out_keys + runs, out_values + runs);
}
template <class Policy, class Keys, class Values, class OutKeys, class OutValues, class Equal,
	details::IfPolicy<Policy> = 0>
__host__ __device__ pair<OutKeys, OutValues> reduce_by_key(
	const Policy &policy, Keys first, Keys last, Values values, OutKeys out_keys, OutValues out_values, Equal equal) {
	return thrust::reduce_by_key(
		policy, first, last, values, out_keys, out_values, equal, plus<details::ValueOf<Values>>());
}
template <class Policy, class Keys, class Values, class OutKeys, class OutValues, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<OutKeys, OutValues> reduce_by_key(
	const Policy &policy, Keys first, Keys last, Values values, OutKeys out_keys, OutValues out_values) {
	return thrust::reduce_by_key(policy, first, last, values, out_keys, out_values, equal_to<details::ValueOf<Keys>>());
}
S2S_THRUST_ALGORITHM(reduce_by_key)

template <class Policy, class In, class Stencil, class OutTrue, class OutFalse, class Predicate,
	details::IfPolicy<Policy> = 0>
__host__ __device__ pair<OutTrue, OutFalse> partition_copy(
	const Policy &policy, In first, In last, Stencil stencil, OutTrue out, OutFalse others, Predicate predicate) {
	details::Fulfils<details::Bare<Stencil>, Predicate> chosen = {details::bare(stencil), predicate};
	details::CopyTo<details::Bare<In>, details::Bare<OutTrue>> take = {details::bare(first), details::bare(out)};
	details::CopyTo<details::Bare<In>, details::Bare<OutFalse>> leave = {details::bare(first), details::bare(others)};
	size_t count = last - first, number = details::choose(policy, count, chosen, take, leave);
	return pair<OutTrue, OutFalse>(out + number, others + (count - number));
}
template <class Policy, class In, class OutTrue, class OutFalse, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<OutTrue, OutFalse> partition_copy(
	const Policy &policy, In first, In last, OutTrue out, OutFalse others, Predicate predicate) {
	return thrust::partition_copy(policy, first, last, first, out, others, predicate);
}
S2S_THRUST_ALGORITHM(partition_copy)
template <class Policy, class... Rest, details::IfPolicy<Policy> = 0>
__host__ __device__ auto stable_partition_copy(const Policy &policy, Rest... rest) {
	return thrust::partition_copy(policy, rest...);
}
S2S_THRUST_ALGORITHM(stable_partition_copy)

/* On the device only: by way of a copy. */
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
It stable_partition(const Policy &policy, It first, It last, Predicate predicate) {
	typedef details::ValueOf<It> T;
	size_t count = last - first;
	details::Temporary<T> copies(2 * count + 1);
	device_ptr<T> chosen(copies.get()), others = chosen + count;
	size_t number = thrust::partition_copy(policy, first, last, chosen, others, predicate).first - chosen;
	thrust::copy(policy, chosen, chosen + number, first);
	thrust::copy(policy, others, others + (count - number), first + number);
	return first + number;
}
template <class It, class Predicate, details::IfNoPolicy<It> = 0>
It stable_partition(It first, It last, Predicate predicate) {
	return thrust::stable_partition(details::PolicyOf<It>(), first, last, predicate);
}
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
It partition(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::stable_partition(policy, first, last, predicate);
}
template <class It, class Predicate, details::IfNoPolicy<It> = 0> It partition(It first, It last, Predicate predicate) {
	return thrust::stable_partition(details::PolicyOf<It>(), first, last, predicate);
}

} /* namespace thrust */

#endif
