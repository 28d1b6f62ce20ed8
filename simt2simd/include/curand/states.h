/* The states of cuRAND's generators, of NVIDIA's sizes, and their names. */
#ifndef S2S_CURAND_STATES_H
#define S2S_CURAND_STATES_H

/* A normal distribution makes two numbers at once: the second waits in `boxmuller_extra` where the flag says so. */
struct curandStateXORWOW {
	unsigned d, v[5];
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};

/* `output` is what the counter gives; `STATE` of its four numbers are used up. */
struct curandStatePhilox4_32_10 {
	uint4 ctr, output;
	uint2 key;
	unsigned STATE;
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};

struct curandStateMRG32k3a {
	unsigned s1[3], s2[3];
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#endif
