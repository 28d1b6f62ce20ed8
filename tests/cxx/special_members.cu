// Members that the compiler makes beside the program's own, and which of several members an object chooses.
#include <type_traits>

struct Counted {
	int *count, x;
	__device__ Counted(int *count, int x) : count(count), x(x) { ++*count; }
	__device__ Counted(const Counted &other) : count(other.count), x(other.x) { *count += 10; }
	__device__ ~Counted() { *count += 1000; }
};

// case: a_defaulted_copy_beside_an_own_move
struct Part {
	int x, how;
	__device__ Part(int x) : x(x), how(0) {}
	Part(const Part &) = default;
	__device__ Part &operator=(const Part &other) {
		x = other.x, how = 1;
		return *this;
	}
	__device__ Part &operator=(Part &&other) {
		x = other.x, how = 2, other.x = -1;
		return *this;
	}
};
struct OwnMove {
	Part part;
	int moves = 0;
	__device__ OwnMove(int x) : part(x) {}
	OwnMove &operator=(const OwnMove &) = default;
	__device__ OwnMove &operator=(OwnMove &&other) {
		part.x = other.part.x + 100;
		++moves;
		return *this;
	}
};
struct OwnCopy {
	Part part;
	int copies = 0;
	__device__ OwnCopy(int x) : part(x) {}
	OwnCopy &operator=(OwnCopy &&) = default;
	__device__ OwnCopy &operator=(const OwnCopy &other) {
		part.x = other.part.x + 200;
		copies += 5;
		return *this;
	}
};
__device__ int f(int a, int b) {
	OwnMove m(a), n(b);
	m = n;
	int s = m.part.x * 7 + m.part.how * 3 + m.moves;
	m = static_cast<OwnMove &&>(n);
	s = s * 5 + m.part.x + m.moves;
	OwnCopy p(a), q(b);
	p = static_cast<OwnCopy &&>(q);
	s = s * 5 + p.part.x + p.part.how * 3 + p.copies + q.part.x;
	p = q;
	return s * 5 + p.part.x + p.copies;
}

// case: a_member_of_a_union_is_destroyed_by_the_class_alone
template <class T> struct Room {
	union {
		char none;
		T kept;
	};
	bool full = false;
	__device__ Room() : none() {}
	__device__ ~Room() {
		if (full) kept.~T();
	}
	template <class... Args> __device__ void make(Args... args) {
		::new (static_cast<void *>(&kept)) T(args...);
		full = true;
	}
};
template <class T> struct Outer : Room<T> {};
__device__ int f(int a, int b) {
	int count = 0;
	{
		Outer<Counted> one, two;
		if (a > b) one.make(&count, a);
		if (a % 2) two.make(&count, b);
	}
	return count;
}

// case: templates_that_differ_in_their_object
struct Chosen {
	template <class T> __device__ int of(T &&) & { return 1; }
	template <class T> __device__ int of(T &&) const & { return 2; }
	template <class T> __device__ int of(T &&) && { return 3; }
	template <class T> __device__ int of(T &&) const && { return 4; }
};
__device__ int f(int a, int b) {
	Chosen c;
	const Chosen d;
	int s = c.of(a) + 10 * d.of(b) + 100 * Chosen().of(1);
	return s + 1000 * static_cast<const Chosen &&>(c).of(a) + a - b;
}

// case: a_converting_constructor_sees_an_lvalue
struct Seen {
	int how;
	template <class T, std::enable_if_t<std::is_same<T, int &>::value, int> = 0> __device__ Seen(T &&x) : how(1) {
		++x;
	}
	template <class T, std::enable_if_t<std::is_same<T, int>::value, int> = 0> __device__ Seen(T &&x) : how(2 + x) {}
};
__device__ int f(int a, int b) {
	Seen one = a, two = b + 1, three = int(b);
	return one.how + 10 * two.how + 1000 * three.how + a;
}

// case: an_assignment_that_is_const
struct Proxy {
	int *at;
	__device__ const Proxy &operator=(int x) const {
		*at = x;
		return *this;
	}
};
__device__ int f(int a, int b) {
	const Proxy p{&a};
	p = b * 3;
	return a + std::is_assignable<const Proxy &, int>::value * 100 +
		   std::is_assignable<const Proxy &, Proxy>::value * 7;
}
