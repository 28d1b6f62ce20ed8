/* cuda_runtime.h in C. */
#include "api.h"

/* Also named as a program of plain C names it. */
__host__ __device__ static int twice(int x) {
	return 2 * x;
}

int main(void) {
	dim3 grid = {2, 3, 4};
	EXPECT(twice((int)grid.x) == 4);
	check_memory();
	check_copies();
	check_wild_copies();
	check_memory_is_there();
	check_device();
	check_events();
	check_kinds_of_memory();
	check_pools_and_peers();
	check_functions_in_streams();
	return 0;
}
