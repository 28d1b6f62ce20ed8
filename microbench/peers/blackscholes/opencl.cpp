/* Prices of European options by the formula of Black and Scholes. */
#include "../bench.h"
#include "../opencl.h"

static int n;
static opencl::Buffer<float> spot, strike, years, call, put;
static opencl::Kernel prices;

static void setup(const Inputs &in) {
	n = in.array<float>("spot").count;
	const float rate = in.number("rate"), volatility = in.number("volatility");
	spot.assign(in.array<float>("spot").data, n);
	strike.assign(in.array<float>("strike").data, n);
	years.assign(in.array<float>("years").data, n);
	call.resize(n);
	put.resize(n);
	prices.create("prices");
	prices.arguments(spot, strike, years, call, put, rate, volatility, n);
}

static void reset() {
}

static void run() {
	prices.launch((n + 255) / 256 * 256, 256);
	opencl::finish();
}

static void results(Outputs &out) {
	std::vector<float> host = call.to_host();
	out.array("call", host.data(), host.size());
	host = put.to_host();
	out.array("put", host.data(), host.size());
}
