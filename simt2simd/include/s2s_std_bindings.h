/* Structured bindings of cuda::std's types in host code: the C++ compiler looks into namespace std. */
#ifndef S2S_STD_BINDINGS
#define S2S_STD_BINDINGS

#include <cstddef>
#include <utility>

namespace cuda {
namespace std {
template <class T> struct tuple_size;
template <unsigned long I, class T> struct tuple_element;
template <class... Types> struct tuple;
template <class A, class B> struct pair;
template <class T, unsigned long N> struct array;
template <class T> struct complex;
} /* namespace std */
} /* namespace cuda */

namespace std {
template <class... Types>
struct tuple_size<::cuda::std::tuple<Types...>> : ::cuda::std::tuple_size<::cuda::std::tuple<Types...>> {};
template <class A, class B> struct tuple_size<::cuda::std::pair<A, B>> : integral_constant<size_t, 2> {};
template <class T, size_t N> struct tuple_size<::cuda::std::array<T, N>> : integral_constant<size_t, N> {};
template <class T> struct tuple_size<::cuda::std::complex<T>> : integral_constant<size_t, 2> {};
template <size_t I, class... Types>
struct tuple_element<I, ::cuda::std::tuple<Types...>> : ::cuda::std::tuple_element<I, ::cuda::std::tuple<Types...>> {};
template <size_t I, class A, class B>
struct tuple_element<I, ::cuda::std::pair<A, B>> : ::cuda::std::tuple_element<I, ::cuda::std::pair<A, B>> {};
template <size_t I, class T, size_t N> struct tuple_element<I, ::cuda::std::array<T, N>> {
	using type = T;
};
template <size_t I, class T> struct tuple_element<I, ::cuda::std::complex<T>> {
	using type = T;
};
} /* namespace std */

#endif
