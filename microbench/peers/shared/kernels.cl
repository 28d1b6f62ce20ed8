/* One work-group that writes to and reads from random places of local memory. */
#define ELEMENTS 2048

uint next_random(uint state) {
	return state * 1664525u + 1013904223u;
}

__kernel void write_and_read(__global int *out, uint mask, int rounds) {
	__local int numbers[ELEMENTS];
	int id = get_local_id(0);
	for (int i = id; i < ELEMENTS; i += get_local_size(0))
		numbers[i] = 3 * i + 1;
	barrier(CLK_LOCAL_MEM_FENCE);

	uint state = id * 747796405u + 2891336453u;
	int sum = 0;
	for (int i = 0; i < rounds; i++) {
		state = next_random(state);
		int to = (id + ((state >> 16) & mask)) % ELEMENTS;
		numbers[to] = 3 * to + 1;
		state = next_random(state);
		int from = (id + ((state >> 16) & mask)) % ELEMENTS;
		sum += numbers[from];
	}
	out[id] = sum;
}
