/* What kernels ask for that have children: launches, streams, events, copies, and the errors of these. */
#define _GNU_SOURCE
#include "cuda_runtime.h"
#include "nested/nested.h"

#include <string.h>

enum { CONFIGURATION_SLOTS = 8 };

enum { PER_THREAD_STREAM = 2, TAIL_STREAM = 3, FORGOTTEN_STREAM = 4 };

static const uint32_t MOST_BLOCKS_X = 2147483647, MOST_BLOCKS_YZ = 65535;

/* ---- errors ---- */

void s2s_answer(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, s2s_answer_function *function) {
	hthread *self = s2s_current();
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		slots[lane] = (uint64_t)s2s_note_error(self, gang, lane, function(self, gang, slots + lane, stride));
	}
}

void s2s_error_string(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang;
	(void)stride;
	(void)count;
	for (uint64_t left = lanes; left != 0; left &= left - 1)
		slots[__builtin_ctzll(left)] = (uintptr_t)s2s_error_text((int)slots[__builtin_ctzll(left)]);
}

void s2s_error_identifier(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang;
	(void)stride;
	(void)count;
	for (uint64_t left = lanes; left != 0; left &= left - 1)
		slots[__builtin_ctzll(left)] = (uintptr_t)s2s_error_name((int)slots[__builtin_ctzll(left)]);
}

/* ---- parents ---- */

s2s_parent *s2s_parent_of(hthread *self, s2s_gang *gang) {
	if (gang->launch->kernel->flags & S2S_FIBERS)
		return s2s_parent_of_resident(gang);
	s2s_parent *parent = &self->brood->parent;
	if (parent->launch != gang->launch || !s2s_is_same(parent->block, gang->block)) {
		s2s_end_parent(self, parent);
		s2s_begin_parent(parent, gang->launch, gang->block, false);
	}
	return parent;
}

/* ---- sequences ---- */

static s2s_sequence *new_sequence(hthread *self, s2s_parent *parent, s2s_gang *gang, bool loose) {
	s2s_sequence *sequence = s2s_take(self, sizeof *sequence);
	if (!sequence)
		return NULL;
	*sequence = (s2s_sequence){
		.of = s2s_family_of(gang), .parent = parent->may_wait ? parent : NULL, .ordered = !loose, .loose = loose};
	return sequence;
}

static void add_made(s2s_parent *parent, s2s_sequence *sequence) {
	*(parent->made.last ? &parent->made.last->made : &parent->made.first) = sequence;
	parent->made.last = sequence;
}

/* The sequence of a stream; null if there is no memory. */
static s2s_sequence *sequence_of(hthread *self, s2s_parent *parent, s2s_gang *gang, uint64_t stream) {
	s2s_sequence **place = &parent->in_order;
	if (stream == TAIL_STREAM) {
		if (!parent->tail)
			parent->tail = new_sequence(self, parent, gang, false);
		return parent->tail;
	}
	if (!(gang->launch->kernel->flags & S2S_ONE_STREAM) && stream >= FORGOTTEN_STREAM) {
		s2s_device_stream *made = (s2s_device_stream *)(uintptr_t)stream;
		if (stream == FORGOTTEN_STREAM) {
			place = &parent->loose;
		} else if (made->epoch == parent->epoch) {
			place = &made->sequence;
		} else {
			made->epoch = parent->epoch;
			made->sequence = NULL;
			place = &made->sequence;
		}
	}
	if (!*place || (stream == FORGOTTEN_STREAM && (*place)->count >= LOOSE_CHILDREN)) {
		*place = new_sequence(self, parent, gang, stream == FORGOTTEN_STREAM);
		if (*place)
			add_made(parent, *place);
	}
	return *place;
}

static void add(s2s_sequence *sequence, s2s_launched *child) {
	child->next = NULL;
	*(sequence->last ? &sequence->last->next : &sequence->first) = child;
	sequence->last = child;
	sequence->count++;
}

/* ---- launches ---- */

static size_t dynamic_limit(hthread *self, const s2s_kernel *kernel, size_t bytes) {
	if (bytes + (kernel->shared_bytes + 15) / 16 * 16 <= S2S_STATIC_SHARED_BYTES)
		return bytes;
	s2s_begin_hold(self);
	size_t limit = s2s_dynamic_limit(kernel);
	s2s_end_hold(self);
	return limit;
}

/* Why a launch cannot begin, as an H200 says it. */
static int check(hthread *self, const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, uint64_t shared_bytes) {
	bool none = grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0;
	bool large = grid.x > MOST_BLOCKS_X || grid.y > MOST_BLOCKS_YZ || grid.z > MOST_BLOCKS_YZ || block.x > 1024 ||
				 block.y > 1024 || block.z > 64 || (uint64_t)block.x * block.y * block.z > 1024;
	if (none || large || (kernel->max_threads > 0 && block.x * block.y * block.z > kernel->max_threads))
		return cudaErrorInvalidConfiguration;
	if (kernel->shared_bytes > S2S_STATIC_SHARED_BYTES)
		return cudaErrorInvalidConfiguration;
	if (shared_bytes > 0 && shared_bytes > dynamic_limit(self, kernel, shared_bytes))
		return cudaErrorInvalidConfiguration;
	return cudaSuccess;
}

static void pack(char *args, const s2s_child *what, const uint64_t *lane, uint32_t stride) {
	for (uint32_t i = 0; i < what->count; i++) {
		uint64_t value = lane[(CONFIGURATION_SLOTS + i) * stride];
		char *to = args + what->offsets[i];
		switch (what->sizes[i]) {
		case 1:
			*(uint8_t *)to = (uint8_t)value;
			break;
		case 2:
			*(uint16_t *)to = (uint16_t)value;
			break;
		case 4:
			*(uint32_t *)to = (uint32_t)value;
			break;
		default:
			*(uint64_t *)to = value;
		}
	}
}

_Noreturn void s2s_fail_for_memory(hthread *self) {
	self->fault = (fault){.kind = FAULT_CHILDREN};
	s2s_raise(self);
}

static s2s_dim3 size_at(const uint64_t *lane, uint32_t stride, uint32_t slot) {
	return (s2s_dim3){
		(uint32_t)lane[slot * stride], (uint32_t)lane[(slot + 1) * stride], (uint32_t)lane[(slot + 2) * stride]};
}

void s2s_launch_children(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, const s2s_child *what) {
	hthread *self = s2s_current();
	s2s_parent *parent = s2s_parent_of(self, gang);
	s2s_dim3 checked_grid = {0, 0, 0}, checked_block = {0, 0, 0};
	uint64_t checked_shared = 0;
	int code = cudaErrorInvalidConfiguration;
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint32_t number = (uint32_t)__builtin_ctzll(left);
		const uint64_t *lane = slots + number;
		s2s_dim3 grid = size_at(lane, stride, 0), block = size_at(lane, stride, 3);
		uint64_t shared = lane[6 * stride];
		if (left == lanes || !s2s_is_same(grid, checked_grid) || !s2s_is_same(block, checked_block) ||
			shared != checked_shared) {
			code = check(self, what->kernel, grid, block, shared);
			checked_grid = grid;
			checked_block = block;
			checked_shared = shared;
		}
		int result = code;
		if (result == cudaSuccess && !s2s_count_pending(self))
			result = cudaErrorLaunchPendingCountExceeded;
		if (result != cudaSuccess) {
			s2s_note_error(self, gang, number, result);
			continue;
		}
		s2s_sequence *sequence = sequence_of(self, parent, gang, lane[7 * stride]);
		s2s_launched *child = sequence ? s2s_take(self, sizeof *child + what->kernel->args_bytes) : NULL;
		if (!child)
			s2s_fail_for_memory(self);
		child->kernel = what->kernel;
		child->grid = grid;
		child->block = block;
		child->shared_bytes = (uint32_t)shared;
		pack(child->args, what, lane, stride);
		add(sequence, child);
	}
}

/* ---- streams and events ---- */

/* Streams and events are made by few threads, and live no longer than the launch. */
static int make_stream(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	if (lane[stride] > cudaStreamNonBlocking)
		return cudaErrorInvalidValue;
	s2s_device_stream *stream = s2s_take(self, sizeof *stream);
	if (!stream)
		return cudaErrorMemoryAllocation;
	*stream = (s2s_device_stream){NULL, s2s_parent_of(self, gang)->epoch};
	*(s2s_device_stream **)(uintptr_t)lane[0] = stream;
	return cudaSuccess;
}

static int destroy_stream(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)gang, (void)stride;
	if (lane[0] <= FORGOTTEN_STREAM)
		return cudaErrorInvalidResourceHandle;
	s2s_drop(self, (void *)(uintptr_t)lane[0]);
	return cudaSuccess;
}

/* All streams of a block with events are one: an event is past when what comes after it begins. */
static int make_event(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)gang;
	if (lane[stride] != cudaEventDisableTiming)
		return cudaErrorInvalidValue;
	uint64_t *event = s2s_take(self, sizeof *event);
	if (!event)
		return cudaErrorMemoryAllocation;
	*(uint64_t **)(uintptr_t)lane[0] = event;
	return cudaSuccess;
}

static int use_event(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)self, (void)gang, (void)stride;
	return lane[0] != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static int stream_wait(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	return use_event(self, gang, lane + stride, stride);
}

static int destroy_event(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	if (use_event(self, gang, lane, stride) != cudaSuccess)
		return cudaErrorInvalidResourceHandle;
	s2s_drop(self, (void *)(uintptr_t)lane[0]);
	return cudaSuccess;
}

/* ---- copies ---- */

/* Copies and fills are kernels of one thread, so that they find their place among the children. */
typedef struct {
	char *to;
	const char *from; /* null: `value` instead */
	size_t to_pitch, from_pitch, width, rows;
	int value;
} copy_args;

static void copy_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)shared, (void)first, (void)end;
	const copy_args *args = launch->args;
	for (size_t row = 0; row < args->rows; row++) {
		char *to = args->to + row * args->to_pitch;
		if (args->from)
			memmove(to, args->from + row * args->from_pitch, args->width);
		else
			memset(to, args->value, args->width);
	}
}

static const s2s_kernel copy_kernel = {.name = "cudaMemcpyAsync",
	.range = {copy_range, copy_range},
	.args_bytes = sizeof(copy_args),
	.max_threads = 1,
	.flags = S2S_INDEPENDENT_BLOCKS,
	.lanes = S2S_LANES};

static const s2s_kernel fill_kernel = {.name = "cudaMemsetAsync",
	.range = {copy_range, copy_range},
	.args_bytes = sizeof(copy_args),
	.max_threads = 1,
	.flags = S2S_INDEPENDENT_BLOCKS,
	.lanes = S2S_LANES};

static int add_copy(hthread *self, s2s_gang *gang, uint64_t stream, copy_args args) {
	bool wide = args.rows > 1 && (args.width > args.to_pitch || (args.from && args.width > args.from_pitch));
	if (wide)
		return 12; /* cudaErrorInvalidPitchValue */
	if (args.width == 0 || args.rows == 0)
		return cudaSuccess;
	if (!s2s_count_pending(self))
		return cudaErrorLaunchPendingCountExceeded;
	s2s_parent *parent = s2s_parent_of(self, gang);
	s2s_sequence *sequence = sequence_of(self, parent, gang, stream);
	s2s_launched *child = sequence ? s2s_take(self, sizeof *child + sizeof args) : NULL;
	if (!child)
		return cudaErrorMemoryAllocation;
	child->kernel = args.from ? &copy_kernel : &fill_kernel;
	child->grid = child->block = (s2s_dim3){1, 1, 1};
	memcpy(child->args, &args, sizeof args);
	add(sequence, child);
	return cudaSuccess;
}

static int copy(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	if (lane[3 * stride] > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	copy_args args = {(char *)(uintptr_t)lane[0], (const char *)(uintptr_t)lane[stride], 0, 0, lane[2 * stride], 1, 0};
	return add_copy(self, gang, lane[4 * stride], args);
}

static int copy_2d(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	if (lane[6 * stride] > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	copy_args args = {(char *)(uintptr_t)lane[0], (const char *)(uintptr_t)lane[2 * stride], lane[stride],
		lane[3 * stride], lane[4 * stride], lane[5 * stride], 0};
	return add_copy(self, gang, lane[7 * stride], args);
}

static int fill(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	copy_args args = {(char *)(uintptr_t)lane[0], NULL, 0, 0, lane[2 * stride], 1, (int)lane[stride]};
	return add_copy(self, gang, lane[3 * stride], args);
}

static int fill_2d(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	copy_args args = {
		(char *)(uintptr_t)lane[0], NULL, lane[stride], 0, lane[3 * stride], lane[4 * stride], (int)lane[2 * stride]};
	return add_copy(self, gang, lane[5 * stride], args);
}

/* ---- what the device has ---- */

static int give_number(const uint64_t *lane, int value) {
	*(int *)(uintptr_t)lane[0] = value;
	return cudaSuccess;
}

static int device(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)self, (void)gang, (void)stride;
	return give_number(lane, 0);
}

static int devices(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)self, (void)gang, (void)stride;
	return give_number(lane, 1);
}

static int version(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)self, (void)gang, (void)stride;
	return give_number(lane, CUDART_VERSION);
}

/* ---- waiting ---- */

/* Wait for the children that the block has launched so far. The hthread runs them when nothing else is left to do. */
void s2s_await_children(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)stride;
	(void)count;
	hthread *self = s2s_current();
	s2s_parent *parent = s2s_parent_of_resident(gang);
	s2s_note_change(self);
	s2s_begin_hold(self);
	s2s_hand_over(self, parent);
	s2s_end_hold(self);
	for (uint64_t left = lanes; left != 0; left &= left - 1)
		slots[__builtin_ctzll(left)] = 0;
	if (atomic_load(&parent->left) == 0 || !s2s_wait_separately(gang, lanes))
		return;
	gang->where = "cudaDeviceSynchronize()";
	gang->of_block = false;
	gang->for_children = true;
	while (atomic_load(&parent->left) > 0)
		s2s_yield(gang);
	gang->for_children = false;
	gang->where = NULL;
	s2s_note_change(self);
}

/* ---- memory ---- */

void s2s_device_malloc(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	hthread *self = s2s_current();
	s2s_malloc(gang, lanes, slots + stride, stride, count);
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		void *memory = (void *)(uintptr_t)slots[lane + stride];
		*(void **)(uintptr_t)slots[lane] = memory;
		slots[lane] = (uint64_t)s2s_note_error(self, gang, lane, memory ? cudaSuccess : cudaErrorMemoryAllocation);
	}
}

void s2s_device_free(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	s2s_free(gang, lanes, slots, stride, count);
	for (uint64_t left = lanes; left != 0; left &= left - 1)
		slots[__builtin_ctzll(left)] = cudaSuccess;
}

/* ---- as services ---- */

S2S_ANSWERED(create_stream, make_stream)
S2S_ANSWERED(destroy_stream, destroy_stream)
S2S_ANSWERED(stream_wait, stream_wait)
S2S_ANSWERED(create_event, make_event)
S2S_ANSWERED(record_event, use_event)
S2S_ANSWERED(destroy_event, destroy_event)
S2S_ANSWERED(copy_async, copy)
S2S_ANSWERED(copy_2d_async, copy_2d)
S2S_ANSWERED(set_async, fill)
S2S_ANSWERED(set_2d_async, fill_2d)
S2S_ANSWERED(get_device, device)
S2S_ANSWERED(device_count, devices)
S2S_ANSWERED(runtime_version, version)
