/* cuRAND's host library: arrays of random numbers, made by kernels.
 *
 * A generator has many streams, the subsequences of the device's generator, which draw in turn: XORWOW has 4096 of
 * them, MRG32k3a 81920 (in the legacy order 4096), and Philox 65536. A draw gives one number, of a normal distribution
 * two; of Philox four. Arrays have cuRAND's numbers in cuRAND's order, but for those of the seeded order, which is
 * refused.
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

/* What to draw, by how many at a time. Philox draws four, by the functions that follow the others. */
template <class T, int Width> struct Drawn {
	T number[Width];
};

template <class T> __device__ inline Drawn<T, 4> four(T a, T b, T c, T d) {
	return {{a, b, c, d}};
}

struct Bits {
	template <class State> __device__ Drawn<unsigned, 1> operator()(State *state) const {
		return {{curand(state)}};
	}
	__device__ Drawn<unsigned, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		uint4 x = curand4(state);
		return four(x.x, x.y, x.z, x.w);
	}
};
struct Uniform {
	template <class State> __device__ Drawn<float, 1> operator()(State *state) const {
		return {{curand_uniform(state)}};
	}
	__device__ Drawn<float, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		float4 x = curand_uniform4(state);
		return four(x.x, x.y, x.z, x.w);
	}
};
struct UniformDouble {
	template <class State> __device__ Drawn<double, 1> operator()(State *state) const {
		return {{curand_uniform_double(state)}};
	}
	__device__ Drawn<double, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		double4 x = curand_uniform4_double(state);
		return four(x.x, x.y, x.z, x.w);
	}
};
struct Normal {
	float mean, deviation;
	template <class State> __device__ Drawn<float, 2> operator()(State *state) const {
		float2 x = curand_normal2(state);
		return {{mean + deviation * x.x, mean + deviation * x.y}};
	}
	__device__ Drawn<float, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		float4 x = curand_normal4(state);
		return four(mean + deviation * x.x, mean + deviation * x.y, mean + deviation * x.z, mean + deviation * x.w);
	}
};
struct NormalDouble {
	double mean, deviation;
	template <class State> __device__ Drawn<double, 2> operator()(State *state) const {
		double2 x = curand_normal2_double(state);
		return {{mean + deviation * x.x, mean + deviation * x.y}};
	}
	__device__ Drawn<double, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		double4 x = curand_normal4_double(state);
		return four(mean + deviation * x.x, mean + deviation * x.y, mean + deviation * x.z, mean + deviation * x.w);
	}
};
struct LogNormal {
	float mean, deviation;
	template <class State> __device__ Drawn<float, 2> operator()(State *state) const {
		float2 x = curand_log_normal2(state, mean, deviation);
		return {{x.x, x.y}};
	}
	__device__ Drawn<float, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		float4 x = curand_log_normal4(state, mean, deviation);
		return four(x.x, x.y, x.z, x.w);
	}
};
struct LogNormalDouble {
	double mean, deviation;
	template <class State> __device__ Drawn<double, 2> operator()(State *state) const {
		double2 x = curand_log_normal2_double(state, mean, deviation);
		return {{x.x, x.y}};
	}
	__device__ Drawn<double, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		double4 x = curand_log_normal4_double(state, mean, deviation);
		return four(x.x, x.y, x.z, x.w);
	}
};
struct Poisson {
	double mean;
	template <class State> __device__ Drawn<unsigned, 1> operator()(State *state) const {
		return {{curand_poisson(state, mean)}};
	}
	__device__ Drawn<unsigned, 4> operator()(curandStatePhilox4_32_10_t *state) const {
		uint4 x = curand_poisson4(state, mean);
		return four(x.x, x.y, x.z, x.w);
	}
};

/* A stream's state from which the generator's first `skipped` numbers are gone, of which each draw takes `width`. */
template <class State>
__global__ void prepare(
	State *states, unsigned streams, unsigned long long seed, unsigned long long skipped, unsigned width) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long draws = skipped / width;
	curand_init(seed, i, (draws / streams + (i < draws % streams)) * width, states + i);
}

/* Draw number k of an array comes from stream (first + k) modulo the number of streams. The first `before` numbers of
 * the first draw are those of an earlier array. A draw that is not used up is done again for the next array. */
template <class State, class T, class Draw>
__global__ void fill(
	State *states, unsigned streams, T *out, size_t count, size_t draws, unsigned first, unsigned before, Draw draw) {
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	if (thread >= draws)
		return;
	State *own = states + (first + thread) % streams;
	State state = *own;
	for (size_t k = thread; k < draws; k += streams) {
		auto drawn = draw(&state);
		constexpr size_t width = sizeof drawn.number / sizeof(T);
		for (size_t i = 0; i < width; i++)
			if (k * width + i >= before && k * width + i - before < count)
				out[k * width + i - before] = drawn.number[i];
		if ((k + 1) * width <= before + count)
			*own = state;
	}
}

} /* namespace s2s_curand */

struct curandGenerator_st {
	curandRngType_t type;
	curandOrdering_t ordering;
	bool is_host; /* arrays are the host's */
	unsigned long long seed, offset;
	cudaStream_t stream;
	void *states;          /* 0 until numbers are drawn */
	unsigned next, before; /* the stream of the next draw, and how many of its numbers are used */
};
typedef struct curandGenerator_st *curandGenerator_t;

namespace s2s_curand {

constexpr unsigned block = 64;

inline unsigned streams_of(curandGenerator_t generator) {
	if (generator->type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
		return 65536;
	bool many = generator->type == CURAND_RNG_PSEUDO_MRG32K3A;
	return many && generator->ordering != CURAND_ORDERING_PSEUDO_LEGACY ? 81920 : 4096;
}

template <class State> curandStatus_t prepare_states(curandGenerator_t generator) {
	if (generator->states != nullptr)
		return CURAND_STATUS_SUCCESS;
	unsigned streams = streams_of(generator), width = generator->type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 4 : 1;
	if (cudaMalloc(&generator->states, streams * sizeof(State)) != cudaSuccess)
		return CURAND_STATUS_ALLOCATION_FAILED;
	prepare<State><<<streams / block, block, 0, generator->stream>>>(
		(State *)generator->states, streams, generator->seed, generator->offset, width);
	generator->next = generator->offset / width % streams;
	generator->before = generator->offset % width;
	return CURAND_STATUS_SUCCESS;
}

template <class State, class T, class Draw>
curandStatus_t generate_by(curandGenerator_t generator, T *out, size_t count, Draw draw, unsigned width) {
	curandStatus_t status = prepare_states<State>(generator);
	if (status != CURAND_STATUS_SUCCESS || count == 0)
		return status;
	unsigned streams = streams_of(generator), before = generator->before;
	size_t draws = (before + count + width - 1) / width, threads = draws < streams ? draws : streams;
	fill<State, T, Draw><<<(unsigned)((threads + block - 1) / block), block, 0, generator->stream>>>(
		(State *)generator->states, streams, out, count, draws, generator->next, before, draw);
	generator->next = (generator->next + (before + count) / width) % streams;
	generator->before = (before + count) % width;
	if (generator->is_host)
		cudaStreamSynchronize(generator->stream);
	return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/* `width`: how many numbers a draw gives that is not of Philox. */
template <class T, class Draw>
curandStatus_t generate(curandGenerator_t generator, T *out, size_t count, Draw draw, unsigned width) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	if (count % width != 0)
		return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	switch (generator->type) {
	case CURAND_RNG_PSEUDO_PHILOX4_32_10:
		return generate_by<curandStatePhilox4_32_10>(generator, out, count, draw, 4);
	case CURAND_RNG_PSEUDO_MRG32K3A:
		return generate_by<curandStateMRG32k3a>(generator, out, count, draw, width);
	default:
		return generate_by<curandStateXORWOW>(generator, out, count, draw, width);
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

namespace s2s_curand {

inline curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool is_host) {
	if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
		type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
		return CURAND_STATUS_TYPE_ERROR;
	*generator = new curandGenerator_st{type, CURAND_ORDERING_PSEUDO_DEFAULT, is_host, 0, 0, 0, nullptr, 0, 0};
	return CURAND_STATUS_SUCCESS;
}

} /* namespace s2s_curand */

static inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
	return s2s_curand::create(generator, type, false);
}

static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
	return s2s_curand::create(generator, type, true);
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

/* The dynamic order is a device's own: here the default one. The seeds of the seeded order are not documented. */
static inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	if (ordering != CURAND_ORDERING_PSEUDO_BEST && ordering != CURAND_ORDERING_PSEUDO_DEFAULT &&
		ordering != CURAND_ORDERING_PSEUDO_LEGACY && ordering != CURAND_ORDERING_PSEUDO_DYNAMIC)
		return CURAND_STATUS_OUT_OF_RANGE;
	generator->ordering = ordering;
	return s2s_curand::forget(generator);
}

static inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->stream = stream;
	return CURAND_STATUS_SUCCESS;
}

static inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Bits(), 1);
}

static inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Uniform(), 1);
}

static inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count) {
	return s2s_curand::generate(generator, out, count, s2s_curand::UniformDouble(), 1);
}

static inline curandStatus_t curandGenerateNormal(
	curandGenerator_t generator, float *out, size_t count, float mean, float deviation) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Normal{mean, deviation}, 2);
}

static inline curandStatus_t curandGenerateNormalDouble(
	curandGenerator_t generator, double *out, size_t count, double mean, double deviation) {
	return s2s_curand::generate(generator, out, count, s2s_curand::NormalDouble{mean, deviation}, 2);
}

static inline curandStatus_t curandGenerateLogNormal(
	curandGenerator_t generator, float *out, size_t count, float mean, float deviation) {
	return s2s_curand::generate(generator, out, count, s2s_curand::LogNormal{mean, deviation}, 2);
}

static inline curandStatus_t curandGenerateLogNormalDouble(
	curandGenerator_t generator, double *out, size_t count, double mean, double deviation) {
	return s2s_curand::generate(generator, out, count, s2s_curand::LogNormalDouble{mean, deviation}, 2);
}

static inline curandStatus_t curandGeneratePoisson(
	curandGenerator_t generator, unsigned *out, size_t count, double mean) {
	return s2s_curand::generate(generator, out, count, s2s_curand::Poisson{mean}, 1);
}

/* Get ready what would be got ready when the first numbers are drawn. */
static inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
	if (generator == nullptr)
		return CURAND_STATUS_NOT_INITIALIZED;
	switch (generator->type) {
	case CURAND_RNG_PSEUDO_PHILOX4_32_10:
		return s2s_curand::prepare_states<curandStatePhilox4_32_10>(generator);
	case CURAND_RNG_PSEUDO_MRG32K3A:
		return s2s_curand::prepare_states<curandStateMRG32k3a>(generator);
	default:
		return s2s_curand::prepare_states<curandStateXORWOW>(generator);
	}
}

/* 64 bits a number are made by quasirandom generators only. */
static inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *, size_t) {
	return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}

static inline curandStatus_t curandGetVersion(int *version) {
	*version = 10400;
	return CURAND_STATUS_SUCCESS;
}

#endif
