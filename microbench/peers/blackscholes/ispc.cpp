/* Prices of European options by the formula of Black and Scholes. */
#include "../bench.h"

extern "C" void prices(const float *spot, const float *strike, const float *years, float *call, float *put, float rate,
	float volatility, int first, int end);

const int OPTIONS = 1 << 14; /* of a task */

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

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i += OPTIONS)
		prices(spot, strike, years, call.data(), put.data(), rate, volatility, i, std::min(i + OPTIONS, n));
}

static void results(Outputs &out) {
	out.array("call", call.data(), n);
	out.array("put", put.data(), n);
}
