/* cuRAND's host library: arrays of random numbers, made by kernels, or in order by generators of the host.
 *
 * A generator has 4096 streams: number n of an array is from subsequence n modulo 4096 of the device's generator, as
 * NVIDIA documents for the legacy order of XORWOW. The order of the other generators is ours.
 */
#ifndef CURAND_H_
#define CURAND_H_

#ifndef __CUDACC__
#error "the numbers of curand.h come from kernels: include it in a CUDA file (.cu)"
#endif

#include <cuda_runtime.h>

#include "curand_kernel.h"

typedef enum curandStatus {
	CURAND_STATUS_SUCCESS = 0,
	CURAND_STATUS_VERSION_MISMATCH = 100,
	CURAND_STATUS_NOT_INITIALIZED = 101,
	CURAND_STATUS_ALLOCATION_FAILED = 102,
	CURAND_STATUS_TYPE_ERROR = 103,
	CURAND_STATUS_OUT_OF_RANGE = 104,
	CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
	CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
	CURAND_STATUS_LAUNCH_FAILURE = 201,
	CURAND_STATUS_PREEXISTING_FAILURE = 202,
	CURAND_STATUS_INITIALIZATION_FAILED = 203,
	CURAND_STATUS_ARCH_MISMATCH = 204,
	CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
	CURAND_RNG_TEST = 0,
	CURAND_RNG_PSEUDO_DEFAULT = 100,
	CURAND_RNG_PSEUDO_XORWOW = 101,
	CURAND_RNG_PSEUDO_MRG32K3A = 121,
	CURAND_RNG_PSEUDO_MTGP32 = 141,
	CURAND_RNG_PSEUDO_MT19937 = 142,
	CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
	CURAND_RNG_QUASI_DEFAULT = 200,
	CURAND_RNG_QUASI_SOBOL32 = 201,
	CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
	CURAND_RNG_QUASI_SOBOL64 = 203,
	CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

typedef enum curandOrdering {
	CURAND_ORDERING_PSEUDO_BEST = 100,
	CURAND_ORDERING_PSEUDO_DEFAULT = 101,
	CURAND_ORDERING_PSEUDO_SEEDED = 102,
	CURAND_ORDERING_PSEUDO_LEGACY = 103,
	CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
	CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

namespace s2s_curand {

constexpr unsigned streams = 4096;

/* What to draw: each object makes one number. */
struct Bits {
	template <class State> __device__ unsigned operator()(State *state) const {
		return curand(state);
	}
};
struct Uniform {
	template <class State> __device__ float operator()(State *state) const {
		return curand_uniform(state);
	}
};
struct UniformDouble {
	template <class State> __device__ double operator()(State *state) const {
		return curand_uniform_double(state);
	}
};
struct Normal {
	float mean, deviation;
	template <class State> __device__ float operator()(State *state) const {
		return mean + deviation * curand_normal(state);
	}
};
struct NormalDouble {
	double mean, deviation;
	template <class State> __device__ double operator()(State *state) const {
		return mean + deviation * curand_normal_double(state);
	}
};
struct LogNormal {
	float mean, deviation;
	template <class State> __device__ float operator()(State *state) const {
		return curand_log_normal(state, mean, deviation);
	}
};
struct LogNormalDouble {
	double mean, deviation;
	template <class State> __device__ double operator()(State *state) const {
		return curand_log_normal_double(state, mean, deviation);
	}
};
struct Poisson {
	double mean;
	template <class State> __device__ unsigned operator()(State *state) const {
		return curand_poisson(state, mean);
	}
};

template <class State> __global__ void prepare(State *states, unsigned long long seed, unsigned long long offset) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	/* Numbers that are left out are the first ones of all streams together. */
	unsigned long long skipped = offset / streams + (i < offset % streams);
	curand_init(seed, i, skipped, states + i);
}

/* Array element k comes from stream (first + k) modulo the number of streams. */
template <class State, class T, class Draw>
__global__ void fill(State *states, T *out, size_t count, unsigned first, Draw draw) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	State state = states[i];
	for (size_t k = (i + streams - first) % streams; k < count; k += streams)
		out[k] = draw(&state);
	states[i] = state;
}

} /* namespace s2s_curand */

struct curandGenerator_st {
	curandRngType_t type;
	unsigned long long seed, offset;
	cudaStream_t stream;
	void *states; /* 0 until numbers are drawn */
	unsigned next;
};
typedef struct curandGenerator_st *curandGenerator_t;

namespace s2s_curand {

template <class State, class T, class Draw>
curandStatus_t generate_by(curandGenerator_t generator, T *out, size_t count, Draw draw) {
	if (generator->states == nullptr) {
		if (cudaMalloc(&generator->states, streams * sizeof(State)) != cudaSuccess)
			return CURAND_STATUS_ALLOCATION_FAILED;
		prepare<State><<<streams / 64, 64, 0, generator->stream>>>(
			(State *)generator->states, generator->seed, generator->offset);
		generator->next = generator->offset % streams;
	}
	fill<State, T, Draw>
		<<<streams / 64, 64, 0, generator->stream>>>((State *)generator->states, out, count, generator->next, draw);
	generator->next = (generator->next + count) % streams;
	return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class T, class Draw> curandStatus_t generate(curandGenerator_t generator, T *out, size_t count, Draw draw) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	switch (generator->type) {
	case CURAND_RNG_PSEUDO_PHILOX4_32_10:
		return generate_by<curandStatePhilox4_32_10>(generator, out, count, draw);
	case CURAND_RNG_PSEUDO_MRG32K3A:
		return generate_by<curandStateMRG32k3a>(generator, out, count, draw);
	default:
		return generate_by<curandStateXORWOW>(generator, out, count, draw);
	}
}

/* What counts has changed: streams begin anew. */
inline curandStatus_t forget(curandGenerator_t generator) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	cudaFree(generator->states);
	generator->states = nullptr;
	return CURAND_STATUS_SUCCESS;
}

} /* namespace s2s_curand */

static inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
	if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
		type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
		return CURAND_STATUS_TYPE_ERROR;
	*generator = new curandGenerator_st{type, 0, 0, 0, nullptr, 0};
	return CURAND_STATUS_SUCCESS;
}

static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
	return curandCreateGenerator(generator, type);
}

static inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
	curandStatus_t status = s2s_curand::forget(generator);
	delete generator;
	return status;
}

static inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
	curandStatus_t status = s2s_curand::forget(generator);
	if (status == CURAND_STATUS_SUCCESS)
		generator->seed = seed;
	return status;
}

static inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
	curandStatus_t status = s2s_curand::forget(generator);
	if (status == CURAND_STATUS_SUCCESS)
		generator->offset = offset;
	return status;
}

static inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
	return s2s_curand::forget(generator);
}

static inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->stream = stream;
	return CURAND_STATUS_SUCCESS;
}

static inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Bits());
}

static inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Uniform());
}

static inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count) {
	return s2s_curand::generate(generator, out, count, s2s_curand::UniformDouble());
}

/* Normal numbers come in pairs. */
static inline curandStatus_t curandGenerateNormal(
	curandGenerator_t generator, float *out, size_t count, float mean, float deviation) {
	if (count % 2 != 0)
		return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	return s2s_curand::generate(generator, out, count, s2s_curand::Normal{mean, deviation});
}

static inline curandStatus_t curandGenerateNormalDouble(
	curandGenerator_t generator, double *out, size_t count, double mean, double deviation) {
	if (count % 2 != 0)
		return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	return s2s_curand::generate(generator, out, count, s2s_curand::NormalDouble{mean, deviation});
}

static inline curandStatus_t curandGenerateLogNormal(
	curandGenerator_t generator, float *out, size_t count, float mean, float deviation) {
	if (count % 2 != 0)
		return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	return s2s_curand::generate(generator, out, count, s2s_curand::LogNormal{mean, deviation});
}

static inline curandStatus_t curandGenerateLogNormalDouble(
	curandGenerator_t generator, double *out, size_t count, double mean, double deviation) {
	if (count % 2 != 0)
		return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	return s2s_curand::generate(generator, out, count, s2s_curand::LogNormalDouble{mean, deviation});
}

static inline curandStatus_t curandGeneratePoisson(
	curandGenerator_t generator, unsigned *out, size_t count, double mean) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Poisson{mean});
}

static inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
	return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

static inline curandStatus_t curandGetVersion(int *version) {
	*version = 10400;
	return CURAND_STATUS_SUCCESS;
}

#endif
