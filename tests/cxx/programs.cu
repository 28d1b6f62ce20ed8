// Programs in the manner of public ones: class libraries, containers, ray tracers, matrices, what templates compute.
#include <type_traits>
#include <utility>
#include <algorithm>
#include <limits>
#include <cstdint>
#include <tuple>
#include <functional>
#include <array>
#include <cstring>
#include <cmath>

// case: expr_templates
template <class E> struct Expr {
	__device__ const E &self() const { return static_cast<const E &>(*this); }
	__device__ float operator[](int i) const { return self()[i]; }
};
struct Vec : Expr<Vec> {
	float v[4];
	__device__ float operator[](int i) const { return v[i]; }
	__device__ float &operator[](int i) { return v[i]; }
	template <class E> __device__ Vec &operator=(const Expr<E> &e) {
		for (int i = 0; i < 4; i++) v[i] = e.self()[i];
		return *this;
	}
};
template <class L, class R, class Op> struct Bin : Expr<Bin<L, R, Op>> {
	const L &l;
	const R &r;
	__device__ Bin(const L &l, const R &r) : l(l), r(r) {}
	__device__ float operator[](int i) const { return Op::apply(l[i], r[i]); }
};
struct Add {
	static __device__ float apply(float a, float b) { return a + b; }
};
struct Mul {
	__device__ static float apply(float a, float b) { return a * b; }
};
template <class L, class R> __device__ Bin<L, R, Add> operator+(const Expr<L> &l, const Expr<R> &r) {
	return {l.self(), r.self()};
}
template <class L, class R> __device__ auto operator*(const Expr<L> &l, const Expr<R> &r) {
	return Bin<L, R, Mul>(l.self(), r.self());
}
__device__ int f(int a, int b) {
	Vec x, y, z;
	for (int i = 0; i < 4; i++) {
		x[i] = a + i;
		y[i] = b - i;
	}
	z = x + y * x + y;
	return (int)(z[0] + z[3] * 3);
}

// case: crtp_policy
template <class D> struct Shape {
	__device__ float area() const { return static_cast<const D *>(this)->area_impl(); }
	__device__ friend bool operator<(const Shape &a, const Shape &b) { return a.area() < b.area(); }
};
struct Sq : Shape<Sq> {
	float s;
	__device__ explicit Sq(float s) : s(s) {}
	__device__ float area_impl() const { return s * s; }
};
struct NoCheck {
	template <class T> static __device__ T &at(T *p, int i, int) { return p[i]; }
};
struct Clamp {
	template <class T> static __device__ T &at(T *p, int i, int n) { return p[i < 0 ? 0 : i >= n ? n - 1 : i]; }
};
template <class T, int N, class Policy = NoCheck> class Buf : private Policy {
	T d[N];

  public:
	__device__ Buf() {
		for (auto &x : d) x = T{};
	}
	__device__ T &operator[](int i) { return Policy::at(d, i, N); }
};
__device__ int f(int a, int b) {
	Sq p(a), q(b);
	Buf<int, 4, Clamp> u;
	u[a] = 7;
	u[-b] += 3;
	Buf<float, 3> w;
	w[b % 3] = 2;
	return (p < q) + (int)p.area() + u[0] * 10 + u[3] * 100 + (int)w[1];
}

// case: containers
template <class T, int N> class FixedVec {
	T data_[N];
	int n_ = 0;

  public:
	using value_type = T;
	using iterator = T *;
	__device__ void push_back(const T &x) {
		if (n_ < N) data_[n_++] = x;
	}
	__device__ T pop_back() { return data_[--n_]; }
	__device__ bool empty() const { return n_ == 0; }
	__device__ int size() const { return n_; }
	__device__ iterator begin() { return data_; }
	__device__ iterator end() { return data_ + n_; }
	__device__ const T *begin() const { return data_; }
	__device__ const T *end() const { return data_ + n_; }
	__device__ T &back() { return data_[n_ - 1]; }
};
template <class T, int N, class Less = std::less<T>> struct PQ {
	FixedVec<T, N> v;
	Less less;
	__device__ void push(T x) {
		v.push_back(x);
		int i = v.size() - 1;
		T *d = v.begin();
		while (i > 0) {
			int p = (i - 1) / 2;
			if (!less(d[p], d[i])) break;
			std::swap(d[p], d[i]);
			i = p;
		}
	}
	__device__ T pop() {
		T *d = v.begin();
		T top = d[0];
		d[0] = v.back();
		v.pop_back();
		int i = 0, n = v.size();
		for (;;) {
			int c = 2 * i + 1;
			if (c >= n) break;
			if (c + 1 < n && less(d[c], d[c + 1])) c++;
			if (!less(d[i], d[c])) break;
			std::swap(d[i], d[c]);
			i = c;
		}
		return top;
	}
};
__device__ int f(int a, int b) {
	PQ<int, 16> q;
	PQ<int, 16, std::greater<int>> m;
	for (int i = 0; i < 9; i++) {
		q.push((a * 7 + i * b) % 23);
		m.push((a * 5 + i * b) % 19);
	}
	int r = 0;
	for (int i = 0; i < 4; i++) r = r * 10 + q.pop() - m.pop();
	const auto &v = q.v;
	for (auto x : v) r += x;
	return r;
}

// case: span_view
template <class T> struct Span {
	T *p;
	int n;
	__device__ Span(T *p, int n) : p(p), n(n) {}
	template <int N> __device__ Span(T (&a)[N]) : p(a), n(N) {}
	__device__ T &operator[](int i) const { return p[i]; }
	__device__ T *begin() const { return p; }
	__device__ T *end() const { return p + n; }
	__device__ Span sub(int o, int c) const { return {p + o, c}; }
	template <class U, class = std::enable_if_t<std::is_convertible<T *, U *>::value>>
	__device__ operator Span<U>() const {
		return {p, n};
	}
};
__device__ int total(Span<const int> s) {
	int r = 0;
	for (int x : s) r = r * 2 + x;
	return r;
}
__device__ int f(int a, int b) {
	int v[6] = {a, b, 3, a - b, 5, 6};
	Span<int> s(v);
	s[2] = 9;
	return total(s) + total(s.sub(1, 3)) + total(Span<const int>(v, 2));
}

// case: hashset
template <class K, int CAP, class Hash> struct HashSet {
	K keys[CAP];
	bool used[CAP];
	int count;
	__device__ HashSet() : keys{}, used{}, count(0) {}
	__device__ bool insert(K k) {
		unsigned h = Hash{}(k) % CAP;
		for (int i = 0; i < CAP; ++i, h = (h + 1) % CAP) {
			if (!used[h]) {
				used[h] = true;
				keys[h] = k;
				++count;
				return true;
			}
			if (keys[h] == k) return false;
		}
		return false;
	}
	__device__ bool contains(K k) const {
		unsigned h = Hash{}(k) % CAP;
		for (int i = 0; i < CAP && used[h]; ++i, h = (h + 1) % CAP)
			if (keys[h] == k) return true;
		return false;
	}
};
struct Fnv {
	__device__ unsigned operator()(int k) const {
		unsigned h = 2166136261u;
		for (int i = 0; i < 4; i++) {
			h ^= (k >> (8 * i)) & 255;
			h *= 16777619u;
		}
		return h;
	}
};
__device__ int f(int a, int b) {
	HashSet<int, 17, Fnv> s;
	int r = 0;
	for (int i = 0; i < 12; i++) r += s.insert((a + i * i) % 7 + b);
	return r * 100 + s.count * 10 + s.contains(b) + s.contains(99);
}

// case: rng_functors
struct LCG {
	using result_type = uint32_t;
	uint32_t s;
	__device__ explicit LCG(uint32_t s = 1) : s(s) {}
	__device__ result_type operator()() { return s = s * 1664525u + 1013904223u; }
	static constexpr result_type min() { return 0; }
	static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
};
struct XorShift {
	using result_type = uint64_t;
	uint64_t s;
	__device__ explicit XorShift(uint64_t s) : s{s ? s : 88172645463325252ull} {}
	__device__ uint64_t operator()() {
		s ^= s << 13;
		s ^= s >> 7;
		return s ^= s << 17;
	}
};
template <class G> struct Uniform {
	G &g;
	float lo, hi;
	__device__ float operator()() const {
		return lo + (hi - lo) * (float)(g() >> (sizeof(typename G::result_type) * 8 - 24)) * (1.0f / (1 << 24));
	}
};
__device__ int f(int a, int b) {
	LCG l(a);
	XorShift x(b);
	Uniform<LCG> u{l, -1, 1};
	Uniform<XorShift> w{x, 0, 10};
	float s = 0;
	for (int i = 0; i < 5; i++) s += u() * w();
	return (int)(s * 1000) + (LCG::max() == ~0u);
}

// case: complex_quat
template <class T> class Complex {
	T re_, im_;

  public:
	constexpr __device__ Complex(T r = T(), T i = T()) : re_(r), im_(i) {}
	__device__ T real() const { return re_; }
	__device__ T imag() const { return im_; }
	__device__ Complex &operator*=(const Complex &o) {
		T r = re_ * o.re_ - im_ * o.im_;
		im_ = re_ * o.im_ + im_ * o.re_;
		re_ = r;
		return *this;
	}
	__device__ Complex &operator+=(Complex o) {
		re_ += o.re_;
		im_ += o.im_;
		return *this;
	}
	friend __device__ Complex operator*(Complex a, const Complex &b) { return a *= b; }
	friend __device__ Complex operator+(Complex a, const Complex &b) {
		a += b;
		return a;
	}
	__device__ Complex operator-() const { return {-re_, -im_}; }
	friend __device__ T norm(const Complex &c) { return c.re_ * c.re_ + c.im_ * c.im_; }
};
struct Quat {
	float w, x, y, z;
	__device__ Quat operator*(const Quat &o) const {
		return Quat{w * o.w - x * o.x - y * o.y - z * o.z, w * o.x + x * o.w + y * o.z - z * o.y,
			w * o.y - x * o.z + y * o.w + z * o.x, w * o.z + x * o.y - y * o.x + z * o.w};
	}
	__device__ Quat conj() const { return {w, -x, -y, -z}; }
};
__device__ int f(int a, int b) {
	Complex<float> c(a, b), z;
	int it = 0;
	c = c * Complex<float>(0.05f);
	for (; it < 30 && norm(z) < 4; ++it) z = z * z + c;
	Quat q{1, (float)a, (float)b, 2}, p = q * q.conj();
	return it + (int)(p.w + p.x * 10) + (int)(-(2.0f + Complex<float>(1))).real();
}

// case: rtiow
class vec3 {
  public:
	float e[3];
	__device__ vec3() {}
	__device__ vec3(float e0, float e1, float e2) {
		e[0] = e0;
		e[1] = e1;
		e[2] = e2;
	}
	__device__ inline float x() const { return e[0]; }
	__device__ inline const vec3 &operator+() const { return *this; }
	__device__ inline vec3 operator-() const { return vec3(-e[0], -e[1], -e[2]); }
	__device__ inline float operator[](int i) const { return e[i]; }
	__device__ inline float &operator[](int i) { return e[i]; }
	__device__ inline float squared_length() const { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2]; }
};
__device__ inline vec3 operator+(const vec3 &a, const vec3 &b) {
	return vec3(a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]);
}
__device__ inline vec3 operator-(const vec3 &a, const vec3 &b) {
	return vec3(a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]);
}
__device__ inline vec3 operator*(float t, const vec3 &v) { return vec3(t * v.e[0], t * v.e[1], t * v.e[2]); }
__device__ inline float dot(const vec3 &a, const vec3 &b) {
	return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
}
class ray {
  public:
	__device__ ray() {}
	__device__ ray(const vec3 &a, const vec3 &b) {
		A = a;
		B = b;
	}
	__device__ vec3 origin() const { return A; }
	__device__ vec3 direction() const { return B; }
	__device__ vec3 at(float t) const { return A + t * B; }
	vec3 A, B;
};
class material;
struct hit_record {
	float t;
	vec3 p, normal;
	material *mat_ptr;
};
class hittable {
  public:
	__device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const = 0;
	__device__ virtual ~hittable() {}
};
class material {
  public:
	__device__ virtual int scatter(const hit_record &rec) const = 0;
	__device__ virtual ~material() {}
};
class lambertian : public material {
  public:
	__device__ lambertian(int a) : albedo(a) {}
	__device__ virtual int scatter(const hit_record &rec) const { return albedo + (int)rec.t; }
	int albedo;
};
class metal : public material {
  public:
	__device__ metal(int a, float f) : albedo(a) {
		if (f < 1)
			fuzz = f;
		else
			fuzz = 1;
	}
	__device__ int scatter(const hit_record &rec) const override { return albedo * 2 + (int)(fuzz * 4); }
	int albedo;
	float fuzz;
};
class sphere : public hittable {
  public:
	__device__ sphere() {}
	__device__ sphere(vec3 cen, float r, material *m) : center(cen), radius(r), mat_ptr(m) {};
	__device__ virtual bool hit(const ray &r, float tmin, float tmax, hit_record &rec) const;
	__device__ ~sphere() { delete mat_ptr; }
	vec3 center;
	float radius;
	material *mat_ptr;
};
__device__ bool sphere::hit(const ray &r, float t_min, float t_max, hit_record &rec) const {
	vec3 oc = r.origin() - center;
	float a = dot(r.direction(), r.direction()), b = dot(oc, r.direction()), c = dot(oc, oc) - radius * radius,
		  d = b * b - a * c;
	if (d > 0) {
		float temp = (-b - sqrtf(d)) / a;
		if (temp < t_max && temp > t_min) {
			rec.t = temp;
			rec.p = r.at(rec.t);
			rec.normal = (1.0f / radius) * (rec.p - center);
			rec.mat_ptr = mat_ptr;
			return true;
		}
	}
	return false;
}
class hittable_list : public hittable {
  public:
	__device__ hittable_list() {}
	__device__ hittable_list(hittable **l, int n) {
		list = l;
		list_size = n;
	}
	__device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const {
		hit_record tmp;
		bool any = false;
		float closest = t_max;
		for (int i = 0; i < list_size; i++)
			if (list[i]->hit(r, t_min, closest, tmp)) {
				any = true;
				closest = tmp.t;
				rec = tmp;
			}
		return any;
	}
	hittable **list;
	int list_size;
};
__device__ int f(int a, int b) {
	hittable *list[3];
	list[0] = new sphere(vec3(0, 0, -1), 0.5f, new lambertian(a));
	list[1] = new sphere(vec3(0, -100.5f, -1), 100, new metal(b, 0.25f));
	list[2] = new sphere(vec3(1, 0, -1), 0.5f, new metal(3, 2));
	hittable *world = new hittable_list(list, 3);
	hit_record rec;
	int r = -1;
	if (world->hit(ray(vec3(0, 0, 0), vec3((a % 5) * 0.2f, (b - 5) * 0.1f, -1)), 0.001f, 1e30f, rec))
		r = rec.mat_ptr->scatter(rec) * 10 + (int)(rec.normal[1] * 4);
	for (auto *h : list) delete h;
	delete world;
	return r;
}

// case: tag_dispatch_traits
struct random_tag {};
struct bidi_tag {};
struct better_tag : random_tag {};
template <class I> struct it_traits {
	using category = typename I::category;
};
template <class T> struct it_traits<T *> {
	using category = better_tag;
};
struct ListIt {
	using category = bidi_tag;
	int n;
	__device__ ListIt &operator++() {
		n += 2;
		return *this;
	}
};
template <class I> __device__ void adv(I &i, int n, random_tag) { i += n; }
template <class I> __device__ void adv(I &i, int n, bidi_tag) {
	while (n-- > 0) ++i;
}
template <class I> __device__ void adv(I &i, int n) { adv(i, n, typename it_traits<I>::category{}); }
__device__ int f(int a, int b) {
	int v[20];
	for (int i = 0; i < 20; i++) v[i] = a * i;
	int *p = v;
	adv(p, b);
	ListIt l{0};
	adv(l, b);
	return *p + l.n;
}

// case: recursion_templates
template <int N, int K> struct Binom {
	static constexpr int value = Binom<N - 1, K - 1>::value + Binom<N - 1, K>::value;
};
template <int N> struct Binom<N, 0> {
	static constexpr int value = 1;
};
template <int N> struct Binom<N, N> {
	static constexpr int value = 1;
};
template <> struct Binom<0, 0> {
	enum { value = 1 };
};
template <int... Is> struct Seq {};
template <int N, int... Is> struct Gen : Gen<N - 1, N - 1, Is...> {};
template <int... Is> struct Gen<0, Is...> {
	using type = Seq<Is...>;
};
template <int... Is> __device__ int dot(Seq<Is...>, const int *v) {
	int r = 0;
	int t[] = {(r += Is * v[Is], 0)...};
	(void)t;
	return r;
}
template <unsigned N> __device__ int unroll(const int *p) {
	if constexpr (N == 0)
		return 0;
	else
		return p[N - 1] + unroll<N - 1>(p);
}
__device__ int f(int a, int b) {
	int v[8] = {a, b, 1, 2, 3, a, b, 7};
	return Binom<6, 2>::value + dot(typename Gen<8>::type{}, v) + unroll<5>(v);
}

// case: folds
template <class... T> __device__ auto sum(T... x) { return (... + x); }
template <class... T> __device__ bool all(T... x) { return (... && x); }
template <class... T> __device__ bool any(T... x) { return (x || ...); }
template <class T, class... U> __device__ bool is_one_of(T t, U... u) { return ((t == u) || ...); }
template <class... F> __device__ int run(int x, F... f) {
	((x = f(x)), ...);
	return x;
}
template <class... T> __device__ int push(int *p, T... x) {
	int n = 0;
	((p[n++] = x), ...);
	return n;
}
template <int... D> constexpr int volume() { return (D * ... * 1); }
__device__ int f(int a, int b) {
	int p[4] = {};
	push(p, a, b, 3);
	return sum(a, b, 2) + (int)sum(1.5, 2.5f, b) + all(a > 0, b > 1) * 10 + any(a > 30, b > 9) * 20 +
		   is_one_of(a, 1, 2, b) * 40 +
		   run(
			   a, [](int x) { return x + 1; }, [b](int x) { return x * b; }) +
		   p[1] * p[2] + volume<2, 3, 4>() + volume<>();
}

// case: static_constexpr_loops
struct Cfg {
	static constexpr int TILE = 4, N = TILE * 2;
	static constexpr float w[3] = {0.25f, 0.5f, 0.25f};
	enum : unsigned { MASK = N - 1 };
};
template <class C> struct Kern {
	static constexpr auto size = C::TILE * C::N;
	using A = int[C::N];
	__device__ static int run(int a) {
		A t;
		for (int i = 0; i < C::N; i++) t[i] = a + i;
		float s = 0;
		_Pragma("unroll") for (int i = 0; i < 3; i++) s += C::w[i] * t[i];
		return (int)(s * 4) + size + (a & C::MASK);
	}
};
__device__ int f(int a, int b) { return Kern<Cfg>::run(a) + Kern<Cfg>::run(b); }

// case: nested_lambdas
__device__ int f(int a, int b) {
	auto mk = [](int k) { return [k](int x) { return [=](int y) { return x * k + y; }; }; };
	auto compose = [](auto f, auto g) { return [=](auto x) { return f(g(x)); }; };
	auto h = compose([a](int x) { return x + a; },
		[&b](int x) {
			b++;
			return x * b;
		});
	int n = 0;
	auto rec = [&n](auto &&self, int k) -> int {
		n++;
		return k <= 1 ? 1 : self(self, k - 1) + self(self, k - 2);
	};
	return mk(2)(a)(b) + h(3) + rec(rec, b % 6) + n;
}

// case: friends_adl
namespace geo {
struct P {
	int x, y;
	friend __device__ P operator+(P a, P b) { return {a.x + b.x, a.y + b.y}; }
	friend __device__ int dot(const P &a, const P &b) { return a.x * b.x + a.y * b.y; }
	__device__ friend bool operator==(const P &, const P &) { return false; }
};
__device__ int norm1(P p) { return abs(p.x) + abs(p.y); }
template <class T> __device__ T scale(P p, T k) { return p.x * k; }
namespace detail {
__device__ int helper(P p) { return p.x - p.y; }
} // namespace detail
using detail::helper;
} // namespace geo
__device__ int f(int a, int b) {
	geo::P p{a, b}, q{b, 2};
	using namespace geo::detail;
	return dot(p + q, q) + norm1(p) + (p == q) + scale(p, 3) + geo::helper(p) + helper(q);
}

// case: enum_ops
enum class Flags : uint8_t { none = 0, a = 1, b = 2, c = 4 };
__device__ constexpr Flags operator|(Flags x, Flags y) {
	return static_cast<Flags>(static_cast<uint8_t>(x) | static_cast<uint8_t>(y));
}
__device__ constexpr Flags operator&(Flags x, Flags y) { return Flags(uint8_t(x) & uint8_t(y)); }
__device__ constexpr Flags &operator|=(Flags &x, Flags y) { return x = x | y; }
__device__ constexpr bool has(Flags f, Flags b) { return (f & b) == b; }
__device__ Flags &operator++(Flags &f) {
	f = Flags((int)f + 1);
	return f;
}
template <Flags F> struct Opt {
	static constexpr bool fast = has(F, Flags::a);
};
__device__ int f(int a, int b) {
	Flags x = Flags::none;
	if (a & 1) x |= Flags::a;
	if (b & 1) x |= Flags::c;
	++x;
	switch (x) {
	case Flags::a:
		return 10;
	case Flags::b:
		return 20 + (x > Flags::a);
	default:
		break;
	}
	return (int)x + Opt<Flags::a | Flags::b>::fast;
}

// case: unions_bits
union F32 {
	float f;
	unsigned u;
	struct {
		unsigned m : 23, e : 8, s : 1;
	} p;
	unsigned char b[4];
};
struct Packed {
	unsigned r : 5, g : 6, b : 5;
	signed d : 4;
	bool k : 1;
};
union Any {
	int i;
	float f;
	struct {
		short lo, hi;
	};
	__device__ Any(int x) : i(x) {}
};
__device__ int f(int a, int b) {
	F32 v;
	v.f = a * 1.25f;
	int r = v.p.e + v.p.s * 1000 + (v.p.m >> 20) + v.b[3];
	Packed q{};
	q.r = a;
	q.g += b;
	q.b = q.r ^ q.g;
	q.d = a;
	q.k = b;
	r += q.r + q.g * 2 + q.b * 3 + q.d + q.k;
	Any y(a * 70000);
	return r + y.lo + y.hi;
}

// case: volatile_restrict_attr
[[nodiscard]] __device__ __forceinline__ int add(
	const int *__restrict__ p, const int *__restrict__ q, [[maybe_unused]] int k) {
	return *p + *q;
}
__device__ __noinline__ int slow(volatile int *v, int n) {
	for (int i = 0; i < n; i++) *v = *v + i;
	return *v;
}
struct alignas(16) V4 {
	float x, y, z, w;
};
struct __align__(8) Pair8 {
	int a, b;
};
[[deprecated("x")]] __device__ int old() { return 1; }
__device__ int f(int a, int b) {
	volatile int s = a;
	alignas(32) int t[4] = {a, b, 1, 2};
	return add(&a, &b, 1) + slow(&s, b) + alignof(V4) + alignof(Pair8) + sizeof(V4) + t[b & 3] + noexcept(a + b);
}

// case: dependent_names
template <class T> struct Box {
	using type = T;
	template <class U> struct rebind {
		using other = Box<U>;
	};
	template <int N> __device__ T times() const { return v * N; }
	T v;
	static const int id = 3;
};
template <class B> struct User {
	using T = typename B::type;
	typename B::template rebind<float>::other fb;
	B b;
	__device__ T go(int k) {
		fb.v = 1.5f;
		return b.template times<3>() + (T)fb.template times<2>() + B::id * k;
	}
};
template <class T, class = void> struct has_v : std::false_type {};
template <class T> struct has_v<T, std::void_t<decltype(std::declval<T>().v)>> : std::true_type {};
__device__ int f(int a, int b) {
	User<Box<int>> u;
	u.b.v = a;
	return u.go(b) + has_v<Box<int>>::value * 10 + has_v<int>::value;
}

// case: macros
#define MAKE_OP(NAME, EXPR)                                                                                            \
	template <class T> struct NAME##_op {                                                                              \
		__device__ T operator()(T x, T y) const { return EXPR; }                                                       \
		static constexpr const char *name() { return #NAME; }                                                          \
	};
MAKE_OP(add, x + y)
MAKE_OP(mul, (x) * (y))
MAKE_OP(mx, x > y ? x : y)
#define FOREACH(M) M(add) M(mul) M(mx)
#define ID(n) OP_##n,
enum Op { FOREACH(ID) OP_COUNT };
#define CASE(n)                                                                                                        \
	case OP_##n:                                                                                                       \
		return n##_op<T>{}(x, y);
template <class T> __device__ T apply(Op o, T x, T y) {
	switch (o) { FOREACH(CASE) default : return T(-1); }
}
__device__ int f(int a, int b) {
	return apply((Op)(b % (OP_COUNT + 1)), a, b) + (int)apply(OP_mx, 1.5f, (float)a) + add_op<int>::name()[1];
}

// case: matrix_class
template <class T, int R, int C> struct Mat {
	T m[R][C];
	__device__ static Mat identity() {
		static_assert(R == C, "square");
		Mat r{};
		for (int i = 0; i < R; i++) r(i, i) = T(1);
		return r;
	}
	__device__ T &operator()(int i, int j) { return m[i][j]; }
	__device__ const T &operator()(int i, int j) const { return m[i][j]; }
	template <int K> __device__ Mat<T, R, K> operator*(const Mat<T, C, K> &o) const {
		Mat<T, R, K> r{};
		_Pragma("unroll") for (int i = 0; i < R; i++) for (int j = 0; j < K; j++) for (int k = 0; k < C; k++) r(i, j) +=
			(*this)(i, k) * o(k, j);
		return r;
	}
	__device__ Mat<T, C, R> t() const {
		Mat<T, C, R> r;
		for (int i = 0; i < R; i++)
			for (int j = 0; j < C; j++) r(j, i) = m[i][j];
		return r;
	}
};
template <class T, int N> __device__ T trace(const Mat<T, N, N> &a) {
	T s{};
	for (int i = 0; i < N; ++i) s += a(i, i);
	return s;
}
template <class T, int N> __device__ T det(const Mat<T, N, N> &a) {
	if constexpr (N == 1)
		return a(0, 0);
	else {
		T s = 0;
		for (int c = 0; c < N; c++) {
			Mat<T, N - 1, N - 1> sub;
			for (int i = 1; i < N; i++)
				for (int j = 0, k = 0; j < N; j++)
					if (j != c) sub(i - 1, k++) = a(i, j);
			s += (c & 1 ? -1 : 1) * a(0, c) * det(sub);
		}
		return s;
	}
}
__device__ int f(int a, int b) {
	Mat<int, 2, 3> x{{{a, b, 1}, {2, a, 3}}};
	auto y = x * x.t();
	return trace(y) + det(y) + trace(Mat<int, 3, 3>::identity()) + det(x.t() * x);
}

// case: cutlass_like
template <int M_, int N_, int K_> struct GemmShape {
	static int const kM = M_;
	static int const kN = N_;
	static int const kK = K_;
	static int const kMN = M_ * N_;
	static int const kCount = kM * kN * kK;
};
template <typename T, int N> struct alignas(sizeof(T) * N) AlignedArray {
	using Element = T;
	static int const kElements = N;
	T storage[N];
	__device__ T &operator[](size_t i) { return storage[i]; }
	__device__ T const &operator[](size_t i) const { return storage[i]; }
	__device__ void clear() {
		for (int i = 0; i < N; ++i) storage[i] = T(0);
	}
	__device__ T *data() { return storage; }
};
template <typename A, typename B, typename C> struct multiply_add {
	__device__ C operator()(A const &a, B const &b, C const &c) const { return a * b + c; }
};
template <typename Shape_, typename ElementA, typename Op = multiply_add<ElementA, ElementA, ElementA>> struct Mma {
	using Shape = Shape_;
	using FragmentA = AlignedArray<ElementA, Shape::kM * Shape::kK>;
	using FragmentB = AlignedArray<ElementA, Shape::kK * Shape::kN>;
	using FragmentC = AlignedArray<ElementA, Shape::kMN>;
	__device__ void operator()(FragmentC &d, FragmentA const &a, FragmentB const &b, FragmentC const &c) {
		Op op;
		d = c;
		_Pragma("unroll") for (int k = 0; k < Shape::kK; ++k) for (int n = 0; n < Shape::kN; ++n) for (int m = 0;
			m < Shape::kM; ++m) d[m + n * Shape::kM] =
			op(a[m + k * Shape::kM], b[k + n * Shape::kK], d[m + n * Shape::kM]);
	}
};
__device__ int f(int a, int b) {
	using M = Mma<GemmShape<2, 2, 4>, float>;
	M::FragmentA A;
	M::FragmentB B;
	M::FragmentC C, D;
	C.clear();
	for (int i = 0; i < M::FragmentA::kElements; ++i) {
		A[i] = a + i;
		B[i] = b - i;
	}
	M mma;
	mma(D, A, B, C);
	return (int)(D[0] + D[1] * 2 + D[3]) + M::Shape::kCount;
}

// case: linked_list_pool
struct Node {
	int key;
	Node *next;
	Node *child[2];
};
struct Pool {
	Node nodes[16];
	int used = 0;
	__device__ Node *make(int k) {
		Node *n = &nodes[used++];
		*n = Node{k, nullptr, {nullptr, nullptr}};
		return n;
	}
};
struct Bst {
	Pool &pool;
	Node *root = nullptr;
	__device__ explicit Bst(Pool &p) : pool(p) {}
	__device__ void insert(int k) {
		Node **at = &root;
		while (*at) {
			if ((*at)->key == k) return;
			at = &(*at)->child[k > (*at)->key];
		}
		*at = pool.make(k);
	}
	__device__ int depth(const Node *n) const { return n ? 1 + std::max(depth(n->child[0]), depth(n->child[1])) : 0; }
	template <class F> __device__ void walk(Node *n, F &&f) {
		if (!n) return;
		walk(n->child[0], f);
		f(n->key);
		walk(n->child[1], f);
	}
};
__device__ int f(int a, int b) {
	Pool p;
	Bst t(p);
	for (int i = 0; i < 8; i++) t.insert((a * i + b * i * i) % 11);
	int r = 0, i = 1;
	t.walk(t.root, [&](int k) { r += k * i++; });
	return r * 10 + t.depth(t.root);
}

// case: crtp_counter_mixins
template <class D> struct Eq {
	__device__ friend bool operator!=(const D &a, const D &b) { return !(a == b); }
};
template <class D> struct Ord {
	friend __device__ bool operator>(const D &a, const D &b) { return b < a; }
	friend __device__ bool operator<=(const D &a, const D &b) { return !(b < a); }
};
struct Ver : Eq<Ver>, Ord<Ver> {
	int a, b;
	__device__ Ver(int a, int b) : a(a), b(b) {}
	__device__ bool operator==(const Ver &o) const { return a == o.a && b == o.b; }
	__device__ bool operator<(const Ver &o) const { return a != o.a ? a < o.a : b < o.b; }
};
template <class... M> struct Multi : M... {
	template <class... A> __device__ Multi(A... a) : M(a)... {}
};
struct Ma {
	int v;
	__device__ Ma(int x) : v(x) {}
	__device__ int ga() { return v; }
};
struct Mb {
	int w;
	__device__ Mb(int x) : w(x * 2) {}
	__device__ int gb() { return w; }
};
__device__ int f(int a, int b) {
	Ver p(a, b), q(b, a);
	Multi<Ma, Mb> m(a, b);
	return (p != q) + 2 * (p > q) + 4 * (p <= q) + m.ga() * 10 + m.gb();
}

// case: iterator_class
template <class T> class strided {
	T *p;
	int s;

  public:
	using value_type = T;
	using difference_type = std::ptrdiff_t;
	using reference = T &;
	using pointer = T *;
	using iterator_category = std::input_iterator_tag;
	__device__ strided(T *p, int s) : p(p), s(s) {}
	__device__ reference operator*() const { return *p; }
	__device__ strided &operator++() {
		p += s;
		return *this;
	}
	__device__ strided operator++(int) {
		auto c = *this;
		++*this;
		return c;
	}
	__device__ strided operator+(difference_type n) const { return strided(p + n * s, s); }
	__device__ difference_type operator-(const strided &o) const { return (p - o.p) / s; }
	__device__ reference operator[](difference_type n) const { return p[n * s]; }
	__device__ bool operator!=(const strided &o) const { return p != o.p; }
	__device__ bool operator==(const strided &o) const { return !(*this != o); }
	__device__ T *operator->() const { return p; }
};
__device__ int f(int a, int b) {
	int v[12];
	for (int i = 0; i < 12; i++) v[i] = (a * (i + 3) + b) % 13;
	strided<int> s(v, 3), e(v + 12, 3);
	int r = 0;
	for (auto it = s; it != e; it++) r = r * 3 + *it;
	auto m = std::find(s, e, v[6]);
	return r + (int)(m - s) + s[1] + *(s + 2) + (int)std::count_if(s, e, [](int x) { return x > 5; });
}

// case: state_machine
enum class St { idle, run, stop };
struct Ev {
	int kind;
	int v;
};
struct Machine {
	St s = St::idle;
	int acc{0};
	using H = int (*)(Machine &, const Ev &);
	__device__ int on(const Ev &e) {
		switch (s) {
		case St::idle:
			if (e.kind == 0) s = St::run;
			return 0;
		case St::run: {
			acc += e.v;
			if (e.kind == 2) {
				s = St::stop;
				return acc;
			}
			return 1;
		}
		case St::stop:
			[[fallthrough]];
		default:
			return -1;
		}
	}
};
__device__ int f(int a, int b) {
	Machine m;
	int r = 0;
	for (Ev e : {Ev{0, a}, Ev{1, b}, Ev{b % 3, 4}, Ev{2, a}}) r = r * 7 + m.on(e);
	return r;
}

// case: variant_like
template <class... T> struct max_size;
template <class T> struct max_size<T> {
	static constexpr size_t value = sizeof(T);
};
template <class T, class... R> struct max_size<T, R...> {
	static constexpr size_t value = sizeof(T) > max_size<R...>::value ? sizeof(T) : max_size<R...>::value;
};
template <class T, class F, class... R> struct index_of {
	static constexpr int value = std::is_same<T, F>::value ? 0 : 1 + index_of<T, R...>::value;
};
template <class T, class F> struct index_of<T, F> {
	static constexpr int value = 0;
};
template <class... T> class Variant {
	alignas(8) unsigned char buf[max_size<T...>::value];
	int tag;

  public:
	template <class U> __device__ Variant(const U &u) : tag(index_of<U, T...>::value) { new (buf) U(u); }
	template <class U> __device__ bool is() const { return tag == index_of<U, T...>::value; }
	template <class U> __device__ const U &get() const { return *reinterpret_cast<const U *>(buf); }
	template <class F> __device__ int visit(F &&f) const {
		int r = 0;
		((is<T>() ? (void)(r = f(get<T>())) : void()), ...);
		return r;
	}
};
template <class... F> struct overload : F... {
	using F::operator()...;
};
template <class... F> overload(F...) -> overload<F...>;
struct P2 {
	float x, y;
};
__device__ int f(int a, int b) {
	using V = Variant<int, float, P2>;
	V v = b % 3 == 0 ? V(a) : b % 3 == 1 ? V(a * 0.5f) : V(P2{1.f * a, 2.f});
	return v.visit(overload{[](int x) { return x; }, [](float x) { return (int)(x * 4); },
		[b](const P2 &p) { return (int)(p.x * p.y) + b; }});
}

// case: unique_ptr
template <class T> class uptr {
	T *p;

  public:
	__device__ explicit uptr(T *p = nullptr) : p(p) {}
	uptr(const uptr &) = delete;
	uptr &operator=(const uptr &) = delete;
	__device__ uptr(uptr &&o) noexcept : p(o.p) { o.p = nullptr; }
	__device__ uptr &operator=(uptr &&o) noexcept {
		if (this != &o) {
			delete p;
			p = o.p;
			o.p = nullptr;
		}
		return *this;
	}
	__device__ ~uptr() { delete p; }
	__device__ T &operator*() const { return *p; }
	__device__ T *operator->() const { return p; }
	__device__ explicit operator bool() const { return p != nullptr; }
	__device__ T *release() {
		T *q = p;
		p = nullptr;
		return q;
	}
};
template <class T, class... A> __device__ uptr<T> make(A &&...a) { return uptr<T>(new T(std::forward<A>(a)...)); }
struct Obj {
	int &n;
	int v;
	__device__ Obj(int &n, int v) : n(n), v(v) { ++n; }
	__device__ ~Obj() { --n; }
};
__device__ int f(int a, int b) {
	int n = 0, r = 0;
	{
		auto p = make<Obj>(n, a);
		uptr<Obj> q = std::move(p), e;
		r += n * 100 + q->v + !p + !e;
		e = make<Obj>(n, b);
		q = std::move(e);
		r += (*q).v * 3 + n;
	}
	return r * 10 + n;
}

// case: small_string
struct Str {
	char c[16];
	int n;
	__device__ constexpr Str(const char *s) : c{}, n(0) {
		while (s[n]) {
			c[n] = s[n];
			++n;
		}
	}
	__device__ char operator[](int i) const { return c[i]; }
	__device__ Str &operator+=(char x) {
		c[n++] = x;
		return *this;
	}
	friend __device__ bool operator==(const Str &a, const Str &b) {
		if (a.n != b.n) return false;
		for (int i = 0; i < a.n; i++)
			if (a.c[i] != b.c[i]) return false;
		return true;
	}
};
__device__ constexpr unsigned hash(const char *s) {
	unsigned h = 5381;
	for (; *s; ++s) h = h * 33 ^ *s;
	return h;
}
__device__ int f(int a, int b) {
	constexpr auto k = hash("abc");
	static_assert(hash("a") != hash("b"));
	Str s("ab"), t = "abc";
	if (a & 1) s += 'c';
	switch (hash(b & 1 ? "abc" : "x")) {
	case k:
		return 5 + (s == t);
	case hash("x"):
		return s[1];
	}
	return 0;
}

// case: crtp_static_poly_array
template <class T, std::size_t N> struct vec {
	T d[N];
	using self = vec;
	__device__ constexpr T const &operator[](std::size_t i) const { return d[i]; }
	__device__ constexpr T &operator[](std::size_t i) { return d[i]; }
	template <class F> __device__ constexpr auto map(F f) const -> vec<decltype(f(d[0])), N> {
		vec<decltype(f(d[0])), N> r{};
		for (std::size_t i = 0; i < N; ++i) r[i] = f(d[i]);
		return r;
	}
	template <class F, class A> __device__ constexpr A fold(A a, F f) const {
		for (auto const &x : d) a = f(a, x);
		return a;
	}
};
template <class T, class... U> vec(T, U...) -> vec<T, 1 + sizeof...(U)>;
template <class T, std::size_t N> __device__ constexpr auto dot(vec<T, N> const &a, vec<T, N> const &b) {
	T s{};
	for (std::size_t i = 0; i < N; ++i) s += a[i] * b[i];
	return s;
}
__device__ int f(int a, int b) {
	vec v{a, b, 3};
	auto w = v.map([](int x) { return x * 0.5f; });
	constexpr vec<int, 3> c{{1, 2, 3}};
	constexpr int k = dot(c, c);
	return (int)w.fold(0.f, [](float s, float x) { return s + x; }) + dot(v, v) + k;
}

// case: policy_defaults
template <bool Cond> using Req = std::enable_if_t<Cond, int>;
template <class T, Req<std::is_integral_v<T>> = 0> __device__ int cls(T) { return 1; }
template <class T, Req<std::is_floating_point<T>::value> = 0> __device__ int cls(T) { return 2; }
template <class T, class U = T, int N = sizeof(U)> __device__ int szs(T, U = U()) { return N; }
template <template <class, int> class C, class T> struct Adapt {
	C<T, 4> c;
	__device__ int sz() const { return sizeof(c); }
};
template <class T, int N> struct Arr {
	T v[N];
};
template <auto V> struct Cst {
	static constexpr auto value = V;
	using type = decltype(V);
};
__device__ int f(int a, int b) {
	return cls(a) + cls(2.f) * 10 + szs('c') * 100 + szs<float, double>(1) * 1000 + Adapt<Arr, short>{}.sz() +
		   Cst<5u>::value + Cst<'a'>::value + (int)sizeof(Cst<3LL>::type);
}

// case: operators_all
struct B {
	int v;
	__device__ B(int v = 0) : v(v) {}
	__device__ B operator~() const { return ~v; }
	__device__ bool operator!() const { return !v; }
	__device__ B operator<<(int n) const { return v << n; }
	__device__ B &operator<<=(int n) {
		v <<= n;
		return *this;
	}
	__device__ B operator%(const B &o) const { return v % (o.v | 1); }
	__device__ B operator&&(const B &o) const { return v && o.v; }
	__device__ B operator,(const B &o) const { return v * 10 + o.v; }
	__device__ B *operator&() { return this + 0; }
	__device__ int operator()(int a, int b = 3) const { return v + a * b; }
	__device__ B operator++(int) {
		B o = *this;
		v += 2;
		return o;
	}
	__device__ B &operator--() {
		--v;
		return *this;
	}
	__device__ explicit operator bool() const { return v > 0; }
	__device__ operator int() const = delete;
	template <class T> __device__ B &operator|=(T t) {
		v |= (int)t;
		return *this;
	}
};
__device__ int f(int a, int b) {
	B x(a), y(b);
	B z = (x, y);
	z <<= 1;
	z |= 4.5;
	auto p = &x;
	return (~x).v + !y + (x << 2).v + (x % y).v + (x && y).v + z.v + x(2) + x(1, 1) + (x++).v + (--x).v + (p->v) +
		   (x ? 1000 : 0);
}

// case: recursion_deep_types
template <int D, class T> struct Nest {
	Nest<D - 1, T> in[2];
	__device__ T sum() const { return in[0].sum() + in[1].sum(); }
	__device__ void fill(T &c) {
		in[0].fill(c);
		in[1].fill(c);
	}
};
template <class T> struct Nest<0, T> {
	T v;
	__device__ T sum() const { return v; }
	__device__ void fill(T &c) { v = c++; }
};
__device__ int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
__device__ int odd(int);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__device__ int f(int a, int b) {
	Nest<3, int> n;
	n.fill(a);
	return n.sum() + ack(2, b % 4) + even(b);
}

// case: ref_qual_chain
class Builder {
	int s = 0, k = 1;

  public:
	__device__ Builder &add(int x) & {
		s += x * k;
		return *this;
	}
	__device__ Builder &&add(int x) && {
		s += x * k;
		return static_cast<Builder &&>(*this);
	}
	__device__ Builder &mul(int m) {
		k *= m;
		return *this;
	}
	__device__ int build() const & { return s; }
	__device__ int build() && { return s + 1; }
};
__device__ int f(int a, int b) {
	Builder x;
	x.add(a).mul(2).add(b);
	return x.build() * 10 + Builder().add(b).build();
}

// case: guides_in_expressions
template <class T> struct Pr {
	T x, y;
	__device__ Pr(T x, T y) : x(x), y(y) {}
	__device__ T sum() const { return x + y; }
	__device__ Pr twice() const { return Pr(x * 2, Pr{y, y}.sum()); }
};
namespace ns {
template <class T> struct W {
	T v;
	__device__ explicit W(T v) : v(v) {}
};
} // namespace ns
__device__ int f(int a, int b) {
	auto p = Pr(a, b);
	auto q = Pr{1.5f, 2.f};
	return p.sum() + (int)q.sum() + Pr(a, 2).twice().sum() + ns::W(a).v + ns::W{b}.v + (int)sizeof(Pr{'a', 'b'});
}

// case: auto_declarations_apart
constexpr auto whole = 3;
constexpr auto real = 2.5;
template <auto V> struct Kept {
	static constexpr auto value = V;
};
__device__ int f(int a, int b) {
	auto i = a, j = Kept<7>::value + b;
	auto x = real * Kept<'c'>::value;
	return i * whole + j + (int)x + (int)Kept<9ull>::value;
}
