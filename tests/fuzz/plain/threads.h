// The threads of a launch, for plain C++: fibers, which run one at a time and hand over where they wait.
//
// The threads of a block begin in order. Each runs until it ends or waits for others, at a barrier or in a meeting of
// lanes of its warp; the last one to arrive lets all continue.
#pragma once
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#define __global__ static
#define __device__
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __restrict__ __restrict

struct Index {
	unsigned x, y, z;
};
static Index threadIdx, blockIdx, blockDim, gridDim;

struct Launch {
	Index grid, block;
	int synchronises;
};

enum Outcome { DEFINED, UNDEFINED, STUCK };

static const int MAX_THREADS = 1024, STACK_BYTES = 1 << 16, WARP = 32;

enum State { RUNS, WAITS_FOR_BLOCK, WAITS_FOR_LANES, ENDED };

struct Thread {
	ucontext_t context;
	State state;
	unsigned mask;      // of the lanes that it waits for
	uint64_t brought;   // by it to a meeting
	unsigned present;   // lanes that came to the meeting
	uint64_t all[WARP]; // what they brought
	unsigned votes;     // of the block
};

static Thread threads[MAX_THREADS];
static char stacks[MAX_THREADS][STACK_BYTES];
static ucontext_t scheduler;
static int running, thread_count;
static unsigned ayes, came;
static volatile int undefined_behaviour;
static void (*volatile entry)(void **);
static void **volatile entry_arguments;

static void hand_over() {
	swapcontext(&threads[running].context, &scheduler);
}

// ---------------------------------------------------------------------------------------------------- barriers

static void open_barrier_if_all_wait() {
	int alive = 0, waiting = 0;
	for (int t = 0; t < thread_count; t++) {
		alive += threads[t].state != ENDED;
		waiting += threads[t].state == WAITS_FOR_BLOCK;
	}
	if (waiting == 0 || waiting < alive)
		return;
	for (int t = 0; t < thread_count; t++)
		if (threads[t].state == WAITS_FOR_BLOCK) {
			threads[t].state = RUNS;
			threads[t].votes = ayes;
			threads[t].present = came;
		}
	ayes = came = 0;
}

static int __syncthreads_count(int vote) {
	ayes += vote != 0;
	came += 1;
	threads[running].state = WAITS_FOR_BLOCK;
	hand_over();
	return threads[running].votes;
}
static int __syncthreads_or(int vote) {
	return __syncthreads_count(vote) != 0;
}
static int __syncthreads_and(int vote) {
	unsigned votes = __syncthreads_count(vote);
	return votes == threads[running].present;
}
static void __syncthreads() {
	__syncthreads_count(0);
}
static void __threadfence() {
}
static void __threadfence_block() {
}

// ---------------------------------------------------------------------------------------------------- meetings

// Ends the meeting of the lanes that this mask names in a warp if all that are left have come.
static void end_meeting_if_all_came(int warp, unsigned mask) {
	Thread *lanes = threads + warp * WARP;
	int count = thread_count - warp * WARP < WARP ? thread_count - warp * WARP : WARP;
	unsigned here = 0;
	for (int lane = 0; lane < count; lane++) {
		if (!(mask >> lane & 1) || lanes[lane].state == ENDED)
			continue;
		if (lanes[lane].state != WAITS_FOR_LANES || lanes[lane].mask != mask)
			return;
		here |= 1u << lane;
	}
	for (int to = 0; to < count; to++) {
		if (!(here >> to & 1))
			continue;
		lanes[to].state = RUNS;
		lanes[to].present = here;
		for (int from = 0; from < count; from++)
			lanes[to].all[from] = here >> from & 1 ? lanes[from].brought : 0xdeadbeefdeadbeefull;
	}
}

static int lane_of_thread() {
	return running % WARP;
}

// Waits for the other lanes that the mask names; then `present` and `all` say which came with what.
static Thread &meet(unsigned mask, uint64_t brought) {
	Thread &self = threads[running];
	self.mask = mask;
	self.brought = brought;
	self.state = WAITS_FOR_LANES;
	end_meeting_if_all_came(running / WARP, mask);
	if (self.state != RUNS)
		hand_over();
	return threads[running];
}

// -------------------------------------------------------------------------------------------------- the scheduler

static void fiber_main() {
	entry(entry_arguments);
	threads[running].state = ENDED;
	hand_over();
}

static void begin_threads() {
	for (int t = 0; t < thread_count; t++) {
		Thread &thread = threads[t];
		getcontext(&thread.context);
		thread.context.uc_stack.ss_sp = stacks[t];
		thread.context.uc_stack.ss_size = STACK_BYTES;
		thread.context.uc_link = nullptr;
		makecontext(&thread.context, fiber_main, 0);
		thread.state = RUNS;
	}
	ayes = came = 0;
}

static void let_others_continue() {
	int warp = running / WARP;
	if (threads[running].state == ENDED)
		for (int t = warp * WARP; t < thread_count && t < (warp + 1) * WARP; t++)
			if (threads[t].state == WAITS_FOR_LANES)
				end_meeting_if_all_came(warp, threads[t].mask);
	if (threads[running].state == ENDED || threads[running].state == WAITS_FOR_BLOCK)
		open_barrier_if_all_wait();
}

static Outcome run_fibers() {
	begin_threads();
	for (bool any = true; any;) {
		any = false;
		for (int t = 0; t < thread_count; t++) {
			if (threads[t].state != RUNS)
				continue;
			any = true;
			running = t;
			threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
			swapcontext(&scheduler, &threads[t].context);
			if (undefined_behaviour)
				return UNDEFINED;
			let_others_continue();
		}
	}
	for (int t = 0; t < thread_count; t++)
		if (threads[t].state != ENDED)
			return STUCK;
	return DEFINED;
}

// Runs the threads of a block one after the other.
static Outcome run_in_turn(void (*function)(void **), void **arguments) {
	for (volatile int t = 0; t < thread_count; t++) {
		threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
		if (getcontext(&scheduler), !undefined_behaviour)
			function(arguments);
		if (undefined_behaviour)
			return UNDEFINED;
	}
	return DEFINED;
}

// Runs all threads of the grid.
static int each_thread(const Launch *launch, void (*function)(void **), void **arguments) {
	gridDim = launch->grid, blockDim = launch->block;
	entry = function, entry_arguments = arguments;
	undefined_behaviour = 0;
	thread_count = blockDim.x * blockDim.y * blockDim.z;
	for (unsigned b = 0; b < gridDim.x * gridDim.y * gridDim.z; b++) {
		blockIdx = {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y};
		Outcome outcome = launch->synchronises ? run_fibers() : run_in_turn(function, arguments);
		if (outcome != DEFINED)
			return outcome;
	}
	return DEFINED;
}
