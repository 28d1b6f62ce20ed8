/* Prices of American put options by the binomial tree of Cox, Ross and Rubinstein: a thread for each option, which goes
 * from the tree's leaves to its root in an array of its own. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define STEPS 64

__device__ float american_put(float spot, float strike, float years, float rate, float volatility) {
	float values[STEPS + 1];
	float dt = years / STEPS;
	float up = expf(volatility * sqrtf(dt));
	float down = 1.0f / up;
	float growth = expf(rate * dt);
	float discount = 1.0f / growth;
	float rise = discount * (growth - down) / (up - down); /* the chance to go up, discounted */
	float fall = discount - rise;
	float square = up * up;

	float price = spot * expf(-volatility * sqrtf(dt) * STEPS);
	for (int i = 0; i <= STEPS; i++) {
		values[i] = fmaxf(strike - price, 0.0f);
		price *= square;
	}
	float lowest = spot * expf(-volatility * sqrtf(dt) * (STEPS - 1));
	for (int step = STEPS - 1; step >= 0; step--) {
		price = lowest;
		for (int i = 0; i <= step; i++) {
			float held = rise * values[i + 1] + fall * values[i];
			values[i] = fmaxf(held, strike - price);
			price *= square;
		}
		lowest *= up;
	}
	return values[0];
}

__global__ void prices(
	const float *spot, const float *strike, const float *years, float *put, float rate, float volatility, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		put[i] = american_put(spot[i], strike[i], years[i], rate, volatility);
}

static int n;
static float rate, volatility;
static DeviceArray<float> spot, strike, years, put;

static void setup(const Inputs &in) {
	n = in.array<float>("spot").count;
	rate = in.number("rate");
	volatility = in.number("volatility");
	spot.assign(in.array<float>("spot").data, n);
	strike.assign(in.array<float>("strike").data, n);
	years.assign(in.array<float>("years").data, n);
	put.resize(n);
}

static void reset() {
}

static void run() {
	prices<<<(n + 255) / 256, 256>>>(spot.data(), strike.data(), years.data(), put.data(), rate, volatility, n);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = put.to_host();
	out.array("put", host.data(), host.size());
}
