// A list whose iterators only go forward.
#pragma once
#include <iterator>

struct List {
	int value;
	List *next;
};
struct Walk {
	using iterator_category = std::forward_iterator_tag;
	using value_type = int;
	using difference_type = long;
	using pointer = int *;
	using reference = int &;
	List *at;
	__device__ int &operator*() const { return at->value; }
	__device__ Walk &operator++() {
		at = at->next;
		return *this;
	}
	__device__ Walk operator++(int) {
		Walk before = *this;
		at = at->next;
		return before;
	}
	__device__ bool operator==(const Walk &other) const { return at == other.at; }
	__device__ bool operator!=(const Walk &other) const { return at != other.at; }
};
