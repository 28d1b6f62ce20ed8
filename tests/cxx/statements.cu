// Statements: goto, range for, declarations in conditions, structured bindings, new and delete, memory functions.
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

// case: goto_forward
__device__ int f(int a, int b) {
	int r = 0;
	if (a > 9) goto big;
	r = a;
	goto done;
big:
	r = a * 100;
done:
	return r + b;
}

// case: goto_backward
__device__ int f(int a, int b) {
	int i = 0, s = 0;
again:
	s += i * a;
	if (++i < b) goto again;
	return s;
}

// case: goto_out_of_loops
__device__ int f(int a, int b) {
	int i, k = 0;
	for (i = 0; i < 6; i++)
		for (k = 0; k < 6; k++)
			if (i * k > a || k + i == b) goto found;
	return -1;
found:
	return i * 10 + k;
}

// case: goto_cleanup_chain
__device__ int f(int a, int b) {
	int r = 0;
	if (a < 0) goto fail1;
	r += 1;
	if (b > 6) goto fail2;
	r += 10;
	if (a > 20) goto fail3;
	return r;
fail3:
	r += 100;
fail2:
	r += 1000;
fail1:
	r += 10000;
	return r;
}

// case: goto_state_machine
__device__ int f(int a, int b) {
	int n = 0, x = a + 20;
s0:
	if (x <= 1 || n > 30) goto end;
	n++;
	if (x % 2) goto odd;
	x /= 2;
	goto s0;
odd:
	x = x * 3 + 1;
	if (x > 200) goto end;
	goto s0;
end:
	return n * 1000 + x + b;
}

// case: goto_past_destructor
struct G {
	int &n;
	__device__ G(int &n) : n(n) {}
	__device__ ~G() { n += 7; }
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		G x(n);
		if (a > 5) goto out;
		n *= 2;
		n += 1;
	}
	n += 100;
out:
	return n;
}

// case: goto_two_exits_of_loop
__device__ int f(int a, int b) {
	int s = 0;
	for (int i = 0; i < 10; i++) {
		if (i == b) goto first;
		if (i * 3 > a) goto second;
		s += i;
	}
	return s;
first:
	s += 1000;
second:
	return s + 1;
}

// case: range_for_array
__device__ int f(int a, int b) {
	int v[] = {a, b, 3, 4}, s = 0;
	for (int x : v) s = s * 3 + x;
	for (auto &x : v) x += 1;
	for (const int &x : v) {
		if (x == 4) continue;
		if (x > 30) break;
		s += x;
	}
	return s;
}

// case: range_for_class
struct R {
	int v[4];
	int n;
	__device__ const int *begin() const { return v; }
	__device__ const int *end() const { return v + n; }
	__device__ int *begin() { return v; }
	__device__ int *end() { return v + n; }
};
__device__ int f(int a, int b) {
	R r = {{a, b, 5, 6}, 1 + (b & 3)};
	for (int &x : r) x *= 2;
	const R &c = r;
	int s = 0;
	for (auto x : c) s += x;
	return s;
}

// case: range_for_free_begin
namespace n {
struct R {
	int lo, hi;
};
struct I {
	int i;
	__device__ int operator*() const { return i; }
	__device__ I &operator++() {
		i += 2;
		return *this;
	}
	__device__ bool operator!=(I o) const { return i < o.i; }
};
__device__ I begin(R r) { return {r.lo}; }
__device__ I end(R r) { return {r.hi}; }
} // namespace n
__device__ int f(int a, int b) {
	int s = 0;
	for (int x : n::R{b, b + a}) s += x;
	return s;
}

// case: range_for_two_dimensions
__device__ int f(int a, int b) {
	int m[2][3] = {{a, b, 1}, {2, 3, 4}}, s = 0;
	for (auto &row : m)
		for (int x : row) s = s * 2 + x;
	return s;
}

// case: range_for_initialiser_list
__device__ int f(int a, int b) {
	int s = 0;
	for (int x : {a, b, 7}) s = s * 5 + x;
	return s;
}

// case: condition_declaration
__device__ int half(int x) { return x / 2; }
__device__ int f(int a, int b) {
	int s = 0;
	if (int h = half(a))
		s += h;
	else
		s -= 1 + h;
	while (int left = b - s % 5) {
		s += left;
		if (s > 60) break;
		if (left < 0) break;
	}
	for (int i = 0; int d = b - i; i++) {
		s += d;
		if (i > 3) break;
	}
	return s;
}

// case: condition_initialiser
__device__ int f(int a, int b) {
	if (int x = a * 2; x > b)
		return x;
	else if (int y = x + b; y % 2)
		return y * 10;
	else
		return x - y;
}

// case: switch_initialiser
__device__ int f(int a, int b) {
	switch (int k = a + b; k % 5) {
	case 0:
		return k;
	case 1:
	case 2:
		return k * 10;
	default: {
		int z = k;
		return -z;
	}
	}
}

// case: switch_declaration_fallthrough
__device__ int f(int a, int b) {
	int r = 0;
	switch (const int k = b % 4) {
	case 3:
		r += k;
		[[fallthrough]];
	case 1:
		r += 10;
		break;
	case 0: {
		int t = a;
		r += t;
	}
	default:
		r += 100;
	}
	return r;
}

// case: structured_bindings_struct
struct P {
	int x;
	float y;
	int z[2];
};
__device__ P make(int a, int b) { return {a, b * 0.5f, {a + b, 7}}; }
__device__ int f(int a, int b) {
	auto [x, y, z] = make(a, b);
	x += z[0];
	P p = make(b, a);
	auto &[u, v, w] = p;
	u = 100;
	w[1] += 1;
	const auto &[l, m, n] = p;
	return x + (int)(y * 2) + p.x + n[1] + l;
}

// case: structured_bindings_array
__device__ int f(int a, int b) {
	int v[3] = {a, b, 5};
	auto [x, y, z] = v;
	auto &[p, q, r] = v;
	x = 99;
	q += 4;
	return v[0] + v[1] * 10 + x + y + z * 100 + p + r;
}

// case: structured_bindings_loop
struct P {
	int k, v;
};
__device__ int f(int a, int b) {
	P t[3] = {{1, a}, {2, b}, {3, 4}};
	int s = 0;
	for (auto &[k, v] : t) v += k;
	for (const auto [k, v] : t) s += k * v;
	return s;
}

// case: structured_bindings_if
struct P {
	bool ok;
	int v;
};
__device__ P parse(int x) { return {x % 2 == 0, x / 2}; }
__device__ int f(int a, int b) {
	if (auto [ok, v] = parse(a); ok)
		return v;
	else
		return -v - b;
}

// case: new_delete
struct N {
	int v;
	N *next;
};
__device__ int f(int a, int b) {
	N *head = nullptr;
	for (int i = 0; i < b; i++) head = new N{i * a, head};
	int s = 0;
	while (head) {
		N *n = head->next;
		s = s * 3 + head->v;
		delete head;
		head = n;
	}
	return s;
}

// case: new_array
__device__ int f(int a, int b) {
	int n = b + 2, *v = new int[n], s = 0;
	for (int i = 0; i < n; i++) v[i] = i * a;
	for (int i = 0; i < n; i += 2) s += v[i];
	delete[] v;
	int *z = new int[3]();
	s += z[0] + z[2];
	delete[] z;
	return s;
}

// case: new_constructor_destructor
struct G {
	int *n, k;
	__device__ G(int *n, int k) : n(n), k(k) { *n += k; }
	__device__ ~G() { *n *= k; }
};
struct D {
	int v;
	__device__ D() : v(3) {}
};
__device__ int f(int a, int b) {
	int n = 1;
	G *g = new G(&n, b + 1);
	int *p = new int(a);
	*p += g->k;
	delete g;
	D *d = new D[3];
	n = n * 100 + *p + d[2].v;
	delete p;
	delete[] d;
	return n;
}

// case: new_placement
struct S {
	int v;
	__device__ S(int v) : v(v) {}
	__device__ ~S() { v = -1; }
};
__device__ int f(int a, int b) {
	alignas(S) unsigned char room[sizeof(S) * 2];
	S *s = new (room) S(a), *t = new (room + sizeof(S)) S(b);
	int r = s->v * 10 + t->v;
	s->~S();
	return r + s->v * 0 + *(int *)(room + sizeof(S));
}

// case: malloc_free
__device__ int f(int a, int b) {
	int *v = (int *)malloc((b + 1) * sizeof(int));
	if (!v) return -1;
	for (int i = 0; i <= b; i++) v[i] = a - i;
	int r = v[b / 2] * 10 + v[b];
	free(v);
	free(nullptr);
	return r;
}

// case: memcpy_memset
struct S {
	char c;
	int v[3];
};
__device__ int f(int a, int b) {
	S s = {'x', {a, b, 3}}, t;
	memset(&t, 0, sizeof t);
	memcpy(&t, &s, sizeof s);
	unsigned char m[6];
	memset(m, b, sizeof m);
	float x = 1.5f;
	int bits;
	memcpy(&bits, &x, 4);
	return t.v[0] + t.v[1] * 10 + t.c + m[5] * 100 + (bits >> 20);
}

// case: memcpy_varying_size
__device__ int f(int a, int b) {
	unsigned char from[16], to[16] = {};
	for (int i = 0; i < 16; i++) from[i] = a + i;
	memcpy(to + b % 4, from + 1, b);
	int s = 0;
	for (int i = 0; i < 16; i++) s = s * 3 + to[i];
	return s;
}

// case: return_void_expression
__device__ void g(int &x) { x++; }
__device__ void h(int &x) {
	if (x > 5) return g(x);
	x += 10;
	return;
}
__device__ int f(int a, int b) {
	h(a);
	h(b);
	return a * 100 + b;
}

// case: attributes
[[nodiscard]] __device__ inline int g([[maybe_unused]] int x) {
	[[maybe_unused]] int y = 2;
	return 3;
}
__device__ int f(int a, int b) {
	if (a > 5) [[unlikely]]
		return g(a);
	return b;
}

// case: empty_and_labels
__device__ int f(int a, int b) {
	;
	{
	}
	if (a > b)
		;
	else {
		b++;
	}
	for (;;) {
		if (b > 5) break;
		b += 2;
	}
unused:
	do
		;
	while (0);
	return a * 10 + b;
}

// case: ternary_chains_and_lvalues
__device__ int f(int a, int b) {
	(a > b ? a : b) += 3;
	int r = a > 20 ? 1 : a > 10 ? 2 : b > 5 ? 3 : 4;
	return r * 10000 + a * 100 + b;
}

// case: do_continue
__device__ int f(int a, int b) {
	int i = 0, s = 0;
	do {
		i++;
		if (i % 3 == b % 3) continue;
		s += i;
		if (s > a) break;
	} while (i < 12);
	return s * 100 + i;
}

// case: static_constexpr_local
__device__ int f(int a, int b) {
	static constexpr int t[4] = {3, 1, 4, 1};
	constexpr float w[] = {0.5f, 2.0f};
	return t[b & 3] * 10 + (int)(w[a & 1] * 4);
}

// case: using_in_block
__device__ int f(int a, int b) {
	using V = int[2];
	typedef struct {
		V v;
	} S;
	enum E { K = 4 };
	S s = {{a, b}};
	{
		using V = float;
		V x = 2.5f;
		s.v[0] += (int)(x * K);
	}
	return s.v[0] * 10 + s.v[1];
}

// case: new_array_with_values
struct Pair {
	int a, b;
};
__device__ int f(int a, int b) {
	float (*rows)[3] = new float[2][3]{{1, 2, float(b)}, {4}};
	int *v = new int[b + 3]{a, 7};
	Pair *p = new Pair[3]{{1, a}, {3}};
	Pair(*q)[2] = new Pair[2][2]{{{1, 2}, {b, 4}}, {{5, 6}}};
	Pair *one = new Pair{a, 2};
	int r = int(rows[1][0] * 10 + rows[0][2] + rows[1][2]) + v[0] * 3 + v[1] + v[2];
	r += p[0].b * 5 + p[1].a + p[1].b + p[2].a + q[1][0].b * 7 + q[0][1].a * 11 + q[1][1].a + one->a;
	delete[] rows;
	delete[] v;
	delete[] p;
	delete[] q;
	delete one;
	return r;
}

// case: goto_into_section
__device__ int f(int a, int b) {
	int r = 0;
	switch (b % 4) {
	case 0:
		r = 1;
		goto two;
	case 1:
		r = 5;
		break;
	case 2:
	two:
		r += 20;
		break;
	default:
		goto end;
	}
	r += 300;
end:
	return r + a;
}

// case: goto_out_of_switch_and_back
__device__ int f(int a, int b) {
	int r = 0, k = b;
again:
	switch (k & 3) {
	case 0:
		r += 1;
		break;
	case 1:
		r += 10;
		k++;
		goto again;
	case 2: {
		int z = a;
		r += z;
		k++;
		goto again;
	}
	case 3:
		for (int i = 0; i < 4; i++) {
			if (i == 2) goto out;
			r += 2;
		}
		break;
	}
	r += 1000;
out:
	return r;
}

// case: goto_labels_and_sections
__device__ int f(int a, int b) {
	int r = 0;
	for (int i = 0; i < 5; i++) {
		switch ((a + i + 30) % 5) {
		case 1:
			r += 1;
			goto dflt;
		case 2:
			if (b > 5) goto one;
			r += 3;
			continue;
		one:
		case 3:
			r += 7;
			break;
		default:
		dflt:
			r += 100;
			break;
		}
		r *= 2;
	}
	return r;
}

// case: goto_into_section_in_loop
__device__ int f(int a, int b) {
	int r = 0;
	for (int i = 0; i < b; i++) {
		switch ((a + i) & 3) {
		case 0:
			r += 1;
			goto three;
		case 1:
			if (i & 1) continue;
			r += 7;
			break;
		case 2: {
			int k = r & 7;
			r += k;
			if (k > 3) goto out;
			break;
		}
		case 3:
		three:
			r += 1000;
			if (r > 5000) goto out;
		}
		r += 3;
	}
out:
	return r;
}

// case: attributes_everywhere
[[nodiscard]] __device__ int checked(int a) { return a; }
[[deprecated("old")]] __device__ int old(int a) { return a; }
struct [[nodiscard]] R {
	[[maybe_unused]] int v;
};
enum class [[nodiscard]] E { a [[deprecated]] = 1, b };
__attribute__((noinline)) __device__ int noinline_before(int a) { return a; }
__device__ __attribute__((always_inline)) inline int inlined(int a) { return a; }
__device__ int declared(int a) __attribute__((pure, unused));
__device__ int declared(int a) { return a + 1; }
__device__ int take([[maybe_unused]] int unused, int b) {
	[[maybe_unused]] int z = 3;
	int y __attribute__((unused)) = 4;
	if (b > 2) [[likely]] {
		b++;
	} else [[unlikely]] {
		b--;
	}
	switch (b) {
	case 1:
		b++;
		[[fallthrough]];
	case 2:
		b += 2;
		break;
	[[unlikely]] case 3:
		b = 9;
	}
	for ([[maybe_unused]] int i = 0; i < 2; i++) [[likely]]
		b++;
	struct P {
		char c;
		int n __attribute__((aligned(16)));
	} p __attribute__((unused)) = {1, 2};
	b += (int)sizeof(P) + p.n;
	auto l = [](int x) __attribute__((always_inline)) { return x; };
	using T [[maybe_unused]] = int;
	return b + l(2);
}
__device__ int f(int a, int b) {
	return checked(a) + old(b) + take(1, b) + noinline_before(2) + inlined(a) + declared(b) + (int)E::b + R{3}.v;
}

// case: commas_after_places
struct N {
	int v;
	__device__ N &operator+=(int n) {
		v += n;
		return *this;
	}
};
struct Two {
	N n;
	int bits : 5;
};
__device__ int &next(int *&p) { return *p++; }
__device__ Two make(int &count, int n) { return {{count += n}, 3}; }
__device__ int f(int a, int b) {
	N x{a}, y{b};
	int values[4] = {1, 2, 3, 4}, *p = values, count = 0, i = 0;
	Two two{};
	x += b, y += a;
	next(p), next(p), count++;
	values[i++], i++;
	make(count, 5).n, make(count, 7).bits, i += 2;
	for (int k = 0; k < 3; x += k, k++) y += 1, y += 2;
	x += 2, two.n += 3, two.bits = 2;
	return x.v + 10 * y.v + 100 * *p + 1000 * count + i + two.n.v + two.bits;
}

// case: assignment_after_a_colon
__device__ int f(int a, int b) {
	int x = 1, y = 2, z = 3;
	a & 1 ? x = 10 : y = 20;
	b & 1 ? x += a : a & 2 ? y -= b : z *= 7;
	int w = a > b ? x : y = 5;
	(a & 4 ? x : y) = 6;
	return x + 100 * y + 10000 * z + 1000000 * w;
}

// case: init_statements
__device__ int f(int a, int b) {
	int r = 0;
	if (int x = a * 2; x > b)
		r += x;
	else if (int y = x + b; y & 1)
		r += y * 10;
	else
		r -= x + y;
	switch (auto k = a & 3; k) {
	case 0:
		r += 1;
		break;
	case 1: {
		r += k * 100;
	} break;
	default:
		r += k;
	}
	if (auto *p = &a; p && *p > 2) r += *p;
	while (int z = b--) {
		r += z;
		if (z < 3) break;
	}
	return r;
}

// case: structured_bindings_all
struct B0 {
	int x;
	unsigned y : 5;
};
struct D0 : B0 {};
struct T0 {
	int a;
	float c;
};
__device__ int f(int a, int b) {
	B0 s{a, 7};
	auto &[x, y] = s;
	x += 2;
	D0 d;
	d.x = b;
	d.y = 3;
	auto [u, v] = d;
	int arr[2][2] = {{1, 2}, {3, a}};
	auto &[r0, r1] = arr;
	r1[0] = 50;
	auto &[c0, c1] = arr;
	c0[0] = 99;
	const auto [p, q] = T0{a, 2.5f};
	int n = 0;
	for (auto &[i, j] : arr) n += i * 10 + j;
	if (auto [m, k] = T0{b, 1.f}; m > 3)
		n += m;
	else
		n += int(k);
	auto l = [x = x, &r = u] { return x + r; };
	return s.x + s.y + u + v + arr[1][0] + c0[0] + c1[1] + p + int(q * 2) + n + l();
}

// case: structured_bindings_of_bit_fields
struct B0 {
	int x;
	unsigned y : 5;
};
__device__ int f(int a, int b) {
	B0 d;
	d.x = b;
	d.y = 3;
	auto &[u, v] = d;
	v += b;
	u++;
	return v + d.y + u;
}

// case: arguments_that_decide_branches
struct V3 {
	int x, y, z;
	__device__ static constexpr int length() { return 3; }
	__device__ int &operator[](int i) {
		(void)((i >= 0 && i < length()) || (x = -1, false));
		switch (i) {
		default:
		case 0:
			return x;
		case 1:
			return y;
		case 2:
			return z;
		}
	}
	__device__ const int &operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
struct M2 {
	V3 rows[2];
	__device__ V3 &operator[](int i) { return rows[i]; }
	__device__ V3 const &operator[](int i) const { return rows[i]; }
};
__device__ int dot(const V3 &a, const V3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
__device__ int trace(const M2 &m) { return m[0][0] + m[1][1]; }
__device__ int f(int a, int b) {
	V3 u{a, b, 1}, w{2, a, b};
	M2 m{{u, w}};
	m[1][2] = 7, m[0][b & 1] += 5, m[1][0] -= u[2];
	u[3] = b;
	w[-1] += 2;
	return dot(u, w) + 10 * trace(m) + 100 * dot(m[0], m[1]) + 1000 * u[0];
}

// case: constant_arguments_and_jumps
enum Kind { SUM = 3, PRODUCT, SKIP };
__device__ int chosen(int &r, int kind, int n) {
	switch (kind) {
	case 1:
		if (n > 2) break;
		r += 1;
	case 2: {
		r += 10;
		break;
	}
	default:
		r += 100;
	case SUM:
		r += 1000;
	case PRODUCT: {
		int k = n & 1;
		if (k) return r * 2;
	}
	case SKIP:
		n++;
	}
	return r + n;
}
__device__ int counted(int &r, int n, bool down, unsigned char step) {
	for (int i = 0; i < 5; i++) {
		switch (step) {
		case 1:
			continue;
		case 2:
			break;
		case 3:
			r++;
			return i + n;
		}
		if (down)
			n -= step;
		else
			n += step * 2;
		r += n;
	}
	while (n-- > 0 && !down) r++;
	return r;
}
__device__ int halved(int &r, unsigned n, long k) {
	int q = n - 3 > 2 ? 5 : 6;
	if ((r++, n == 2) || k < 0) r += 2;
	if (k > 1 && (r++, false)) r += 4;
	n >>= 1;
	return r + q + n;
}
__device__ int f(int a, int b) {
	int r = 0, s = 0;
	for (int i = 1; i < 3; i++) s += chosen(r, 1, a), s += chosen(r, 2, b);
	s += chosen(r, SUM, a), s += chosen(r, PRODUCT, b), s += chosen(r, SKIP, a);
	s += chosen(r, 9, b), s += chosen(r, a & 7, b);
	s += counted(r, a, true, 1), s += counted(r, b, false, 2);
	s += counted(r, a, true, 259 & 255), s += counted(r, b & 7, false, 4);
	s += halved(r, 2, -1), s += 3 * halved(r, 4, 2), s += 5 * halved(r, 0, 1);
	return s * 31 + r;
}

// case: statements_that_begin_with_a_type_and_arguments_of_a_template
__device__ unsigned made[4096];
__device__ unsigned &seen() { return made[blockIdx.x * blockDim.x + threadIdx.x]; }
template <class T, int N> struct B {
	T v;
	__device__ B(T v = 3) : v(v) { seen() = seen() * 3 + unsigned(N + v); }
	__device__ B(const B &other) : v(other.v) { seen() = seen() * 3 + 1; }
	__device__ ~B() { seen() = seen() * 3 + 2; }
	__device__ int get() const { return v; }
	__device__ explicit operator int() const {
		seen() += 5;
		return v;
	}
};
__device__ int note(int n) { return seen() = seen() * 5 + unsigned(n); }
__device__ int f(int a, int b) {
	seen() = 0;
	int(B<int, 7>(B<int, 7>())), note((a & 1 ? B<int, 7>(a) : B<int, 7>(2)).get());
	B<int, 4u>(B<int, 4u>());
	B<int, 4>(B<int, 4>(a));
	B<int, 4>(B<int, 4>(a)).get();
	int(B<int, 4>(b));
	B<int, 2>();
	B<int, 2>{};
	B<int, 5>(x)(a);
	B<int, 4>((B<int, 4>(a)));
	return int(seen()) + int(B<int, 4>(B<int, 7>(b).get())) + x.v;
}
