/* Prices of European options by the formula of Black and Scholes. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

/* The normal distribution, by a polynomial of Abramowitz and Stegun. */
__device__ float normal(float d) {
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
	float sum = 1.330274429f;
	sum = sum * k - 1.821255978f;
	sum = sum * k + 1.781477937f;
	sum = sum * k - 0.356563782f;
	sum = sum * k + 0.319381530f;
	float tail = 0.39894228f * expf(-0.5f * d * d) * (sum * k);
	return d > 0 ? 1.0f - tail : tail;
}

__global__ void prices(const float *spot, const float *strike, const float *years, float *call, float *put, float rate,
	float volatility, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float deviation = volatility * sqrtf(years[i]);
	float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
	float d2 = d1 - deviation;
	float discounted = strike[i] * expf(-rate * years[i]);
	float n1 = normal(d1), n2 = normal(d2);
	call[i] = spot[i] * n1 - discounted * n2;
	put[i] = discounted * (1.0f - n2) - spot[i] * (1.0f - n1);
}

static int n;
static float rate, volatility;
static DeviceArray<float> spot, strike, years, call, put;

static void setup(const Inputs &in) {
	n = in.array<float>("spot").count;
	rate = in.number("rate");
	volatility = in.number("volatility");
	spot.assign(in.array<float>("spot").data, n);
	strike.assign(in.array<float>("strike").data, n);
	years.assign(in.array<float>("years").data, n);
	call.resize(n);
	put.resize(n);
}

static void reset() {
}

static void run() {
	prices<<<(n + 255) / 256, 256>>>(
		spot.data(), strike.data(), years.data(), call.data(), put.data(), rate, volatility, n);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	std::vector<float> host = call.to_host();
	out.array("call", host.data(), host.size());
	host = put.to_host();
	out.array("put", host.data(), host.size());
}
