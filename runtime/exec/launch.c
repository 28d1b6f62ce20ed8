/* Launching kernels: check the configuration, choose how to run the blocks, say what went wrong. */
#define _GNU_SOURCE
#include "device/guards.h"
#include "exec/exec.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, COST_ROWS = 256, SHORT_NS = 10000 };

static const uint32_t MAX_GRID_X = 2147483647, MAX_GRID_YZ = 65535;
static const uint32_t MAX_BLOCK_XY = 1024, MAX_BLOCK_Z = 64, MAX_THREADS = 1024;

/* ---- messages ---- */

static _Thread_local void *message; /* MESSAGE_BYTES */

const char *s2s_last_message(void) {
	return message ? message : "";
}

/* Set the message of the calling thread; return `code`. */
__attribute__((cold, format(printf, 2, 3))) static int fail(int code, const char *format, ...) {
	char *text = s2s_own_memory(&message, MESSAGE_BYTES);
	if (!text)
		return code;
	va_list values;
	va_start(values, format);
	vsnprintf(text, MESSAGE_BYTES, format, values);
	va_end(values);
	return code;
}

/* ---- how to use the machine ---- */

typedef struct {
	uint32_t threads, hthreads_per_block, affinity; /* 0: the default */
} settings;

static bool pthread_barrier; /* from the environment */

static settings from_environment;

/* Written under the launch lock; others read it, too. */
static struct {
	_Atomic uint32_t threads, hthreads_per_block, affinity;
} configured;
static pthread_once_t environment_once = PTHREAD_ONCE_INIT;

static uint32_t read_setting(const char *name) {
	const char *text = getenv(name);
	if (!text || !*text)
		return 0;
	if (strcmp(name, "S2S_HTHREADS_PER_BLOCK") == 0 && strcmp(text, "all") == 0)
		return S2S_ALL_GANGS;
	char *end;
	long value = strtol(text, &end, 10);
	if (*end == '\0' && value >= 0 && value <= S2S_MAX_HTHREADS)
		return (uint32_t)value;
	fprintf(stderr, "simt2simd: %s=%s is ignored: expected a number from 0 to %d\n", name, text, S2S_MAX_HTHREADS);
	return 0;
}

static void read_environment(void) {
	from_environment.threads = read_setting("S2S_THREADS");
	from_environment.hthreads_per_block = read_setting("S2S_HTHREADS_PER_BLOCK");
	from_environment.affinity = read_setting("S2S_AFFINITY");
	const char *barrier = getenv("S2S_BARRIER");
	pthread_barrier = barrier && strcmp(barrier, "pthread") == 0;
	if (barrier && *barrier && !pthread_barrier && strcmp(barrier, "ours") != 0)
		fprintf(stderr, "simt2simd: S2S_BARRIER=%s is ignored: expected ours or pthread\n", barrier);
	s2s_read_stats_setting();
	s2s_read_timeout_setting();
}

static uint32_t relaxed(_Atomic uint32_t *setting) {
	return atomic_load_explicit(setting, memory_order_relaxed);
}

/* The settings with the defaults filled in; `affinity` may be 0. */
static inline settings present_settings(void) {
	pthread_once(&environment_once, read_environment);
	settings now = {
		relaxed(&configured.threads), relaxed(&configured.hthreads_per_block), relaxed(&configured.affinity)};
	if (now.threads == 0)
		now.threads = from_environment.threads;
	if (now.hthreads_per_block == 0)
		now.hthreads_per_block = from_environment.hthreads_per_block;
	if (now.affinity == 0)
		now.affinity = from_environment.affinity;
	if (now.threads == 0)
		now.threads = s2s_cpu_count() * (now.affinity > 0 ? now.affinity : 1);
	if (now.threads > S2S_MAX_HTHREADS)
		now.threads = S2S_MAX_HTHREADS;
	if (now.hthreads_per_block == 0)
		now.hthreads_per_block = 1;
	return now;
}

int s2s_configure(uint32_t threads, uint32_t hthreads_per_block, uint32_t affinity) {
	if (threads > S2S_MAX_HTHREADS || hthreads_per_block > S2S_MAX_HTHREADS || affinity > S2S_MAX_HTHREADS)
		return fail(S2S_INVALID_VALUE, "at most %d hthreads can be configured", S2S_MAX_HTHREADS);
	s2s_pool_lock();
	settings before = present_settings();
	atomic_store(&configured.threads, threads);
	atomic_store(&configured.hthreads_per_block, hthreads_per_block);
	atomic_store(&configured.affinity, affinity);
	settings after = present_settings();
	if (after.threads != before.threads || after.affinity != before.affinity)
		s2s_pool_stop();
	s2s_pool_unlock();
	return S2S_SUCCESS;
}

void s2s_configuration(uint32_t *threads, uint32_t *hthreads_per_block, uint32_t *affinity) {
	settings now = present_settings();
	if (threads)
		*threads = now.threads;
	if (hthreads_per_block)
		*hthreads_per_block = now.hthreads_per_block;
	if (affinity)
		*affinity = now.affinity;
}

/* ---- dynamic shared memory ---- */

/* The kernels of which a limit was set. */
static struct {
	pthread_mutex_t lock;
	struct dynamic_limit {
		const s2s_kernel *kernel;
		size_t bytes;
	} *items;
	size_t count;
} limits = {PTHREAD_MUTEX_INITIALIZER, NULL, 0};

static size_t left_of(size_t bytes, const s2s_kernel *kernel) {
	size_t used = ((size_t)kernel->shared_bytes + 15) / 16 * 16;
	return used < bytes ? bytes - used : 0;
}

static struct dynamic_limit *limit_of(const s2s_kernel *kernel) {
	for (size_t i = 0; i < limits.count; i++)
		if (limits.items[i].kernel == kernel)
			return &limits.items[i];
	return NULL;
}

size_t s2s_dynamic_limit(const s2s_kernel *kernel) {
	pthread_mutex_lock(&limits.lock);
	const struct dynamic_limit *found = limit_of(kernel);
	size_t bytes = found ? found->bytes : left_of(S2S_STATIC_SHARED_BYTES, kernel);
	pthread_mutex_unlock(&limits.lock);
	return bytes;
}

int s2s_set_dynamic_limit(const s2s_kernel *kernel, size_t bytes) {
	if (bytes > left_of(S2S_MOST_SHARED_BYTES, kernel))
		return fail(S2S_INVALID_VALUE, "kernel '%s': %zu bytes of dynamic shared memory: a block has at most %zu",
			kernel->name, bytes, left_of(S2S_MOST_SHARED_BYTES, kernel));
	pthread_mutex_lock(&limits.lock);
	struct dynamic_limit *found = limit_of(kernel);
	if (!found) {
		struct dynamic_limit *more = realloc(limits.items, (limits.count + 1) * sizeof *more);
		if (more) {
			limits.items = more;
			found = &more[limits.count++];
			found->kernel = kernel;
		}
	}
	if (found)
		found->bytes = bytes;
	pthread_mutex_unlock(&limits.lock);
	return found ? S2S_SUCCESS : fail(S2S_OUT_OF_MEMORY, "kernel '%s': no memory", kernel->name);
}

void s2s_forget_dynamic_limits(const void *begin, size_t bytes) {
	pthread_mutex_lock(&limits.lock);
	size_t kept = 0;
	for (size_t i = 0; i < limits.count; i++)
		if ((uintptr_t)limits.items[i].kernel - (uintptr_t)begin >= bytes)
			limits.items[kept++] = limits.items[i];
	limits.count = kept;
	pthread_mutex_unlock(&limits.lock);
}

/* ---- checks ---- */

/* The codes are those of an H200 with CUDA 13.0; children have others, see children.c. */
static int check_configuration(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes) {
	const char *name = kernel->name;
	if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > MAX_GRID_X || grid.y > MAX_GRID_YZ ||
		grid.z > MAX_GRID_YZ)
		return fail(S2S_INVALID_VALUE, "kernel '%s': a grid of (%u, %u, %u) blocks: expected 1 to (%u, %u, %u)", name,
			grid.x, grid.y, grid.z, MAX_GRID_X, MAX_GRID_YZ, MAX_GRID_YZ);
	if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > MAX_BLOCK_XY || block.y > MAX_BLOCK_XY ||
		block.z > MAX_BLOCK_Z)
		return fail(S2S_INVALID_VALUE, "kernel '%s': a block of (%u, %u, %u) threads: expected 1 to (%u, %u, %u)", name,
			block.x, block.y, block.z, MAX_BLOCK_XY, MAX_BLOCK_XY, MAX_BLOCK_Z);
	uint32_t threads = block.x * block.y * block.z;
	uint32_t most = kernel->max_threads > 0 && kernel->max_threads < MAX_THREADS ? kernel->max_threads : MAX_THREADS;
	if (threads > most)
		return fail(S2S_INVALID_VALUE, "kernel '%s': a block of %u threads: expected at most %u%s", name, threads, most,
			most < MAX_THREADS ? ", its __launch_bounds__" : "");
	if (kernel->shared_bytes > S2S_STATIC_SHARED_BYTES)
		return fail(S2S_INVALID_VALUE, "kernel '%s': %u bytes of static shared memory: a block has at most %d", name,
			kernel->shared_bytes, S2S_STATIC_SHARED_BYTES);
	if (shared_bytes > 0 && shared_bytes > s2s_dynamic_limit(kernel))
		return fail(S2S_INVALID_VALUE,
			"kernel '%s': %zu bytes of dynamic shared memory beside %u bytes of static: at most %zu, unless "
			"cudaFuncAttributeMaxDynamicSharedMemorySize (in Python max_dynamic_shared_size_bytes) allows more",
			name, shared_bytes, kernel->shared_bytes, s2s_dynamic_limit(kernel));
	if (kernel->args_bytes > S2S_MAX_ARGS_BYTES)
		return fail(S2S_INVALID_VALUE, "kernel '%s': %u bytes of parameters: expected at most %d", name,
			kernel->args_bytes, S2S_MAX_ARGS_BYTES);
	return S2S_SUCCESS;
}

/* Whether gangs of so many lanes can be tiles of the blocks. */
static bool divides_in_tiles(uint32_t lanes, s2s_dim3 grid, s2s_dim3 block) {
	uint32_t width = lanes == 16 ? 4 : 8, height = lanes / width;
	return block.x % width == 0 && block.y % height == 0 && (uint64_t)grid.x * block.x <= 1ull << 31 &&
		   (uint64_t)grid.y * block.y <= 1ull << 31;
}

static bool has_gangs_along_y(const s2s_kernel *kernel) {
	return kernel->range[2] || kernel->gang[2];
}

/* Whether gangs along y of a kernel that has them can be used, and find threads for all of their lanes. */
static bool suits_along_y(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, bool ranges) {
	uint64_t height = (uint64_t)grid.y * block.y;
	bool fused = ranges && kernel->flags & S2S_FUSED_ALONG_Y && height >= kernel->lanes;
	bool ragged = ranges && kernel->flags & S2S_RAGGED_ROWS && block.y >= kernel->lanes / 2;
	return (fused || ragged || (block.y & (kernel->lanes - 1)) == 0) && height <= 1ull << 31;
}

uint32_t s2s_choose_version(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, bool ranges) {
	if (ranges && kernel->tile_lanes && divides_in_tiles(kernel->tile_lanes, grid, block))
		return 4;
	if (has_gangs_along_y(kernel) && suits_along_y(kernel, grid, block, ranges))
		return 2;
	uint64_t width = (uint64_t)grid.x * block.x; /* of a row of blocks; of the rows that gangs may not leave: */
	uint64_t row = block.y * block.z == 1 ? 0 : block.x;
	bool fused = ranges && kernel->flags & S2S_FUSED_BLOCKS;
	if (width > 1ull << 31)
		return 1;
	uint32_t wide = kernel->wide_lanes;
	uint64_t run = fused ? width : block.x; /* the threads that gangs divide among themselves */
	bool wide_can = ranges && wide && (fused || row % wide == 0);
	if (wide_can && (run % wide == 0 || run >= 4 * wide || kernel->flags & S2S_ALWAYS_WIDE))
		return 3;
	bool ragged = ranges && kernel->flags & S2S_RAGGED_ROWS && !has_gangs_along_y(kernel) && row >= kernel->lanes / 2;
	return fused || ragged || (row & (kernel->lanes - 1)) == 0 ? 0 : 1;
}

/* ---- what launches cost ---- */

/* How long a block of a kernel took last time: while the pool's hthreads ran blocks alone, and in a small launch with
 * all that belongs to it. Two kernels may want the same row: then the later one has it. Launches that write at the same
 * time may leave a time of the other kernel there. */
typedef struct {
	_Atomic(const s2s_kernel *) kernel;
	_Atomic uint64_t pool_ps, beside_ps; /* of a block; UNKNOWN_TIME: none such yet */
} cost_row;

static cost_row costs[COST_ROWS];

static cost_row *costs_of(const s2s_kernel *kernel) {
	return &costs[((uintptr_t)kernel >> 4) * 0x9E3779B97F4A7C15u >> 56];
}

static bool has_costs(const cost_row *row, const s2s_kernel *kernel) {
	return atomic_load_explicit(&row->kernel, memory_order_relaxed) == kernel;
}

static uint64_t expected_block_ps(const s2s_kernel *kernel) {
	const cost_row *row = costs_of(kernel);
	return has_costs(row, kernel) ? atomic_load_explicit(&row->pool_ps, memory_order_relaxed) : UNKNOWN_TIME;
}

/* The row of a kernel, which becomes its own. */
static cost_row *row_for(const s2s_kernel *kernel) {
	cost_row *row = costs_of(kernel);
	if (!has_costs(row, kernel)) {
		atomic_store_explicit(&row->pool_ps, UNKNOWN_TIME, memory_order_relaxed);
		atomic_store_explicit(&row->beside_ps, UNKNOWN_TIME, memory_order_relaxed);
		atomic_store_explicit(&row->kernel, kernel, memory_order_relaxed);
	}
	return row;
}

static void remember(const s2s_kernel *kernel, uint64_t block_ps) {
	atomic_store_explicit(&row_for(kernel)->pool_ps, block_ps, memory_order_relaxed);
}

bool s2s_is_short_launch(const s2s_kernel *kernel, uint64_t nblocks) {
	const cost_row *row = costs_of(kernel);
	return kernel->flags & S2S_INDEPENDENT_BLOCKS && has_costs(row, kernel) &&
		   atomic_load_explicit(&row->beside_ps, memory_order_relaxed) <= SHORT_NS * 1000ull / nblocks;
}

/* ---- launching ---- */

enum { MOST_PLACE = 400 };

/* Write " at walk.cu:17" into text, or nothing. */
static void describe_line_of(const position *at, char *text, size_t room) {
	char line[MOST_PLACE - 8];
	*text = '\0';
	if (at->instruction && s2s_find_line(at->instruction, line, sizeof line))
		snprintf(text, room, " at %s", line);
}

/* Write " in block (1, 0, 0), threads (0, 0, 0) to (15, 0, 0)" into text, as far as that is known. */
static void describe_position(const launch_job *job, const position *at, char *text, size_t room) {
	*text = '\0';
	if (!at->instruction || at->blocks == 0)
		return;
	s2s_dim3 size = job->launch.block, first = at->first_block, last = at->last_block;
	first.x /= job->parts_x, first.y /= job->parts_y;
	last.x /= job->parts_x, last.y /= job->parts_y;
	if (at->blocks > 1) {
		snprintf(text, room, " in one of the blocks (%u, %u, %u) to (%u, %u, %u)", first.x, first.y, first.z, last.x,
			last.y, last.z);
		return;
	}
	s2s_dim3 from = s2s_nth(size, at->first_thread), to = from;
	if (at->has_threads && at->linear) {
		uint32_t left = job->launch.threads - at->first_thread;
		to = s2s_nth(size, at->first_thread + (at->lanes < left ? at->lanes : left) - 1);
	} else if (at->has_threads) { /* a gang that spans two blocks is named by the one with its lane 0 */
		from = (s2s_dim3){at->thread.x % size.x, at->thread.y % size.y, at->thread.z};
		first.x += at->thread.x / size.x;
		first.y += at->thread.y / size.y;
		to = from;
		uint32_t *end = at->along_y ? &to.y : &to.x, width = at->along_y ? size.y : size.x;
		*end = *end + at->lanes < width ? *end + at->lanes - 1 : width - 1;
	}
	int used = snprintf(text, room, " in block (%u, %u, %u)", first.x, first.y, first.z);
	if (at->has_threads)
		snprintf(text + used, room - (size_t)used, ", threads (%u, %u, %u) to (%u, %u, %u)", from.x, from.y, from.z,
			to.x, to.y, to.z);
}

static int explain(launch_job *job) {
	s2s_settle_interrupt();
	if (job->at_fault) { /* what follows is about the child */
		job->kernel = job->at_fault;
		job->launch = job->launch_at_fault;
	}
	const fault *fault = &job->fault;
	const char *name = job->kernel->name;
	char line[MOST_PLACE], where[160];
	describe_line_of(&fault->at, line, sizeof line);
	describe_position(job, &fault->at, where, sizeof where);
	switch (fault->kind) {
	case FAULT_ADDRESS: {
		char nearest[128];
		s2s_describe_nearest(fault->address, nearest, sizeof nearest);
		return fail(S2S_ILLEGAL_ADDRESS, "kernel '%s': illegal memory access%s%s%s at address %p%s", name, line, where,
			*line || *where ? "," : "", fault->address, nearest);
	}
	case FAULT_PROTECTION:
		return fail(S2S_ILLEGAL_ADDRESS, "kernel '%s': illegal or misaligned memory access%s%s", name, line, where);
	case FAULT_STACK:
		return fail(S2S_LAUNCH_FAILURE,
			"kernel '%s': stack overflow: its threads need more than %zu bytes of stack each; "
			"raise the limit (cudaDeviceSetLimit(cudaLimitStackSize, bytes), in Python "
			"simt2simd.runtime.set_stack_limit(bytes)) or recurse less deeply%s%s%s",
			name, fault->stack_bytes / job->kernel->lanes, *line || *where ? "; it overflowed" : "", line, where);
	case FAULT_INSTRUCTION:
		return fail(S2S_ILLEGAL_INSTRUCTION,
			"kernel '%s': illegal instruction: it was compiled for a CPU that has more than this one", name);
	case FAULT_ARITHMETIC:
		return fail(S2S_LAUNCH_FAILURE, "kernel '%s': arithmetic exception%s%s", name, line, where);
	case FAULT_CLAIM:
		return fail(S2S_LAUNCH_FAILURE, "kernel '%s': %s", name, fault->claim);
	case FAULT_ASSERTION:
		return fail(
			S2S_ASSERT, "kernel '%s': %s:%u: assertion `%s` failed", name, fault->file, fault->line, fault->claim);
	case FAULT_WAIT:
		return fail(S2S_TIMEOUT, "kernel '%s': all threads that can run wait for others: %s", name, fault->claim);
	case FAULT_TIMEOUT:
		return fail(S2S_TIMEOUT, "kernel '%s': it took longer than the %g seconds of S2S_TIMEOUT", name, s2s_timeout());
	case FAULT_MEMORY:
		return fail(
			S2S_OUT_OF_MEMORY, "kernel '%s': no memory for stacks of %zu bytes per thread", name, s2s_stack_limit());
	case FAULT_CHILDREN:
		return fail(
			S2S_OUT_OF_MEMORY, "kernel '%s': no memory for children that wait: they may take half of it all", name);
	case FAULT_DEPTH:
		return fail(S2S_LAUNCH_FAILURE,
			"kernel '%s': it is launched by children of children, more than %d deep: there is no end to that", name,
			S2S_MOST_NESTED);
	case FAULT_STOPPED:
		return fail(S2S_INTERRUPTED, "kernel '%s': interrupted", name);
	case FAULT_INTERRUPTED:
	case FAULT_NONE:
		break;
	}
	return fail(S2S_LAUNCH_FAILURE, "kernel '%s': launch failed", name);
}

static int run_by_teams(launch_job *job, const settings *now) {
	job->version = s2s_choose_version(job->kernel, job->launch.grid, job->launch.block, false);
	job->nteams = now->threads / job->team_size;
	if (job->nteams == 0)
		job->nteams = 1;
	if (job->nteams > job->nblocks)
		job->nteams = (uint32_t)job->nblocks;
	uint32_t needed = job->nteams * job->team_size;
	job->teams = s2s_teams_for(job->nteams, job->team_size);
	job->pthread_barrier = pthread_barrier;
	if (!job->teams || s2s_pool_grow(needed, now->affinity) < needed)
		return fail(S2S_OUT_OF_MEMORY, "kernel '%s': cannot start %u hthreads", job->kernel->name, needed);
	pool_work work = {s2s_run_team_member, job, needed, needed, true, UNKNOWN_TIME, 1};
	s2s_pool_run(&work);
	return S2S_SUCCESS;
}

enum { ROWS_PER_HTHREAD = 4, GRAINS_PER_ROW = 8 };

/* How many neighbouring blocks no two hthreads should share: where gangs may span them, one that is alone leaves lanes
 * off. A row of blocks that gangs do not divide without a rest is left whole if it is short, and there are many. Where
 * gangs lie along y, rows are columns. */
static uint64_t grain_of(const launch_job *job, uint32_t hthreads) {
	const s2s_kernel *kernel = job->kernel;
	bool along_y = job->version == 2;
	if (!(kernel->flags & (along_y ? S2S_FUSED_ALONG_Y : S2S_FUSED_BLOCKS)) || job->version == 1 || job->version == 4)
		return 1;
	uint32_t columns = along_y ? job->launch.grid.y : job->launch.grid.x, blocks = 1;
	uint32_t width = along_y ? job->launch.block.y : job->launch.block.x;
	uint32_t most = job->version == 3 ? kernel->wide_lanes : kernel->lanes;
	while (blocks < most && width * blocks % most != 0)
		blocks *= 2;
	if (blocks >= columns)
		return columns;
	bool rest = columns % blocks != 0 && columns <= GRAINS_PER_ROW * blocks;
	return rest && job->nblocks / columns >= (uint64_t)ROWS_PER_HTHREAD * hthreads ? columns : blocks;
}

/* Blocks of a launch, from `first` on. */
typedef struct {
	launch_job *job;
	uint64_t first;
} part;

static void run_part(hthread *self, void *arg, uint64_t first, uint64_t end) {
	const part *part = arg;
	s2s_run_ranges(self, part->job, part->first + first, part->first + end);
}

uint64_t s2s_run_blocks(launch_job *job, const s2s_kernel *kernel, const void *args, uint64_t first, uint64_t count,
	uint32_t hthreads, uint64_t block_ps) {
	const s2s_kernel *own = job->kernel;
	const void *own_args = job->launch.args;
	uint32_t version = job->version;
	job->renumbered = kernel != own;
	job->kernel = job->launch.kernel = kernel;
	job->launch.args = args;
	job->version = s2s_choose_version(kernel, job->launch.grid, job->launch.block, true);
	part part = {job, first};
	uint64_t grain = first == 0 ? grain_of(job, hthreads) : 1;
	pool_work work = {run_part, &part, count, hthreads, false, block_ps, grain};
	uint64_t taken_ps = s2s_pool_run(&work);
	job->kernel = job->launch.kernel = own;
	job->launch.args = own_args;
	job->version = version;
	job->renumbered = false;
	return taken_ps;
}

static void run_in_order(launch_job *job, uint32_t hthreads) {
	uint64_t expected_ps = expected_block_ps(job->kernel);
	uint64_t first = s2s_run_sorted(job, hthreads, expected_ps), left = job->nblocks - first, start = s2s_now_ns();
	if (left == 0)
		return;
	uint64_t block_ps = s2s_run_blocks(job, job->kernel, job->launch.args, first, left, hthreads, expected_ps);
	if (block_ps == UNKNOWN_TIME)
		block_ps = (s2s_now_ns() - start) * 1000 / left;
	remember(job->kernel, block_ps);
}

static int too_many_blocks(const launch_job *job, uint32_t hthreads) {
	return fail(S2S_COOPERATIVE_TOO_LARGE,
		"kernel '%s': %llu blocks of %u threads that wait for each other: this machine has room for %u",
		job->kernel->name, (unsigned long long)job->nblocks, job->launch.threads,
		hthreads * s2s_resident_blocks(job->kernel, job->launch.threads));
}

static int run_by_fibers(launch_job *job, const settings *now) {
	job->version = s2s_choose_version(job->kernel, job->launch.grid, job->launch.block, false);
	uint32_t hthreads = s2s_pool_grow(job->nblocks > 1 ? now->threads : 1, now->affinity);
	if (hthreads == 0)
		return fail(S2S_OUT_OF_MEMORY, "kernel '%s': no memory", job->kernel->name);
	if (hthreads > job->nblocks)
		hthreads = (uint32_t)job->nblocks;
	if (job->cooperative && job->nblocks > (uint64_t)hthreads * s2s_resident_blocks(job->kernel, job->launch.threads))
		return too_many_blocks(job, hthreads);
	pool_work work = {s2s_run_fibers, job, hthreads, hthreads, true, UNKNOWN_TIME, 1};
	s2s_pool_run(&work);
	return S2S_SUCCESS;
}

/* Blocks that each hthread should have, so that none waits for long where they are uneven; what a part of a block
 * should take, so that it is worth an item of its own; the threads that it has at least. */
enum { BLOCKS_PER_HTHREAD = 16, PART_PS = 2000000, LEAST_PART = 64 };

/* Divide blocks in two along an axis, each into a multiple of so many threads. False if that cannot be, or if gangs
 * would lie otherwise. */
static bool divide_along(launch_job *job, uint32_t *size, uint32_t *count, uint32_t *parts, uint32_t multiple) {
	s2s_launch *launch = &job->launch;
	if (*size % (2 * multiple) != 0 || *count > UINT32_MAX / 2 || launch->threads / 2 < LEAST_PART)
		return false;
	*size /= 2, *count *= 2;
	if (s2s_choose_version(job->kernel, launch->grid, launch->block, true) != job->version) {
		*size *= 2, *count /= 2;
		return false;
	}
	*parts *= 2;
	launch->threads /= 2;
	launch->gangs = (launch->threads + job->kernel->lanes - 1) / job->kernel->lanes;
	job->nblocks *= 2;
	return true;
}

/* Divide the blocks of a launch that has few of them for so many hthreads, if that changes nothing for the kernel. As
 * long as the time of a block is unknown, hthreads that would have none are given parts. */
static void divide_blocks(launch_job *job, uint32_t hthreads, uint64_t block_ps) {
	s2s_launch *launch = &job->launch;
	bool known = block_ps != UNKNOWN_TIME;
	uint64_t wanted = known ? (uint64_t)BLOCKS_PER_HTHREAD * hthreads : hthreads;
	bool along_x = job->kernel->flags & S2S_DIVISIBLE_X, along_y = job->kernel->flags & S2S_DIVISIBLE_Y;
	uint32_t lanes = job->version == 3 ? job->kernel->wide_lanes : job->kernel->lanes;
	bool gangs_along_y = job->version == 2;
	while (job->nblocks < wanted && (!known || block_ps / (job->parts_x * job->parts_y) >= 2 * PART_PS)) {
		along_y =
			along_y && divide_along(job, &launch->block.y, &launch->grid.y, &job->parts_y, gangs_along_y ? lanes : 1);
		if (along_y)
			continue;
		along_x =
			along_x && divide_along(job, &launch->block.x, &launch->grid.x, &job->parts_x, gangs_along_y ? 1 : lanes);
		if (!along_x)
			return;
	}
}

static int run_by_blocks(launch_job *job, const settings *now) {
	job->version = s2s_choose_version(job->kernel, job->launch.grid, job->launch.block, true);
	bool gangs = !job->kernel->range[job->version];
	uint64_t written_ps = expected_block_ps(job->kernel);
	bool in_order = s2s_companion_for(job->kernel, S2S_IN_ORDER);
	if (job->kernel->flags & (S2S_DIVISIBLE_X | S2S_DIVISIBLE_Y) && !in_order)
		divide_blocks(job, now->threads, written_ps);
	uint32_t parts = job->parts_x * job->parts_y;
	uint64_t part_ps = written_ps == UNKNOWN_TIME ? UNKNOWN_TIME : written_ps / parts;
	uint32_t hthreads = s2s_pool_grow(job->nblocks > 1 ? now->threads : 1, now->affinity);
	if (hthreads == 0)
		return fail(S2S_OUT_OF_MEMORY, "kernel '%s': no memory", job->kernel->name);
	if (in_order) {
		run_in_order(job, hthreads);
		return S2S_SUCCESS;
	}
	/* Blocks that fit the machine together may wait for each other: none may be left to an hthread that sleeps. */
	bool together = job->nblocks <= hthreads && !(job->kernel->flags & S2S_INDEPENDENT_BLOCKS);
	pool_work work = {gangs ? s2s_run_gangs : s2s_run_ranges, job, job->nblocks, hthreads, together, part_ps,
		together ? 1 : grain_of(job, hthreads)};
	part_ps = s2s_pool_run(&work);
	if (part_ps != UNKNOWN_TIME)
		remember(job->kernel, part_ps * parts);
	return S2S_SUCCESS;
}

static int run_with_children(launch_job *job, const settings *now) {
	uint32_t hthreads = s2s_pool_grow(now->threads, now->affinity);
	if (job->cooperative && job->nblocks > (uint64_t)hthreads * s2s_resident_blocks(job->kernel, job->launch.threads))
		return too_many_blocks(job, hthreads);
	if (hthreads == 0 || !s2s_hooks.run_family(job, hthreads))
		return fail(S2S_OUT_OF_MEMORY, "kernel '%s': no memory", job->kernel->name);
	return S2S_SUCCESS;
}

static int run_locked(launch_job *job) {
	settings now = present_settings();
	cpu_set_t before;
	bool pinned = now.affinity > 0 && pthread_getaffinity_np(pthread_self(), sizeof before, &before) == 0;
	if (pinned)
		s2s_pin(0, now.affinity);
	bool fibers = job->kernel->flags & S2S_FIBERS, family = job->kernel->flags & S2S_LAUNCHES;
	job->team_size = now.hthreads_per_block < job->launch.gangs ? now.hthreads_per_block : job->launch.gangs;
	if (fibers || family)
		job->team_size = 1;
	if (job->team_size > 1 &&
		!job->kernel->gang[s2s_choose_version(job->kernel, job->launch.grid, job->launch.block, false)])
		job->team_size = 1;
	if (job->team_size > 1)
		job->launch.own_shared_bytes = 0;
	s2s_expect_stats(job->kernel);
	s2s_watch watch;
	s2s_begin_timeout(&watch, job);
	if (s2s_companion_for(job->kernel, S2S_BY_ROPES) && s2s_pool_grow(1, now.affinity) > 0)
		s2s_use_ropes(job);
	int code = family               ? run_with_children(job, &now)
			   : fibers             ? run_by_fibers(job, &now)
			   : job->team_size > 1 ? run_by_teams(job, &now)
									: run_by_blocks(job, &now);
	s2s_end_timeout(&watch);
	if (s2s_pool_size() > 0)
		s2s_count_launches(s2s_pool_hthread(0), job->kernel, 1);
	if (job->kernel->flags & S2S_COUNTED)
		s2s_collect_tallies();
	s2s_collect_output();
	if (pinned)
		pthread_setaffinity_np(pthread_self(), sizeof before, &before);
	if (code == S2S_SUCCESS && atomic_load(&job->failed))
		code = explain(job);
	return code;
}

static int launch(
	const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args, bool cooperative) {
	int code = check_configuration(kernel, grid, block, shared_bytes);
	if (code != S2S_SUCCESS)
		return code;
	const s2s_companion *lone = s2s_companion_for(kernel, S2S_SINGLE_THREAD);
	if (lone && block.x * block.y * block.z == 1)
		kernel = lone->kernel;
	launch_job job;
	s2s_begin_job(&job, kernel, grid, block, shared_bytes, args, cooperative);
	if (!s2s_begin_launch(&job))
		return fail(S2S_INTERRUPTED, "kernel '%s': interrupted", kernel->name);
	code = run_locked(&job);
	s2s_end_launch();
	return code;
}

int s2s_launch_kernel(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args) {
	return launch(kernel, grid, block, shared_bytes, args, false);
}

int s2s_launch_cooperative(
	const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args) {
	return launch(kernel, grid, block, shared_bytes, args, true);
}

int s2s_check_launch(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes) {
	return check_configuration(kernel, grid, block, shared_bytes);
}

/* Whether a launch leaves hthreads free, and needs nothing that there is but once. Blocks that wait for each other run
 * on one hthread. */
static bool can_run_beside(const s2s_kernel *kernel, uint64_t nblocks, uint32_t threads) {
	settings now = present_settings();
	bool fits = nblocks == 1;
	if (kernel->flags & S2S_FIBERS)
		fits = nblocks <= s2s_resident_blocks(kernel, threads);
	else if (kernel->flags & S2S_INDEPENDENT_BLOCKS)
		fits = nblocks == 1 || nblocks < now.threads;
	bool shares = s2s_companion_for(kernel, S2S_IN_ORDER) || s2s_companion_for(kernel, S2S_BY_ROPES) ||
				  (kernel->flags & (S2S_COUNTED | S2S_LAUNCHES));
	return fits && !shares && now.hthreads_per_block == 1 && now.affinity == 0;
}

static int launch_beside(
	const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args) {
	int code = check_configuration(kernel, grid, block, shared_bytes);
	if (code != S2S_SUCCESS)
		return code;
	if (!can_run_beside(kernel, (uint64_t)grid.x * grid.y * grid.z, block.x * block.y * block.z))
		return s2s_launch_kernel(kernel, grid, block, shared_bytes, args);
	launch_job job;
	s2s_begin_job(&job, kernel, grid, block, shared_bytes, args, false);
	bool fibers = kernel->flags & S2S_FIBERS;
	job.version = s2s_choose_version(kernel, grid, block, !fibers);
	job.team_size = 1;
	item_function *run = fibers ? s2s_run_fibers : kernel->range[job.version] ? s2s_run_ranges : s2s_run_gangs;
	s2s_watch watch;
	s2s_begin_timeout(&watch, &job);
	bool ran = s2s_run_beside(&job, run, fibers ? 1 : job.nblocks, s2s_hand_over_output);
	s2s_end_timeout(&watch);
	if (!ran)
		return s2s_launch_kernel(kernel, grid, block, shared_bytes, args);
	return atomic_load(&job.failed) ? explain(&job) : S2S_SUCCESS;
}

int s2s_launch_beside(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args) {
	uint64_t start = s2s_now_ns();
	int code = launch_beside(kernel, grid, block, shared_bytes, args);
	uint64_t nblocks = (uint64_t)grid.x * grid.y * grid.z;
	if (code != S2S_INVALID_VALUE)
		atomic_store_explicit(
			&row_for(kernel)->beside_ps, (s2s_now_ns() - start) * 1000 / nblocks, memory_order_relaxed);
	return code;
}
