/* Prices of American put options by the binomial tree of Cox, Ross and Rubinstein. */
#include "../bench.h"

extern "C" void prices(const float *spot, const float *strike, const float *years, float *put, float rate,
	float volatility, int first, int end);

const int OPTIONS = 256; /* of a task */

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
#pragma omp parallel for schedule(dynamic, 4)
	for (int i = 0; i < n; i += OPTIONS)
		prices(spot, strike, years, put.data(), rate, volatility, i, std::min(i + OPTIONS, n));
}

static void results(Outputs &out) {
	out.array("put", put.data(), n);
}
