/* Prices of European options by the formula of Black and Scholes. */
#include <cmath>

#include "../bench.h"

static int n;
static float rate, volatility;
static const float *spot, *strike, *years;
static std::vector<float> call, put;

static void setup(const Inputs &in) {
	n = in.array<float>("spot").count;
	rate = in.number("rate");
	volatility = in.number("volatility");
	spot = in.array<float>("spot").data;
	strike = in.array<float>("strike").data;
	years = in.array<float>("years").data;
	call.resize(n);
	put.resize(n);
}

static void reset() {
}

/* The normal distribution, by a polynomial of Abramowitz and Stegun. */
static inline float normal(float d) {
	const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
	float sum = 1.330274429f;
	sum = sum * k - 1.821255978f;
	sum = sum * k + 1.781477937f;
	sum = sum * k - 0.356563782f;
	sum = sum * k + 0.319381530f;
	const float tail = 0.39894228f * std::exp(-0.5f * d * d) * (sum * k);
	return d > 0 ? 1.0f - tail : tail;
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++) {
		const float deviation = volatility * std::sqrt(years[i]);
		const float d1 =
			(std::log(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
		const float d2 = d1 - deviation;
		const float discounted = strike[i] * std::exp(-rate * years[i]);
		const float n1 = normal(d1), n2 = normal(d2);
		call[i] = spot[i] * n1 - discounted * n2;
		put[i] = discounted * (1.0f - n2) - spot[i] * (1.0f - n1);
	}
}

static void results(Outputs &out) {
	out.array("call", call.data(), n);
	out.array("put", put.data(), n);
}
