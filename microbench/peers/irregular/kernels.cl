/* Reads at random places up to `mask` elements away from the own one, or reads and writes. */
uint first_random(uint item) {
	return item * 747796405u + 2891336453u;
}

uint next_random(uint state) {
	return state * 1664525u + 1013904223u;
}

__kernel void read(__global const int *in, __global int *out, uint mask, int rounds) {
	int id = get_global_id(0);
	uint state = first_random(id);
	int sum = 0;
	for (int i = 0; i < rounds; i++) {
		state = next_random(state);
		sum += in[id + (int)((state >> 16) & mask)];
	}
	out[id] = sum;
}

__kernel void read_and_write(__global const int *in, __global int *out, uint mask, int rounds) {
	int id = get_global_id(0);
	uint state = first_random(id);
	for (int i = 0; i < rounds; i++) {
		state = next_random(state);
		int place = id + (int)((state >> 16) & mask);
		out[place] = in[place] ^ 0x5a5a;
	}
}
