/* Reads at random places up to `mask` elements away from the own one, or reads and writes. With -DAS_WRITTEN nothing says
 * that the counter of rounds is the same in all lanes. */
#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

static inline unsigned int first_random(unsigned int thread) {
	return thread * 747796405u + 2891336453u;
}

static inline unsigned int next_random(unsigned int state) {
	return state * 1664525u + 1013904223u;
}

export void read_some(const uniform int from[], uniform int to[], uniform unsigned int mask, uniform int rounds,
                      uniform int first, uniform int end) {
	foreach (tid = first ... end) {
		unsigned int state = first_random(tid);
		int sum = 0;
		for (SAME int i = 0; i < rounds; i++) {
			state = next_random(state);
			int place = tid + (int)((state >> 16) & mask);
			sum += from[place];
		}
		to[tid] = sum;
	}
}

export void read_and_write(const uniform int from[], uniform int to[], uniform unsigned int mask, uniform int rounds,
                           uniform int first, uniform int end) {
	foreach (tid = first ... end) {
		unsigned int state = first_random(tid);
		for (SAME int i = 0; i < rounds; i++) {
			state = next_random(state);
			int place = tid + (int)((state >> 16) & mask);
			to[place] = from[place] ^ 0x5a5a;
		}
	}
}
