/* Philox4x32-10: Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011. */
#ifndef S2S_CURAND_PHILOX_H
#define S2S_CURAND_PHILOX_H

/* Ten rounds of multiplications with the paper's constants; the key grows from round to round. */
__device__ inline uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
#pragma unroll
	for (int round = 0; round < 10; round++) {
		unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
		unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
		counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
		key.x += 0x9E3779B9u;
		key.y += 0xBB67AE85u;
	}
	return counter;
}

/* The counter has 128 bits: the low half counts groups of four numbers, the high half subsequences. */
__device__ inline void __s2s_add_low(curandStatePhilox4_32_10_t *state, unsigned long long n) {
	unsigned long long low = state->ctr.x | (unsigned long long)state->ctr.y << 32;
	unsigned long long high = state->ctr.z | (unsigned long long)state->ctr.w << 32;
	low += n;
	high += low < n;
	state->ctr = make_uint4((unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32));
}

__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
	unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
	state->ctr.z = (unsigned)high;
	state->ctr.w = (unsigned)(high >> 32);
	state->output = curand_Philox4x32_10(state->ctr, state->key);
}

__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
	state->STATE += (unsigned)n & 3;
	__s2s_add_low(state, n / 4 + (state->STATE > 3));
	state->STATE &= 3;
	state->output = curand_Philox4x32_10(state->ctr, state->key);
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
	curandStatePhilox4_32_10_t *state) {
	state->ctr = make_uint4(0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32));
	state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
	state->STATE = 0;
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
	skipahead(offset, state);
}

__device__ inline unsigned curand(curandStatePhilox4_32_10_t *state) {
	unsigned at = state->STATE++;
	unsigned result = at == 0   ? state->output.x
					  : at == 1 ? state->output.y
					  : at == 2 ? state->output.z
								: state->output.w;
	if (at == 3) {
		__s2s_add_low(state, 1);
		state->output = curand_Philox4x32_10(state->ctr, state->key);
		state->STATE = 0;
	}
	return result;
}

/* The next four numbers, which may begin within a group. */
__device__ inline uint4 curand4(curandStatePhilox4_32_10_t *state) {
	uint4 a = state->output;
	__s2s_add_low(state, 1);
	uint4 b = curand_Philox4x32_10(state->ctr, state->key);
	state->output = b;
	switch (state->STATE) {
	case 0:
		return a;
	case 1:
		return make_uint4(a.y, a.z, a.w, b.x);
	case 2:
		return make_uint4(a.z, a.w, b.x, b.y);
	default:
		return make_uint4(a.w, b.x, b.y, b.z);
	}
}

#endif
