/* Prices of American put options by the binomial tree of Cox, Ross and Rubinstein, from its leaves to its root. */
#include <algorithm>
#include <cmath>

#include "../bench.h"

const int STEPS = 64;

static inline float american_put(float spot, float strike, float years, float rate, float volatility) {
	float values[STEPS + 1];
	float dt = years / STEPS;
	float up = std::exp(volatility * std::sqrt(dt));
	float down = 1.0f / up;
	float growth = std::exp(rate * dt);
	float discount = 1.0f / growth;
	float rise = discount * (growth - down) / (up - down); /* the chance to go up, discounted */
	float fall = discount - rise;
	float square = up * up;

	float price = spot * std::exp(-volatility * std::sqrt(dt) * STEPS);
	for (int i = 0; i <= STEPS; i++) {
		values[i] = std::max(strike - price, 0.0f);
		price *= square;
	}
	float lowest = spot * std::exp(-volatility * std::sqrt(dt) * (STEPS - 1));
	for (int step = STEPS - 1; step >= 0; step--) {
		price = lowest;
		for (int i = 0; i <= step; i++) {
			float held = rise * values[i + 1] + fall * values[i];
			values[i] = std::max(held, strike - price);
			price *= square;
		}
		lowest *= up;
	}
	return values[0];
}

static int n;
static float rate, volatility;
static const float *spot, *strike, *years;
static std::vector<float> put;

static void setup(const Inputs &in) {
	n = in.array<float>("spot").count;
	rate = in.number("rate");
	volatility = in.number("volatility");
	spot = in.array<float>("spot").data;
	strike = in.array<float>("strike").data;
	years = in.array<float>("years").data;
	put.resize(n);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++)
		put[i] = american_put(spot[i], strike[i], years[i], rate, volatility);
}

static void results(Outputs &out) {
	out.array("put", put.data(), n);
}
