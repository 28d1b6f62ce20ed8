// features: overloading references rvalue-references conversion-operators function-templates inheritance nullptr const-array-references
// Which overload a call takes: each one returns a number of its own, and the host compiler is the reference.
#include "check.h"

struct Base {
	int b = 1;
};
struct Derived : Base {
	int d = 2;
};
struct Further : Derived {};
struct Number {
	int n;
	__host__ __device__ Number(int n) : n(n) {}
};
struct Meter {
	float v;
	__host__ __device__ operator float() const { return v; }
};
struct Either {
	__host__ __device__ operator int() const { return 3; }
	__host__ __device__ explicit operator bool() const { return false; }
};
enum Plain { FIRST, SECOND };
enum class Scoped { One };

#define F __host__ __device__ inline int

F arithmetic(int) { return 1; }
F arithmetic(unsigned) { return 2; }
F arithmetic(long long) { return 3; }
F arithmetic(float) { return 4; }
F arithmetic(double) { return 5; }
F arithmetic(char) { return 6; }

F promoted(int) { return 11; }
F promoted(double) { return 12; }

F pointer(void *) { return 21; }
F pointer(const void *) { return 22; }
F pointer(int *) { return 23; }
F pointer(bool) { return 24; }
F null(int) { return 25; }
F null(char *) { return 26; }

F reference(int &) { return 31; }
F reference(const int &) { return 32; }
F reference(int &&) { return 33; }

F classes(Base &) { return 41; }
F classes(const Derived &) { return 42; }
F classes(...) { return 43; }

F converted(Number, double) { return 51; }
F converted(double, double) { return 52; }
F several(int, double) { return 61; }
F several(double, int) { return 62; }
F several(int, int) { return 63; }

template <typename T> F generic(T) { return 71; }
template <typename T> F generic(T *) { return 72; }
template <typename T> F generic(const T *) { return 73; }
F generic(int) { return 74; }
template <typename T, int N> F generic_array(const T (&)[N]) { return 80 + N; }
template <typename T> F generic_array(const T &) { return 79; }

F with_default(int a, int b = 5) { return a + b; }
F with_default(float) { return 91; }
F by_enum(Plain) { return 95; }
F by_enum(int) { return 96; }
F by_scoped(Scoped) { return 97; }
F by_scoped(...) { return 98; }

struct Methods {
	F get() { return 101; }
	F get(int) const { return 102; }
	F operator()(float) const { return 103; }
	F operator()(int) { return 104; }
	F at(int) const & { return 105; }
	F at(int) && { return 106; }
};

__host__ __device__ inline int all(int *out) {
	int n = 0;
	signed char sc = 1;
	unsigned char uc = 2;
	short s = 3;
	bool flag = true;
	int i = 4;
	unsigned u = 5;
	float f = 1.5f;
	const int ci = 6;
	int array[3] = {1, 2, 3};
	const char *text = "text";
	Derived derived;
	const Derived const_derived;
	Further further;
	Base base;
	Methods methods;
	const Methods const_methods{};
	out[n++] = arithmetic(i), out[n++] = arithmetic(u), out[n++] = arithmetic('c'), out[n++] = arithmetic(sc);
	out[n++] = arithmetic(s), out[n++] = arithmetic(flag), out[n++] = arithmetic(f), out[n++] = arithmetic(f * 2.0);
	out[n++] = arithmetic(1ll << 3), out[n++] = arithmetic(uc + uc), out[n++] = arithmetic(FIRST),
	out[n++] = arithmetic(1u + 2ll);
	out[n++] = promoted(sc), out[n++] = promoted(f), out[n++] = promoted(uc), out[n++] = promoted(FIRST);
	out[n++] = pointer(&i), out[n++] = pointer(&ci), out[n++] = pointer(&f), out[n++] = pointer(text),
	out[n++] = pointer(array);
	out[n++] = null(0), out[n++] = null(nullptr);
	out[n++] = reference(i), out[n++] = reference(ci), out[n++] = reference(5), out[n++] = reference(i + 1),
	out[n++] = reference(s);
	out[n++] = classes(derived), out[n++] = classes(base), out[n++] = classes(const_derived),
	out[n++] = classes(further), out[n++] = classes(3);
	out[n++] = converted(3, 4), out[n++] = converted(Number(3), 4), out[n++] = converted(2.5, Meter{1}.v);
	out[n++] = several(1, 2), out[n++] = several(1, 2.0), out[n++] = several(1.5, 'a'), out[n++] = several('b', 2.5f);
	out[n++] = generic(f), out[n++] = generic(&f), out[n++] = generic(&ci), out[n++] = generic(i),
	out[n++] = generic(s), out[n++] = generic(text);
	out[n++] = generic_array(array), out[n++] = generic_array("four"), out[n++] = generic_array(i);
	out[n++] = with_default(2), out[n++] = with_default(2, 3), out[n++] = with_default(f);
	out[n++] = by_enum(SECOND), out[n++] = by_enum(SECOND + 1), out[n++] = by_scoped(Scoped::One),
	out[n++] = by_scoped(1);
	out[n++] = promoted(Meter{2.5f}), out[n++] = promoted(Either());
	out[n++] = methods.get(), out[n++] = const_methods.get(1), out[n++] = methods(1), out[n++] = const_methods(1);
	out[n++] = methods.at(0), out[n++] = Methods().at(0);
	return n;
}

__global__ void kernel(int *out, int *count) {
	int own[100];
	int n = all(own);
	for (int i = 0; i < n; i++)
		out[threadIdx.x * 100 + i] = own[i];
	if (threadIdx.x == 0)
		*count = n;
}

int main() {
	const int threads = 20;
	int expected[100], *out = device_array<int>(threads * 100), *count = device_array<int>(1);
	int n = all(expected);
	kernel<<<1, threads>>>(out, count);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(out, threads * 100);
	expect_equal("count", 0, to_host(count, 1)[0], n);
	for (int t = 0; t < threads; t++)
		for (int i = 0; i < n; i++)
			expect_equal("call", i, got[t * 100 + i], expected[i]);
	return verdict();
}
