/* One work-group that meets at barriers: with nothing between them, and passing numbers round. */
__kernel void empty(__global int *out, int barriers) {
	for (int i = 0; i < barriers; i++)
		barrier(CLK_LOCAL_MEM_FENCE);
	out[get_local_id(0)] = barriers;
}

__kernel void pass_round(__global int *out, int barriers, __local int *numbers) {
	int id = get_local_id(0);
	int neighbour = id + 1 == get_local_size(0) ? 0 : id + 1;
	numbers[id] = id;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < barriers; i += 2) {
		int number = numbers[neighbour];
		barrier(CLK_LOCAL_MEM_FENCE);
		numbers[id] = number;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[id] = numbers[id];
}
