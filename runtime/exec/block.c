/* Running blocks: ranges of them by one call, or gang by gang.
 *
 * Known as: coroutines for barriers; a central barrier with a phase number (sense reversal), spin-then-park.
 *
 * A kernel with barriers runs in phases: in a phase every gang of the block runs once, from its start or from the
 * barrier where it waits to the next barrier or its end. Within an hthread each gang switches to the next one
 * (s2s_context); the hthreads of a team meet at a barrier after every phase. A block is done when a phase leaves no
 * gang waiting.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks by ranges ---- */

typedef struct {
	hthread *self;
	launch_job *job;
	uint64_t first, end; /* blocks, or the team member in `first` */
} item_call;

void s2s_run_item(hthread *self, launch_job *job, void (*function)(void *), void *arg, bool prepared) {
	if (s2s_has_failed(job))
		return;
	prepared = prepared && s2s_prepare_thread() &&
			   (!(job->kernel->flags & S2S_COUNTED) || s2s_prepare_tally(self, job->kernel));
	if (!prepared)
		self->fault = (fault){.kind = FAULT_MEMORY};
	bool ended = prepared && s2s_run_guarded(self, job, function, arg);
	s2s_note_change(self);
	launch_job *root = job->root;
	if (root->family) /* what runs later, on any hthread, prints after it */
		s2s_hand_over_output(self);
	if (ended || self->fault.kind == FAULT_INTERRUPTED || atomic_exchange(&root->failed, true))
		return;
	root->fault = self->fault;
	if (job != root) {
		root->at_fault = job->kernel;
		root->launch_at_fault = job->launch;
	}
	s2s_interrupt_others(self);
}

static void run_item(
	hthread *self, launch_job *job, void (*function)(void *), uint64_t first, uint64_t end, uint32_t gangs) {
	item_call call = {self, job, first, end};
	s2s_run_item(self, job, function, &call, s2s_prepare_hthread(self, gangs, job->kernel->lanes));
}

static void call_range(void *arg) {
	item_call *call = arg;
	const launch_job *job = call->job;
	*s2s_progress_of(call->self->shared) = (s2s_progress){UINT64_MAX, 1, NULL};
	job->kernel->range[job->version](&job->launch, call->self->shared, call->first, call->end);
}

void s2s_run_ranges(hthread *self, void *job, uint64_t first, uint64_t end) {
	run_item(self, job, call_range, first, end, 0);
}

/* ---- gangs ---- */

static s2s_dim3 block_index(const launch_job *job, uint64_t block) {
	const s2s_dim3 *grid = &job->launch.grid;
	if (block < grid->x)
		return (s2s_dim3){(uint32_t)block, 0, 0};
	uint64_t row = block / grid->x;
	return (s2s_dim3){(uint32_t)(block % grid->x), (uint32_t)(row % grid->y), (uint32_t)(row / grid->y)};
}

/* Make self's gangs those from `first_gang` of a block of this launch: what all blocks have in common. */
static void set_up_gangs(hthread *self, const launch_job *job, char *shared, uint32_t first_gang, uint32_t count) {
	bool fibers = job->kernel->flags & S2S_HAS_BARRIERS;
	if (job->kernel->flags & S2S_PARTS)
		s2s_forget_pieces(self);
	for (uint32_t i = 0; i < count; i++) {
		s2s_gang *gang = &self->gangs[i];
		*gang = (s2s_gang){.launch = &job->launch,
			.shared = shared,
			.first_thread = (first_gang + i) * job->kernel->lanes,
			.context = NULL};
		if (fibers) { /* what s2s_gang_start finds */
			void **top = self->gang_top[i] = s2s_stack_top(&self->gang_stacks, i);
			top[0] = (void *)job->kernel->gang[job->version];
			top[1] = gang;
			top[2] = &self->finished;
			gang->finished = (int32_t)((char *)&self->finished - (char *)gang);
		}
	}
}

/* Put self's gangs at the start of block `block`. */
static void start_gangs(hthread *self, const launch_job *job, uint64_t block, uint32_t count) {
	s2s_dim3 index = block_index(job, block);
	bool parts = job->kernel->flags & S2S_PARTS;
	self->block = block;
	for (uint32_t i = 0; i < count; i++) {
		s2s_gang *gang = &self->gangs[i];
		gang->block = index;
		if (parts)
			s2s_make_whole(gang);
		self->contexts[i] = (s2s_context){self->gang_top[i], (void *)s2s_gang_start, NULL, gang};
	}
}

/* Run the `waiting` gangs of self's contexts to their next barrier or end; return how many wait then. With `go_on`,
 * phases follow each other until a gang ends. */
static uint32_t run_phase(hthread *self, uint32_t waiting, bool go_on) {
	self->finished = 0;
	s2s_run_ring(&self->contexts[waiting], &self->contexts[0], &self->finished, go_on);
	if (self->finished == 0)
		return waiting;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < waiting; i++)
		if (self->contexts[i].gang)
			self->contexts[kept++] = self->contexts[i];
	return kept;
}

void s2s_claim_failed(s2s_gang *gang, const char *claim) {
	(void)gang;
	hthread *self = s2s_current();
	self->fault = (fault){.kind = FAULT_CLAIM, .claim = claim};
	s2s_raise(self);
}

/* ---- blocks by gangs, one hthread for each block ---- */

static void call_gangs(void *arg) {
	item_call *call = arg;
	hthread *self = call->self;
	launch_job *job = call->job;
	uint32_t gangs = job->launch.gangs;
	set_up_gangs(self, job, self->shared, 0, gangs);
	for (uint64_t block = call->first; block < call->end; block++) {
		if (s2s_has_failed(job))
			return;
		start_gangs(self, job, block, gangs);
		uint32_t waiting = gangs;
		while ((waiting = run_phase(self, waiting, true)) > 0)
			;
	}
}

void s2s_run_gangs(hthread *self, void *arg, uint64_t first, uint64_t end) {
	launch_job *job = arg;
	run_item(self, job, call_gangs, first, end, job->launch.gangs);
}

/* ---- blocks by teams ---- */

/* What one member reports to the others after a phase. Written by the member before it arrives. */
typedef struct {
	alignas(CACHE_LINE) uint32_t waiting; /* its gangs that wait */
} member_state;

/* The barrier of a team, and what its last member finds out for all. With S2S_BARRIER=pthread, `pthread_barrier` takes
 * the place of `phase` and `sleepers`. */
struct team {
	alignas(CACHE_LINE) _Atomic uint32_t arrived;
	alignas(CACHE_LINE) _Atomic uint32_t phase; /* changes when all have arrived; members sleep on it */
	_Atomic uint32_t sleepers;
	uint32_t waiting; /* gangs of all members. Written by the last to arrive, read by all after the phase changes */
	uint64_t block;   /* the team's block; written and read as `waiting` is */
	char *shared;     /* the first member's; likewise */
	pthread_barrier_t pthread_barrier;
	member_state member[MAX_GANGS];
};

/* How a member waits for the others: it polls, then it also offers its CPU to other programs, then it sleeps. With more
 * hthreads than CPUs it soon sleeps, for those it waits for need its CPU. */
enum { BARRIER_POLLS = 2000, BARRIER_YIELDS = 50, CROWDED_BARRIER_POLLS = 20 };

static team *teams; /* of the last launch with teams; changes under the launch lock */
static uint32_t team_room;

team *s2s_teams_for(uint32_t nteams, uint32_t team_size) {
	if (nteams > team_room) {
		free(teams);
		teams = aligned_alloc(CACHE_LINE, nteams * sizeof *teams);
		team_room = teams ? nteams : 0;
	}
	if (!teams)
		return NULL;
	memset(teams, 0, nteams * sizeof *teams);
	/* Never destroyed: glibc's barrier owns nothing, and would wait for members that a fault took away from it. */
	for (uint32_t i = 0; i < nteams; i++)
		pthread_barrier_init(&teams[i].pthread_barrier, NULL, team_size);
	return teams;
}

/* What the last member to arrive does: see whether the block is done, and take the next one if so. */
static void sum_up_phase(launch_job *job, team *team) {
	uint32_t waiting = 0;
	for (uint32_t i = 0; i < job->team_size; i++)
		waiting += team->member[i].waiting;
	team->waiting = waiting;
	if (waiting == 0)
		team->block = atomic_fetch_add(&job->next_block, 1);
}

/* Wait for the other members after a phase. */
static void meet(launch_job *job, team *team) {
	uint32_t phase = atomic_load_explicit(&team->phase, memory_order_relaxed);
	if (atomic_fetch_add(&team->arrived, 1) + 1 == job->team_size) {
		sum_up_phase(job, team);
		atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
		atomic_store(&team->phase, phase + 1);
		if (atomic_load(&team->sleepers) > 0)
			s2s_futex_wake(&team->phase, MAX_GANGS);
		if (!job->pthread_barrier)
			return;
	}
	if (job->pthread_barrier) {
		pthread_barrier_wait(&team->pthread_barrier);
		return;
	}
	bool crowded = s2s_pool_size() > s2s_cpu_count();
	uint32_t most_polls = crowded ? CROWDED_BARRIER_POLLS : BARRIER_POLLS;
	uint32_t most_yields = crowded ? 0 : BARRIER_YIELDS;
	for (uint32_t polls = 0; atomic_load_explicit(&team->phase, memory_order_acquire) == phase; polls++) {
		if (polls < most_polls) {
			s2s_pause();
		} else if (polls < most_polls + most_yields) {
			sched_yield();
		} else {
			atomic_fetch_add(&team->sleepers, 1);
			if (atomic_load(&team->phase) == phase)
				s2s_futex_wait(&team->phase, phase);
			atomic_fetch_sub(&team->sleepers, 1);
		}
	}
}

/* Run all gangs of a kernel without barriers. */
static void run_to_end(hthread *self, const launch_job *job, uint32_t gangs) {
	for (uint32_t i = 0; i < gangs; i++)
		job->kernel->gang[job->version](&self->gangs[i]);
}

static void call_team_member(void *arg) {
	item_call *call = arg;
	hthread *self = call->self;
	launch_job *job = call->job;
	team *team = &job->teams[call->first / job->team_size];
	uint32_t number = (uint32_t)(call->first % job->team_size);
	member_state *member = &team->member[number];
	uint32_t first_gang = job->launch.gangs * number / job->team_size;
	uint32_t gangs = job->launch.gangs * (number + 1) / job->team_size - first_gang;
	bool fibers = job->kernel->flags & S2S_HAS_BARRIERS;
	if (number == 0)
		team->shared = self->shared;
	*member = (member_state){0};
	meet(job, team);
	set_up_gangs(self, job, team->shared, first_gang, gangs);
	while (team->block < job->nblocks) {
		start_gangs(self, job, team->block, gangs);
		uint32_t waiting = gangs;
		do {
			if (!fibers) {
				run_to_end(self, job, gangs);
				waiting = 0;
			} else if (waiting > 0) {
				waiting = run_phase(self, waiting, false);
			}
			member->waiting = waiting;
			meet(job, team);
		} while (team->waiting > 0);
	}
}

void s2s_run_team_member(hthread *self, void *arg, uint64_t first, uint64_t end) {
	launch_job *job = arg;
	bool fibers = job->kernel->flags & S2S_HAS_BARRIERS;
	for (uint64_t member = first; member < end; member++)
		run_item(self, job, call_team_member, member, member, fibers ? job->launch.gangs : 0);
}
