/* Thrust: tuples and pairs, which are those of namespace std. CUB, which needs the iterators only, does without. */
#pragma once
#include "iterators.h"

namespace thrust {

template <class... Types> using tuple = std::tuple<Types...>;
template <class A, class B> using pair = std::pair<A, B>;
template <size_t I, class T> using tuple_element = std::tuple_element<I, T>;
template <class T> using tuple_size = std::tuple_size<T>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::swap;
using std::tie;

} /* namespace thrust */
