// Memory: device and constant variables, shared memory, volatile, loads with hints, pointers to every space.
#include <cstdint>
#include <cstring>

// case: device_variable
__device__ const int k = 5;
__device__ float table[4] = {0.5f, 1.5f, 2.5f};
__device__ int f(int a, int b) { return k * a + (int)(table[b & 3] * 2); }

// case: device_variable_struct
struct S {
	int n;
	float w[3];
	struct {
		char c;
		short s;
	} in;
};
__device__ S s = {3, {1, 2}, {'x', -7}};
__device__ const S list[2] = {{1, {4, 5, 6}}, {2}};
__device__ int f(int a, int b) {
	const S &r = list[b & 1];
	return s.n * a + (int)s.w[b % 3] + s.in.s + r.n * 100 + (int)r.w[1];
}

// case: device_variable_pointer
__device__ int data[4] = {10, 20, 30, 40};
__device__ int *p = data + 1;
__device__ int *const *q = &p;
__device__ const char *names[2] = {"ab", "xyz"};
__device__ int f(int a, int b) { return p[b & 1] + (*q)[-1] + names[a & 1][1]; }

// case: device_variable_initialisers
__device__ int a1(3), a2{4};
__device__ unsigned char text[] = "text";
__device__ double d = 1.0 / 3;
__device__ long long big = 1ll << 40 | 5;
__device__ int two[][2] = {{1, 2}, {3, 4}, {5}};
__device__ int f(int a, int b) {
	return a1 + a2 * 10 + text[b & 3] + (int)(d * 30) + (int)(big >> 38) + two[b % 3][1] * 100 + (int)sizeof(two) + a;
}

// case: device_variable_in_namespace
namespace n {
__device__ int v = 8;
namespace {
__device__ int h = 9;
}
static __device__ int s = 2;
} // namespace n
__device__ int f(int a, int b) {
	using n::v;
	return v * 100 + n::h * 10 + n::s + a;
}

// case: device_variable_template
template <typename T> __device__ T zero = T(4);
template <int N> struct H {
	static constexpr int k = N;
};
__device__ int f(int a, int b) { return zero<int> + (int)(zero<float> * 2) + H<3>::k + a; }

// case: constant_variable
__constant__ int coefficients[5] = {1, -2, 3};
__constant__ float scale = 2.5f;
__device__ int f(int a, int b) {
	int s = 0;
	for (int i = 0; i < 5; i++) s = s * b + coefficients[i];
	return s + (int)(scale * a);
}

// case: constant_struct_pointer
struct P {
	int x, y;
};
__constant__ P points[3] = {{1, 2}, {3, 4}, {5, 6}};
__device__ int g(const P *p) { return p->x * 10 + p->y; }
__device__ int f(int a, int b) {
	const P *p = points;
	return g(p + b % 3) + g(&points[1]) * 100 + a;
}

// case: constant_constexpr
constexpr int N = 6;
__constant__ constexpr int squares[N] = {0, 1, 4, 9, 16, 25};
static constexpr float W = 0.25f;
const int M = N * 2;
__device__ int f(int a, int b) { return squares[b % N] * 10 + (int)(W * 8) + M + a; }

// case: constant_function_table
__device__ int inc(int x) { return x + 1; }
__device__ int neg(int x) { return -x; }
typedef int (*F)(int);
__device__ F table[2] = {inc, neg};
__device__ int f(int a, int b) { return table[b & 1](a) + table[a & 1](b) * 100; }

// case: shared_own_element
__device__ int f(int a, int b) {
	__shared__ int s[64];
	s[threadIdx.x] = a;
	s[threadIdx.x] += b;
	return s[threadIdx.x];
}

// case: shared_struct_reference
struct S {
	int v[64];
	float w;
};
__device__ int &at(S &s) { return s.v[threadIdx.x]; }
__device__ int f(int a, int b) {
	__shared__ S s;
	at(s) = a;
	at(s) *= 3;
	int *p = &at(s);
	return *p + b;
}

// case: shared_in_template
template <typename T, int N> __device__ T swap_through(T x) {
	__shared__ T room[N];
	room[threadIdx.x] = x;
	return room[threadIdx.x] + 1;
}
__device__ int f(int a, int b) {
	return swap_through<int, 64>(a) * 10 + (int)swap_through<float, 64>(b) + swap_through<int, 65>(b);
}

// case: generic_pointer_spaces
__constant__ int c[2] = {7, 8};
__device__ int g[2] = {9, 10};
__device__ int read(const int *p) { return p[0] * 2 + p[1]; }
__device__ int f(int a, int b) {
	__shared__ int s[130];
	int l[2] = {a, b};
	s[2 * threadIdx.x] = b;
	s[2 * threadIdx.x + 1] = a;
	const int *p = b % 4 == 0 ? c : b % 4 == 1 ? g : b % 4 == 2 ? l : s + 2 * threadIdx.x;
	return read(p) + read(g) * 100;
}

// case: generic_pointer_in_struct
struct V {
	const int *p;
	int n;
	__device__ int sum() const {
		int r = 0;
		for (int i = 0; i < n; i++) r += p[i];
		return r;
	}
};
__device__ int g[3] = {1, 20, 300};
__device__ V pick(const int *l, int b) { return b % 2 ? V{g, 3} : V{l, 2}; }
__device__ int f(int a, int b) {
	int l[2] = {a, b};
	V v = pick(l, b), w = pick(l, a);
	return v.sum() + w.sum() * 2;
}

// case: volatile_accesses
struct S {
	volatile int x;
	int y;
};
__device__ int f(int a, int b) {
	volatile int v = a;
	S s = {b, 2};
	volatile S *p = (volatile S *)&s;
	v = v + 1;
	p->x = p->x + v;
	p->y += 3;
	volatile float w[2] = {1.5f};
	w[1] = w[0];
	return s.x * 10 + s.y + (int)(w[1] * 2);
}

// case: load_hints
__device__ int f(int a, int b) {
	int v[2] = {a, b};
	__stcs(v, b + 1);
	return __ldg(v) * 10 + __ldcg(&v[1]) + __ldcs(v);
}

// case: assumptions
__device__ int f(int a, int b) {
	__builtin_assume(b >= 0);
	alignas(16) int v[4] = {a, b, 1, 2};
	int *p = (int *)__builtin_assume_aligned(v, 16);
	if (__builtin_expect(a > 5, 1)) return p[b & 3];
	return -p[0];
}

// case: local_array_escapes
__device__ int sum(const int *p, int n) { return n ? *p + sum(p + 1, n - 1) : 0; }
__device__ void fill(int *p, int n, int x) {
	while (n--) *p++ = x++;
}
__device__ int f(int a, int b) {
	int v[12];
	fill(v, b, a);
	return sum(v, b);
}

// case: struct_with_array_by_value
struct S {
	int v[6];
};
__device__ S rotated(S s, int n) {
	S r;
	for (int i = 0; i < 6; i++) r.v[(i + n) % 6] = s.v[i];
	return r;
}
__device__ int f(int a, int b) {
	S s;
	for (int i = 0; i < 6; i++) s.v[i] = a + i;
	S r = rotated(s, b);
	return r.v[0] * 100 + r.v[b % 6] + s.v[5];
}

// case: pointer_aliases
__device__ int g(int *p, int *q, int n) {
	for (int i = 1; i < n; i++) {
		p[i] = q[i - 1] + p[i];
		q[i] += 1;
	}
	return p[n - 1];
}
__device__ int f(int a, int b) {
	int v[8] = {a, 1, 2, 3, 4, 5, 6, 7};
	int r = g(v, v, 4);
	return r * 100 + g(v + 1, v, 3 + b % 4);
}

// case: bytes_of_struct
struct S {
	uint16_t h;
	uint8_t b;
	uint32_t w;
};
__device__ int f(int a, int b) {
	S s;
	memset(&s, 0, sizeof s);
	s.h = a;
	s.b = b;
	s.w = a * 65537u;
	const unsigned char *p = reinterpret_cast<const unsigned char *>(&s);
	int r = 0;
	for (unsigned i = 0; i < sizeof s; i++) r = r * 3 + p[i];
	return r;
}

// case: linked_through_memory
struct N {
	int v;
	N *left, *right;
};
__device__ int sum(const N *n) { return n ? n->v + sum(n->left) * 2 + sum(n->right) * 3 : 1; }
__device__ int f(int a, int b) {
	N n[4] = {{a, nullptr, nullptr}, {b, n, nullptr}, {1, nullptr, b % 2 ? n : nullptr}, {2, n + 1, n + 2}};
	return sum(&n[3]);
}

// case: two_levels_of_tables
__device__ const int small[3] = {1, 2, 3}, large[3] = {100, 200, 300};
__device__ const int *const tables[2] = {small, large};
__device__ int f(int a, int b) { return tables[a & 1][b % 3] + tables[b & 1][a & 1]; }

// case: device_variable_template_written
template <typename T> __device__ T counts[64];
template <typename T> __device__ T total[2] = {T(5), T(7.5)};
template <typename T> __constant__ T scale = T(2.5);
template <typename T> __device__ int add(T x) {
	counts<T>[threadIdx.x] = x;
	counts<T>[threadIdx.x] += x * scale<T>;
	return (int)(counts<T>[threadIdx.x] + total<T>[1]);
}
__device__ int f(int a, int b) {
	return add(a) * 100 + add(b * 0.5f) + (int)(sizeof(total<double>) + total<double>[0]);
}

// case: pointer_that_is_declared_with_a_value_and_assigned_later
__device__ int f(int a, int b) {
	int own[4] = {1, 2, 3, 4}, *place = &own[a & 3];
	if (b & 1)
		for (int i = 0; i < (b & 3); i++) *place += b;
	place = &own[b & 3];
	return *place + own[a & 3] * 100;
}

// case: new_array_of_listed_objects
struct T {
	int id;
	__device__ T(int id) : id(id) {}
	__device__ T(int a, int b) : id(a * 10 + b) {}
};
__device__ int f(int a, int b) {
	T *p = new T[3]{{a}, {a, b}, b};
	int r = p[0].id + p[1].id * 3 + p[2].id * 7;
	delete[] p;
	T *q = new T[2]{T(a), T{b, 2}};
	r = r * 3 + q[0].id + q[1].id * 5;
	delete[] q;
	return r;
}

// case: new_array_makes_the_rest_by_default
struct Counted {
	int id;
	int *log;
	__device__ Counted(int *log = nullptr, int id = 7) : id(id), log(log) {
		if (log) *log = *log * 3 + id;
	}
	__device__ Counted(const Counted &other) : id(other.id + 1000), log(other.log) {}
	__device__ ~Counted() {
		if (log) *log = *log * 5 + id;
	}
};
__device__ int f(int a, int b) {
	int log = a & 3, n = (b & 3) + 2;
	Counted *p = new Counted[n]{{&log, 1}, Counted(&log, a & 7)};
	int r = 0;
	for (int i = 0; i < n; i++) r = r * 3 + p[i].id;
	delete[] p;
	return (r ^ log) & 0xfffffff;
}

// case: new_array_of_aggregates_with_values
struct Pair {
	int x = 3, y;
};
__device__ int f(int a, int b) {
	int n = (a & 3) + 2;
	Pair *p = new Pair[n]{{a, b}, {b}};
	int r = 0;
	for (int i = 0; i < n; i++) r = r * 3 + p[i].x + 2 * p[i].y;
	delete[] p;
	int *q = new int[n]{a, b};
	for (int i = 0; i < n; i++) r = r * 3 + q[i];
	delete[] q;
	return r;
}

// case: new_array_of_arrays_of_listed_objects
struct T {
	int id;
	__device__ T(int id = 6) : id(id) {} // g++ 12 wants one without parameters here
	__device__ ~T() { id = -1; }
};
__device__ int f(int a, int b) {
	T(*p)[2] = new T[2][2]{{a, b}, {T(3)}};
	int r = p[0][0].id + 2 * p[0][1].id + 3 * p[1][0].id + 4 * p[1][1].id;
	delete[] p;
	return r;
}

// case: new_array_in_given_memory
struct T {
	int id;
	__device__ T(int id = 5) : id(id) {}
};
__device__ int f(int a, int b) {
	alignas(T) unsigned char memory[6 * sizeof(T)];
	T *p = new (memory) T[2]{{a}, {b}}, *q = new (p + 2) T[2], *s = new (p + 4) T[(a & 1) + 1]{b};
	int r = 0;
	for (int i = 0; i < 5 + (a & 1); i++) r = r * 3 + p[i].id;
	return r + q->id + s->id;
}

// case: arrays_of_objects_without_default_constructors
struct T {
	int id;
	int *ends;
	__device__ T(int id, int *ends) : id(id), ends(ends) {}
	__device__ T(const T &other) : id(other.id + 100), ends(other.ends) {}
	__device__ ~T() { *ends = *ends * 3 + id; }
};
__device__ int f(int a, int b) {
	int ends = 0, r = 0;
	{
		T one(a & 15, &ends);
		T list[3] = {T(1, &ends), {2, &ends}, one};
		T grid[2][2] = {{{b & 3, &ends}, T(5, &ends)}, {one, {7, &ends}}};
		for (T &t : list) r = r * 3 + t.id;
		for (auto &row : grid) r = r * 3 + row[0].id * 2 + row[1].id;
	}
	return (r ^ ends) & 0xfffffff;
}

// case: arrays_in_arrays_without_inner_braces
struct T {
	int id;
	__device__ T(int id) : id(id) {}
	__device__ T() : id(4) {}
};
__device__ int f(int a, int b) {
	T all[2][2] = {a, b, 3, T(4)}, some[3][2] = {a, b, {7}}, one[2][2][2] = {{a, b, 1}, b};
	int r = 0;
	for (int i = 0; i < 4; i++) r = r * 3 + all[i / 2][i % 2].id;
	for (int i = 0; i < 6; i++) r = r * 3 + some[i / 2][i % 2].id;
	for (int i = 0; i < 8; i++) r = r * 3 + one[i / 4][i / 2 % 2][i % 2].id;
	return r & 0xfffffff;
}

// case: allocation_functions
template <class... Args> __device__ void *allocated(Args... args) { return ::operator new(args...); }
template <class... Args> __device__ void released(Args... args) { ::operator delete(args...); }
__device__ int f(int a, int b) {
	int *p = (int *)allocated(sizeof(int));
	*p = a;
	int *q = static_cast<int *>(::operator new[](3 * sizeof(int)));
	q[2] = b;
	int room, *same = new (::operator new(sizeof(int), &room)) int(a + b);
	int r = *p + q[2] * 10 + *same + (same == &room);
	released(p);
	::operator delete[](q, 3 * sizeof(int));
	return r;
}
