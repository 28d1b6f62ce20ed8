/* MRG32k3a: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators",
 * 1999. */
#ifndef S2S_CURAND_MRG32K3A_H
#define S2S_CURAND_MRG32K3A_H

/* The moduli of the two recurrences: 2^32 - 209 and 2^32 - 22853. */
#define S2S_MRG_M1 4294967087u
#define S2S_MRG_M2 4294944443u

/* x modulo 2^32 - C: 2^32 is C more than a multiple of it. */
template <unsigned C> __device__ inline unsigned __s2s_mrg_modulo(unsigned long long x) {
	x = (x & 0xffffffffu) + (x >> 32) * C;
	x = (x & 0xffffffffu) + (x >> 32) * C;
	x = (x & 0xffffffffu) + (x >> 32) * C;
	return (unsigned)(x >= 0x100000000ull - C ? x - (0x100000000ull - C) : x);
}

template <unsigned C> __device__ inline unsigned __s2s_mrg_product(unsigned a, unsigned b) {
	return __s2s_mrg_modulo<C>((unsigned long long)a * b);
}

/* The inner product of a matrix's row and a column. */
template <unsigned C>
__device__ inline unsigned __s2s_mrg_row(const unsigned *row, unsigned x, unsigned y, unsigned z) {
	unsigned long long sum = (unsigned long long)__s2s_mrg_product<C>(row[0], x) + __s2s_mrg_product<C>(row[1], y);
	return __s2s_mrg_modulo<C>(sum + __s2s_mrg_product<C>(row[2], z));
}

template <unsigned C> __device__ inline void __s2s_mrg_square(unsigned (&a)[3][3]) {
	unsigned b[3][3];
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			b[i][j] = __s2s_mrg_row<C>(a[i], a[0][j], a[1][j], a[2][j]);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			a[i][j] = b[i][j];
}

template <unsigned C> __device__ inline void __s2s_mrg_apply(const unsigned (&a)[3][3], unsigned *s) {
	unsigned x = s[0], y = s[1], z = s[2];
	for (int i = 0; i < 3; i++)
		s[i] = __s2s_mrg_row<C>(a[i], x, y, z);
}

/* Advance the state by n times the steps of the matrices, which are squared for each binary digit of n. */
__device__ inline void __s2s_mrg_skip(
	unsigned long long n, unsigned (&a1)[3][3], unsigned (&a2)[3][3], curandStateMRG32k3a_t *state) {
	for (; n != 0; n >>= 1) {
		if (n & 1) {
			__s2s_mrg_apply<209>(a1, state->s1);
			__s2s_mrg_apply<22853>(a2, state->s2);
		}
		__s2s_mrg_square<209>(a1);
		__s2s_mrg_square<22853>(a2);
	}
}

__device__ inline void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
	unsigned a1[3][3] = {{0u, 1u, 0u}, {0u, 0u, 1u}, {4294156359u, 1403580u, 0u}};
	unsigned a2[3][3] = {{0u, 1u, 0u}, {0u, 0u, 1u}, {4293573854u, 0u, 527612u}};
	__s2s_mrg_skip(n, a1, a2, state);
}

/* Subsequences are 2^76 numbers long: these are the 2^76th powers of the matrices above. */
__device__ inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
	unsigned a1[3][3] = {{82758667u, 1871391091u, 4127413238u}, {3672831523u, 69195019u, 1871391091u},
		{3672091415u, 3528743235u, 69195019u}};
	unsigned a2[3][3] = {{1511326704u, 3759209742u, 1610795712u}, {4292754251u, 1511326704u, 3889917532u},
		{3859662829u, 4292754251u, 3708466080u}};
	__s2s_mrg_skip(n, a1, a2, state);
}

/* Sequences are 2^127 numbers long. */
__device__ inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
	unsigned a1[3][3] = {{2427906178u, 3580155704u, 949770784u}, {226153695u, 1230515664u, 3580155704u},
		{1988835001u, 986791581u, 1230515664u}};
	unsigned a2[3][3] = {{1464411153u, 277697599u, 1610723613u}, {32183930u, 1464411153u, 1022607788u},
		{2824425944u, 32183930u, 2093834863u}};
	__s2s_mrg_skip(n, a1, a2, state);
}

__device__ inline void curand_init(
	unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a_t *state) {
	unsigned a = 12345, b = 12345, c = 12345, d = 12345;
	if (seed != 0) {
		unsigned low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xAAAAAAAAu;
		a = __s2s_mrg_product<209>(low, 12345), b = __s2s_mrg_product<209>(high, 12345);
		c = __s2s_mrg_product<22853>(high, 12345), d = __s2s_mrg_product<22853>(low, 12345);
	}
	state->s1[0] = state->s1[2] = a;
	state->s1[1] = b;
	state->s2[0] = state->s2[2] = c;
	state->s2[1] = d;
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
	skipahead_subsequence(subsequence, state);
	skipahead(offset, state);
}

/* A number from 1 to S2S_MRG_M1. */
__device__ inline double curand_MRG32k3a(curandStateMRG32k3a_t *state) {
	unsigned long long sum1 = 1403580ull * state->s1[1] + 810728ull * (S2S_MRG_M1 - state->s1[0]);
	unsigned long long sum2 = 527612ull * state->s2[2] + 1370589ull * (S2S_MRG_M2 - state->s2[0]);
	unsigned p1 = __s2s_mrg_modulo<209>(sum1), p2 = __s2s_mrg_modulo<22853>(sum2);
	state->s1[0] = state->s1[1];
	state->s1[1] = state->s1[2];
	state->s1[2] = p1;
	state->s2[0] = state->s2[1];
	state->s2[1] = state->s2[2];
	state->s2[2] = p2;
	return (double)(p1 <= p2 ? p1 + (S2S_MRG_M1 - p2) : p1 - p2);
}

/* Numbers of all 32 bits: the range of the recurrence is stretched. */
__device__ inline unsigned curand(curandStateMRG32k3a_t *state) {
	return (unsigned)(curand_MRG32k3a(state) * 1.000000048662);
}

#endif
