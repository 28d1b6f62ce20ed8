/* Numbers of a Poisson distribution. Up to a mean of 64 and beyond one of 4000 they are cuRAND's own.
 *
 * Between the two, cuRAND inverts an approximation of the distribution function, which NVIDIA does not describe; the
 * numbers here are from the same distribution but are others.
 */
#ifndef S2S_CURAND_POISSON_H
#define S2S_CURAND_POISSON_H

/* Knuth: numbers are multiplied for as long as their product is above exp(-mean). */
template <class State> __device__ inline unsigned __s2s_poisson_of_product(State *state, float mean) {
	unsigned count = 0;
	float product = expf(mean);
	do {
		count++;
		product *= curand_uniform(state);
	} while (product > 1.0f);
	return count - 1;
}

/* Hörmann, "The transformed rejection method for generating Poisson random variables", 1993: algorithm PTRS. */
template <class State> __device__ inline unsigned __s2s_poisson_of_rejection(State *state, double mean) {
	double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
	double scale = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2), logarithm = log(mean);
	while (true) {
		double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
		double distance = 0.5 - fabs(u), k = floor((2 * a / distance + b) * u + mean + 0.43);
		if (distance >= 0.07 && v <= accepted)
			return (unsigned)k;
		if (k < 0 || (distance < 0.013 && v > distance))
			continue;
		if (log(v * scale / (a / (distance * distance) + b)) <= k * logarithm - mean - lgamma(k + 1))
			return (unsigned)k;
	}
}

template <class State> __device__ inline unsigned curand_poisson(State *state, double mean) {
	if (mean < 64)
		return __s2s_poisson_of_product(state, (float)mean);
	if (mean > 4000)
		return (unsigned)(curand_normal_double(state) * sqrt(mean) + mean + 0.5);
	return __s2s_poisson_of_rejection(state, mean);
}

__device__ inline uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean) {
	uint4 result;
	result.x = curand_poisson(state, mean);
	result.y = curand_poisson(state, mean);
	result.z = curand_poisson(state, mean);
	result.w = curand_poisson(state, mean);
	return result;
}

#endif
