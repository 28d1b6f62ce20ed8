/* Thrust: algorithms that do something with each element by itself. */
#ifndef S2S_THRUST_ELEMENTWISE_H
#define S2S_THRUST_ELEMENTWISE_H

#include "../functional.h"
#include "tuples.h"

namespace thrust {

namespace details {

/* Run `body(i)` for i from 0 to count - 1. */
template <class Policy, class Body>
__host__ __device__ inline void for_all(const Policy &policy, size_t count, Body body) {
	if constexpr (Policy::launches) {
		s2s_parallel::each(count, body, policy.stream);
		wait(policy);
	} else {
		for (size_t i = 0; i < count; i++)
			body(i);
	}
}

template <class In, class Out, class F> struct Transform {
	In in;
	Out out;
	mutable F f;
	__host__ __device__ void operator()(size_t i) {
		out[i] = f(in[i]);
	}
};
template <class A, class B, class Out, class F> struct TransformTwo {
	A a;
	B b;
	Out out;
	mutable F f;
	__host__ __device__ void operator()(size_t i) {
		out[i] = f(a[i], b[i]);
	}
};
template <class In, class Stencil, class Out, class F, class Predicate> struct TransformIf {
	In in;
	Stencil stencil;
	Out out;
	mutable F f;
	mutable Predicate predicate;
	__host__ __device__ void operator()(size_t i) {
		if (predicate(stencil[i]))
			out[i] = f(in[i]);
	}
};
template <class It, class F> struct ForEach {
	It it;
	mutable F f;
	__host__ __device__ void operator()(size_t i) {
		f(it[i]);
	}
};
template <class It, class F> struct Tabulate {
	It it;
	mutable F f;
	__host__ __device__ void operator()(size_t i) {
		it[i] = f(i);
	}
};
template <class It, class F> struct Generate {
	It it;
	mutable F f;
	__host__ __device__ void operator()(size_t i) {
		it[i] = f();
	}
};
template <class It, class T> struct Fill {
	It it;
	T value;
	__host__ __device__ void operator()(size_t i) {
		it[i] = value;
	}
};
template <class It, class T> struct Sequence {
	It it;
	T first, step;
	__host__ __device__ void operator()(size_t i) {
		it[i] = first + step * (T)i;
	}
};
template <class In, class Out> struct Copy {
	In in;
	Out out;
	__host__ __device__ void operator()(size_t i) {
		out[i] = in[i];
	}
};
template <class A, class B> struct SwapRanges {
	A a;
	B b;
	__host__ __device__ void operator()(size_t i) {
		ValueOf<A> first = a[i];
		a[i] = b[i];
		b[i] = first;
	}
};
template <class It> struct Reverse {
	It it;
	size_t count;
	__host__ __device__ void operator()(size_t i) {
		ValueOf<It> first = it[i];
		it[i] = it[count - 1 - i];
		it[count - 1 - i] = first;
	}
};
template <class Map, class In, class Out> struct Gather {
	Map map;
	In in;
	Out out;
	__host__ __device__ void operator()(size_t i) {
		out[i] = in[map[i]];
	}
};
template <class Map, class In, class Out> struct Scatter {
	Map map;
	In in;
	Out out;
	__host__ __device__ void operator()(size_t i) {
		out[map[i]] = in[i];
	}
};
template <class Map, class Stencil, class In, class Out, class Predicate> struct GatherIf {
	Map map;
	Stencil stencil;
	In in;
	Out out;
	mutable Predicate predicate;
	__host__ __device__ void operator()(size_t i) {
		if (predicate(stencil[i]))
			out[i] = in[map[i]];
	}
};
template <class In, class Map, class Stencil, class Out, class Predicate> struct ScatterIf {
	In in;
	Map map;
	Stencil stencil;
	Out out;
	mutable Predicate predicate;
	__host__ __device__ void operator()(size_t i) {
		if (predicate(stencil[i]))
			out[map[i]] = in[i];
	}
};
struct IsTrue {
	template <class T> __host__ __device__ bool operator()(const T &value) const {
		return value ? true : false;
	}
};
template <class In, class Stencil, class Out, class Predicate, class T> struct ReplaceCopyIf {
	In in;
	Stencil stencil;
	Out out;
	mutable Predicate predicate;
	T value;
	__host__ __device__ void operator()(size_t i) {
		if (predicate(stencil[i]))
			out[i] = value;
		else
			out[i] = in[i];
	}
};
template <class It, class Predicate, class T> struct ReplaceIf {
	It it;
	mutable Predicate predicate;
	T value;
	__host__ __device__ void operator()(size_t i) {
		if (predicate(it[i]))
			it[i] = value;
	}
};
template <class T> struct EqualTo {
	T value;
	template <class U> __host__ __device__ bool operator()(const U &other) const {
		return other == value;
	}
};
template <class In, class Out, class Op> struct AdjacentDifference {
	In in;
	Out out;
	mutable Op op;
	__host__ __device__ void operator()(size_t i) {
		if (i == 0)
			out[i] = in[i];
		else
			out[i] = op(in[i], in[i - 1]);
	}
};

} /* namespace details */

template <class Policy, class In, class Out, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ Out transform(const Policy &policy, In first, In last, Out out, F f) {
	typedef details::Transform<details::Bare<In>, details::Bare<Out>, F> Body;
	details::for_all(policy, last - first, Body{details::bare(first), details::bare(out), f});
	return out + (last - first);
}
template <class Policy, class A, class B, class Out, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ Out transform(const Policy &policy, A first, A last, B second, Out out, F f) {
	typedef details::TransformTwo<details::Bare<A>, details::Bare<B>, details::Bare<Out>, F> Body;
	details::for_all(policy, last - first, Body{details::bare(first), details::bare(second), details::bare(out), f});
	return out + (last - first);
}
S2S_THRUST_ALGORITHM(transform)

template <class Policy, class In, class Out, class F, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ Out transform_if(const Policy &policy, In first, In last, Out out, F f, Predicate predicate) {
	return thrust::transform_if(policy, first, last, first, out, f, predicate);
}
template <class Policy, class In, class Stencil, class Out, class F, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ Out transform_if(
	const Policy &policy, In first, In last, Stencil stencil, Out out, F f, Predicate predicate) {
	typedef details::TransformIf<details::Bare<In>, details::Bare<Stencil>, details::Bare<Out>, F, Predicate> Body;
	details::for_all(
		policy, last - first, Body{details::bare(first), details::bare(stencil), details::bare(out), f, predicate});
	return out + (last - first);
}
S2S_THRUST_ALGORITHM(transform_if)

template <class Policy, class It, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ It for_each(const Policy &policy, It first, It last, F f) {
	details::for_all(policy, last - first, details::ForEach<details::Bare<It>, F>{details::bare(first), f});
	return last;
}
S2S_THRUST_ALGORITHM(for_each)

template <class Policy, class It, class N, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ It for_each_n(const Policy &policy, It first, N count, F f) {
	return thrust::for_each(policy, first, first + count, f);
}
S2S_THRUST_ALGORITHM(for_each_n)

template <class Policy, class It, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ void tabulate(const Policy &policy, It first, It last, F f) {
	details::for_all(policy, last - first, details::Tabulate<details::Bare<It>, F>{details::bare(first), f});
}
S2S_THRUST_ALGORITHM(tabulate)

template <class Policy, class It, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ void generate(const Policy &policy, It first, It last, F f) {
	details::for_all(policy, last - first, details::Generate<details::Bare<It>, F>{details::bare(first), f});
}
S2S_THRUST_ALGORITHM(generate)
template <class Policy, class It, class N, class F, details::IfPolicy<Policy> = 0>
__host__ __device__ It generate_n(const Policy &policy, It first, N count, F f) {
	thrust::generate(policy, first, first + count, f);
	return first + count;
}
S2S_THRUST_ALGORITHM(generate_n)

template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ void fill(const Policy &policy, It first, It last, T value) {
	details::for_all(policy, last - first, details::Fill<details::Bare<It>, T>{details::bare(first), value});
}
S2S_THRUST_ALGORITHM(fill)
template <class Policy, class It, class N, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ It fill_n(const Policy &policy, It first, N count, T value) {
	thrust::fill(policy, first, first + count, value);
	return first + count;
}
S2S_THRUST_ALGORITHM(fill_n)
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ void uninitialized_fill(const Policy &policy, It first, It last, T value) {
	thrust::fill(policy, first, last, value);
}
S2S_THRUST_ALGORITHM(uninitialized_fill)

template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ void sequence(const Policy &policy, It first, It last, T begin, T step) {
	details::for_all(policy, last - first, details::Sequence<details::Bare<It>, T>{details::bare(first), begin, step});
}
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ void sequence(const Policy &policy, It first, It last, T begin) {
	thrust::sequence(policy, first, last, begin, T(1));
}
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ void sequence(const Policy &policy, It first, It last) {
	typedef details::ValueOf<It> T;
	thrust::sequence(policy, first, last, T(0), T(1));
}
S2S_THRUST_ALGORITHM(sequence)

template <class Policy, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out copy(const Policy &policy, In first, In last, Out out) {
	typedef details::Copy<details::Bare<In>, details::Bare<Out>> Body;
	details::for_all(policy, last - first, Body{details::bare(first), details::bare(out)});
	return out + (last - first);
}
/* Between the host and the device, the host copies: iterators of the host may be of any kind. */
template <class In, class Out, details::IfNoPolicy<In> = 0> __host__ __device__ Out copy(In first, In last, Out out) {
	constexpr bool host =
		details::system_of<In> == details::System::host || details::system_of<Out> == details::System::host;
	if constexpr (host) {
		details::wait_on_host();
		auto to = details::bare(out);
		auto from = details::bare(first), end = details::bare(last);
		for (; from != end; ++from, ++to)
			*to = *from;
		if constexpr (std::is_same<details::Bare<Out>, Out>::value)
			return to;
		else
			return out + (last - first);
	} else {
		return thrust::copy(thrust::device, first, last, out);
	}
}
template <class Policy, class In, class N, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out copy_n(const Policy &policy, In first, N count, Out out) {
	return thrust::copy(policy, first, first + count, out);
}
template <class In, class N, class Out, details::IfNoPolicy<In> = 0>
__host__ __device__ Out copy_n(In first, N count, Out out) {
	return thrust::copy(first, first + count, out);
}

template <class Policy, class A, class B, details::IfPolicy<Policy> = 0>
__host__ __device__ B swap_ranges(const Policy &policy, A first, A last, B second) {
	typedef details::SwapRanges<details::Bare<A>, details::Bare<B>> Body;
	details::for_all(policy, last - first, Body{details::bare(first), details::bare(second)});
	return second + (last - first);
}
S2S_THRUST_ALGORITHM(swap_ranges)
template <class Policy, class It, details::IfPolicy<Policy> = 0>
__host__ __device__ void reverse(const Policy &policy, It first, It last) {
	size_t count = last - first;
	details::for_all(policy, count / 2, details::Reverse<details::Bare<It>>{details::bare(first), count});
}
S2S_THRUST_ALGORITHM(reverse)
template <class Policy, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out reverse_copy(const Policy &policy, In first, In last, Out out) {
	return thrust::copy(policy, thrust::make_reverse_iterator(last), thrust::make_reverse_iterator(first), out);
}
S2S_THRUST_ALGORITHM(reverse_copy)

template <class Policy, class Map, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out gather(const Policy &policy, Map first, Map last, In in, Out out) {
	typedef details::Gather<details::Bare<Map>, details::Bare<In>, details::Bare<Out>> Body;
	details::for_all(policy, last - first, Body{details::bare(first), details::bare(in), details::bare(out)});
	return out + (last - first);
}
S2S_THRUST_ALGORITHM(gather)
template <class Policy, class In, class Map, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ void scatter(const Policy &policy, In first, In last, Map map, Out out) {
	typedef details::Scatter<details::Bare<Map>, details::Bare<In>, details::Bare<Out>> Body;
	details::for_all(policy, last - first, Body{details::bare(map), details::bare(first), details::bare(out)});
}
S2S_THRUST_ALGORITHM(scatter)

/* Elements that the stencil does not select stay as they are. */
template <class Policy, class Map, class Stencil, class In, class Out, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ Out gather_if(
	const Policy &policy, Map first, Map last, Stencil stencil, In in, Out out, Predicate predicate) {
	typedef details::GatherIf<details::Bare<Map>, details::Bare<Stencil>, details::Bare<In>, details::Bare<Out>,
		Predicate>
		Body;
	details::for_all(policy, last - first,
		Body{details::bare(first), details::bare(stencil), details::bare(in), details::bare(out), predicate});
	return out + (last - first);
}
template <class Policy, class Map, class Stencil, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out gather_if(const Policy &policy, Map first, Map last, Stencil stencil, In in, Out out) {
	return thrust::gather_if(policy, first, last, stencil, in, out, details::IsTrue());
}
S2S_THRUST_ALGORITHM(gather_if)
template <class Policy, class In, class Map, class Stencil, class Out, class Predicate, details::IfPolicy<Policy> = 0>
__host__ __device__ void scatter_if(
	const Policy &policy, In first, In last, Map map, Stencil stencil, Out out, Predicate predicate) {
	typedef details::ScatterIf<details::Bare<In>, details::Bare<Map>, details::Bare<Stencil>, details::Bare<Out>,
		Predicate>
		Body;
	details::for_all(policy, last - first,
		Body{details::bare(first), details::bare(map), details::bare(stencil), details::bare(out), predicate});
}
template <class Policy, class In, class Map, class Stencil, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ void scatter_if(const Policy &policy, In first, In last, Map map, Stencil stencil, Out out) {
	thrust::scatter_if(policy, first, last, map, stencil, out, details::IsTrue());
}
S2S_THRUST_ALGORITHM(scatter_if)

template <class Policy, class It, class Predicate, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ void replace_if(const Policy &policy, It first, It last, Predicate predicate, T value) {
	typedef details::ReplaceIf<details::Bare<It>, Predicate, T> Body;
	details::for_all(policy, last - first, Body{details::bare(first), predicate, value});
}
S2S_THRUST_ALGORITHM(replace_if)
template <class Policy, class It, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ void replace(const Policy &policy, It first, It last, T before, T after) {
	thrust::replace_if(policy, first, last, details::EqualTo<T>{before}, after);
}
S2S_THRUST_ALGORITHM(replace)
template <class Policy, class In, class Stencil, class Out, class Predicate, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ Out replace_copy_if(
	const Policy &policy, In first, In last, Stencil stencil, Out out, Predicate predicate, const T &value) {
	typedef details::ReplaceCopyIf<details::Bare<In>, details::Bare<Stencil>, details::Bare<Out>, Predicate, T> Body;
	details::for_all(
		policy, last - first, Body{details::bare(first), details::bare(stencil), details::bare(out), predicate, value});
	return out + (last - first);
}
template <class Policy, class In, class Out, class Predicate, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ Out replace_copy_if(
	const Policy &policy, In first, In last, Out out, Predicate predicate, const T &value) {
	return thrust::replace_copy_if(policy, first, last, first, out, predicate, value);
}
S2S_THRUST_ALGORITHM(replace_copy_if)
template <class Policy, class In, class Out, class T, details::IfPolicy<Policy> = 0>
__host__ __device__ Out replace_copy(
	const Policy &policy, In first, In last, Out out, const T &before, const T &after) {
	return thrust::replace_copy_if(policy, first, last, first, out, details::EqualTo<T>{before}, after);
}
S2S_THRUST_ALGORITHM(replace_copy)

template <class Policy, class In, class Out, class Op, details::IfPolicy<Policy> = 0>
__host__ __device__ Out adjacent_difference(const Policy &policy, In first, In last, Out out, Op op) {
	typedef details::AdjacentDifference<details::Bare<In>, details::Bare<Out>, Op> Body;
	details::for_all(policy, last - first, Body{details::bare(first), details::bare(out), op});
	return out + (last - first);
}
template <class Policy, class In, class Out, details::IfPolicy<Policy> = 0>
__host__ __device__ Out adjacent_difference(const Policy &policy, In first, In last, Out out) {
	return thrust::adjacent_difference(policy, first, last, out, minus<details::ValueOf<In>>());
}
S2S_THRUST_ALGORITHM(adjacent_difference)

} /* namespace thrust */

#endif
