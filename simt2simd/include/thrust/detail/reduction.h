/* Thrust: reductions, and what can be said of all elements together. */
#ifndef S2S_THRUST_REDUCTION_H
#define S2S_THRUST_REDUCTION_H

#include "../../parallel/reduce.h"
#include "elementwise.h"

namespace thrust {

template <class Policy, class It, class T, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ T reduce(const Policy &policy, It first, It last, T initial, Op op) {
	size_t count = last - first;
	auto in = details::bare(first);
	if constexpr (Policy::launches) {
		details::Temporary<T> parts(s2s_parallel::parts_of_reduce(count) + 1);
		T *result = parts.get() + s2s_parallel::parts_of_reduce(count);
		s2s_parallel::reduce<T, true>(in, result, count, op, initial, parts.get(), policy.stream);
		details::wait(policy);
		return *result;
	} else {
		T value = initial;
		for (size_t i = 0; i < count; i++)
			value = op(value, in[i]);
		return value;
	}
}
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ T reduce(const Policy &policy, It first, It last, T initial) {
	return thrust::reduce(policy, first, last, initial, plus<T>());
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ auto reduce(const Policy &policy, It first, It last) {
	typedef details::ValueOf<It> T;
	return thrust::reduce(policy, first, last, T(0), plus<T>());
}
S2S_THRUST_ALGORITHM(reduce)

template <class Policy, class It, class F, class T, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ T transform_reduce(const Policy &policy, It first, It last, F f, T initial, Op op) {
	return thrust::reduce(
		policy, thrust::make_transform_iterator(first, f), thrust::make_transform_iterator(last, f), initial, op);
}
S2S_THRUST_ALGORITHM(transform_reduce)

namespace details {

template <class A, class B, class F> struct OfTwo {
	A a;
	B b;
	mutable F f;
	__host__ __device__ auto operator()(size_t i) const {
		return f(a[i], b[i]);
	}
};
template <class It, class Predicate> struct CountOf {
	It it;
	mutable Predicate predicate;
	__host__ __device__ ptrdiff_t operator()(size_t i) const {
		return predicate(it[i]) ? 1 : 0;
	}
};
/* The place of an element that fulfils the predicate; of others, the end. */
template <class It, class Predicate> struct PlaceOf {
	It it;
	mutable Predicate predicate;
	ptrdiff_t end;
	__host__ __device__ ptrdiff_t operator()(size_t i) const {
		return predicate(it[i]) ? (ptrdiff_t)i : end;
	}
};
/* Of two places, that of the lesser element, or of the first where they are the same; `Greatest` asks for the other. */
template <bool Greatest, class It, class Compare> struct Extreme {
	It it;
	mutable Compare compare;
	__host__ __device__ ptrdiff_t operator()(ptrdiff_t a, ptrdiff_t b) const {
		ptrdiff_t low = a < b ? a : b, high = a < b ? b : a;
		bool later;
		if constexpr (Greatest)
			later = compare(it[low], it[high]);
		else
			later = compare(it[high], it[low]);
		return later ? high : low;
	}
};
template <class A, class B> struct Differ {
	A a;
	B b;
	__host__ __device__ bool operator()(size_t i) const {
		return !(a[i] == b[i]);
	}
};
template <class It, class Compare> struct OutOfOrder {
	It it;
	mutable Compare compare;
	__host__ __device__ bool operator()(size_t i) const {
		return compare(it[i + 1], it[i]);
	}
};

template <class Policy, class F, class T, class Op>
__host__ __device__ inline T over_places(const Policy &policy, size_t count, F f, T initial, Op op) {
	return thrust::transform_reduce(
		policy, counting_iterator<size_t>(0), counting_iterator<size_t>(count), f, initial, op);
}

} /* namespace details */

template <class Policy, class A, class B, class T, class Op, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ T inner_product(const Policy &policy, A first, A last, B second, T initial, Op op, F f) {
	typedef details::OfTwo<details::Bare<A>, details::Bare<B>, F> Of;
	return details::over_places(policy, last - first, Of{details::bare(first), details::bare(second), f}, initial, op);
}
template <class Policy, class A, class B, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ T inner_product(const Policy &policy, A first, A last, B second, T initial) {
	return thrust::inner_product(policy, first, last, second, initial, plus<T>(), multiplies<T>());
}
S2S_THRUST_ALGORITHM(inner_product)

template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ ptrdiff_t count_if(const Policy &policy, It first, It last, Predicate predicate) {
	typedef details::CountOf<details::Bare<It>, Predicate> Of;
	return details::over_places(
		policy, last - first, Of{details::bare(first), predicate}, (ptrdiff_t)0, plus<ptrdiff_t>());
}
S2S_THRUST_ALGORITHM(count_if)
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ ptrdiff_t count(const Policy &policy, It first, It last, T value) {
	return thrust::count_if(policy, first, last, details::EqualTo<T>{value});
}
S2S_THRUST_ALGORITHM(count)

template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ It find_if(const Policy &policy, It first, It last, Predicate predicate) {
	typedef details::PlaceOf<details::Bare<It>, Predicate> Of;
	ptrdiff_t end = last - first;
	return first +
		   details::over_places(policy, end, Of{details::bare(first), predicate, end}, end, minimum<ptrdiff_t>());
}
S2S_THRUST_ALGORITHM(find_if)
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ It find_if_not(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::find_if(policy, first, last, unary_negate<Predicate>{predicate});
}
S2S_THRUST_ALGORITHM(find_if_not)
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ It find(const Policy &policy, It first, It last, T value) {
	return thrust::find_if(policy, first, last, details::EqualTo<T>{value});
}
S2S_THRUST_ALGORITHM(find)

template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ bool any_of(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::find_if(policy, first, last, predicate) != last;
}
S2S_THRUST_ALGORITHM(any_of)
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ bool none_of(const Policy &policy, It first, It last, Predicate predicate) {
	return !thrust::any_of(policy, first, last, predicate);
}
S2S_THRUST_ALGORITHM(none_of)
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ bool all_of(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::find_if_not(policy, first, last, predicate) == last;
}
S2S_THRUST_ALGORITHM(all_of)

template <class Policy, class It, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ It min_element(const Policy &policy, It first, It last, Compare compare) {
	typedef details::Extreme<false, details::Bare<It>, Compare> Op;
	if (first == last)
		return last;
	return first + thrust::reduce(policy, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(last - first),
					   (ptrdiff_t)0, Op{details::bare(first), compare});
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ It min_element(const Policy &policy, It first, It last) {
	return thrust::min_element(policy, first, last, less<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(min_element)
template <class Policy, class It, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ It max_element(const Policy &policy, It first, It last, Compare compare) {
	typedef details::Extreme<true, details::Bare<It>, Compare> Op;
	if (first == last)
		return last;
	return first + thrust::reduce(policy, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(last - first),
					   (ptrdiff_t)0, Op{details::bare(first), compare});
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ It max_element(const Policy &policy, It first, It last) {
	return thrust::max_element(policy, first, last, less<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(max_element)
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<It, It> minmax_element(const Policy &policy, It first, It last) {
	return pair<It, It>(thrust::min_element(policy, first, last), thrust::max_element(policy, first, last));
}
S2S_THRUST_ALGORITHM(minmax_element)

template <class Policy, class A, class B, details::IfPolicy<Policy> = 0>
__host__ __device__ bool equal(const Policy &policy, A first, A last, B second) {
	typedef details::Differ<details::Bare<A>, details::Bare<B>> Different;
	size_t count = last - first;
	return thrust::none_of(policy, counting_iterator<size_t>(0), counting_iterator<size_t>(count),
		Different{details::bare(first), details::bare(second)});
}
S2S_THRUST_ALGORITHM(equal)
template <class Policy, class A, class B, details::IfPolicy<Policy> = 0>
__host__ __device__ pair<A, B> mismatch(const Policy &policy, A first, A last, B second) {
	typedef details::Differ<details::Bare<A>, details::Bare<B>> Different;
	counting_iterator<size_t> begin(0), end(last - first);
	ptrdiff_t at = thrust::find_if(policy, begin, end, Different{details::bare(first), details::bare(second)}) - begin;
	return pair<A, B>(first + at, second + at);
}
S2S_THRUST_ALGORITHM(mismatch)

template <class Policy, class It, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ bool is_sorted(const Policy &policy, It first, It last, Compare compare) {
	typedef details::OutOfOrder<details::Bare<It>, Compare> Wrong;
	size_t count = last - first;
	return count < 2 || thrust::none_of(policy, counting_iterator<size_t>(0), counting_iterator<size_t>(count - 1),
							Wrong{details::bare(first), compare});
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ bool is_sorted(const Policy &policy, It first, It last) {
	return thrust::is_sorted(policy, first, last, less<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(is_sorted)
template <class Policy, class It, class Compare, details::IfPolicy<Policy> = 0>
__host__ __device__ It is_sorted_until(const Policy &policy, It first, It last, Compare compare) {
	typedef details::OutOfOrder<details::Bare<It>, Compare> Wrong;
	size_t count = last - first;
	if (count < 2)
		return last;
	counting_iterator<size_t> begin(0), end(count - 1);
	return first + (thrust::find_if(policy, begin, end, Wrong{details::bare(first), compare}) - begin + 1);
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ It is_sorted_until(const Policy &policy, It first, It last) {
	return thrust::is_sorted_until(policy, first, last, less<details::ValueOf<It>>());
}
S2S_THRUST_ALGORITHM(is_sorted_until)

template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ It partition_point(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::find_if_not(policy, first, last, predicate);
}
S2S_THRUST_ALGORITHM(partition_point)
template <class Policy, class It, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ bool is_partitioned(const Policy &policy, It first, It last, Predicate predicate) {
	return thrust::none_of(policy, thrust::find_if_not(policy, first, last, predicate), last, predicate);
}
S2S_THRUST_ALGORITHM(is_partitioned)

} /* namespace thrust */

#endif
