/* Stacks that kernels run on, and what happens when they fault.
 *
 * Known as: guard pages; recovery from signals by a non-local exit.
 *
 * Kernel code runs on mapped stacks with guard pages below and above. A fault there (or an interrupt by another
 * hthread, see s2s_interrupt_others) lands in `on_signal` on the thread's signal stack, which notes what happened and
 * returns not to the faulty instruction but to s2s_escape. Kernel code may therefore end at any instruction: it holds
 * no locks and owns nothing.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
	PAGE = 4096,
	RUN_STACK_BYTES = 64 << 20,
	RUN_GUARD_BYTES = 16 << 20,
	GANG_STACK_BYTES = 1 << 20,
	GANG_GUARD_BYTES = 8 << 20,   /* no frame reaches over it: CUDA's threads have at most 512 KiB of local memory */
	STACK_SLACK_BYTES = 64 << 10, /* for the runtime's own frames, the math library, handlers of the user's signals */
	SIGNAL_STACK_BYTES = 64 << 10,
	TOP_BYTES = 64, /* what s2s_gang_start finds at the top of a gang's stack */
	STAGGER_BYTES = 1344,
	STAGGER_SPAN_BYTES = 8192,
	THREAD_STACK_BYTES = GANG_STACK_BYTES / S2S_LANES
};

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
enum { NSIGNALS = sizeof SIGNALS / sizeof *SIGNALS };

static struct sigaction previous_action[NSIGNALS]; /* written once by install_handlers */
static _Atomic size_t stack_limit = THREAD_STACK_BYTES;

_Thread_local hthread *s2s_this_hthread;

hthread *s2s_current(void) {
	return s2s_this_hthread;
}

/* ---- mapping stacks ---- */

static size_t round_up(size_t bytes, size_t unit) {
	return (bytes + unit - 1) / unit * unit;
}

static size_t max_size(size_t a, size_t b) {
	return a > b ? a : b;
}

int s2s_set_stack_limit(size_t bytes) {
	if (bytes > S2S_MAX_STACK_BYTES)
		return S2S_INVALID_VALUE;
	atomic_store(&stack_limit, max_size(bytes, THREAD_STACK_BYTES));
	return S2S_SUCCESS;
}

size_t s2s_stack_limit(void) {
	return atomic_load(&stack_limit);
}

/* Address space of which nothing can be touched; null if there is none. */
static char *reserve(size_t bytes) {
	void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return base == MAP_FAILED ? NULL : base;
}

/* A write past a variable at the upper end of a stack must not meet other memory, as one below must not. */
static bool map_run_stack(guarded_stack *stack, size_t wanted) {
	if (stack->base && stack->stack_bytes >= wanted)
		return true;
	if (stack->base)
		munmap(stack->base, stack->stack_bytes + 2 * stack->guard_bytes);
	*stack = (guarded_stack){reserve(wanted + 2 * RUN_GUARD_BYTES), RUN_GUARD_BYTES, wanted};
	if (stack->base && mprotect(stack->base + RUN_GUARD_BYTES, wanted, PROT_READ | PROT_WRITE) == 0)
		return true;
	if (stack->base)
		munmap(stack->base, wanted + 2 * RUN_GUARD_BYTES);
	*stack = (guarded_stack){0};
	return false;
}

/* Above the last slot lies a guard as below each. */
static size_t mapped_bytes(const gang_stacks *stacks) {
	return stacks->slots * stacks->slot_bytes + stacks->guard_bytes;
}

/* Slots are an odd number of pages apart: equal offsets in neighbouring stacks use different sets of the TLB. */
static bool map_gang_stacks(gang_stacks *stacks, s2s_gang *gangs, uint32_t slots, uint32_t count, size_t wanted) {
	if (stacks->base && stacks->stack_bytes < wanted) {
		munmap(stacks->base, mapped_bytes(stacks));
		*stacks = (gang_stacks){0};
	}
	if (!stacks->base && count > 0) {
		size_t slot = round_up(GANG_GUARD_BYTES + wanted, 2 * PAGE) + PAGE;
		*stacks = (gang_stacks){NULL, gangs, slot - wanted, wanted, slot, slots, 0};
		stacks->base = reserve(mapped_bytes(stacks));
		if (!stacks->base)
			return false;
	}
	for (; stacks->count < count; stacks->count++) {
		if (stacks->count == stacks->slots)
			return false;
		char *slot = stacks->base + stacks->count * stacks->slot_bytes;
		if (mprotect(slot + stacks->guard_bytes, stacks->stack_bytes, PROT_READ | PROT_WRITE) != 0)
			return false;
	}
	return true;
}

char *s2s_map_shared(void) {
	char *memory = reserve(S2S_SHARED_ROOM_BYTES + 3 * PAGE);
	if (!memory || mprotect(memory + PAGE, S2S_SHARED_ROOM_BYTES + PAGE, PROT_READ | PROT_WRITE) != 0)
		return NULL;
	return memory + PAGE;
}

s2s_progress *s2s_progress_of(char *shared) {
	return (s2s_progress *)(shared + S2S_SHARED_ROOM_BYTES);
}

static size_t gang_stack_bytes(uint32_t lanes) {
	size_t limit = lanes * s2s_stack_limit();
	return round_up(limit, PAGE) + (limit > GANG_STACK_BYTES ? STACK_SLACK_BYTES : 0);
}

bool s2s_prepare_hthread(hthread *self, uint32_t gangs, uint32_t lanes) {
	if (!self->shared && !(self->shared = s2s_map_shared()))
		return false;
	size_t gang_bytes = gang_stack_bytes(lanes);
	return map_run_stack(&self->stack, max_size(RUN_STACK_BYTES, gang_bytes)) &&
		   (gangs == 0 || map_gang_stacks(&self->gang_stacks, self->gangs, MAX_GANGS, gangs, gang_bytes));
}

bool s2s_map_fiber_stacks(hthread *self, s2s_gang *gangs, uint32_t count, uint32_t lanes) {
	size_t bytes = gang_stack_bytes(lanes);
	return map_gang_stacks(&self->fiber_stacks, gangs, MOST_FIBERS, count, bytes) ||
		   (!self->fiber_stacks.base && map_gang_stacks(&self->fiber_stacks, gangs, MAX_FIBERS, count, bytes));
}

void *s2s_stack_top(const gang_stacks *stacks, uint32_t i) {
	char *end = stacks->base + (i + 1) * stacks->slot_bytes;
	return end - TOP_BYTES - i * STAGGER_BYTES % STAGGER_SPAN_BYTES / CACHE_LINE * CACHE_LINE;
}

static bool is_among(const gang_stacks *stacks, const char *address) {
	return stacks->base && address >= stacks->base && address < stacks->base + mapped_bytes(stacks);
}

bool s2s_is_local(const s2s_gang *gang, uint64_t address) {
	(void)gang;
	const hthread *self = s2s_current();
	uint64_t run = address - (uint64_t)self->stack.base;
	return (self->stack.base && run < self->stack.stack_bytes + 2 * self->stack.guard_bytes) ||
		   is_among(&self->gang_stacks, (const char *)address) || is_among(&self->fiber_stacks, (const char *)address);
}

/* ---- faults ---- */

/* A stack of self with its guard below: [low, low + guard_bytes) is the guard. */
typedef struct {
	const char *low, *high;
	size_t guard_bytes;
} stack_range;

/* The stacks for gangs of which the stack pointer may be in one. */
static const gang_stacks *stacks_of(const hthread *self, const char *stack_pointer) {
	return is_among(&self->fiber_stacks, stack_pointer) ? &self->fiber_stacks : &self->gang_stacks;
}

/* The stack of self that kernel code with this stack pointer runs on. */
static stack_range running_stack(const hthread *self, const char *stack_pointer) {
	const gang_stacks *stacks = stacks_of(self, stack_pointer);
	if (is_among(stacks, stack_pointer)) {
		const char *low = stack_pointer - (size_t)(stack_pointer - stacks->base) % stacks->slot_bytes;
		return (stack_range){low, low + stacks->slot_bytes, stacks->guard_bytes};
	}
	const guarded_stack *run = &self->stack;
	return (stack_range){run->base, run->base + run->guard_bytes + run->stack_bytes, run->guard_bytes};
}

/* The block of a number, as the version that runs counts them. */
static s2s_dim3 nth_block(s2s_dim3 grid, uint64_t number, bool along_y) {
	if (!along_y)
		return s2s_nth(grid, number);
	s2s_dim3 place = s2s_nth((s2s_dim3){grid.y, grid.x, grid.z}, number);
	return (s2s_dim3){place.y, place.x, place.z};
}

/* Where the kernel code with this stack pointer is: a gang with a stack of its own, or what a range function notes. */
static position where_is(const hthread *self, const char *stack_pointer) {
	const launch_job *job = self->job;
	uint32_t lanes = job->version == 3 ? job->kernel->wide_lanes : job->kernel->lanes;
	position at = {.lanes = lanes, .along_y = job->version == 2};
	if (job->renumbered)
		return at;
	const gang_stacks *stacks = stacks_of(self, stack_pointer);
	if (is_among(stacks, stack_pointer)) {
		size_t slot = (size_t)(stack_pointer - stacks->base) / stacks->slot_bytes;
		if (slot >= stacks->count) /* the guard above the last */
			return at;
		const s2s_gang *gang = &stacks->gangs[slot];
		at.blocks = 1;
		at.first_block = at.last_block = gang->block;
		at.has_threads = at.linear = job->version != 2;
		at.first_thread = gang->first_thread;
		return at;
	}
	const s2s_progress *progress = s2s_progress_of(self->shared);
	if (progress->block >= job->nblocks || progress->blocks == 0)
		return at;
	if (progress->gang) {
		at.blocks = 1;
		at.first_block = at.last_block = progress->gang->block;
		at.has_threads = true;
		at.linear = job->version == 1;
		at.first_thread = progress->gang->first_thread;
		at.thread = progress->gang->thread;
		return at;
	}
	at.blocks = progress->blocks;
	at.first_block = nth_block(job->launch.grid, progress->block, at.along_y);
	at.last_block = nth_block(job->launch.grid, progress->block + progress->blocks - 1, at.along_y);
	return at;
}

static fault kind_of(const hthread *self, int signal, const siginfo_t *info, const char *stack_pointer) {
	if (signal == SIGILL)
		return (fault){.kind = FAULT_INSTRUCTION};
	if (signal == SIGFPE)
		return (fault){.kind = FAULT_ARITHMETIC};
	if (info->si_code == SI_KERNEL) /* not an address at all, or one that must be aligned: the CPU does not say */
		return (fault){.kind = FAULT_PROTECTION};
	const char *address = info->si_addr;
	stack_range stack = running_stack(self, stack_pointer);
	if (address >= stack.low && address < stack.low + stack.guard_bytes)
		return (fault){.kind = FAULT_STACK, .stack_bytes = (size_t)(stack.high - stack.low) - stack.guard_bytes};
	return (fault){.kind = FAULT_ADDRESS, .address = info->si_addr};
}

static fault what_happened(const hthread *self, int signal, const siginfo_t *info, const greg_t *registers) {
	const char *stack_pointer = (const char *)registers[REG_RSP];
	fault found = kind_of(self, signal, info, stack_pointer);
	found.at = where_is(self, stack_pointer);
	found.at.instruction = (const void *)registers[REG_RIP];
	return found;
}

/* Let the previous handler of this signal handle it. */
static void pass_on(int signal, siginfo_t *info, void *context) {
	size_t i = 0;
	while (SIGNALS[i] != signal)
		i++;
	const struct sigaction *previous = &previous_action[i];
	if (previous->sa_flags & SA_SIGINFO) {
		previous->sa_sigaction(signal, info, context);
	} else if (previous->sa_handler == SIG_DFL || previous->sa_handler == SIG_IGN) {
		sigaction(signal, previous, NULL); /* the instruction faults again */
		if (info->si_code <= 0)
			raise(signal); /* ... or the signal was sent, and no instruction will */
	} else {
		previous->sa_handler(signal);
	}
}

/* The value that s2s_interrupt_others sends with its signal: this address. */
static const char interrupt_mark;

/* Have the thread continue, when its signal handler returns, where it entered the kernel code. */
static void leave_kernel(hthread *self, void *context) {
	atomic_store_explicit(&self->in_kernel, false, memory_order_relaxed);
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	registers[REG_RIP] = (greg_t)(uintptr_t)s2s_escape;
	registers[REG_RDI] = (greg_t)(uintptr_t)self;
}

static bool runs_kernel(const hthread *self) {
	return self && atomic_load_explicit(&self->in_kernel, memory_order_relaxed);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
	hthread *self = s2s_this_hthread;
	bool interrupt = info->si_code == SI_QUEUE && info->si_value.sival_ptr == &interrupt_mark;
	if (interrupt) {
		/* It may come late, when the launch that failed is long over. */
		if (!runs_kernel(self) || !s2s_has_failed(self->job))
			return;
		self->fault = (fault){.kind = FAULT_INTERRUPTED};
	} else if (runs_kernel(self) && info->si_code > 0) {
		self->fault = what_happened(self, signal, info, ((ucontext_t *)context)->uc_mcontext.gregs);
	} else {
		pass_on(signal, info, context);
		return;
	}
	leave_kernel(self, context);
}

void s2s_stop_job(launch_job *job, void *context) {
	hthread *self = s2s_this_hthread;
	if (!atomic_exchange(&job->failed, true))
		job->fault = (fault){.kind = FAULT_STOPPED};
	s2s_interrupt_others(self);
	if (!runs_kernel(self))
		return;
	self->fault = (fault){.kind = FAULT_INTERRUPTED};
	leave_kernel(self, context);
}

void s2s_block_faults(sigset_t *blocked) {
	for (size_t i = 0; i < NSIGNALS; i++)
		sigaddset(blocked, SIGNALS[i]);
}

static void install_handlers(void) {
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	s2s_block_faults(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGINT); /* which may end the kernel code as well */
	for (size_t i = 0; i < NSIGNALS; i++)
		sigaction(SIGNALS[i], &action, &previous_action[i]);
}

/* ---- signal stacks ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t signal_stack_key; /* its destructor frees the signal stack of a thread that ends */
static _Thread_local bool thread_ready;

static void free_signal_stack(void *memory) {
	stack_t none = {.ss_flags = SS_DISABLE}, old;
	if (sigaltstack(NULL, &old) == 0 && old.ss_sp == memory)
		sigaltstack(&none, NULL);
	munmap(memory, SIGNAL_STACK_BYTES);
}

static void initialise(void) {
	pthread_key_create(&signal_stack_key, free_signal_stack);
	install_handlers();
}

bool s2s_prepare_thread(void) {
	if (thread_ready)
		return true;
	pthread_once(&once, initialise);
	stack_t old;
	size_t needed = max_size(getauxval(AT_MINSIGSTKSZ), MINSIGSTKSZ) + 2 * PAGE;
	if (sigaltstack(NULL, &old) != 0 || (old.ss_flags & SS_DISABLE) || old.ss_size < needed) {
		void *memory = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return false;
		stack_t own = {.ss_sp = memory, .ss_size = SIGNAL_STACK_BYTES};
		if (sigaltstack(&own, NULL) != 0 || pthread_setspecific(signal_stack_key, memory) != 0) {
			munmap(memory, SIGNAL_STACK_BYTES);
			return false;
		}
	}
	thread_ready = true;
	return true;
}

/* ---- running kernel code ---- */

typedef struct {
	hthread *self;
	void (*function)(void *);
	void *arg;
} guarded_call;

/* Sequentially consistent: either this hthread sees that the launch failed, or s2s_interrupt_others sees it here.
 * s2s_enter takes back in_kernel. */
static void call_guarded(void *arg) {
	guarded_call *call = arg;
	hthread *self = call->self;
	atomic_store(&self->in_kernel, true);
	if (!s2s_has_failed(self->job))
		call->function(call->arg);
}

bool s2s_run_guarded(hthread *self, launch_job *job, void (*function)(void *), void *arg) {
	guarded_call call = {self, function, arg};
	self->job = job;
	s2s_this_hthread = self;
	char *top = self->stack.base + self->stack.guard_bytes + self->stack.stack_bytes;
	int escaped = s2s_enter(self, top, call_guarded, &call);
	s2s_this_hthread = NULL;
	return !escaped;
}

void s2s_raise(hthread *self) {
	atomic_store_explicit(&self->in_kernel, false, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	s2s_escape(self);
}

void s2s_begin_hold(hthread *self) {
	atomic_store(&self->in_kernel, false);
}

/* As in call_guarded: either this hthread sees that the launch failed, or it is interrupted. */
void s2s_end_hold(hthread *self) {
	atomic_store(&self->in_kernel, true);
	if (!s2s_has_failed(self->job))
		return;
	self->fault = (fault){.kind = FAULT_INTERRUPTED};
	s2s_raise(self);
}

static void interrupt(const hthread *other) {
	union sigval value = {.sival_ptr = (void *)&interrupt_mark};
	if (atomic_load(&other->in_kernel))
		pthread_sigqueue(other->thread, SIGSEGV, value);
}

void s2s_interrupt_others(const hthread *self) {
	for (uint32_t i = 0; i < s2s_pool_size(); i++)
		if (s2s_pool_hthread(i) != self)
			interrupt(s2s_pool_hthread(i));
	for (uint32_t i = 0; i < s2s_count_beside(); i++)
		if (s2s_hthread_beside(i) != self)
			interrupt(s2s_hthread_beside(i));
}
