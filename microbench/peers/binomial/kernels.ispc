/* Prices of American put options by the binomial tree of Cox, Ross and Rubinstein: an option for each lane, which goes
 * from the tree's leaves to its root in an array of its own. With -DAS_WRITTEN nobody says that the counters of loops are
 * the same in all lanes. */
#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

#define STEPS 64

static inline float american_put(float spot, float strike, float years, uniform float rate, uniform float volatility) {
	float values[STEPS + 1];
	float dt = years / STEPS;
	float up = exp(volatility * sqrt(dt));
	float down = 1.0f / up;
	float growth = exp(rate * dt);
	float discount = 1.0f / growth;
	float rise = discount * (growth - down) / (up - down); /* the chance to go up, discounted */
	float fall = discount - rise;
	float square = up * up;

	float price = spot * exp(-volatility * sqrt(dt) * STEPS);
	for (SAME int i = 0; i <= STEPS; i++) {
		values[i] = max(strike - price, 0.0f);
		price *= square;
	}
	float lowest = spot * exp(-volatility * sqrt(dt) * (STEPS - 1));
	for (SAME int step = STEPS - 1; step >= 0; step--) {
		price = lowest;
		for (SAME int i = 0; i <= step; i++) {
			float held = rise * values[i + 1] + fall * values[i];
			values[i] = max(held, strike - price);
			price *= square;
		}
		lowest *= up;
	}
	return values[0];
}

export void prices(const uniform float spot[], const uniform float strike[], const uniform float years[],
                   uniform float put[], uniform float rate, uniform float volatility, uniform int first,
                   uniform int end) {
	foreach (i = first ... end)
		put[i] = american_put(spot[i], strike[i], years[i], rate, volatility);
}
