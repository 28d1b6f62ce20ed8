// Literals with suffixes of the program: a suffix is all that touches the number.

// case: suffixes_that_begin_like_those_of_the_language
struct Time {
	long long n;
};
__device__ constexpr Time operator""us(unsigned long long n) { return {static_cast<long long>(n) * 3}; }
__device__ constexpr Time operator""s(unsigned long long n) { return {static_cast<long long>(n) * 5}; }
__device__ constexpr Time operator"" lm(unsigned long long n) { return {static_cast<long long>(n) * 7}; }
__device__ constexpr Time operator"" fs(long double n) { return {static_cast<long long>(n * 2)}; }
__device__ constexpr Time operator""_f(long double n) { return {static_cast<long long>(n * 4)}; }
__device__ int f(int a, int b) {
	return int((7us).n + (7s).n * a + (9lm).n * b + (1.5fs).n + (.5fs).n + (2.5_f).n + (0x1fus).n) + 5u + 7l +
		   int(2.5f);
}
