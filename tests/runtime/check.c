/* The runtime's properties, one function each: `check NAME` runs one, and exits with 1 and a line of text if it does
 * not hold. How the machine is used comes from the environment (S2S_THREADS, S2S_HTHREADS_PER_BLOCK, S2S_AFFINITY). */
#define _GNU_SOURCE
#include "kernels.h"

#include "cuda_runtime.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPECT(CONDITION)                                                                                              \
	do {                                                                                                               \
		if (!(CONDITION)) {                                                                                            \
			fprintf(stderr, "%s:%d: %s; last message: %s\n", __FILE__, __LINE__, #CONDITION, s2s_last_message());      \
			exit(1);                                                                                                   \
		}                                                                                                              \
	} while (0)

static int launch3(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, void *arg) {
	return s2s_launch_kernel(kernel, grid, block, 0, &arg);
}

static int launch(const s2s_kernel *kernel, uint32_t blocks, uint32_t threads, void *arg) {
	return launch3(kernel, (s2s_dim3){blocks, 1, 1}, (s2s_dim3){threads, 1, 1}, arg);
}

static bool message_has(const char *text) {
	return strstr(s2s_last_message(), text) != NULL;
}

static uint32_t gangs_of(s2s_dim3 block) {
	return (block.x * block.y * block.z + S2S_LANES - 1) / S2S_LANES;
}

/* After a launch that failed, the next ones are as good as new. */
static void expect_working(void) {
	for (int i = 0; i < 3; i++) {
		uint32_t count[40 * 3] = {0}, sum[7];
		EXPECT(launch(&kernel_count, 40, 48, count) == 0);
		for (int gang = 0; gang < 40 * 3; gang++)
			EXPECT(count[gang] == 1);
		EXPECT(launch(&kernel_sum, 7, 100, sum) == 0);
		for (uint32_t block = 0; block < 7; block++)
			EXPECT(sum[block] == 4950 + 100 * block);
	}
}

/* ---- blocks and gangs ---- */

static void expect_every_gang_once(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block) {
	size_t gangs = (size_t)grid.x * grid.y * grid.z * gangs_of(block);
	uint32_t *count = calloc(gangs, sizeof *count);
	EXPECT(launch3(kernel, grid, block, count) == 0);
	for (size_t i = 0; i < gangs; i++)
		EXPECT(count[i] == 1);
	free(count);
}

static void every_gang_runs_once(void) {
	static const uint32_t grids[] = {1, 2, 3, 24, 63, 64, 65, 1000, 4097};
	static const uint32_t blocks[] = {1, 15, 16, 17, 31, 32, 33, 48, 256, 1024};
	uint32_t together;
	s2s_configuration(NULL, &together, NULL);
	size_t ngrids = sizeof grids / sizeof *grids - (together > 1 ? 3 : 0); /* teams are slower */
	for (size_t i = 0; i < ngrids; i++)
		for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++)
			expect_every_gang_once(&kernel_count, (s2s_dim3){grids[i], 1, 1}, (s2s_dim3){blocks[j], 1, 1});
	expect_every_gang_once(&kernel_count, (s2s_dim3){5, 7, 3}, (s2s_dim3){8, 8, 4});
	expect_every_gang_once(&kernel_late, (s2s_dim3){30, 1, 1}, (s2s_dim3){32, 1, 1});
}

static void expect_all_waited(uint32_t blocks, uint64_t first, uint64_t end, long ns) {
	uint32_t *count = calloc(blocks, sizeof *count);
	wait_args args = {first, end, ns, count};
	EXPECT(launch(&kernel_wait, blocks, 32, &args) == 0);
	for (uint32_t block = 0; block < blocks; block++)
		EXPECT(count[block] == 1);
	free(count);
}

/* All work in one place, or a kernel that takes longer than it did before: others take it over. */
static void uneven_blocks_run_once(void) {
	for (uint32_t blocks = 3; blocks <= 3000; blocks *= 10) {
		for (int i = 0; i < 3; i++)
			expect_all_waited(blocks, 0, 0, 0);
		expect_all_waited(blocks, 0, blocks / 20 + 1, 20000);
		expect_all_waited(blocks, blocks - blocks / 20 - 1, blocks, 20000);
		expect_all_waited(blocks, blocks / 2, blocks / 2 + 1, 300000);
	}
}

/* Blocks that gangs span are not divided among hthreads. */
static void gangs_keep_their_blocks(void) {
	static const struct {
		s2s_dim3 grid, block;
		uint32_t grain;
	} cases[] = {
		{{32, 32, 1}, {16, 16, 1}, 4},
		{{33, 32, 1}, {16, 16, 1}, 4},  /* too long a row */
		{{30, 200, 1}, {16, 4, 1}, 30}, /* a row is short, and there are many */
		{{3, 301, 1}, {24, 4, 1}, 3},   /* gangs of 16, two blocks for three of them */
		{{64, 9, 2}, {8, 8, 1}, 8},
		{{333, 1, 1}, {24, 1, 1}, 8},
		{{100, 1, 1}, {64, 1, 1}, 1},
		{{2, 1, 1}, {16, 1, 1}, 1}, /* gangs of 16 */
	};
	uint32_t threads, together;
	s2s_configuration(&threads, &together, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases && together == 1; i++) {
		s2s_dim3 grid = cases[i].grid;
		size_t blocks = (size_t)grid.x * grid.y * grid.z;
		pieces_args args = {calloc(blocks, sizeof(uint32_t)), cases[i].grain, 0};
		for (uint32_t run = 1; run <= 5; run++) {
			EXPECT(launch3(&kernel_pieces, grid, cases[i].block, &args) == 0);
			for (size_t block = 0; block < blocks; block++)
				EXPECT(args.count[block] == run);
		}
		EXPECT(args.divided == 0);
		free(args.count);
	}
}

static void every_block_of_a_huge_grid_runs_once(void) {
	expect_every_gang_once(&kernel_count, (s2s_dim3){11000003, 1, 1}, (s2s_dim3){1, 1, 1});
}

static void workers_wake_up(void) {
	for (int i = 0; i < 20; i++) {
		usleep(2000); /* longer than they spin */
		expect_every_gang_once(&kernel_count, (s2s_dim3){200, 1, 1}, (s2s_dim3){32, 1, 1});
		expect_every_gang_once(&kernel_late, (s2s_dim3){8, 1, 1}, (s2s_dim3){32, 1, 1});
	}
}

/* How many blocks of 32 threads run at once. */
static uint32_t blocks_at_once(void) {
	uint32_t threads, together;
	s2s_configuration(&threads, &together, NULL);
	return threads / (together < 2 ? together : 2);
}

static void blocks_of_a_small_grid_run_together(void) {
	for (int i = 0; i < 50 && blocks_at_once() >= 2; i++) {
		uint32_t arrived = 0;
		usleep(i % 2 ? 500 : 0);
		EXPECT(launch(&kernel_meet, 2, 32, &arrived) == 0);
		EXPECT(arrived == 2);
	}
}

static void blocks_that_wait_for_each_other_end(void) {
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t arrived = 0, turn = 0, blocks = 1 + i * i % 31;
		EXPECT(launch(&kernel_meet_counted, blocks, 32, &arrived) == 0);
		EXPECT(arrived == blocks);
		EXPECT(i % 4 || (launch(&kernel_take_turns, 2, 32, &turn) == 0 && turn == 80));
	}
}

static void blocks_that_wait_for_ever_are_an_error(void) {
	for (uint32_t i = 0; i < 30; i++) {
		uint32_t arrived = 0, blocks = 1 + i * i;
		EXPECT(launch(&kernel_meet_none, blocks, 32, &arrived) == S2S_TIMEOUT);
		EXPECT(message_has("kernel 'meet_none': all threads that can run wait for others: block ("));
		EXPECT(message_has(", 0, 0), threads 0 to 15, at spin.cu:5:3"));
		EXPECT(arrived <= blocks);
		expect_working();
	}
}

/* ---- children ---- */

static void children_are_run_once(void) {
	static const uint32_t counts[] = {0, 1, 5, 21, 85, 341, 1365, 5461};
	for (uint32_t height = 1; height < 8; height++) {
		uint32_t count = 0;
		EXPECT(launch3(&kernel_breed, (s2s_dim3){3, 1, 1}, (s2s_dim3){1, height, 1}, &count) == 0);
		EXPECT(count == 3 * counts[height]);
	}
	expect_working();
}

static void children_of_a_stream_follow_each_other(void) {
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t numbers[51] = {0};
		EXPECT(launch(&kernel_in_order, 50, 16, numbers) == 0);
		EXPECT(numbers[0] == 50 * 120);
		for (uint32_t block = 0; block < 50; block++)
			EXPECT(numbers[1 + block] == 120);
	}
}

static void parents_wait_for_children(void) {
	for (uint32_t height = 1; height < 9; height++) {
		uint32_t count = 0;
		EXPECT(launch3(&kernel_wait_for_children, (s2s_dim3){1, 1, 1}, (s2s_dim3){1, height, 1}, &count) == 0);
		EXPECT(count == (1u << height) - 1);
	}
	expect_working();
}

static void children_of_all_kinds_come_in_their_order(void) {
	static plants garden;
	for (uint32_t i = 0; i < 4; i++) {
		plant *first = &garden.plant[0];
		memset(&garden, 0, sizeof garden);
		*first = (plant){.garden = &garden, .blocks = 4, .height = 3 + 3 * i, .number = i};
		atomic_store(&garden.sown, 1);
		EXPECT(launch(&kernel_grow, 4, 1, first) == 0);
		EXPECT(atomic_load(&garden.wrong) == 0);
		EXPECT(atomic_load(&first->open) == 0 && atomic_load(&first->tails) == 0);
		uint32_t sown = atomic_load(&garden.sown) < MOST_PLANTS ? atomic_load(&garden.sown) : MOST_PLANTS;
		for (uint32_t each = 0; each < sown; each++)
			EXPECT(atomic_load(&garden.plant[each].blocks) == 0);
	}
}

/* Two of them run at the same time if there are two hthreads, whether a grid has them or a sequence of grids. */
static void children_that_take_long_are_shared(void) {
	static const uint32_t sizes[][2] = {{2, 1}, {1, 2}, {3, 1}, {64, 1}, {5, 3}, {1, 40}};
	uint32_t threads;
	s2s_configuration(&threads, NULL, NULL);
	for (uint32_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
		const s2s_kernel *kernel = i % 2 ? &kernel_invite_waiting : &kernel_invite;
		uint32_t grids = sizes[i / 2][0], blocks = sizes[i / 2][1];
		for (uint32_t wanted = 1; wanted <= (threads < 2 ? 1 : 2); wanted++) { /* the first launch measures */
			meeting meeting = {.grids = grids, .blocks = blocks, .wanted = wanted};
			EXPECT(launch(kernel, 1, 1, &meeting) == 0);
			EXPECT(atomic_load(&meeting.came) == grids * blocks);
			EXPECT(atomic_load(&meeting.met) == grids * blocks);
		}
	}
	expect_working();
}

static void launches_are_refused_only_if_too_many_wait(void) {
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t numbers[51] = {0};
		EXPECT(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, i % 2 ? 50 * 130 + 1 : 50) == cudaSuccess);
		EXPECT(launch(&kernel_in_order, 50, 16, numbers) == 0);
		for (uint32_t block = 0; block < 50; block++)
			EXPECT(i % 2 ? numbers[1 + block] == 120 : numbers[1 + block] < 120);
	}
}

static void *launch_many(void *arg) {
	uint32_t together;
	s2s_configuration(NULL, &together, NULL);
	int launches = together > 1 ? 30 : 300;
	for (int i = 0; i < launches; i++) {
		uint32_t blocks = 1 + (uint32_t)(i * 7) % 130;
		expect_every_gang_once(&kernel_count, (s2s_dim3){blocks, 1, 1}, (s2s_dim3){40, 1, 1});
	}
	return arg;
}

static void threads_may_launch_at_once(void) {
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_create(&threads[i], NULL, launch_many, NULL) == 0);
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
}

/* Launch kernel_count in a stream. */
static void count_in(cudaStream_t stream, uint32_t blocks, uint32_t *count) {
	void *args[] = {&count};
	EXPECT(s2s_push_call((dim3){blocks, 1, 1}, (dim3){S2S_LANES, 1, 1}, 0, stream) == 0);
	s2s_launch_pushed(&kernel_late, args);
}

/* Each count is one stream's alone; those of a stream come after each other. */
static void *use_streams(void *counts) {
	uint32_t *count = counts;
	cudaStream_t streams[3];
	cudaEvent_t event;
	EXPECT(cudaEventCreate(&event) == cudaSuccess);
	for (int i = 0; i < 3; i++)
		EXPECT(cudaStreamCreateWithFlags(&streams[i], i % 2) == cudaSuccess);
	for (int round = 0; round < 30; round++) {
		for (int i = 0; i < 3; i++)
			count_in(streams[i], 1 + (uint32_t)round % 4, count + 8 * i);
		EXPECT(cudaEventRecord(event, streams[round % 3]) == cudaSuccess);
		EXPECT(cudaStreamWaitEvent(streams[(round + 1) % 3], event, 0) == cudaSuccess);
		count_in(NULL, 1, count + 24);
		cudaStreamQuery(streams[0]);
	}
	EXPECT(cudaEventSynchronize(event) == cudaSuccess);
	EXPECT(cudaStreamSynchronize(streams[0]) == cudaSuccess);
	EXPECT(cudaDeviceSynchronize() == cudaSuccess);
	for (int i = 0; i < 3; i++)
		EXPECT(count[8 * i] == 30 && count[8 * i + 3] == 7 && cudaStreamDestroy(streams[i]) == cudaSuccess);
	EXPECT(count[24] == 30 && cudaEventDestroy(event) == cudaSuccess);
	return NULL;
}

static void streams_run_beside_each_other(void) {
	pthread_t threads[3];
	static uint32_t counts[3][32];
	for (int i = 0; i < 3; i++)
		EXPECT(pthread_create(&threads[i], NULL, use_streams, counts[i]) == 0);
	for (int i = 0; i < 3; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
}

enum { EXECUTORS = 128 }; /* the most of them */

static struct {
	_Atomic uint32_t held, rounds;
	_Atomic bool is_open, last_may_end;
} gate;

static void hold(void *unused) {
	(void)unused;
	atomic_fetch_add(&gate.held, 1);
	while (!atomic_load(&gate.is_open))
		usleep(500);
}

static void hold_last(void *unused) {
	(void)unused;
	atomic_fetch_add(&gate.held, 1);
	while (!atomic_load(&gate.last_may_end))
		usleep(500);
}

static void count_round(void *unused) {
	(void)unused;
	atomic_fetch_add(&gate.rounds, 1);
}

static void *synchronize(void *stream) {
	EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
	return NULL;
}

/* All executors are busy, so the waiting thread does the stream's task itself. What the stream is given meanwhile is
 * done too, by executors that slept when that thread left. */
static void a_thread_that_waits_leaves_no_task_behind(void) {
	cudaStream_t streams[EXECUTORS], stream;
	pthread_t waiting;
	for (int i = 0; i < EXECUTORS; i++)
		EXPECT(cudaStreamCreate(&streams[i]) == 0 && cudaLaunchHostFunc(streams[i], hold, NULL) == cudaSuccess);
	while (atomic_load(&gate.held) < EXECUTORS)
		usleep(500);
	EXPECT(cudaStreamCreate(&stream) == 0 && cudaLaunchHostFunc(stream, hold_last, NULL) == cudaSuccess);
	EXPECT(pthread_create(&waiting, NULL, synchronize, stream) == 0);
	while (atomic_load(&gate.held) == EXECUTORS)
		usleep(500);
	EXPECT(cudaLaunchHostFunc(stream, count_round, NULL) == cudaSuccess);
	atomic_store(&gate.is_open, true);
	for (int i = 0; i < EXECUTORS; i++)
		EXPECT(cudaStreamSynchronize(streams[i]) == cudaSuccess);
	usleep(5000); /* longer than executors spin */
	EXPECT(atomic_load(&gate.rounds) == 0);
	atomic_store(&gate.last_may_end, true);
	EXPECT(pthread_join(waiting, NULL) == 0);
	for (int tries = 0; tries < 20000 && atomic_load(&gate.rounds) == 0; tries++)
		usleep(500);
	EXPECT(atomic_load(&gate.rounds) == 1);
}

static void a_fault_in_a_stream_is_reported_later(void) {
	cudaStream_t good, bad;
	uint32_t counts[2] = {0};
	EXPECT(cudaStreamCreate(&good) == cudaSuccess && cudaStreamCreate(&bad) == cudaSuccess);
	count_in(good, 2, counts);
	void *none = NULL, *args[] = {&none};
	s2s_push_call((dim3){4, 1, 1}, (dim3){32, 1, 1}, 0, bad);
	s2s_launch_pushed(&kernel_null, args);
	EXPECT(cudaStreamSynchronize(bad) == cudaErrorIllegalAddress);
	EXPECT(cudaStreamSynchronize(good) == cudaErrorIllegalAddress);
	EXPECT(cudaDeviceReset() == cudaSuccess);
	EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

static void a_forked_child_has_no_work_of_streams(void) {
	static uint32_t counts[8];
	cudaStream_t stream;
	EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
	for (int i = 0; i < 20; i++)
		count_in(stream, 3, counts);
	pid_t child = fork();
	EXPECT(child >= 0);
	if (child == 0) {
		EXPECT(cudaDeviceSynchronize() == cudaSuccess);
		memset(counts, 0, sizeof counts);
		count_in(stream, 3, counts);
		EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && counts[2] == 1);
		_exit(0);
	}
	int status;
	EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && counts[2] == 20);
}

static void configuration_may_change(void) {
	for (uint32_t i = 0; i < 12; i++) {
		uint32_t threads, together, affinity;
		EXPECT(s2s_configure(1 + i % 5, 1 + i % 3, i % 4) == 0);
		s2s_configuration(&threads, &together, &affinity);
		EXPECT(threads == 1 + i % 5 && together == 1 + i % 3);
		expect_working();
	}
	EXPECT(s2s_configure(S2S_MAX_HTHREADS + 1, 0, 0) == S2S_INVALID_VALUE);
}

static void affinity_is_hthreads_on_a_cpu(void) {
	cpu_set_t allowed;
	EXPECT(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
	if (CPU_COUNT(&allowed) < 2)
		return;
	for (uint32_t affinity = 1; affinity <= 2; affinity++) {
		EXPECT(s2s_configure(2, 1, affinity) == 0);
		for (int i = 0; i < 5; i++) {
			uint32_t numbers[3] = {0};
			EXPECT(launch(&kernel_where, 2, 32, numbers) == 0);
			EXPECT((numbers[1] == numbers[2]) == (affinity == 2));
			EXPECT(CPU_ISSET(numbers[1], &allowed) && CPU_ISSET(numbers[2], &allowed));
		}
	}
}

static void affinity_leaves_the_launching_thread_as_it_was(void) {
	cpu_set_t before, after;
	EXPECT(sched_getaffinity(0, sizeof before, &before) == 0);
	EXPECT(s2s_configure(0, 0, 1) == 0);
	expect_working();
	EXPECT(sched_getaffinity(0, sizeof after, &after) == 0);
	EXPECT(CPU_EQUAL(&before, &after));
}

static void a_forked_child_can_launch(void) {
	expect_working();
	pid_t child = fork();
	if (child == 0) {
		expect_working();
		EXPECT(launch(&kernel_null, 4, 32, NULL) == S2S_ILLEGAL_ADDRESS);
		expect_working();
		_exit(0);
	}
	int status;
	EXPECT(waitpid(child, &status, 0) == child && status == 0);
	expect_working();
}

/* ---- traversals ---- */

static void expect_counted(const s2s_counted_kernel *kernel, uint32_t blocks, uint32_t gangs) {
	EXPECT(launch(&kernel->kernel, blocks, gangs * S2S_LANES, NULL) == 0);
	uint32_t traversals = blocks * gangs, rounds = blocks * gangs * (gangs + 1) / 2;
	char expected[200];
	snprintf(expected, sizeof expected, "\"gangs\": %u, \"queries\": %u, \"visits\": %u, \"steps\": %u,", traversals,
		64 * traversals, 64 * rounds, 2 * rounds);
	char *found = s2s_stats(true);
	EXPECT(found && strstr(found, expected) && strstr(found, "\"mean\": 2, \"deviation\": 0}"));
	snprintf(expected, sizeof expected, "\"launches\": 1,\n  \"gangs\": %u, \"lanes_active\": %u, \"lanes\": %u,",
		traversals, 9 * traversals, 16 * traversals);
	EXPECT(found && strstr(found, expected) && strstr(found, "\"gather\": 0,"));
	EXPECT(strstr(found, kernel->kernel.name) && strstr(found, "\"visit\"") && !strstr(found, "never"));
	s2s_free_stats(found);
}

static void traversals_are_counted(void) {
	for (uint32_t gangs = 1; gangs <= 64; gangs += 9) {
		expect_counted(&kernel_traverse, 20, gangs);
		expect_counted(&kernel_traverse_waiting, 20, gangs);
	}
}

/* ---- barriers ---- */

static void barriers_hold_back_all_gangs(void) {
	static const uint32_t blocks[] = {1, 2, 15, 16, 17, 31, 33, 48, 100, 256, 777, 1000, 1024};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		uint32_t sum[50], threads = blocks[i];
		EXPECT(launch(&kernel_sum, 50, threads, sum) == 0);
		for (uint32_t block = 0; block < 50; block++)
			EXPECT(sum[block] == threads * (threads - 1) / 2 + threads * block);
	}
}

static void gangs_may_leave_early(void) {
	for (uint32_t gangs = 1; gangs <= 64; gangs += 9) {
		uint32_t *rounds = calloc(20 * gangs, sizeof *rounds);
		EXPECT(launch(&kernel_early_exit, 20, gangs * S2S_LANES, rounds) == 0);
		for (uint32_t i = 0; i < 20 * gangs; i++)
			EXPECT(rounds[i] == i % gangs);
		free(rounds);
	}
}

static void gangs_may_meet_at_copies_of_a_barrier(void) {
	for (uint32_t gangs = 1; gangs <= 64; gangs += 9) {
		uint32_t *rounds = calloc(20 * gangs, sizeof *rounds);
		EXPECT(launch(&kernel_copied_barrier, 20, gangs * S2S_LANES, rounds) == 0);
		for (uint32_t i = 0; i < 20 * gangs; i++) {
			uint32_t number = i % gangs;
			EXPECT(rounds[i] == (number % 2 == 0 ? number + 5 : 2 * number + 6));
		}
		free(rounds);
	}
}

static void registers_survive_barriers(void) {
	uint32_t wrong = 0;
	EXPECT(launch(&kernel_registers, 30, 500, &wrong) == 0);
	EXPECT(wrong == 0);
}

enum { MOST_THREADS = 1024, PARTED_BLOCKS = 20 };

static void lanes_pass_barriers_as_often_as_they_come(void) {
	static uint32_t rounds[PARTED_BLOCKS * MOST_THREADS];
	for (uint32_t threads = 1; threads <= MOST_THREADS; threads += threads < 40 ? 13 : 333) {
		memset(rounds, 0, sizeof rounds);
		EXPECT(launch(&kernel_uneven, PARTED_BLOCKS, threads, rounds) == 0);
		for (uint32_t i = 0; i < PARTED_BLOCKS * threads; i++)
			EXPECT(rounds[i] == 100 + i % threads % S2S_LANES % 4);
	}
	expect_working();
}

static void lanes_that_ended_count_as_arrived(void) {
	static uint32_t seen[PARTED_BLOCKS * 100];
	for (uint32_t threads = 1; threads <= 100; threads += 11) {
		memset(seen, 0, sizeof seen);
		EXPECT(launch(&kernel_ended, PARTED_BLOCKS, threads, seen) == 0);
		for (uint32_t i = 0; i < PARTED_BLOCKS * threads; i++)
			EXPECT(seen[i] == (i % threads % 2 == 0 ? threads / 2 : 0));
	}
}

static void gangs_that_ended_count_as_arrived(void) {
	uint32_t count[9 * 5] = {0};
	EXPECT(launch(&kernel_leaves, 9, 80, count) == 0);
	for (int i = 0; i < 9 * 5; i++)
		EXPECT(count[i] == (i % 5 != 4));
}

/* ---- faults ---- */

static void stack_overflow_is_an_error(void) {
	EXPECT(launch(&kernel_recurse, 2, 32, NULL) == S2S_LAUNCH_FAILURE);
	EXPECT(message_has("kernel 'recurse': stack overflow"));
	EXPECT(message_has("cudaLimitStackSize"));
	expect_working();
	EXPECT(launch(&kernel_recurse_gang, 2, 1024, NULL) == S2S_LAUNCH_FAILURE);
	EXPECT(message_has("kernel 'recurse_gang': stack overflow: its threads need more than 65536 bytes"));
	expect_working();
	EXPECT(launch(&kernel_recurse, 100, 32, NULL) == S2S_LAUNCH_FAILURE);
	expect_working();
}

static void the_stack_limit_can_be_raised(void) {
	const uint32_t bytes = 3 << 20;
	EXPECT(s2s_launch_kernel(&kernel_deep_gang, (s2s_dim3){4, 1, 1}, (s2s_dim3){64, 1, 1}, 0, &(uint64_t){bytes}) ==
		   S2S_LAUNCH_FAILURE);
	EXPECT(s2s_set_stack_limit(bytes / S2S_LANES) == 0);
	EXPECT(s2s_stack_limit() == bytes / S2S_LANES);
	for (int i = 0; i < 2; i++) {
		EXPECT(s2s_launch_kernel(
				   &kernel_deep_gang, (s2s_dim3){4, 1, 1}, (s2s_dim3){128, 1, 1}, 0, &(uint64_t){bytes}) == 0);
		expect_working();
	}
	EXPECT(launch(&kernel_recurse_gang, 2, 64, NULL) == S2S_LAUNCH_FAILURE);
	EXPECT(message_has("more than 200704 bytes"));
	EXPECT(s2s_set_stack_limit(0) == 0);
	EXPECT(s2s_stack_limit() == 65536);
	EXPECT(s2s_set_stack_limit((size_t)S2S_MAX_STACK_BYTES + 1) == S2S_INVALID_VALUE);
}

static void illegal_addresses_are_errors(void) {
	for (int i = 0; i < 20; i++) {
		EXPECT(launch(&kernel_null, 2 + (uint32_t)i * 30, 32, NULL) == S2S_ILLEGAL_ADDRESS);
		EXPECT(message_has("kernel 'null': illegal memory access at address 0x10"));
		EXPECT(launch(&kernel_null_gang, 5, 100, NULL) == S2S_ILLEGAL_ADDRESS);
		EXPECT(message_has("kernel 'null_gang': illegal memory access in block ("));
		expect_working();
	}
}

static void wild_addresses_are_errors(void) {
	EXPECT(launch(&kernel_wild, 3, 32, NULL) == S2S_ILLEGAL_ADDRESS);
	EXPECT(message_has("kernel 'wild': illegal or misaligned memory access"));
	expect_working();
}

static void arithmetic_exceptions_are_errors(void) {
	EXPECT(launch(&kernel_divide, 3, 32, NULL) == S2S_LAUNCH_FAILURE);
	EXPECT(message_has("kernel 'divide': arithmetic exception"));
	expect_working();
}

static void no_frame_reaches_over_the_guard(void) {
	EXPECT(launch(&kernel_huge_frame, 3, 1024, NULL) == S2S_LAUNCH_FAILURE);
	EXPECT(message_has("kernel 'huge_frame': stack overflow"));
	expect_working();
}

static void a_write_past_a_local_array_stays_in_its_stack(void) {
	for (uint32_t gangs = 1; gangs <= 64; gangs += 21) {
		EXPECT(launch(&kernel_overrun, 3, gangs * S2S_LANES, NULL) == S2S_ILLEGAL_ADDRESS);
		EXPECT(message_has("kernel 'overrun': illegal memory access at address"));
		EXPECT(launch(&kernel_overrun_gang, 3, gangs * S2S_LANES, NULL) == S2S_ILLEGAL_ADDRESS);
		EXPECT(message_has("kernel 'overrun_gang': illegal memory access in block ("));
		expect_working();
	}
}

static void what_stands_on_a_kernel_s_stack_is_not_relied_on(void) {
	for (uint32_t blocks = 1; blocks <= 100; blocks += 33) {
		EXPECT(launch(&kernel_lose_registers, blocks, 32, NULL) == 0);
		expect_working();
	}
}

static void illegal_instructions_are_errors(void) {
	EXPECT(launch(&kernel_illegal, 1, 32, NULL) == S2S_ILLEGAL_INSTRUCTION);
	expect_working();
}

static void a_fault_ends_blocks_that_wait_for_it(void) {
	for (int i = 0; i < 30 && blocks_at_once() >= 2; i++) {
		EXPECT(launch(&kernel_spin, 2, 32, NULL) == S2S_ILLEGAL_ADDRESS);
		expect_working();
	}
}

static void *fault_many(void *arg) {
	for (int i = 0; i < 50; i++) {
		EXPECT(launch(&kernel_null, 40, 32, NULL) == S2S_ILLEGAL_ADDRESS);
		uint32_t count[80] = {0};
		EXPECT(launch(&kernel_count, 40, 32, count) == 0);
		for (int gang = 0; gang < 80; gang++)
			EXPECT(count[gang] == 1);
	}
	return arg;
}

static void threads_may_fault_at_once(void) {
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_create(&threads[i], NULL, fault_many, NULL) == 0);
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
}

static void floating_point_control_is_restored(void) {
	unsigned int before = __builtin_ia32_stmxcsr();
	EXPECT(launch(&kernel_flush_then_fault, 1, 32, NULL) == S2S_ILLEGAL_ADDRESS);
	EXPECT((__builtin_ia32_stmxcsr() & 0xffc0) == (before & 0xffc0));
}

static void without_memory_a_launch_fails(void) {
	struct rlimit before, little = {32 << 20, RLIM_INFINITY};
	EXPECT(getrlimit(RLIMIT_AS, &before) == 0);
	little.rlim_max = before.rlim_max;
	for (int i = 0; i < 2; i++) {
		uint32_t sum[7];
		EXPECT(setrlimit(RLIMIT_AS, &little) == 0);
		EXPECT(launch(&kernel_sum, 7, 100, sum) == S2S_OUT_OF_MEMORY);
		EXPECT(message_has("kernel 'sum': "));
		EXPECT(setrlimit(RLIMIT_AS, &before) == 0);
		EXPECT(s2s_set_stack_limit((size_t)i << 18) == 0);
	}
	expect_working();
}

static volatile sig_atomic_t handled;

static void note_and_leave(int signal) {
	handled = signal;
	_exit(handled == SIGSEGV ? 42 : 1);
}

/* Run `body` in a child; return its wait status. */
static int status_of(void (*body)(void)) {
	pid_t child = fork();
	if (child == 0) {
		body();
		_exit(0);
	}
	int status;
	EXPECT(waitpid(child, &status, 0) == child);
	return status;
}

static void crash(void) {
	expect_working();
	store_to_address_16();
}

static void crash_with_handler(void) {
	signal(SIGSEGV, note_and_leave);
	crash();
}

static void send_signal(void) {
	expect_working();
	raise(SIGSEGV);
}

static void faults_outside_kernels_are_the_program_s(void) {
	int status = status_of(crash);
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	status = status_of(send_signal);
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	status = status_of(crash_with_handler);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t seen_interrupts;

static void see_interrupt(int signal) {
	(void)signal;
	seen_interrupts++;
}

/* Sends SIGINT to a thread, every 30 ms until its launch is over, at most `most` times. */
typedef struct {
	pthread_t thread;
	int most;
	_Atomic bool over;
} interruption;

static void *interrupt(void *arg) {
	interruption *plan = arg;
	for (int sent = 0; sent < plan->most; sent++) {
		usleep(30000);
		if (atomic_load(&plan->over))
			break;
		EXPECT(pthread_kill(plan->thread, SIGINT) == 0);
	}
	return NULL;
}

static int launch_and_interrupt(const s2s_kernel *kernel, uint32_t blocks, void *arg, int most) {
	interruption plan = {pthread_self(), most, false};
	pthread_t sender;
	seen_interrupts = 0;
	EXPECT(pthread_create(&sender, NULL, interrupt, &plan) == 0);
	int code = launch(kernel, blocks, 96, arg);
	atomic_store(&plan.over, true);
	EXPECT(pthread_join(sender, NULL) == 0);
	return code;
}

static void sigint_ends_a_launch_of_a_program_that_handles_it(void) {
	static const s2s_kernel *const kernels[] = {&kernel_endless, &kernel_last_endless, &kernel_endless_barriers};
	static const uint32_t grids[] = {1, 2, 3, 1000};
	EXPECT(s2s_interrupts_are_watched());
	signal(SIGINT, see_interrupt);
	EXPECT(!s2s_interrupts_are_watched());
	s2s_watch_interrupts(0);
	EXPECT(s2s_interrupts_are_watched());
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
		for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
			EXPECT(launch_and_interrupt(kernels[k], grids[i], NULL, INT_MAX) == S2S_INTERRUPTED);
			EXPECT(seen_interrupts > 0 && message_has(kernels[k]->name) && message_has("interrupted"));
			expect_working();
		}
	raise(SIGINT);
	expect_working();
}

static void the_first_sigint_may_be_the_program_s(void) {
	signal(SIGINT, see_interrupt);
	s2s_watch_interrupts(1);
	wait_args args = {0, 1, 100000000, (uint32_t[1]){0}};
	EXPECT(launch_and_interrupt(&kernel_wait, 1, &args, 1) == 0 && args.count[0] == 1);
	EXPECT(launch_and_interrupt(&kernel_endless, 2, NULL, INT_MAX) == S2S_INTERRUPTED && seen_interrupts > 1);
	expect_working();
}

static void *launch_endless(void *arg) {
	launch(&kernel_endless, 1, 32, arg);
	return arg;
}

static void sigint_ends_the_wait_for_another_thread_s_launch(void) {
	pthread_t other;
	signal(SIGINT, see_interrupt);
	s2s_watch_interrupts(0);
	EXPECT(pthread_create(&other, NULL, launch_endless, NULL) == 0);
	usleep(30000);
	EXPECT(launch_and_interrupt(&kernel_count, 1, &(uint32_t[6]){0}, INT_MAX) == S2S_INTERRUPTED);
	EXPECT(pthread_kill(other, SIGINT) == 0 && pthread_join(other, NULL) == 0);
	expect_working();
}

static void watch_and_go_back_to_the_default(void) {
	signal(SIGINT, see_interrupt);
	s2s_watch_interrupts(0);
	expect_working();
	signal(SIGINT, SIG_DFL);
	s2s_watch_interrupts(0);
	expect_working();
	raise(SIGINT);
}

static void sigint_without_a_handler_ends_the_program(void) {
	int status = status_of(watch_and_go_back_to_the_default);
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

/* ---- configurations ---- */

static void expect_refused(int code, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const char *text) {
	uint32_t count[64] = {0};
	void *arg = count;
	EXPECT(s2s_launch_kernel(&kernel_count, grid, block, shared_bytes, &arg) == code);
	EXPECT(message_has("kernel 'count'") && message_has(text));
	for (int i = 0; i < 64; i++)
		EXPECT(count[i] == 0);
}

static void wrong_configurations_are_refused(void) {
	const s2s_dim3 one = {1, 1, 1};
	expect_refused(S2S_INVALID_VALUE, (s2s_dim3){0, 1, 1}, one, 0, "grid of (0, 1, 1)");
	expect_refused(S2S_INVALID_VALUE, (s2s_dim3){1, 0, 1}, one, 0, "grid of (1, 0, 1)");
	expect_refused(S2S_INVALID_VALUE, (s2s_dim3){1, 1, 65536}, one, 0, "grid of (1, 1, 65536)");
	expect_refused(S2S_INVALID_VALUE, (s2s_dim3){0x80000000u, 1, 1}, one, 0, "grid of (2147483648, 1, 1)");
	expect_refused(S2S_INVALID_VALUE, one, (s2s_dim3){0, 1, 1}, 0, "block of (0, 1, 1)");
	expect_refused(S2S_INVALID_VALUE, one, (s2s_dim3){1, 1, 65}, 0, "block of (1, 1, 65)");
	expect_refused(S2S_INVALID_VALUE, one, (s2s_dim3){1025, 1, 1}, 0, "block of (1025, 1, 1)");
	expect_refused(S2S_INVALID_VALUE, one, (s2s_dim3){32, 33, 1}, 0, "block of 1056 threads");
	expect_refused(S2S_INVALID_VALUE, one, one, (48 << 10) - 4095, "shared memory");
	expect_refused(S2S_INVALID_VALUE, one, one, SIZE_MAX, "shared memory");
	uint32_t count = 0;
	void *arg = &count;
	EXPECT(s2s_launch_kernel(&kernel_count, one, one, (48 << 10) - 4096, &arg) == 0);
	EXPECT(count == 1);
}

static void a_limit_of_dynamic_shared_memory_is_a_kernels_own(void) {
	const s2s_dim3 one = {1, 1, 1};
	const size_t usual = (48 << 10) - 4096, most = (227 << 10) - 4096;
	uint32_t count = 0;
	void *arg = &count;
	EXPECT(s2s_dynamic_limit(&kernel_count) == usual);
	EXPECT(s2s_set_dynamic_limit(&kernel_count, most + 1) == S2S_INVALID_VALUE);
	EXPECT(message_has("kernel 'count'") && message_has("at most 228352"));
	EXPECT(s2s_set_dynamic_limit(&kernel_count, most) == 0);
	EXPECT(s2s_dynamic_limit(&kernel_count) == most && s2s_dynamic_limit(&kernel_meet) == usual);
	EXPECT(s2s_launch_kernel(&kernel_count, one, one, most, &arg) == 0 && count == 1);
	expect_refused(S2S_INVALID_VALUE, one, one, most + 1, "shared memory");
	EXPECT(s2s_set_dynamic_limit(&kernel_count, 16) == 0);
	expect_refused(S2S_INVALID_VALUE, one, one, 17, "shared memory");
	EXPECT(s2s_set_dynamic_limit(&kernel_count, usual) == 0);
}

static void the_simple_version_runs_where_it_is_right(void) {
	static const struct {
		s2s_dim3 grid, block;
		uint32_t version;
	} cases[] = {
		{{1, 1, 1}, {1, 1, 1}, 0},
		{{9, 9, 9}, {17, 1, 1}, 0},
		{{1, 1, 1}, {16, 16, 1}, 0},
		{{1, 1, 1}, {8, 8, 1}, 1},
		{{1, 1, 1}, {8, 1, 2}, 1},
		{{1, 1, 1}, {48, 2, 2}, 0},
		{{1, 1, 1}, {17, 2, 1}, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t version = 2;
		EXPECT(launch3(&kernel_version, cases[i].grid, cases[i].block, &version) == 0);
		EXPECT(version == cases[i].version);
	}
}

typedef struct {
	const char *name;
	void (*check)(void);
} property;

#define PROPERTY(NAME) {#NAME, NAME}

static const property properties[] = {
	PROPERTY(every_gang_runs_once),
	PROPERTY(uneven_blocks_run_once),
	PROPERTY(gangs_keep_their_blocks),
	PROPERTY(every_block_of_a_huge_grid_runs_once),
	PROPERTY(workers_wake_up),
	PROPERTY(blocks_of_a_small_grid_run_together),
	PROPERTY(blocks_that_wait_for_each_other_end),
	PROPERTY(blocks_that_wait_for_ever_are_an_error),
	PROPERTY(threads_may_launch_at_once),
	PROPERTY(streams_run_beside_each_other),
	PROPERTY(a_thread_that_waits_leaves_no_task_behind),
	PROPERTY(a_fault_in_a_stream_is_reported_later),
	PROPERTY(a_forked_child_has_no_work_of_streams),
	PROPERTY(configuration_may_change),
	PROPERTY(affinity_is_hthreads_on_a_cpu),
	PROPERTY(affinity_leaves_the_launching_thread_as_it_was),
	PROPERTY(children_are_run_once),
	PROPERTY(children_of_a_stream_follow_each_other),
	PROPERTY(parents_wait_for_children),
	PROPERTY(children_of_all_kinds_come_in_their_order),
	PROPERTY(children_that_take_long_are_shared),
	PROPERTY(launches_are_refused_only_if_too_many_wait),
	PROPERTY(a_forked_child_can_launch),
	PROPERTY(traversals_are_counted),
	PROPERTY(barriers_hold_back_all_gangs),
	PROPERTY(gangs_may_leave_early),
	PROPERTY(gangs_may_meet_at_copies_of_a_barrier),
	PROPERTY(registers_survive_barriers),
	PROPERTY(lanes_pass_barriers_as_often_as_they_come),
	PROPERTY(lanes_that_ended_count_as_arrived),
	PROPERTY(gangs_that_ended_count_as_arrived),
	PROPERTY(stack_overflow_is_an_error),
	PROPERTY(the_stack_limit_can_be_raised),
	PROPERTY(illegal_addresses_are_errors),
	PROPERTY(no_frame_reaches_over_the_guard),
	PROPERTY(a_write_past_a_local_array_stays_in_its_stack),
	PROPERTY(what_stands_on_a_kernel_s_stack_is_not_relied_on),
	PROPERTY(wild_addresses_are_errors),
	PROPERTY(arithmetic_exceptions_are_errors),
	PROPERTY(illegal_instructions_are_errors),
	PROPERTY(a_fault_ends_blocks_that_wait_for_it),
	PROPERTY(threads_may_fault_at_once),
	PROPERTY(floating_point_control_is_restored),
	PROPERTY(without_memory_a_launch_fails),
	PROPERTY(faults_outside_kernels_are_the_program_s),
	PROPERTY(sigint_ends_a_launch_of_a_program_that_handles_it),
	PROPERTY(the_first_sigint_may_be_the_program_s),
	PROPERTY(sigint_ends_the_wait_for_another_thread_s_launch),
	PROPERTY(sigint_without_a_handler_ends_the_program),
	PROPERTY(wrong_configurations_are_refused),
	PROPERTY(a_limit_of_dynamic_shared_memory_is_a_kernels_own),
	PROPERTY(the_simple_version_runs_where_it_is_right),
};

int main(int argc, char **argv) {
	size_t count = sizeof properties / sizeof *properties;
	for (size_t i = 0; i < count; i++) {
		if (argc == 1)
			puts(properties[i].name);
		else if (strcmp(argv[1], properties[i].name) == 0)
			return properties[i].check(), 0;
	}
	if (argc > 1)
		fprintf(stderr, "no property '%s'\n", argv[1]);
	return argc > 1;
}
