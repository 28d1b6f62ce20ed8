// standard: c++17
// <memory>: owners of objects have the layout that the C++ library gives them.
#include <memory>

// case: layout
template <class T> struct With {
	char c;
	T own;
	char d;
};
struct Nothing {
	void operator()(int *p) const {}
};
struct Counted {
	short n;
	void operator()(long *p) const {}
};
struct Handle {
	using pointer = unsigned short;
	void operator()(pointer p) const {}
};
struct Self : std::enable_shared_from_this<Self> {
	char c;
};
template <class T> struct Of {
	using value_type = T;
	using pointer = Of *;
};
__device__ int f(int a, int b) {
	using traits = std::allocator_traits<Of<char>>;
	using other = traits::rebind_alloc<double>;
	static_assert(std::is_same_v<other, Of<double>> && std::is_same_v<traits::pointer, Of<char> *>);
	static_assert(std::is_same_v<traits::size_type, size_t> && std::is_same_v<traits::const_pointer, const char *>);
	static_assert(std::is_same_v<std::allocator_traits<std::allocator<int>>::rebind_alloc<char>, std::allocator<char>>);
	return sizeof(With<std::shared_ptr<int>>) + sizeof(With<std::unique_ptr<char[]>>) * 3 +
		   sizeof(With<std::unique_ptr<int, Nothing>>) * 5 + sizeof(With<std::unique_ptr<long, Counted>>) * 7 +
		   sizeof(With<std::unique_ptr<int, void (*)(int *)>>) * 11 + sizeof(std::weak_ptr<int>) * 13 +
		   sizeof(Self) * 17 + sizeof(std::unique_ptr<int, Handle>) * 19;
}
