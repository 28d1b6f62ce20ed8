/* What launches and barriers cost, and how kernels scale.
 *
 *   measure launches [RUNS]         us of an empty launch by grid; ns of a barrier by block
 *   measure scaling [THREADS...]    kernels of 5 us to 20 ms, with even and uneven blocks, by number of hthreads
 *   measure openmp [THREADS...]     the same as OpenMP loops, if compiled with -fopenmp. A process of its own, since
 *                                   OpenMP's threads keep spinning after the loop
 *
 * Minimum and median of many launches one after the other, then the median of launches 1 ms apart. */
#define _GNU_SOURCE
#include "kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_us(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void wait_us(double us) {
	for (double start = now_us(); now_us() - start < us;)
		;
}

static int by_value(const void *a, const void *b) {
	double difference = *(const double *)a - *(const double *)b;
	return (difference > 0) - (difference < 0);
}

typedef struct {
	double least, median;
} summary;

static summary summarise(double *us, int runs) {
	qsort(us, (size_t)runs, sizeof *us, by_value);
	return (summary){us[0], us[runs / 2]};
}

static void launch(const s2s_kernel *kernel, uint32_t blocks, uint32_t threads, void *arg) {
	if (s2s_launch_kernel(kernel, (s2s_dim3){blocks, 1, 1}, (s2s_dim3){threads, 1, 1}, 0, &arg) != 0) {
		fprintf(stderr, "%s\n", s2s_last_message());
		exit(1);
	}
}

enum { MAX_RUNS = 30000, MAX_THREAD_COUNTS = 16 };

static summary time_launches(const s2s_kernel *kernel, uint32_t blocks, uint32_t threads, int runs, double pause_us) {
	static double us[MAX_RUNS];
	for (int i = 0; i < runs; i++) {
		uint32_t arrived = 0;
		wait_us(pause_us);
		double start = now_us();
		launch(kernel, blocks, threads, &arrived);
		us[i] = now_us() - start;
	}
	return summarise(us, runs);
}

static void measure_launches(int runs) {
	static const uint32_t grids[] = {1, 2, 8, 24, 128, 512, 1024, 4096, 8192};
	for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
		summary hot = time_launches(&kernel_empty, grids[i], 32, 60 * runs, 0);
		summary cold = time_launches(&kernel_empty, grids[i], 32, runs, 1000);
		printf("launch grid %-5u us %8.3f %8.3f   1 ms apart %8.3f %8.3f\n", grids[i], hot.least, hot.median,
			cold.least, cold.median);
	}
	uint32_t hthreads;
	s2s_configuration(&hthreads, NULL, NULL);
	for (uint32_t blocks = 2; blocks <= hthreads; blocks *= 2) {
		summary hot = time_launches(&kernel_meet, blocks, 32, runs, 0);
		summary cold = time_launches(&kernel_meet, blocks, 32, runs, 1000);
		printf("meet %-2u hthreads us %8.3f %8.3f   1 ms apart %8.3f %8.3f\n", blocks, hot.least, hot.median,
			cold.least, cold.median);
	}
	for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
		summary with = time_launches(&kernel_barriers, 1, threads, runs, 0);
		summary without = time_launches(&kernel_no_barriers, 1, threads, runs, 0);
		printf("barrier threads %-4u ns %.2f %.2f\n", threads, (with.least - without.least) * 1e3 / KERNEL_BARRIERS,
			(with.median - without.median) * 1e3 / KERNEL_BARRIERS);
	}
	summary gangs = time_launches(&kernel_empty_gangs, 4096, 256, runs, 0);
	printf("gang_start ns %.2f %.2f\n", gangs.least * 1e3 * hthreads / (4096 * 16),
		gangs.median * 1e3 * hthreads / (4096 * 16));
}

/* ---- scaling ---- */

/* Block b computes for steps[b] steps. */
typedef struct {
	const uint32_t *steps;
	float *result;
} work_args;

static __attribute__((noinline)) void work(const work_args *args, uint64_t block) {
	float x = (float)block;
	for (uint32_t i = 0; i < args->steps[block]; i++) {
		x = x * 0.999f + 0.5f;
		__asm__("" : "+x"(x));
	}
	args->result[block] = x;
}

static void work_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)shared;
	for (uint64_t block = first; block < end; block++)
		work(pointer_arg(launch), block);
}

static void work_gang(s2s_gang *gang) {
	if (gang->first_thread == 0)
		work(pointer_arg(gang->launch), block_number(gang));
}

static const uint32_t work_offset[] = {0}, work_size[] = {sizeof(void *)};
static const s2s_kernel kernel_work = {.name = "work",
	.range = {work_range, work_range},
	.gang = {work_gang, work_gang},
	.param_offset = work_offset,
	.param_size = work_size,
	.nparams = 1,
	.args_bytes = sizeof(void *),
	.flags = S2S_INDEPENDENT_BLOCKS,
	.lanes = S2S_LANES,
	.max_threads = 1024};

typedef struct {
	const char *name;
	double (*cost)(double place, double random); /* of the block at `place`, 0 to 1; any unit */
} distribution;

static double even(double place, double random) {
	(void)place, (void)random;
	return 1;
}

static double ramp(double place, double random) {
	(void)random;
	return place;
}

static double heavy_tailed(double place, double random) {
	(void)place;
	return pow(1 - 0.999 * random, -1 / 1.2);
}

static double clustered(double place, double random) {
	(void)random;
	return place > 0.4 && place < 0.45 ? 80 : 1;
}

static const distribution distributions[] = {
	{"even", even}, {"ramp", ramp}, {"heavy_tailed", heavy_tailed}, {"clustered", clustered}};

/* Steps of `blocks` blocks that take about `us` in all. */
static void fill_steps(uint32_t *steps, uint32_t blocks, const distribution *kind, double us, double steps_per_us) {
	double total = 0;
	for (int pass = 0; pass < 2; pass++) {
		srand(7);
		double scale = us * steps_per_us / total;
		for (uint32_t b = 0; b < blocks; b++) {
			double cost = kind->cost((b + 0.5) / blocks, rand() / (RAND_MAX + 1.0));
			if (pass == 0)
				total += cost;
			else
				steps[b] = (uint32_t)(cost * scale);
		}
	}
}

static double measure_steps_per_us(void) {
	uint32_t steps = 1000000;
	float result;
	work_args args = {&steps, &result};
	double least = 1e9;
	for (int i = 0; i < 10; i++) {
		double start = now_us();
		work(&args, 0);
		double us = now_us() - start;
		least = us < least ? us : least;
	}
	return steps / least;
}

static void run_ours(work_args *args, uint32_t blocks, uint32_t hthreads) {
	(void)hthreads;
	launch(&kernel_work, blocks, 32, args);
}

#ifdef _OPENMP
static void run_openmp(work_args *args, uint32_t blocks, uint32_t hthreads) {
#pragma omp parallel for schedule(dynamic, 1 + blocks / (32 * hthreads)) num_threads(hthreads)
	for (uint32_t block = 0; block < blocks; block++)
		work(args, block);
}
#endif

typedef void run_function(work_args *args, uint32_t blocks, uint32_t hthreads);

static summary time_work(
	run_function *run, work_args *args, uint32_t blocks, uint32_t hthreads, double us, double gap) {
	static double times[500];
	int runs = us > 5000 ? 15 : us > 500 ? 60 : gap > 0 ? 60 : 500;
	for (int i = -3; i < runs; i++) {
		wait_us(gap);
		double start = now_us();
		run(args, blocks, hthreads);
		if (i >= 0)
			times[i] = now_us() - start;
	}
	return summarise(times, runs);
}

static void measure_scaling(run_function *run, const uint32_t *thread_counts, int ncounts) {
	enum { MAX_BLOCKS = 8192 };
	static uint32_t steps[MAX_BLOCKS];
	static float result[MAX_BLOCKS];
	static const double totals_us[] = {5, 20, 50, 200, 1000, 20000};
	static const uint32_t grids[] = {64, 1024, 8192};
	work_args args = {steps, result};
	double steps_per_us = measure_steps_per_us();
	for (size_t k = 0; k < sizeof distributions / sizeof *distributions; k++)
		for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
			for (size_t t = 0; t < sizeof totals_us / sizeof *totals_us; t++) {
				fill_steps(steps, grids[g], &distributions[k], totals_us[t], steps_per_us);
				printf("%-12s %5u blocks %6.0f us:", distributions[k].name, grids[g], totals_us[t]);
				for (int i = 0; i < ncounts; i++) {
					s2s_configure(thread_counts[i], 1, 0);
					summary hot = time_work(run, &args, grids[g], thread_counts[i], totals_us[t], 0);
					summary cold = time_work(run, &args, grids[g], thread_counts[i], totals_us[t], 1000);
					printf("  %u: %.1f %.1f | %.1f", thread_counts[i], hot.least, hot.median, cold.median);
				}
				printf("\n");
				fflush(stdout);
			}
}

int main(int argc, char **argv) {
	if (argc > 1 && strcmp(argv[1], "launches") == 0) {
		measure_launches(argc > 2 ? atoi(argv[2]) % 501 : 300);
		return 0;
	}
	run_function *run = NULL;
	if (argc > 1 && strcmp(argv[1], "scaling") == 0)
		run = run_ours;
#ifdef _OPENMP
	else if (argc > 1 && strcmp(argv[1], "openmp") == 0)
		run = run_openmp;
#endif
	if (run) {
		uint32_t counts[MAX_THREAD_COUNTS] = {0};
		int ncounts = argc - 2 < MAX_THREAD_COUNTS ? argc - 2 : MAX_THREAD_COUNTS;
		for (int i = 0; i < ncounts; i++)
			counts[i] = (uint32_t)atoi(argv[i + 2]);
		if (ncounts == 0)
			s2s_configuration(&counts[ncounts++], NULL, NULL);
		measure_scaling(run, counts, ncounts);
		return 0;
	}
	fprintf(stderr, "usage: measure launches [RUNS] | measure scaling [THREADS...] | measure openmp [THREADS...]\n");
	return 2;
}
