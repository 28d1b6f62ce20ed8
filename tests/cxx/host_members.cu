// standard: c++17
// Classes of the library that only host code uses: as members of what device code has, with the layout of the C++
// library.
#include <any>
#include <array>
#include <condition_variable>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <queue>
#include <set>
#include <shared_mutex>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// case: layout
template <class T> struct With {
	char c;
	T own;
	char d;
};
struct Less {
	int sign;
	bool operator()(int a, int b) const;
};
struct Key {
	int n;
	bool operator<(const Key &other) const;
	bool operator==(const Key &other) const;
};
struct HashOfKey {
	short seed;
	unsigned long operator()(const Key &k) const;
};
struct HashAndEqual {
	unsigned long operator()(int k) const;
	bool operator()(int a, int b) const;
};
template <class T> struct From {
	using value_type = T;
	int *arena;
	short more;
	From(int *arena);
	template <class U> From(const From<U> &other);
	T *allocate(size_t n);
	void deallocate(T *p, size_t n);
};
template <class... Types> __device__ long sizes() {
	long sum = 0, i = 0;
	((sum = sum * 3 + sizeof(With<Types>) * ++i + alignof(Types)), ...);
	return sum;
}
__device__ long f(int a, int b) {
	using std::pair;
	long arrays = sizes<std::vector<int>, std::vector<Key, From<Key>>, std::vector<bool>, std::vector<bool, From<bool>>,
		std::deque<char>, std::deque<int, From<int>>, std::list<int>, std::list<int, From<int>>, std::forward_list<Key>,
		std::queue<int>, std::priority_queue<int>, std::stack<int>, std::priority_queue<int, std::vector<int>, Less>,
		std::stack<int, std::vector<int>>>();
	long trees = sizes<std::map<int, char>, std::map<int, Key, Less>, std::multimap<Key, int>, std::set<Key>,
		std::set<int, Less, From<int>>, std::multiset<int>>();
	long hashed = sizes<std::unordered_map<int, Key>, std::unordered_set<int>, std::unordered_multimap<int, int>,
		std::unordered_multiset<std::string>, std::unordered_set<Key, HashOfKey>,
		std::unordered_set<int, HashAndEqual, HashAndEqual>, std::unordered_map<std::string, int>>();
	long others = sizes<std::string, std::basic_string<char, std::char_traits<char>, From<char>>, std::string_view,
		std::function<int(float)>, std::function<void()>, std::any, std::mutex, std::shared_mutex, std::thread,
		std::recursive_mutex, std::condition_variable, std::once_flag>();
	return arrays ^ trees * 7 ^ hashed * 11 ^ others * 13;
}

// case: members_of_the_others_are_used
struct Model {
	int n;
	std::vector<Model *> children;
	std::string name;
	std::map<std::string, std::vector<int>> tables;
	std::function<float(const Model &)> loss;
	float scale;
	std::vector<int>::iterator last;
	__device__ float at(int i) const { return scale * i + n; }
	std::string text() const { return name + std::to_string(n); }
	size_t size() const { return tables.at(name).size() + children.size(); }
	void add(std::string key, std::initializer_list<int> values) {
		for (auto &[name, table] : tables) table.push_back(1);
		tables[key] = values;
	}
};
struct View {
	const Model *model;
	int more;
};
__device__ long f(int a, int b) {
	alignas(Model) char place[sizeof(Model)];
	Model *model = reinterpret_cast<Model *>(place);
	model->n = a;
	model->scale = 2;
	View view{model, b};
	return view.model->at(3) + view.more + ((char *)&model->scale - place);
}

// case: traits
struct Node {
	std::vector<Node> children;
	std::string name;
};
__device__ long f(int a, int b) {
	using Ints = std::vector<int>;
	static_assert(
		std::is_same_v<Ints::value_type, int> && std::is_same_v<decltype(std::declval<Ints>().data()), int *>);
	static_assert(std::is_same_v<std::map<int, char>::value_type, std::pair<const int, char>>);
	static_assert(std::is_same_v<decltype(std::declval<const std::string &>()[0]), const char &>);
	static_assert(std::is_same_v<std::function<int(char)>::result_type, int>);
	static_assert(!std::is_trivially_copyable_v<Ints> && !std::is_trivially_destructible_v<Node>);
	static_assert(std::is_trivially_copyable_v<std::string_view> && std::is_default_constructible_v<Node>);
	static_assert(!std::is_copy_constructible_v<std::mutex> && std::is_nothrow_move_constructible_v<Ints>);
	static_assert(std::is_constructible_v<std::function<int(int)>, int (*)(int)>);
	static_assert(!std::is_constructible_v<std::function<int(int)>, Ints>);
	static_assert(std::is_same_v<std::iterator_traits<Ints::iterator>::value_type, int>);
	static_assert(std::is_same_v<std::iterator_traits<std::list<int>::iterator>::iterator_category,
		std::bidirectional_iterator_tag>);
	return sizeof(Node);
}
// case: unevaluated_operands_name_member_functions_of_the_host
struct yes {
	char c[3];
};
template <class T> struct has_x {
	template <class U> static yes test(decltype(&U::x));
	template <class U> static char test(...);
	static const bool value = sizeof(test<T>(0)) == sizeof(yes);
};
template <class T> class converts {
	struct any {
		any(...);
	};
	static yes check(T, ...);
	static char check(any, int);
	char member(int) const;
	static yes &reference(...);

  public:
	enum { from_int = sizeof(check(1, 2)) };
	static __device__ int size() { return sizeof(((converts *)0)->member(1)); }
	static const int same = sizeof(converts::reference(any(3), 4.0));
};
struct a_x {
	int x;
};
struct no_x {
	__device__ explicit no_x(a_x) {}
};
template <class F> struct calls {
	template <class G> static auto call(int, G g) -> decltype(g(1));
	template <class G> static yes *call(long, ...);
	static const int size = sizeof(*call<F>(0, F{}));
};
struct callable {
	long *operator()(int);
};
__device__ int f(int a, int b) {
	int n = has_x<a_x>::value + has_x<no_x>::value * 2 + converts<int>::from_int * 4 + converts<no_x>::from_int * 16;
	n += converts<no_x>::size() + converts<int>::same * 64 + calls<callable>::size * 256;
	return n + noexcept(callable{}(a)) + (a ^ b);
}
