/* Prices of European options by the formula of Black and Scholes. */

/* The normal distribution, by a polynomial of Abramowitz and Stegun. */
static inline float normal(float d) {
	float k = 1.0f / (1.0f + 0.2316419f * abs(d));
	float sum = 1.330274429f;
	sum = sum * k - 1.821255978f;
	sum = sum * k + 1.781477937f;
	sum = sum * k - 0.356563782f;
	sum = sum * k + 0.319381530f;
	float tail = 0.39894228f * exp(-0.5f * d * d) * (sum * k);
	return d > 0 ? 1.0f - tail : tail;
}

export void prices(const uniform float spot[], const uniform float strike[], const uniform float years[],
                   uniform float call[], uniform float put[], uniform float rate, uniform float volatility,
                   uniform int first, uniform int end) {
	foreach (i = first ... end) {
		float deviation = volatility * sqrt(years[i]);
		float d1 = (log(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
		float d2 = d1 - deviation;
		float discounted = strike[i] * exp(-rate * years[i]);
		float n1 = normal(d1), n2 = normal(d2);
		call[i] = spot[i] * n1 - discounted * n2;
		put[i] = discounted * (1.0f - n2) - spot[i] * (1.0f - n1);
	}
}
