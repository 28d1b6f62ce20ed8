/* Thrust: pointers to device memory, and iterators that compute what they give. */
#ifndef S2S_THRUST_ITERATORS_H
#define S2S_THRUST_ITERATORS_H

#include <tuple>
#include <utility>

#include "policy.h"

/* The steps of an iterator `Own` that has `advance(n)`, `distance(other)` and `operator[]`. */
#define S2S_THRUST_ITERATOR(Own, Value, Reference, Of)                                                                 \
	typedef thrust::details::OfSystem<Of> s2s_system;                                                                  \
	typedef ptrdiff_t difference_type;                                                                                 \
	typedef Value value_type;                                                                                          \
	typedef Value *pointer;                                                                                            \
	typedef Reference reference;                                                                                       \
	typedef std::random_access_iterator_tag iterator_category;                                                         \
	__host__ __device__ reference operator*() const {                                                                  \
		return (*this)[0];                                                                                             \
	}                                                                                                                  \
	__host__ __device__ Own &operator++() {                                                                            \
		advance(1);                                                                                                    \
		return *this;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator++(int) {                                                                          \
		Own before = *this;                                                                                            \
		advance(1);                                                                                                    \
		return before;                                                                                                 \
	}                                                                                                                  \
	__host__ __device__ Own &operator--() {                                                                            \
		advance(-1);                                                                                                   \
		return *this;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator--(int) {                                                                          \
		Own before = *this;                                                                                            \
		advance(-1);                                                                                                   \
		return before;                                                                                                 \
	}                                                                                                                  \
	__host__ __device__ Own &operator+=(ptrdiff_t n) {                                                                 \
		advance(n);                                                                                                    \
		return *this;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own &operator-=(ptrdiff_t n) {                                                                 \
		advance(-n);                                                                                                   \
		return *this;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator+(ptrdiff_t n) const {                                                             \
		Own moved = *this;                                                                                             \
		moved.advance(n);                                                                                              \
		return moved;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator-(ptrdiff_t n) const {                                                             \
		Own moved = *this;                                                                                             \
		moved.advance(-n);                                                                                             \
		return moved;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ ptrdiff_t operator-(const Own &other) const {                                                  \
		return other.distance(*this);                                                                                  \
	}                                                                                                                  \
	__host__ __device__ bool operator==(const Own &other) const {                                                      \
		return other.distance(*this) == 0;                                                                             \
	}                                                                                                                  \
	__host__ __device__ bool operator!=(const Own &other) const {                                                      \
		return other.distance(*this) != 0;                                                                             \
	}                                                                                                                  \
	__host__ __device__ bool operator<(const Own &other) const {                                                       \
		return other.distance(*this) < 0;                                                                              \
	}                                                                                                                  \
	__host__ __device__ bool operator>(const Own &other) const {                                                       \
		return other.distance(*this) > 0;                                                                              \
	}

namespace thrust {

template <class T> class device_ptr {
  public:
	S2S_THRUST_ITERATOR(device_ptr, typename std::remove_cv<T>::type, T &, details::System::device)
	__host__ __device__ device_ptr() : _pointer(nullptr) {
	}
	__host__ __device__ device_ptr(T *pointer) : _pointer(pointer) {
	}
	template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
	__host__ __device__ device_ptr(const device_ptr<U> &other) : _pointer(other.get()) {
	}
	__host__ __device__ T *get() const {
		return _pointer;
	}
	__host__ __device__ T &operator[](ptrdiff_t n) const {
		details::wait_on_host();
		return _pointer[n];
	}
	__host__ __device__ T *operator->() const {
		details::wait_on_host();
		return _pointer;
	}
	__host__ __device__ explicit operator bool() const {
		return _pointer != nullptr;
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_pointer += n;
	}
	__host__ __device__ ptrdiff_t distance(const device_ptr &other) const {
		return other._pointer - _pointer;
	}
	/* One of them may be constant. */
	template <class U> __host__ __device__ ptrdiff_t operator-(const device_ptr<U> &other) const {
		return _pointer - other.get();
	}
	template <class U> __host__ __device__ bool operator==(const device_ptr<U> &other) const {
		return _pointer == other.get();
	}
	template <class U> __host__ __device__ bool operator!=(const device_ptr<U> &other) const {
		return _pointer != other.get();
	}

  private:
	T *_pointer;
};

template <class T> using device_reference = T &;

template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(T *pointer) {
	return device_ptr<T>(pointer);
}
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(const device_ptr<T> &pointer) {
	return pointer;
}
template <class T> __host__ __device__ inline T *raw_pointer_cast(T *pointer) {
	return pointer;
}
template <class T> __host__ __device__ inline T *raw_pointer_cast(const device_ptr<T> &pointer) {
	return pointer.get();
}
template <class T> __host__ __device__ inline T &raw_reference_cast(T &reference) {
	return reference;
}

/* The argument of a template that is left out. */
struct use_default {};

/* `System`, `Traversal` and `Difference` change nothing: all memory is host memory, and a distance is a ptrdiff_t. */
template <class T, class System = use_default, class Traversal = use_default, class Difference = use_default>
class counting_iterator {
  public:
	S2S_THRUST_ITERATOR(counting_iterator, T, T, details::System::any)
	__host__ __device__ counting_iterator() : _value() {
	}
	__host__ __device__ explicit counting_iterator(T value) : _value(value) {
	}
	__host__ __device__ T operator[](ptrdiff_t n) const {
		return (T)(_value + (T)n);
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_value = (T)(_value + (T)n);
	}
	__host__ __device__ ptrdiff_t distance(const counting_iterator &other) const {
		return (ptrdiff_t)other._value - (ptrdiff_t)_value;
	}

  private:
	T _value;
};
template <class T> __host__ __device__ inline counting_iterator<T> make_counting_iterator(T value) {
	return counting_iterator<T>(value);
}

template <class T, class Incrementable = use_default, class System = use_default> class constant_iterator {
  public:
	S2S_THRUST_ITERATOR(constant_iterator, T, T, details::System::any)
	__host__ __device__ constant_iterator(T value, ptrdiff_t at = 0) : _value(value), _at(at) {
	}
	__host__ __device__ T operator[](ptrdiff_t) const {
		return _value;
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_at += n;
	}
	__host__ __device__ ptrdiff_t distance(const constant_iterator &other) const {
		return other._at - _at;
	}

  private:
	T _value;
	ptrdiff_t _at;
};
template <class T> __host__ __device__ inline constant_iterator<T> make_constant_iterator(T value, ptrdiff_t at = 0) {
	return constant_iterator<T>(value, at);
}

namespace details {
struct Swallow {
	template <class T> __host__ __device__ const Swallow &operator=(const T &) const {
		return *this;
	}
};
} /* namespace details */

class discard_iterator {
  public:
	S2S_THRUST_ITERATOR(discard_iterator, details::Swallow, details::Swallow, details::System::any)
	__host__ __device__ discard_iterator(ptrdiff_t at = 0) : _at(at) {
	}
	__host__ __device__ details::Swallow operator[](ptrdiff_t) const {
		return details::Swallow();
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_at += n;
	}
	__host__ __device__ ptrdiff_t distance(const discard_iterator &other) const {
		return other._at - _at;
	}

  private:
	ptrdiff_t _at;
};
__host__ __device__ inline discard_iterator make_discard_iterator(ptrdiff_t at = 0) {
	return discard_iterator(at);
}

namespace details {
template <class F, class It> struct ResultOf {
	typedef decltype(std::declval<F>()(*std::declval<It>())) reference;
	typedef typename std::remove_cv<typename std::remove_reference<reference>::type>::type type;
};
} /* namespace details */

template <class F, class It, class Reference = void, class Value = void> class transform_iterator {
  public:
	typedef details::ResultOf<F, It> Result;
	S2S_THRUST_ITERATOR(transform_iterator, typename Result::type, typename Result::reference, details::system_of<It>)
	__host__ __device__ transform_iterator(It from, F f = F()) : _from(from), _f(f) {
	}
	__host__ __device__ reference operator[](ptrdiff_t n) const {
		return _f(_from[n]);
	}
	__host__ __device__ It base() const {
		return _from;
	}
	__host__ __device__ F functor() const {
		return _f;
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_from += n;
	}
	__host__ __device__ ptrdiff_t distance(const transform_iterator &other) const {
		return other._from - _from;
	}

  private:
	It _from;
	mutable F _f;
};
template <class It, class F>
__host__ __device__ inline transform_iterator<F, It> make_transform_iterator(It from, F f) {
	return transform_iterator<F, It>(from, f);
}

template <class It, class Map> class permutation_iterator {
  public:
	S2S_THRUST_ITERATOR(permutation_iterator, details::ValueOf<It>, typename std::iterator_traits<It>::reference,
		(details::both(details::system_of<It>, details::system_of<Map>)))
	__host__ __device__ permutation_iterator(It from, Map map) : _from(from), _map(map) {
	}
	__host__ __device__ reference operator[](ptrdiff_t n) const {
		return _from[_map[n]];
	}
	__host__ __device__ It base() const {
		return _from;
	}
	__host__ __device__ Map map() const {
		return _map;
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_map += n;
	}
	__host__ __device__ ptrdiff_t distance(const permutation_iterator &other) const {
		return other._map - _map;
	}

  private:
	It _from;
	Map _map;
};
template <class It, class Map>
__host__ __device__ inline permutation_iterator<It, Map> make_permutation_iterator(It from, Map map) {
	return permutation_iterator<It, Map>(from, map);
}

template <class It> class reverse_iterator {
  public:
	S2S_THRUST_ITERATOR(
		reverse_iterator, details::ValueOf<It>, typename std::iterator_traits<It>::reference, details::system_of<It>)
	__host__ __device__ explicit reverse_iterator(It from) : _from(from) {
	}
	__host__ __device__ reference operator[](ptrdiff_t n) const {
		return _from[-1 - n];
	}
	__host__ __device__ It base() const {
		return _from;
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_from -= n;
	}
	__host__ __device__ ptrdiff_t distance(const reverse_iterator &other) const {
		return _from - other._from;
	}

  private:
	It _from;
};
template <class It> __host__ __device__ inline reverse_iterator<It> make_reverse_iterator(It from) {
	return reverse_iterator<It>(from);
}

template <class Its> class zip_iterator;
template <class... Its> class zip_iterator<std::tuple<Its...>> {
	typedef std::make_index_sequence<sizeof...(Its)> Places;

  public:
	S2S_THRUST_ITERATOR(zip_iterator, std::tuple<details::ValueOf<Its>...>,
		std::tuple<typename std::iterator_traits<Its>::reference...>, details::SystemOfAll<Its...>::value)
	__host__ __device__ zip_iterator(const std::tuple<Its...> &its) : _its(its) {
	}
	__host__ __device__ reference operator[](ptrdiff_t n) const {
		return at(n, Places());
	}
	__host__ __device__ const std::tuple<Its...> &get_iterator_tuple() const {
		return _its;
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		move(n, Places());
	}
	__host__ __device__ ptrdiff_t distance(const zip_iterator &other) const {
		return std::get<0>(other._its) - std::get<0>(_its);
	}

  private:
	template <size_t... I> __host__ __device__ reference at(ptrdiff_t n, std::index_sequence<I...>) const {
		return reference(std::get<I>(_its)[n]...);
	}
	template <size_t... I> __host__ __device__ void move(ptrdiff_t n, std::index_sequence<I...>) {
		((std::get<I>(_its) += n), ...);
	}
	std::tuple<Its...> _its;
};
template <class... Its>
__host__ __device__ inline zip_iterator<std::tuple<Its...>> make_zip_iterator(std::tuple<Its...> its) {
	return zip_iterator<std::tuple<Its...>>(its);
}
template <class First, class... Its, class = std::void_t<typename std::iterator_traits<First>::reference>>
__host__ __device__ inline zip_iterator<std::tuple<First, Its...>> make_zip_iterator(First first, Its... its) {
	return zip_iterator<std::tuple<First, Its...>>(std::tuple<First, Its...>(first, its...));
}

/* A function of several parameters as one of a tuple. */
template <class F> class zip_function {
  public:
	__host__ __device__ zip_function(F f) : _f(f) {
	}
	template <class... T> __host__ __device__ auto operator()(const std::tuple<T...> &args) const {
		return call(args, std::make_index_sequence<sizeof...(T)>());
	}

  private:
	template <class Tuple, size_t... I>
	__host__ __device__ auto call(const Tuple &args, std::index_sequence<I...>) const {
		return _f(std::get<I>(args)...);
	}
	mutable F _f;
};
template <class F> __host__ __device__ inline zip_function<F> make_zip_function(F f) {
	return zip_function<F>(f);
}

namespace details {

/* What kernels read and write by: pointers in place of device_ptr, also within other iterators. */
template <class It> __host__ __device__ inline It bare(It it) {
	return it;
}
template <class T> __host__ __device__ inline T *bare(device_ptr<T> it) {
	return it.get();
}
template <class F, class It> __host__ __device__ inline auto bare(transform_iterator<F, It> it);
template <class It, class Map> __host__ __device__ inline auto bare(permutation_iterator<It, Map> it) {
	return thrust::make_permutation_iterator(details::bare(it.base()), details::bare(it.map()));
}
template <class It> __host__ __device__ inline auto bare(reverse_iterator<It> it) {
	return thrust::make_reverse_iterator(details::bare(it.base()));
}
template <class... Its, size_t... I>
__host__ __device__ inline auto bare_tuple(const std::tuple<Its...> &its, std::index_sequence<I...>) {
	return thrust::make_zip_iterator(std::make_tuple(details::bare(std::get<I>(its))...));
}
template <class... Its> __host__ __device__ inline auto bare(zip_iterator<std::tuple<Its...>> it) {
	return details::bare_tuple(it.get_iterator_tuple(), std::make_index_sequence<sizeof...(Its)>());
}
template <class F, class It> __host__ __device__ inline auto bare(transform_iterator<F, It> it) {
	return thrust::make_transform_iterator(details::bare(it.base()), it.functor());
}

template <class It> using Bare = decltype(details::bare(std::declval<It>()));

} /* namespace details */

} /* namespace thrust */

#endif
