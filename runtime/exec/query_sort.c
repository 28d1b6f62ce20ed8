/* Queries are sorted along a space-filling curve: threads that search near each other in space run together.
 *
 * Known as: query reordering along a Morton (Z-order) curve, chosen by sampling.
 *
 * A kernel that searches a tree, one query a thread, has two companions: S2S_COORDINATES stores what a thread searches
 * for, as coordinates; S2S_IN_ORDER runs the threads that a list names. A launch looks at a sample of the threads. It
 * sorts the rest along Morton's curve on two conditions: neighbouring threads are about as far from each other as any
 * two, and the first blocks show that a thread has enough work.
 *
 * The results are those of the original order: such threads are independent of each other.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MIN_THREADS = 4096, /* of a launch that is worth the look ... */
	MIN_BLOCKS = 4,     /* ... and its blocks */
	LOOK_PART = 64,     /* one block of so many is looked at ... */
	LOOK_BLOCKS = 8,    /* ... but no more than these ... */
	LOOK_THREADS = 256, /* ... and so many of a block's threads */
	TRY_PART = 64,      /* one block of so many runs as it is, for the time that it takes */
	WORTH_NS = 100,     /* a thread that takes less gains nothing by being sorted */
	RANGE_SAMPLE = 256, /* threads among which the least and largest coordinates are looked for ... */
	RANGE_CUT = 3,      /* ... without so many at each end */
	DIGIT_BITS = 11,    /* of a key, that a pass of sorting sorts by */
	DIGITS = 1 << DIGIT_BITS,
	MANY_THREADS = 1 << 20, /* so many need three digits; two do for fewer */
	INDEX_BITS = 27,        /* of a thread's number, which is beside its key */
	MOST_AXIS_BITS = 24,    /* of a coordinate: a float has no more */
	PIECE_BITS = 8,         /* of a coordinate that are spread at once */
	SLICE_THREADS = 4096,   /* a slice that one hthread sorts has no fewer */
	KEPT_BYTES = 1 << 26    /* of memory: more is given back when a launch is over */
};

static const uint64_t COORDINATES_PS = 10000; /* of a thread, about */
static const float FAR_APART = 0.75f;         /* the distance of neighbours, as a part of that of any two threads */

typedef struct {
	const float *values; /* one for each thread of the launch */
	float least, scale;  /* (value - least) * scale is its cell ... */
	uint32_t cells;      /* ... of so many */
} axis;

typedef struct {
	launch_job *job;
	const s2s_kernel *kernel; /* the program's; job->kernel may be one that helps it */
	const s2s_kernel *in_order;
	const s2s_companion *coordinates;
	uint32_t hthreads, block_threads;
	uint64_t threads;      /* of the launch */
	uint64_t first_thread; /* the first one that is sorted: thread i of these has the place i after it */
	float *places;         /* the coordinates, `threads` of each */
	uint64_t *keys, *sorted;
	uint32_t *list;   /* the threads' numbers, in order */
	uint32_t *counts; /* DIGITS for each slice */
	uint32_t nslices, shift;
	bool last_pass;
	uint32_t naxes, axis_bits;
	axis axes[S2S_MAX_COORDINATES];
	uint64_t spread[1 << PIECE_BITS]; /* bit i of the index, at place i * naxes */
} ordering;

/* ---- memory: it stays for the next launch, if it is not too much ---- */

static struct {
	char *base;
	size_t bytes;
} workspace; /* changes under the launch lock */

static bool find_memory(ordering *o) {
	size_t counts = (size_t)o->nslices * DIGITS;
	size_t numbers = o->threads * (1 + (size_t)o->coordinates->number) + counts;
	size_t bytes = 2 * o->threads * sizeof(uint64_t) + numbers * sizeof(uint32_t);
	if (workspace.bytes < bytes) {
		free(workspace.base);
		workspace.base = malloc(bytes);
		workspace.bytes = workspace.base ? bytes : 0;
	}
	if (!workspace.base)
		return false;
	o->keys = (uint64_t *)workspace.base;
	o->sorted = o->keys + o->threads;
	o->list = (uint32_t *)(o->sorted + o->threads);
	o->counts = o->list + o->threads;
	o->places = (float *)(o->counts + counts);
	return true;
}

static void give_back_memory(void) {
	if (workspace.bytes <= KEPT_BYTES)
		return;
	free(workspace.base);
	workspace.base = NULL;
	workspace.bytes = 0;
}

/* ---- running blocks ---- */

/* Run blocks of a kernel that helps, whose last parameters are `pointer` and, if it has one more, `number`. */
static void run_helper(ordering *o, const s2s_kernel *helper, uint64_t first, uint64_t count, const void *pointer,
	uint32_t number, uint64_t block_ps) {
	_Alignas(64) char args[S2S_MAX_ARGS_BYTES];
	uint32_t added = o->kernel->nparams;
	memcpy(args, o->job->launch.args, o->kernel->args_bytes);
	memcpy(args + helper->param_offset[added], &pointer, sizeof pointer);
	if (helper->nparams > added + 1)
		memcpy(args + helper->param_offset[added + 1], &number, sizeof number);
	s2s_run_blocks(o->job, helper, args, first, count, o->hthreads, block_ps);
}

static void find_coordinates(ordering *o, uint64_t first, uint64_t count) {
	const s2s_kernel *helper = o->coordinates->kernel;
	run_helper(o, helper, first, count, o->places, (uint32_t)o->threads, COORDINATES_PS * o->block_threads);
}

static bool failed(const ordering *o) {
	return atomic_load(&o->job->failed);
}

/* ---- whether sorting is worth it ---- */

/* Whether neighbouring threads are about as far from each other as any two: by blocks all over the launch. */
static bool are_distant(ordering *o) {
	uint64_t nblocks = o->job->nblocks / LOOK_PART, threads = o->block_threads;
	nblocks = nblocks < 2 ? 2 : nblocks < LOOK_BLOCKS ? nblocks : LOOK_BLOCKS;
	for (uint64_t i = 0; i < nblocks && !failed(o); i++)
		find_coordinates(o, i * o->job->nblocks / nblocks, 1);
	uint64_t looked_at = threads < LOOK_THREADS ? threads : LOOK_THREADS;
	float sum = 0.0f;
	uint32_t varying = 0;
	for (uint32_t j = 0; j < o->coordinates->number; j++) {
		const float *values = o->places + j * o->threads;
		float near = 0.0f, far = 0.0f;
		for (uint64_t i = 0; i < nblocks; i++) {
			const float *here = values + i * o->job->nblocks / nblocks * threads;
			const float *there = values + (i + 1) % nblocks * o->job->nblocks / nblocks * threads;
			for (uint64_t t = 0; t + 1 < looked_at; t++) {
				float to_next = fabsf(here[t + 1] - here[t]), to_any = fabsf(there[(7 * t + 3) % looked_at] - here[t]);
				near += to_next < INFINITY ? to_next : 0.0f;
				far += to_any < INFINITY ? to_any : 0.0f;
			}
		}
		if (far > 0.0f && far < INFINITY && near < INFINITY) {
			sum += near / far;
			varying++;
		}
	}
	return varying > 0 && sum > FAR_APART * (float)varying;
}

/* Run the first blocks as they are; return how long a thread took, in ns. */
static uint64_t try_as_it_is(ordering *o, uint64_t count) {
	uint64_t start = s2s_now_ns();
	uint64_t block_ps = s2s_run_blocks(o->job, o->kernel, o->job->launch.args, 0, count, o->hthreads, UNKNOWN_TIME);
	if (block_ps == UNKNOWN_TIME)
		block_ps = (s2s_now_ns() - start) * 1000 / count;
	return block_ps / 1000 / o->block_threads;
}

/* ---- keys ---- */

static int compare(const void *a, const void *b) {
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* Keep the coordinates that differ, with the range of nearly all of their values. */
static void choose_axes(ordering *o, uint32_t key_bits) {
	uint64_t count = o->threads - o->first_thread;
	for (uint32_t j = 0; j < o->coordinates->number; j++) {
		const float *values = o->places + j * o->threads;
		float sample[RANGE_SAMPLE];
		uint32_t size = 0;
		for (uint64_t i = 0; i < RANGE_SAMPLE; i++) {
			float value = values[o->first_thread + i * count / RANGE_SAMPLE];
			if (isfinite(value))
				sample[size++] = value;
		}
		qsort(sample, size, sizeof *sample, compare);
		if (size <= 2 * RANGE_CUT)
			continue;
		float least = sample[RANGE_CUT], most = sample[size - 1 - RANGE_CUT];
		if (most - least > 0.0f && most - least < INFINITY)
			o->axes[o->naxes++] = (axis){.values = values, .least = least, .scale = 1.0f / (most - least)};
	}
	if (o->naxes == 0)
		return;
	o->axis_bits = key_bits / o->naxes;
	o->axis_bits = o->axis_bits < 1 ? 1 : o->axis_bits < MOST_AXIS_BITS ? o->axis_bits : MOST_AXIS_BITS;
	for (uint32_t j = 0; j < o->naxes; j++) {
		o->axes[j].cells = 1u << o->axis_bits;
		o->axes[j].scale *= (float)o->axes[j].cells;
	}
	for (uint32_t i = 0; i < 1 << PIECE_BITS; i++) {
		o->spread[i] = 0;
		for (uint32_t bit = 0; bit < PIECE_BITS && bit * o->naxes < 64; bit++)
			o->spread[i] |= (uint64_t)(i >> bit & 1) << bit * o->naxes;
	}
}

/* Bit i of `cell` at place i * naxes. */
static uint64_t spread(const ordering *o, uint32_t cell) {
	uint64_t key = 0;
	for (uint32_t bit = 0; bit < o->axis_bits; bit += PIECE_BITS)
		key |= o->spread[cell >> bit & ((1 << PIECE_BITS) - 1)] << bit * o->naxes;
	return key;
}

/* The key of a thread: bits of its coordinates' cells in turns, the highest first. Threads without a place come last.
 */
static uint64_t key_of(const ordering *o, uint64_t thread) {
	uint64_t key = 0;
	for (uint32_t j = 0; j < o->naxes; j++) {
		const axis *axis = &o->axes[j];
		float place = (axis->values[thread] - axis->least) * axis->scale;
		if (isnan(place))
			return (UINT64_MAX >> INDEX_BITS);
		uint32_t cell = place < 0.0f ? 0 : place >= (float)axis->cells ? axis->cells - 1 : (uint32_t)place;
		key |= spread(o, cell) << j;
	}
	return key;
}

/* ---- sorting: from the lowest digit up; each slice counts its digits, then puts its keys where they belong ---- */

static uint64_t slice_begin(const ordering *o, uint64_t slice) {
	return (o->threads - o->first_thread) * slice / o->nslices;
}

static uint32_t digit(const ordering *o, uint64_t key) {
	return key >> o->shift & (DIGITS - 1);
}

static void make_keys(hthread *self, void *arg, uint64_t first, uint64_t end) {
	(void)self;
	ordering *o = arg;
	for (uint64_t i = slice_begin(o, first); i < slice_begin(o, end); i++) {
		uint64_t thread = o->first_thread + i;
		o->keys[i] = key_of(o, thread) << INDEX_BITS | thread;
	}
}

static void count_digits(hthread *self, void *arg, uint64_t first, uint64_t end) {
	(void)self;
	ordering *o = arg;
	for (uint64_t slice = first; slice < end; slice++) {
		uint32_t *counts = o->counts + slice * DIGITS;
		memset(counts, 0, DIGITS * sizeof *counts);
		for (uint64_t i = slice_begin(o, slice); i < slice_begin(o, slice + 1); i++)
			counts[digit(o, o->keys[i])]++;
	}
}

/* From how many there are of each digit in each slice to where the first of them belongs. */
static void add_up(ordering *o) {
	uint32_t sum = 0;
	for (uint32_t i = 0; i < DIGITS; i++) {
		for (uint32_t slice = 0; slice < o->nslices; slice++) {
			uint32_t *count = &o->counts[slice * DIGITS + i], begin = sum;
			sum += *count;
			*count = begin;
		}
	}
}

static void move_keys(hthread *self, void *arg, uint64_t first, uint64_t end) {
	(void)self;
	ordering *o = arg;
	for (uint64_t slice = first; slice < end; slice++) {
		uint32_t *places = o->counts + slice * DIGITS;
		for (uint64_t i = slice_begin(o, slice); i < slice_begin(o, slice + 1); i++) {
			uint64_t key = o->keys[i];
			uint32_t place = places[digit(o, key)]++;
			if (o->last_pass)
				o->list[place] = key & ((1u << INDEX_BITS) - 1);
			else
				o->sorted[place] = key;
		}
	}
}

static void for_slices(ordering *o, item_function *function) {
	pool_work work = {function, o, o->nslices, o->hthreads, false, UNKNOWN_TIME, 1};
	s2s_pool_run(&work);
}

static void sort_keys(ordering *o, uint32_t ndigits) {
	for_slices(o, make_keys);
	for (uint32_t i = 0; i < ndigits; i++) {
		o->shift = INDEX_BITS + i * DIGIT_BITS;
		o->last_pass = i == ndigits - 1;
		for_slices(o, count_digits);
		add_up(o);
		for_slices(o, move_keys);
		uint64_t *keys = o->keys;
		o->keys = o->sorted;
		o->sorted = keys;
	}
}

/* ---- the launch ---- */

/* Run blocks in order, if that is worth it; what is returned is what s2s_run_sorted returns. */
static uint64_t run_in_order(ordering *o) {
	uint64_t nblocks = o->job->nblocks, tried = 0;
	if (!(o->kernel->flags & S2S_ALWAYS_SORTED)) {
		if (!are_distant(o) || failed(o))
			return failed(o) ? nblocks : 0;
		tried = nblocks / TRY_PART > 0 ? nblocks / TRY_PART : 1;
		if (try_as_it_is(o, tried) < WORTH_NS || failed(o))
			return failed(o) ? nblocks : tried;
	}
	o->first_thread = tried * o->block_threads;
	find_coordinates(o, tried, nblocks - tried);
	uint32_t ndigits = o->threads - o->first_thread >= MANY_THREADS ? 3 : 2;
	if (!failed(o))
		choose_axes(o, ndigits * DIGIT_BITS);
	if (failed(o) || o->naxes == 0)
		return failed(o) ? nblocks : tried;
	sort_keys(o, ndigits);
	s2s_count_sorted(s2s_pool_hthread(0), o->kernel, o->threads - o->first_thread);
	/* The kernel looks up the list by the numbers of its own threads, of which the first is `first_thread`. */
	uintptr_t list = (uintptr_t)o->list - o->first_thread * sizeof *o->list;
	run_helper(o, o->in_order, tried, nblocks - tried, (const void *)list, 0, UNKNOWN_TIME);
	return nblocks;
}

/* Whether the parameters of the kernels that help fit where those of a launch do. */
static bool have_room(const s2s_kernel *coordinates, const s2s_kernel *in_order) {
	return coordinates->args_bytes <= S2S_MAX_ARGS_BYTES && in_order->args_bytes <= S2S_MAX_ARGS_BYTES;
}

uint64_t s2s_run_sorted(launch_job *job, uint32_t hthreads, uint64_t block_ps) {
	const s2s_companion *coordinates = s2s_companion_for(job->kernel, S2S_COORDINATES);
	const s2s_kernel *in_order = s2s_companion_for(job->kernel, S2S_IN_ORDER)->kernel;
	uint64_t nblocks = job->nblocks, threads = nblocks * job->launch.threads;
	bool is_long = threads >= MIN_THREADS && nblocks >= MIN_BLOCKS && block_ps / 1000 / job->launch.threads >= WORTH_NS;
	if (threads >> INDEX_BITS != 0 || !(is_long || job->kernel->flags & S2S_ALWAYS_SORTED) ||
		!have_room(coordinates->kernel, in_order))
		return 0;
	uint64_t most_slices = 1 + threads / SLICE_THREADS;
	ordering o = {
		.job = job,
		.kernel = job->kernel,
		.in_order = in_order,
		.coordinates = coordinates,
		.hthreads = hthreads,
		.block_threads = job->launch.threads,
		.threads = threads,
		.nslices = hthreads < most_slices ? hthreads : (uint32_t)most_slices,
	};
	uint64_t first_left = find_memory(&o) ? run_in_order(&o) : 0;
	give_back_memory();
	return first_left;
}
