/* What launches and barriers cost. Prints one line per figure: minimum and median of many launches. */
#define _GNU_SOURCE
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_us(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b) {
	double difference = *(const double *)a - *(const double *)b;
	return (difference > 0) - (difference < 0);
}

enum { MAX_RUNS = 30000 };

/* Launch `runs` times, `pause_us` apart; set the times. */
static void measure(const s2s_kernel *kernel, uint32_t blocks, uint32_t threads, int runs, double pause_us,
	double *least, double *median) {
	static double us[MAX_RUNS];
	void *arg = NULL;
	for (int i = 0; i < runs; i++) {
		for (double start = now_us(); now_us() - start < pause_us;)
			;
		double start = now_us();
		if (s2s_launch_kernel(kernel, (s2s_dim3){blocks, 1, 1}, (s2s_dim3){threads, 1, 1}, 0, &arg) != 0) {
			fprintf(stderr, "%s\n", s2s_last_message());
			exit(1);
		}
		us[i] = now_us() - start;
	}
	qsort(us, (size_t)runs, sizeof *us, by_value);
	*least = us[0];
	*median = us[runs / 2];
}

int main(int argc, char **argv) {
	int runs = argc > 1 ? atoi(argv[1]) % 501 : 300; /* of the longer measurements */
	double least, median;
	static const uint32_t grids[] = {1, 2, 24, 128, 4096};
	for (int i = 0; i < 5; i++) {
		measure(&kernel_empty, grids[i], 32, 60 * runs, 0, &least, &median);
		printf("launch grid %u back_to_back us %.3f %.3f\n", grids[i], least, median);
		measure(&kernel_empty, grids[i], 32, runs, 1000, &least, &median);
		printf("launch grid %u gaps_1ms us %.3f %.3f\n", grids[i], least, median);
	}
	static const uint32_t sizes[] = {32, 64, 128, 256, 512, 1024};
	for (int i = 0; i < 6; i++) {
		double base, base_median;
		measure(&kernel_barriers, 1, sizes[i], runs, 0, &least, &median);
		measure(&kernel_no_barriers, 1, sizes[i], runs, 0, &base, &base_median);
		printf("barrier threads %u ns %.2f %.2f\n", sizes[i], (least - base) * 1e3 / KERNEL_BARRIERS,
			(median - base_median) * 1e3 / KERNEL_BARRIERS);
	}
	measure(&kernel_empty_gangs, 4096, 256, runs, 0, &least, &median);
	uint32_t threads;
	s2s_configuration(&threads, NULL, NULL);
	printf("gang_start ns %.2f %.2f\n", least * 1e3 * threads / (4096 * 16), median * 1e3 * threads / (4096 * 16));
	return 0;
}
