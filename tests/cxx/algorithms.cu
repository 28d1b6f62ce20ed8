// The algorithms and iterators of the standard headers, on arrays and on iterators that only go forward.
#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "forward_list.h"

struct Numbers {
	int x[8];
	__device__ Numbers(int a, int b) {
		for (int i = 0; i < 8; i++) x[i] = (a * (i + 3) + b * i * i) % 7;
	}
	__device__ int sum() const {
		int s = 0;
		for (int one : x) s = s * 9 + one;
		return s;
	}
};

// case: searches
__device__ int f(int a, int b) {
	Numbers n(a, b);
	int *x = n.x, *e = x + 8;
	int some[2] = {b % 5, a % 3}, pair[2] = {x[3], x[4]};
	int s = std::find_first_of(x, e, some, some + 2) - x;
	s = s * 11 + (std::find_if_not(x, e, [](int v) { return v > 0; }) - x);
	s = s * 11 + (std::adjacent_find(x, e) - x);
	s = s * 11 + (std::search(x, e, pair, pair + 2) - x);
	s = s * 11 + (std::find_end(x, e, pair, pair + 1) - x);
	s = s * 11 + (std::search_n(x, e, 2, x[1]) - x);
	s = s * 3 + std::lexicographical_compare(x, x + 4, x + 4, e);
	s = s * 3 + std::lexicographical_compare(x, x + 4, x + 4, e, std::greater<int>());
	s = s + (std::mismatch(x, x + 4, x + 4).second - x);
	return s;
}

// case: permutations
__device__ int f(int a, int b) {
	Numbers n(a, b), m(a, b);
	std::rotate(m.x, m.x + 3, m.x + 8);
	int s = std::is_permutation(n.x, n.x + 8, m.x) + 2 * std::is_permutation(n.x, n.x + 8, m.x, m.x + 7);
	m.x[2] += b % 2;
	s += 4 * std::is_permutation(n.x, n.x + 8, m.x, m.x + 8);
	s += 8 * std::next_permutation(n.x, n.x + 5);
	s += 16 * std::prev_permutation(m.x, m.x + 5);
	return s + n.sum() + 3 * m.sum();
}

// case: changes
__device__ int f(int a, int b) {
	Numbers n(a, b), m(b, a), o(a + 1, b);
	int s = std::remove(n.x, n.x + 8, a % 7) - n.x;
	for (int i = s; i < 8; i++) n.x[i] = 0;
	std::replace(m.x, m.x + 8, 1, 6);
	std::replace_if(m.x, m.x + 8, [](int v) { return v < 0; }, 5);
	std::swap_ranges(m.x, m.x + 3, n.x + 2);
	std::rotate(o.x, o.x + (a + 9) % 8, o.x + 8);
	int k = 0;
	std::generate_n(n.x + 5, 2, [&] { return ++k + b; });
	int u = std::unique(o.x, o.x + 8) - o.x;
	for (int i = u; i < 8; i++) o.x[i] = 0;
	std::copy_backward(n.x, n.x + 4, n.x + 6);
	std::reverse_copy(n.x, n.x + 3, m.x + 4);
	return n.sum() + 5 * m.sum() + 7 * o.sum() + s;
}

// case: heaps_and_sorts
__device__ int f(int a, int b) {
	Numbers n(a, b), m(b, a), o(a, a);
	std::make_heap(n.x, n.x + 8);
	int s = std::is_heap(n.x, n.x + 8) + 2 * std::is_heap(m.x, m.x + 8) + 4 * (std::is_heap_until(o.x, o.x + 8) - o.x);
	std::pop_heap(n.x, n.x + 8);
	s = s * 7 + n.x[7];
	n.x[7] = b;
	std::push_heap(n.x, n.x + 8);
	s += std::is_heap(n.x, n.x + 8);
	std::sort_heap(n.x, n.x + 8);
	std::partial_sort(m.x, m.x + 3, m.x + 8);
	std::nth_element(o.x, o.x + 2, o.x + 8);
	s = s * 7 + o.x[2];
	s = s * 7 + m.x[0] + 5 * m.x[1] + 25 * m.x[2];
	o = Numbers(a, a + b);
	std::stable_sort(o.x, o.x + 8, [](int p, int q) { return p / 2 < q / 2; });
	int out[4];
	std::partial_sort_copy(m.x, m.x + 8, out, out + 4, std::greater<int>());
	auto ends = std::minmax_element(m.x, m.x + 8);
	return s + n.sum() + out[0] + 3 * out[3] + 11 * (std::is_sorted_until(o.x, o.x + 8) - o.x) + *ends.first -
		   *ends.second;
}

// case: sets
__device__ int f(int a, int b) {
	Numbers n(a, b), m(b, a);
	std::sort(n.x, n.x + 8);
	std::sort(m.x, m.x + 8);
	int out[16], s = 0;
	auto take = [&](int *end) {
		for (int *at = out; at != end; ++at) s = s * 5 + *at;
	};
	take(std::merge(n.x, n.x + 8, m.x, m.x + 8, out));
	take(std::set_union(n.x, n.x + 8, m.x, m.x + 8, out));
	take(std::set_intersection(n.x, n.x + 8, m.x, m.x + 8, out));
	take(std::set_difference(n.x, n.x + 8, m.x, m.x + 8, out));
	take(std::set_symmetric_difference(n.x, n.x + 8, m.x, m.x + 8, out));
	s += std::includes(n.x, n.x + 8, n.x + 2, n.x + 5) + 2 * std::includes(n.x, n.x + 8, m.x, m.x + 2);
	auto range = std::equal_range(n.x, n.x + 8, 2);
	return s + (range.first - n.x) * 9 + (range.second - n.x);
}

// case: partitions
__device__ int f(int a, int b) {
	Numbers n(a, b);
	auto even = [](int v) { return v % 2 == 0; };
	int yes[8] = {}, no[8] = {};
	auto ends = std::partition_copy(n.x, n.x + 8, yes, no, even);
	int s = ends.first - yes + 10 * std::is_partitioned(n.x, n.x + 8, even);
	s = s * 9 + (std::partition(n.x, n.x + 8, even) - n.x);
	s = s * 9 + (std::partition_point(n.x, n.x + 8, even) - n.x);
	return s * 3 + yes[0] + no[0] + std::is_partitioned(n.x, n.x + 8, even);
}

// case: iterators_that_only_go_forward
__device__ int f(int a, int b) {
	List list[4] = {{a, nullptr}, {b, nullptr}, {a - b, nullptr}, {3, nullptr}};
	for (int i = 0; i < 3; i++) list[i].next = &list[i + 1];
	Walk first{list}, last{nullptr};
	int s = std::distance(first, last) * 100 + *std::next(first, 2) + (*std::min_element(first, last)) * 3;
	s += *std::rotate(first, std::next(first), last) + list[0].value * 5 + list[3].value * 7;
	s += std::count(first, last, a) + (std::find(first, last, b) != last);
	Walk at = first;
	std::advance(at, 3);
	return s * 3 + *at + std::accumulate(first, last, 0);
}

// case: reverse_iterators
__device__ int f(int a, int b) {
	Numbers n(a, b);
	std::reverse_iterator<int *> first(n.x + 8), last(n.x);
	int s = 0;
	for (auto at = first; at != last; ++at) s = s * 3 + *at;
	s += first[2] + *(first + 3) + (last - first) + (first < last) + *(last - 1) + *std::next(first, 2) +
		 *std::prev(last, 1);
	std::sort(first, last);
	auto other = std::make_reverse_iterator(n.x + 4);
	s += *other++ * 5 + *--other + (other.base() - n.x) + *std::rbegin(n.x) * 11 + *(std::rend(n.x) - 2);
	std::reverse_iterator<const int *> constant = first;
	return s + n.sum() + *constant + (constant == first) + (2 + first == std::next(first, 2));
}

// case: move_iterators
struct Mover {
	int x;
	__device__ Mover(int x = 0) : x(x) {}
	__device__ Mover(Mover &&other) : x(other.x) { other.x = -1; }
	__device__ Mover &operator=(Mover &&other) {
		x = other.x;
		other.x = -2;
		return *this;
	}
};
__device__ int f(int a, int b) {
	Mover from[3] = {a, b, 7}, to[3], there[3];
	std::copy(std::make_move_iterator(from), std::make_move_iterator(from + 3), to);
	std::move(to, to + 2, there);
	std::move_backward(there, there + 2, there + 3);
	auto at = std::make_move_iterator(there);
	++at;
	Mover last = *at;
	return from[0].x + to[1].x * 3 + to[2].x * 5 + there[1].x * 7 + there[2].x * 11 + last.x * 13 +
		   (at - std::make_move_iterator(there));
}

// case: addresses_behind_an_overloaded_operator
struct Odd {
	int x;
	__device__ int operator&() const { return 3; }
};
__device__ int f(int a, int b) {
	Odd odd{a};
	const Odd fixed{b};
	std::addressof(odd)->x += b;
	return odd.x * 3 + std::addressof(fixed)->x + &odd;
}

// case: types_of_function_objects
__device__ int f(int a, int b) {
	return std::is_same<std::less<int>::first_argument_type, int>::value +
		   2 * std::is_same<std::plus<float>::result_type, float>::value +
		   4 * std::is_same<std::less<long>::result_type, bool>::value +
		   8 * std::is_same<std::negate<short>::argument_type, short>::value +
		   16 * std::is_same<std::logical_not<int>::result_type, bool>::value + a + b;
}
