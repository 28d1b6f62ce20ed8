/* Thrust: arrays of the device. */
#ifndef S2S_THRUST_DEVICE_VECTOR_H
#define S2S_THRUST_DEVICE_VECTOR_H

#include "detail/reduction.h"
#include "detail/scanning.h"
#include "detail/searching.h"
#include "detail/selection.h"
#include "detail/sorting.h"
#include "host_vector.h"

#ifndef __CUDA_ARCH__
#include <initializer_list>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace thrust {

/* Memory of the device: what arrays have that name no allocator, and what a program's own may be derived from. */
template <class T> struct device_allocator {
	typedef T value_type;
	typedef device_ptr<T> pointer;
	typedef device_ptr<const T> const_pointer;
	typedef T &reference;
	typedef const T &const_reference;
	typedef size_t size_type;
	typedef ptrdiff_t difference_type;
	template <class U> struct rebind {
		typedef device_allocator<U> other;
	};

	device_allocator() {
	}
	template <class U> device_allocator(const device_allocator<U> &) {
	}
	pointer allocate(size_t count) {
		T *memory = nullptr;
		if (cudaMalloc((void **)&memory, count * sizeof(T)) != cudaSuccess)
			throw std::bad_alloc();
		return pointer(memory);
	}
	void deallocate(pointer memory, size_t) {
		cudaFree(raw_pointer_cast(memory));
	}
	friend bool operator==(const device_allocator &, const device_allocator &) {
		return true;
	}
	friend bool operator!=(const device_allocator &, const device_allocator &) {
		return false;
	}
};
template <class T> using device_malloc_allocator = device_allocator<T>;

namespace details {
template <class Allocator, class T>
auto construct_default(Allocator &allocator, T *at, int) -> decltype((void)allocator.construct(at)) {
	allocator.construct(at);
}
template <class Allocator, class T> void construct_default(Allocator &, T *at, long) {
	new (at) T();
}
} /* namespace details */

template <class T, class Allocator> class device_vector {
  public:
	typedef T value_type;
	typedef T &reference;
	typedef const T &const_reference;
	typedef Allocator allocator_type;
	typedef typename std::allocator_traits<Allocator>::pointer pointer;
	typedef typename std::allocator_traits<Allocator>::const_pointer const_pointer;
	typedef device_ptr<T> iterator;
	typedef device_ptr<const T> const_iterator;
	typedef thrust::reverse_iterator<iterator> reverse_iterator;
	typedef size_t size_type;
	typedef ptrdiff_t difference_type;

	device_vector() {
	}
	explicit device_vector(const Allocator &allocator) : _allocator(allocator) {
	}
	explicit device_vector(size_t count, const Allocator &allocator = Allocator()) : _allocator(allocator) {
		resize(count);
	}
	device_vector(size_t count, const T &value, const Allocator &allocator = Allocator()) : _allocator(allocator) {
		resize(count, value);
	}
	device_vector(const device_vector &other)
		: _allocator(std::allocator_traits<Allocator>::select_on_container_copy_construction(other._allocator)) {
		assign(other.begin(), other.end());
	}
	device_vector(const device_vector &other, const Allocator &allocator) : _allocator(allocator) {
		assign(other.begin(), other.end());
	}
	device_vector(device_vector &&other) noexcept : _allocator(other._allocator) {
		swap(other);
	}
	template <class U, class A> device_vector(const device_vector<U, A> &other) {
		assign(other.begin(), other.end());
	}
	template <class U, class A> device_vector(const host_vector<U, A> &other) {
		assign(other.begin(), other.end());
	}
	template <class U, class A> device_vector(const std::vector<U, A> &other) {
		assign(other.begin(), other.end());
	}
	device_vector(std::initializer_list<T> values, const Allocator &allocator = Allocator()) : _allocator(allocator) {
		assign(values.begin(), values.end());
	}
	template <class It, class = typename std::iterator_traits<It>::reference>
	device_vector(It first, It last, const Allocator &allocator = Allocator()) : _allocator(allocator) {
		assign(first, last);
	}
	~device_vector() {
		give_back();
	}

	device_vector &operator=(const device_vector &other) {
		if (this != &other)
			assign(other.begin(), other.end());
		return *this;
	}
	device_vector &operator=(device_vector &&other) noexcept {
		swap(other);
		return *this;
	}
	template <class U, class A> device_vector &operator=(const device_vector<U, A> &other) {
		assign(other.begin(), other.end());
		return *this;
	}
	template <class U, class A> device_vector &operator=(const host_vector<U, A> &other) {
		assign(other.begin(), other.end());
		return *this;
	}
	template <class U, class A> device_vector &operator=(const std::vector<U, A> &other) {
		assign(other.begin(), other.end());
		return *this;
	}
	device_vector &operator=(std::initializer_list<T> values) {
		assign(values.begin(), values.end());
		return *this;
	}

	template <class It, class = typename std::iterator_traits<It>::reference> void assign(It first, It last) {
		size_t count = std::distance(first, last);
		replace_memory(count, 0);
		_size = count;
		details::wait_on_host();
		for (size_t i = 0; i < count; i++, ++first)
			new (_memory + i) T(*first);
	}
	void assign(size_t count, const T &value) {
		clear();
		resize(count, value);
	}
	void resize(size_t count) {
		reserve(count);
		details::wait_on_host();
		for (size_t i = _size; i < count; i++)
			details::construct_default(_allocator, _memory + i, 0);
		_size = count;
	}
	void resize(size_t count, const T &value) {
		reserve(count);
		details::wait_on_host();
		for (size_t i = _size; i < count; i++)
			new (_memory + i) T(value);
		_size = count;
	}
	void reserve(size_t count) {
		if (count > _capacity)
			replace_memory(count, _size);
	}
	void shrink_to_fit() {
	}
	void push_back(const T &value) {
		T copy = value;
		if (_size == _capacity)
			reserve(2 * _size + 16);
		resize(_size + 1, copy);
	}
	void pop_back() {
		_size--;
	}
	void clear() {
		_size = 0;
	}
	iterator erase(iterator at) {
		return erase(at, at + 1);
	}
	iterator erase(iterator first, iterator last) {
		details::wait_on_host();
		thrust::copy(thrust::host, last, end(), first);
		_size -= last - first;
		return first;
	}
	iterator insert(iterator at, const T &value) {
		T copy = value;
		size_t place = at - begin();
		push_back(copy);
		for (size_t i = _size - 1; i > place; i--)
			_memory[i] = _memory[i - 1];
		_memory[place] = copy;
		return begin() + place;
	}
	template <class It, class = typename std::iterator_traits<It>::reference>
	void insert(iterator at, It first, It last) {
		size_t place = at - begin();
		for (; first != last; ++first, place++)
			insert(begin() + place, *first);
	}
	void swap(device_vector &other) {
		std::swap(_allocator, other._allocator);
		std::swap(_place, other._place);
		std::swap(_memory, other._memory);
		std::swap(_size, other._size);
		std::swap(_capacity, other._capacity);
	}

	Allocator get_allocator() const {
		return _allocator;
	}
	size_t size() const {
		return _size;
	}
	size_t capacity() const {
		return _capacity;
	}
	size_t max_size() const {
		return (size_t)-1 / sizeof(T);
	}
	bool empty() const {
		return _size == 0;
	}
	iterator begin() {
		return iterator(_memory);
	}
	iterator end() {
		return iterator(_memory + _size);
	}
	const_iterator begin() const {
		return const_iterator(_memory);
	}
	const_iterator end() const {
		return const_iterator(_memory + _size);
	}
	const_iterator cbegin() const {
		return begin();
	}
	const_iterator cend() const {
		return end();
	}
	reverse_iterator rbegin() {
		return reverse_iterator(end());
	}
	reverse_iterator rend() {
		return reverse_iterator(begin());
	}
	pointer data() {
		return _place;
	}
	const_pointer data() const {
		return const_pointer(_place);
	}
	T &operator[](size_t i) {
		return begin()[i];
	}
	const T &operator[](size_t i) const {
		return begin()[i];
	}
	T &front() {
		return (*this)[0];
	}
	const T &front() const {
		return (*this)[0];
	}
	T &back() {
		return (*this)[_size - 1];
	}
	const T &back() const {
		return (*this)[_size - 1];
	}

  private:
	/* Memory for so many elements, of which the first `kept` stay. */
	void replace_memory(size_t count, size_t kept) {
		if (count <= _capacity)
			return;
		pointer place = _allocator.allocate(count);
		T *memory = raw_pointer_cast(place);
		details::wait_on_host();
		for (size_t i = 0; i < kept; i++)
			new (memory + i) T(_memory[i]);
		give_back();
		_place = place;
		_memory = memory;
		_capacity = count;
	}
	void give_back() {
		if (_memory != nullptr)
			_allocator.deallocate(_place, _capacity);
	}

	Allocator _allocator;
	pointer _place{};
	T *_memory = nullptr; /* where `_place` is */
	size_t _size = 0, _capacity = 0;
};

template <class T, class A, class U, class B>
bool operator==(const device_vector<T, A> &a, const device_vector<U, B> &b) {
	return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
template <class T, class A, class U, class B>
bool operator!=(const device_vector<T, A> &a, const device_vector<U, B> &b) {
	return !(a == b);
}
template <class T, class A, class U, class B>
bool operator==(const device_vector<T, A> &a, const host_vector<U, B> &b) {
	return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
template <class T, class A, class U, class B>
bool operator==(const host_vector<T, A> &a, const device_vector<U, B> &b) {
	return b == a;
}
template <class T, class A> void swap(device_vector<T, A> &a, device_vector<T, A> &b) {
	a.swap(b);
}

template <class T, class A> host_vector<T, A>::host_vector(const device_vector<T, device_allocator<T>> &other) {
	this->assign(other.begin(), other.end());
}
template <class T, class A>
host_vector<T, A> &host_vector<T, A>::operator=(const device_vector<T, device_allocator<T>> &other) {
	this->assign(other.begin(), other.end());
	return *this;
}

template <class T> using universal_vector = device_vector<T>;

template <class T> device_ptr<T> device_malloc(size_t count) {
	T *memory = nullptr;
	cudaMalloc((void **)&memory, count * sizeof(T));
	return device_ptr<T>(memory);
}
template <class T> device_ptr<T> device_new(size_t count = 1) {
	device_ptr<T> memory = device_malloc<T>(count);
	for (size_t i = 0; i < count; i++)
		new (memory.get() + i) T();
	return memory;
}
template <class T> void device_free(device_ptr<T> memory) {
	cudaFree(memory.get());
}
template <class T> void device_delete(device_ptr<T> memory, size_t = 1) {
	cudaFree(memory.get());
}

} /* namespace thrust */

#endif

#endif
