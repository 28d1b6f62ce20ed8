#define _GNU_SOURCE
#include "kernels.h"

#include <sched.h>
#include <string.h>
#include <time.h>

static const uint32_t one_offset[] = {0}, one_size[] = {sizeof(void *)};

#define DESCRIPTION(NAME, RANGE, GANG, FLAGS)                                                                          \
	{.name = #NAME,                                                                                                    \
		.range = {RANGE, RANGE},                                                                                       \
		.gang = {GANG, GANG},                                                                                          \
		.param_offset = one_offset,                                                                                    \
		.param_size = one_size,                                                                                        \
		.nparams = 1,                                                                                                  \
		.args_bytes = sizeof(void *),                                                                                  \
		.shared_bytes = 4096,                                                                                          \
		.max_threads = 1024,                                                                                           \
		.lanes = S2S_LANES,                                                                                            \
		.flags = FLAGS}

#define KERNEL(NAME, RANGE, GANG, FLAGS) const s2s_kernel kernel_##NAME = DESCRIPTION(NAME, RANGE, GANG, FLAGS)

/* Run `body` for every gang of some blocks: how a range function relates to its gang function. */
static void each_gang(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end, s2s_gang_function *body) {
	for (uint64_t block = first; block < end; block++) {
		uint64_t row = block / launch->grid.x;
		s2s_dim3 index = {
			(uint32_t)(block % launch->grid.x), (uint32_t)(row % launch->grid.y), (uint32_t)(row / launch->grid.y)};
		for (uint32_t i = 0; i < launch->gangs; i++) {
			s2s_gang gang = {.launch = launch, .shared = shared, .block = index, .first_thread = i * S2S_LANES};
			body(&gang);
		}
	}
}

/* The range function of a kernel with nothing but a gang function. */
#define RANGE(NAME)                                                                                                    \
	static void NAME##_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {                   \
		each_gang(launch, shared, first, end, NAME##_gang);                                                            \
	}

/* ---- without barriers ---- */

static void empty_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)launch, (void)shared;
	for (uint64_t block = first; block < end; block++)
		__asm__ volatile("");
}

static void empty_gang(s2s_gang *gang) {
	(void)gang;
}

static void count_gang(s2s_gang *gang) {
	uint32_t *count = pointer_arg(gang->launch);
	count[block_number(gang) * gang->launch->gangs + gang->first_thread / S2S_LANES]++;
}

RANGE(count)

static void wait_ns(long ns) {
	struct timespec start, now;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < ns);
}

static void late_gang(s2s_gang *gang) {
	if (gang->first_thread == 0)
		wait_ns(10000);
	count_gang(gang);
}

RANGE(late)

static void wait_gang(s2s_gang *gang) {
	wait_args *args = pointer_arg(gang->launch);
	uint64_t block = block_number(gang);
	if (gang->first_thread != 0)
		return;
	if (block >= args->first && block < args->end)
		wait_ns(args->ns);
	args->count[block]++;
}

RANGE(wait)

KERNEL(empty, empty_range, empty_gang, S2S_INDEPENDENT_BLOCKS);
KERNEL(wait, wait_range, wait_gang, S2S_INDEPENDENT_BLOCKS);
KERNEL(count, count_range, count_gang, 0);
KERNEL(late, late_range, late_gang, 0);

/* Each block waits for all others. */
static void meet_gang(s2s_gang *gang) {
	_Atomic uint32_t *arrived = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	atomic_fetch_add(arrived, 1);
	while (atomic_load(arrived) < gang->launch->grid.x)
		__builtin_ia32_pause();
}

RANGE(meet)

KERNEL(meet, meet_range, meet_gang, 0);

/* The same as generated code does it, which counts its iterations. */
static void meet_counted_gang(s2s_gang *gang) {
	_Atomic uint32_t *arrived = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	atomic_fetch_add(arrived, 1);
	for (uint32_t rounds = 1; atomic_load(arrived) < gang->launch->grid.x; rounds++)
		if (rounds % S2S_WAIT_ITERATIONS == 0)
			s2s_long_wait(gang, "meet.cu:5:3", rounds, gang->alive);
}

KERNEL(meet_counted, NULL, meet_counted_gang, S2S_FIBERS);

/* The same for one more block than there is. */
static void meet_none_gang(s2s_gang *gang) {
	_Atomic uint32_t *arrived = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	atomic_fetch_add(arrived, 1);
	for (uint32_t rounds = 1; atomic_load(arrived) <= gang->launch->grid.x; rounds++)
		if (rounds % S2S_WAIT_ITERATIONS == 0)
			s2s_long_wait(gang, "spin.cu:5:3", rounds, gang->alive);
}

KERNEL(meet_none, NULL, meet_none_gang, S2S_FIBERS);

/* Two blocks take turns, and work in between. */
static void take_turns_gang(s2s_gang *gang) {
	_Atomic uint32_t *turn = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	for (uint32_t i = 0; i < 40; i++) {
		for (uint32_t rounds = 1; atomic_load(turn) != 2 * i + gang->block.x; rounds++)
			if (rounds % S2S_WAIT_ITERATIONS == 0)
				s2s_long_wait(gang, "turns.cu:3:7", rounds, gang->alive);
		wait_ns(i % 4 * 1000000);
		atomic_fetch_add(turn, 1);
	}
}

KERNEL(take_turns, NULL, take_turns_gang, S2S_FIBERS);

/* ---- children ---- */

static const uint32_t pointer_offset[] = {0}, pointer_size[] = {sizeof(void *)};

enum { DEFAULT_STREAM = 0, TAIL_STREAM = 3, FORGOTTEN_STREAM = 4 };

/* Have lane `lane` of a gang launch a child. */
static void launch_child(
	s2s_gang *gang, const s2s_kernel *kernel, uint32_t blocks, s2s_dim3 block, uint64_t stream, void *arg) {
	const s2s_child child = {kernel, pointer_offset, pointer_size, 1};
	uint64_t slots[9] = {blocks, 1, 1, block.x, block.y, block.z, 0, stream, (uintptr_t)arg};
	s2s_launch_children(gang, 1, slots, 1, &child);
}

/* Without atomic operations: those that count at one place must follow each other. */
static void step_gang(s2s_gang *gang) {
	++*(uint32_t *)pointer_arg(gang->launch);
}

RANGE(step)

KERNEL(step, step_range, step_gang, 0);

/* Each block launches two grids of two blocks, which are one less high, and adds 1 to the count. */
static void breed_gang(s2s_gang *gang) {
	uint32_t height = gang->launch->block.y;
	if (gang->first_thread != 0)
		return;
	atomic_fetch_add((_Atomic uint32_t *)pointer_arg(gang->launch), 1);
	s2s_dim3 block = {1, height - 1, 1};
	for (uint32_t i = 0; i < 2 && height > 1; i++)
		launch_child(gang, &kernel_breed, 2, block, i ? FORGOTTEN_STREAM : DEFAULT_STREAM, pointer_arg(gang->launch));
}

RANGE(breed)

KERNEL(breed, breed_range, breed_gang, S2S_LAUNCHES);

/* Block b has 100 children that step at numbers[1 + b], some of which have children of their own, and then one that
 * adds that up in numbers[0], after all others. */
static void add_up_gang(s2s_gang *gang) {
	uint32_t *numbers = pointer_arg(gang->launch);
	for (uint32_t i = 1; i <= 50; i++)
		numbers[0] += numbers[i];
}

RANGE(add_up)

KERNEL(add_up, add_up_range, add_up_gang, 0);

static void step_below_gang(s2s_gang *gang) {
	for (uint32_t i = 0; i < 3; i++)
		launch_child(gang, &kernel_step, 1, (s2s_dim3){1, 1, 1}, DEFAULT_STREAM, pointer_arg(gang->launch));
}

RANGE(step_below)

KERNEL(step_below, step_below_range, step_below_gang, S2S_LAUNCHES);

static void in_order_gang(s2s_gang *gang) {
	uint32_t *numbers = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	for (uint32_t i = 0; i < 100; i++)
		launch_child(gang, i % 10 ? &kernel_step : &kernel_step_below, 1, (s2s_dim3){1, 1, 1}, DEFAULT_STREAM,
			&numbers[1 + gang->block.x]);
	if (gang->block.x == 7)
		launch_child(gang, &kernel_add_up, 1, (s2s_dim3){1, 1, 1}, TAIL_STREAM, numbers);
}

RANGE(in_order)

KERNEL(in_order, in_order_range, in_order_gang, S2S_LAUNCHES);

/* Each block waits for two grids of its own kind, which are one less high, and then adds 1 to the count. */
static void wait_for_children_gang(s2s_gang *gang) {
	uint32_t height = gang->launch->block.y, below[2] = {0, 0};
	uint64_t slots[S2S_LANES];
	if (gang->first_thread != 0)
		return;
	for (uint32_t i = 0; i < 2 && height > 1; i++)
		launch_child(gang, &kernel_wait_for_children, 1, (s2s_dim3){1, height - 1, 1},
			i ? FORGOTTEN_STREAM : DEFAULT_STREAM, &below[i]);
	s2s_await_children(gang, gang->alive, slots, S2S_LANES, 0);
	*(uint32_t *)pointer_arg(gang->launch) += 1 + below[0] + below[1];
}

KERNEL(wait_for_children, NULL, wait_for_children_gang, S2S_LAUNCHES | S2S_FIBERS);

/* ---- children of all kinds ---- */

static plants *garden_of(const plant *plant) {
	return plant->garden;
}

static bool is_complete(const plant *plant) {
	return atomic_load(&plant->blocks) == 0 && atomic_load(&plant->open) == 0 && atomic_load(&plant->tails) == 0;
}

/* Count a plant up, or down, in all of which it is a descendant. */
static void count_above(plant *plant, uint32_t change) {
	for (struct plant *at = plant; at->above; at = at->above)
		atomic_fetch_add(at->is_tail ? &at->above->tails : &at->above->open, change);
}

static void expect(plants *garden, bool holds) {
	if (!holds)
		atomic_fetch_add(&garden->wrong, 1);
}

extern const s2s_kernel kernel_grow_waiting, kernel_wither;

/* Launch a plant, if there is room for one more: one that is less high, behind `before` if that is there. */
static plant *sow(s2s_gang *gang, plant *above, plant *before, uint64_t stream, uint32_t random) {
	plants *garden = garden_of(above);
	uint32_t number = atomic_fetch_add(&garden->sown, 1);
	if (number >= MOST_PLANTS)
		return NULL;
	plant *made = &garden->plant[number];
	made->garden = garden;
	made->above = above;
	made->before = before;
	made->is_tail = stream == TAIL_STREAM;
	made->height = above->height - 1;
	made->number = number;
	atomic_store(&made->blocks, 1 + random % 3 / 2 * 40);
	count_above(made, 1);
	const s2s_kernel *kernel = random % 5 == 0 ? &kernel_wither : random % 7 == 0 ? &kernel_grow_waiting : &kernel_grow;
	launch_child(gang, kernel, atomic_load(&made->blocks), (s2s_dim3){1, 1, 1}, stream, made);
	return made;
}

/* A plant begins after those before it, and a tail after all else that its parent has created. */
static void begin_plant(plant *plant) {
	expect(garden_of(plant), !plant->before || is_complete(plant->before));
	if (plant->is_tail)
		expect(garden_of(plant), atomic_load(&plant->above->blocks) == 0 && atomic_load(&plant->above->open) == 0);
}

static void end_plant(plant *plant) {
	if (atomic_fetch_sub(&plant->blocks, 1) == 1)
		count_above(plant, UINT32_MAX);
}

/* Each block launches up to seven, in streams and of kinds by its number; half-way, it may wait for them. */
static void grow(s2s_gang *gang, bool waits) {
	static const uint64_t streams[] = {DEFAULT_STREAM, DEFAULT_STREAM, FORGOTTEN_STREAM, FORGOTTEN_STREAM, TAIL_STREAM};
	plant *self = pointer_arg(gang->launch), *last[TAIL_STREAM + 1] = {NULL}, *sown[8];
	uint32_t random = (self->number * 64 + gang->block.x) * 2654435761u >> 8;
	uint64_t slots[S2S_LANES];
	begin_plant(self);
	uint32_t count = self->height == 0 ? 0 : atomic_load(&self->blocks) > 1 ? random % 2 : random % 8, nsown = 0;
	for (uint32_t i = 0; i < count; i++) {
		random = random * 1664525u + 1013904223u;
		uint64_t stream = streams[(random >> 16) % 5];
		plant *before = stream == FORGOTTEN_STREAM ? NULL : last[stream];
		plant *made = sow(gang, self, before, stream, random >> 12);
		if (made && stream != FORGOTTEN_STREAM)
			last[stream] = made;
		if (made && stream != TAIL_STREAM)
			sown[nsown++] = made;
		if (waits && i == count / 2) {
			s2s_await_children(gang, gang->alive, slots, S2S_LANES, 0);
			while (nsown > 0)
				expect(garden_of(self), is_complete(sown[--nsown]));
		}
	}
	end_plant(self);
}

static void grow_gang(s2s_gang *gang) {
	grow(gang, false);
}

RANGE(grow)

KERNEL(grow, grow_range, grow_gang, S2S_LAUNCHES);

static void grow_waiting_gang(s2s_gang *gang) {
	grow(gang, true);
}

KERNEL(grow_waiting, NULL, grow_waiting_gang, S2S_LAUNCHES | S2S_FIBERS);

/* Some take so long that hthreads share them. */
static void wither_gang(s2s_gang *gang) {
	plant *self = pointer_arg(gang->launch);
	begin_plant(self);
	if (self->number % 3 == 0)
		wait_ns(10000);
	end_plant(self);
}

RANGE(wither)

KERNEL(wither, wither_range, wither_gang, 0);

static void meet_some_gang(s2s_gang *gang) {
	meeting *meeting = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	wait_ns(20000);
	atomic_fetch_add(&meeting->came, 1);
	for (time_t end = time(NULL) + 10; atomic_load(&meeting->came) < meeting->wanted && time(NULL) < end;)
		sched_yield();
	if (atomic_load(&meeting->came) >= meeting->wanted)
		atomic_fetch_add(&meeting->met, 1);
}

RANGE(meet_some)

KERNEL(meet_some, meet_some_range, meet_some_gang, 0);

static void invite_gang(s2s_gang *gang) {
	meeting *meeting = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	for (uint32_t i = 0; i < meeting->grids; i++)
		launch_child(gang, &kernel_meet_some, meeting->blocks, (s2s_dim3){1, 1, 1}, FORGOTTEN_STREAM, meeting);
}

RANGE(invite)

KERNEL(invite, invite_range, invite_gang, S2S_LAUNCHES);

static void invite_waiting_gang(s2s_gang *gang) {
	uint64_t slots[S2S_LANES];
	invite_gang(gang);
	s2s_await_children(gang, gang->alive, slots, S2S_LANES, 0);
}

KERNEL(invite_waiting, NULL, invite_waiting_gang, S2S_LAUNCHES | S2S_FIBERS);

/* Each block notes its CPU, then waits for all others: no two blocks run on one hthread. */
static void where_gang(s2s_gang *gang) {
	_Atomic uint32_t *numbers = pointer_arg(gang->launch);
	if (gang->first_thread != 0)
		return;
	numbers[1 + gang->block.x] = (uint32_t)sched_getcpu();
	atomic_fetch_add(&numbers[0], 1);
	while (atomic_load(&numbers[0]) < gang->launch->grid.x)
		__builtin_ia32_pause();
}

RANGE(where)

KERNEL(where, where_range, where_gang, 0);

static void version0_gang(s2s_gang *gang) {
	atomic_store((_Atomic uint32_t *)pointer_arg(gang->launch), 0);
}

static void version1_gang(s2s_gang *gang) {
	atomic_store((_Atomic uint32_t *)pointer_arg(gang->launch), 1);
}

static void pieces_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)shared;
	pieces_args *args = pointer_arg(launch);
	uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
	for (uint64_t block = first; block < end; block++) {
		wait_ns(block < blocks / 8 ? 3000 : 300);
		args->count[block]++;
	}
	if (first % args->grain != 0 || (end % args->grain != 0 && end != blocks))
		atomic_fetch_add(&args->divided, 1);
}

const s2s_kernel kernel_pieces = {.name = "pieces",
	.range = {pieces_range, pieces_range, NULL, pieces_range},
	.param_offset = one_offset,
	.param_size = one_size,
	.nparams = 1,
	.args_bytes = sizeof(void *),
	.lanes = S2S_LANES,
	.wide_lanes = 4 * S2S_LANES,
	.flags = S2S_FUSED_BLOCKS | S2S_INDEPENDENT_BLOCKS,
	.max_threads = 1024};

static void version0_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)shared, (void)first, (void)end;
	*(uint32_t *)pointer_arg(launch) = 0;
}

static void version1_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)shared, (void)first, (void)end;
	*(uint32_t *)pointer_arg(launch) = 1;
}

const s2s_kernel kernel_version = {.name = "version",
	.range = {version0_range, version1_range},
	.gang = {version0_gang, version1_gang},
	.args_bytes = sizeof(void *),
	.lanes = S2S_LANES,
	.max_threads = 1024};

/* ---- with barriers ---- */

static void barriers_gang(s2s_gang *gang) {
	for (int i = 0; i < KERNEL_BARRIERS; i++)
		barrier(gang);
}

static void no_barriers_gang(s2s_gang *gang) {
	for (int i = 0; i < KERNEL_BARRIERS; i++)
		__asm__ volatile("" : : "r"(gang) : "memory");
}

static void sum_gang(s2s_gang *gang) {
	uint32_t *partial = gang->shared;
	uint32_t threads = gang->launch->threads, first = gang->first_thread;
	for (uint32_t lane = 0; lane < S2S_LANES && first + lane < threads; lane++)
		partial[first + lane] = first + lane + gang->block.x;
	barrier(gang);
	uint32_t width = 1;
	while (width < threads)
		width *= 2;
	for (width /= 2; width > 0; width /= 2) {
		for (uint32_t lane = 0; lane < S2S_LANES && first + lane < width; lane++)
			if (first + lane + width < threads)
				partial[first + lane] += partial[first + lane + width];
		barrier(gang);
	}
	if (first == 0)
		((uint32_t *)pointer_arg(gang->launch))[block_number(gang)] = partial[0];
}

static void early_exit_gang(s2s_gang *gang) {
	uint32_t number = gang->first_thread / S2S_LANES;
	uint32_t *rounds = pointer_arg(gang->launch);
	uint32_t *own = &rounds[block_number(gang) * gang->launch->gangs + number];
	for (uint32_t i = 0; i < number; i++) {
		barrier(gang);
		++*own;
	}
}

/* Many live values across barriers, in registers as far as they go. */
static void registers_gang(s2s_gang *gang) {
	uint64_t seed = block_number(gang) * 64 + gang->first_thread;
	double values[24];
	uint64_t numbers[12];
	for (int i = 0; i < 24; i++)
		values[i] = (double)(seed + (uint64_t)i);
	for (int i = 0; i < 12; i++)
		numbers[i] = seed * 3 + (uint64_t)i;
	for (int round = 0; round < 5; round++) {
		barrier(gang);
		for (int i = 0; i < 24; i++)
			values[i] += 1.0;
		for (int i = 0; i < 12; i++)
			numbers[i] += 7;
	}
	_Atomic uint32_t *wrong = pointer_arg(gang->launch);
	for (int i = 0; i < 24; i++)
		*wrong += values[i] != (double)(seed + (uint64_t)i + 5);
	for (int i = 0; i < 12; i++)
		*wrong += numbers[i] != seed * 3 + (uint64_t)i + 35;
}

KERNEL(registers, 0, registers_gang, S2S_HAS_BARRIERS);
KERNEL(empty_gangs, 0, empty_gang, S2S_HAS_BARRIERS);
KERNEL(barriers, 0, barriers_gang, S2S_HAS_BARRIERS);
KERNEL(no_barriers, 0, no_barriers_gang, S2S_HAS_BARRIERS);
KERNEL(sum, 0, sum_gang, S2S_HAS_BARRIERS);
KERNEL(early_exit, 0, early_exit_gang, S2S_HAS_BARRIERS);

/* ---- traversals ---- */

/* A gang reaches its beginning with 9 lanes. Gang i makes i + 1 iterations, in each of which 64 lanes visit a node,
 * the first half of them ahead of the others. */
static void traverse(s2s_gang *gang, bool waits) {
	uint64_t all = UINT64_MAX, half = UINT32_MAX;
	s2s_counter *counter = s2s_counters(gang->launch);
	counter[1].gangs += 1;
	counter[1].lanes += 9;
	counter[1].partial += 1;
	s2s_begin_traversal(gang, 1, all);
	for (uint32_t i = 0; i <= gang->first_thread / S2S_LANES; i++) {
		s2s_count_visit(gang, 1, half);
		if (waits)
			barrier(gang);
		s2s_count_visit(gang, 1, ~half);
		s2s_count_visit(gang, 1, 0);
	}
	s2s_end_traversal(gang, 1, all);
}

static void traverse_gang(s2s_gang *gang) {
	traverse(gang, false);
}

RANGE(traverse)

static void traverse_waiting_gang(s2s_gang *gang) {
	traverse(gang, true);
}

static const s2s_traversal traversals[] = {{"never", "tree.cu", 3, 0}, {"visit", "tree.cu", 7, 0}};
static const s2s_site sites[] = {
	{"tree.cu", 3, 1, S2S_SITE_GATHER, S2S_SITE_GATHER - S2S_SITE_UNIFORM, 16, false, 0, 900, {0}},
	{"tree.cu", 5, 1, S2S_SITE_KERNEL, S2S_TIME_OTHER, 16, false, 1, 0, {0}}};
static const s2s_counted_module counted = {traversals, sites, 2, 2, 1, 2, 0};

const s2s_counted_kernel kernel_traverse = {
	DESCRIPTION(traverse, traverse_range, traverse_gang, S2S_COUNTED), &counted, "tree.cu", 5};
const s2s_counted_kernel kernel_traverse_waiting = {
	DESCRIPTION(traverse_waiting, 0, traverse_waiting_gang, S2S_COUNTED | S2S_HAS_BARRIERS), &counted, "tree.cu", 5};

/* ---- gangs that part ---- */

/* What generated code does at a barrier that not all lanes may reach. */
static void lanes_barrier(s2s_gang *gang, uint64_t active) {
	if (active == gang->expected)
		barrier(gang);
	else
		s2s_barrier_of_lanes(gang, active);
}

static void end_lanes(s2s_gang *gang, uint64_t lanes) {
	gang->alive &= ~lanes;
	gang->expected &= ~lanes;
}

static void end_gang(s2s_gang *gang) {
	if (gang->pieces)
		s2s_end_piece(gang);
}

static void add_rounds(s2s_gang *gang, uint64_t lanes, uint32_t rounds) {
	uint32_t *of_block = pointer_arg(gang->launch);
	of_block += block_number(gang) * gang->launch->threads + gang->first_thread;
	for (uint32_t lane = 0; lane < S2S_LANES; lane++)
		if (lanes >> lane & 1)
			of_block[lane] += rounds;
}

/* Lanes l, l + 4 ... reach a barrier in l iterations of a loop; all reach the one after it. */
static void uneven_gang(s2s_gang *gang) {
	static const uint64_t once_more[] = {0xeeee, 0xcccc, 0x8888};
	uint32_t rounds = 0;
	for (uint32_t i = 0; i < 3; i++) {
		uint64_t active = once_more[i] & gang->alive;
		if (!active)
			break;
		lanes_barrier(gang, active);
		rounds += (once_more[i] & gang->alive) != 0;
	}
	add_rounds(gang, gang->alive, rounds);
	lanes_barrier(gang, gang->alive);
	add_rounds(gang, gang->alive, 100);
	end_gang(gang);
}

/* What lanes write before they end is there behind a barrier to which only the others came. */
static void ended_gang(s2s_gang *gang) {
	uint32_t *seen = gang->shared;
	if (gang->first_thread == 0)
		*seen = 0;
	lanes_barrier(gang, gang->alive);
	uint64_t waiting = gang->alive & 0x5555;
	if (waiting)
		lanes_barrier(gang, waiting);
	uint64_t here = gang->alive & 0x5555, leaving = gang->alive & ~here;
	__atomic_fetch_add(seen, (uint32_t)__builtin_popcountll(leaving), __ATOMIC_RELAXED);
	end_lanes(gang, leaving);
	add_rounds(gang, here, *seen);
	end_gang(gang);
}

static bool is_last(const s2s_gang *gang) {
	return gang->first_thread / S2S_LANES == gang->launch->gangs - 1;
}

/* As where a compiler copies a loop: gangs wait at two places of the program. */
static void copied_barrier_gang(s2s_gang *gang) {
	uint32_t number = gang->first_thread / S2S_LANES;
	uint32_t *own = (uint32_t *)pointer_arg(gang->launch) + block_number(gang) * gang->launch->gangs + number;
	for (uint32_t i = 0; i < number + 3; i++) {
		if (i > 1 && number % 2 == 0) {
			barrier(gang);
			++*own;
		} else {
			barrier(gang);
			*own += 2;
		}
	}
}

static void leaves_gang(s2s_gang *gang) {
	if (is_last(gang))
		return;
	barrier(gang);
	barrier(gang);
	count_gang(gang);
}

KERNEL(uneven, 0, uneven_gang, S2S_HAS_BARRIERS | S2S_PARTS);
KERNEL(ended, 0, ended_gang, S2S_HAS_BARRIERS | S2S_PARTS);
KERNEL(copied_barrier, 0, copied_barrier_gang, S2S_HAS_BARRIERS);
KERNEL(leaves, 0, leaves_gang, S2S_HAS_BARRIERS);

/* ---- faults ---- */

static __attribute__((noinline)) uint32_t recurse(uint32_t depth, volatile uint32_t *seen) {
	volatile uint32_t frame[256];
	frame[depth % 256] = depth;
	*seen = depth;
	if (depth == UINT32_MAX)
		return 0;
	return recurse(depth + 1, frame) + frame[depth % 256];
}

static void recurse_gang(s2s_gang *gang) {
	uint32_t seen;
	if (block_number(gang) == 1)
		recurse(0, &seen);
}

RANGE(recurse)

static void recurse_gang_gang(s2s_gang *gang) {
	barrier(gang);
	if (is_last(gang))
		recurse_gang(gang);
	barrier(gang);
}

static void deep_gang_gang(s2s_gang *gang) {
	uint32_t bytes = *(const uint32_t *)gang->launch->args;
	barrier(gang);
	for (uint32_t used = 0; used < bytes; used += 1024)
		memset((char *)__builtin_alloca(1024), 1, 1024);
	barrier(gang);
}

/* The address is hidden from the compiler, which would warn. */
void store_to_address_16(void) {
	int *address = (int *)16;
	__asm__("" : "+r"(address));
	*(volatile int *)address = 1;
}

static void null_gang(s2s_gang *gang) {
	if (block_number(gang) == 1)
		store_to_address_16();
}

RANGE(null)

static void null_gang_gang(s2s_gang *gang) {
	barrier(gang);
	if (is_last(gang))
		null_gang(gang);
	barrier(gang);
}

/* Outside the 48 bits that addresses have. */
static void wild_gang(s2s_gang *gang) {
	uintptr_t address = (uintptr_t)1 << 60 | (uintptr_t)gang;
	*(volatile char *)address = 1;
}

RANGE(wild)

static void divide_gang(s2s_gang *gang) {
	uint32_t result, rest = 0, zero = 0;
	__asm__ volatile("div %2" : "=a"(result), "+d"(rest) : "r"(zero), "a"(gang->first_thread) : "cc");
}

RANGE(divide)

/* A frame larger than the stack and its neighbour together, of which only the far end is touched. */
static void huge_frame_gang(s2s_gang *gang) {
	barrier(gang);
	if (is_last(gang)) {
		char frame[3 << 20];
		__asm__ volatile("movb $1, %0" : "=m"(frame[gang->first_thread % 64]));
	}
	barrier(gang);
}

/* Write past a local array until something stops it. */
static void overrun_gang(s2s_gang *gang) {
	uint32_t array[4], *p = array;
	__asm__("" : "+r"(p));
	if (block_number(gang) == 1)
		for (;; p++)
			*(volatile uint32_t *)p = 77;
}

RANGE(overrun)

static void overrun_gang_gang(s2s_gang *gang) {
	barrier(gang);
	if (is_last(gang))
		overrun_gang(gang);
	barrier(gang);
}

/* Return with wrong values in the registers that are to be kept, as after a write over where they were saved. */
static __attribute__((naked)) void lose_registers_range(
	const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)launch, (void)shared, (void)first, (void)end;
	__asm__("mov $77, %ebx\n\t"
			"mov $77, %ebp\n\t"
			"mov $77, %r12d\n\t"
			"mov $77, %r13d\n\t"
			"mov $77, %r14d\n\t"
			"mov $77, %r15d\n\t"
			"ret");
}

static void illegal_gang(s2s_gang *gang) {
	(void)gang;
	__asm__ volatile("ud2");
}

RANGE(illegal)

static void spin_gang(s2s_gang *gang) {
	if (block_number(gang) == 1)
		store_to_address_16();
	for (;;)
		__builtin_ia32_pause();
}

RANGE(spin)

static void endless_gang(s2s_gang *gang) {
	(void)gang;
	for (;;)
		__builtin_ia32_pause();
}

RANGE(endless)

static void last_endless_gang(s2s_gang *gang) {
	if (block_number(gang) == gang->launch->grid.x - 1)
		endless_gang(gang);
}

RANGE(last_endless)

static void endless_barriers_gang(s2s_gang *gang) {
	for (;;)
		barrier(gang);
}

/* Flush denormals, as fast-math code does, then fault. */
static void flush_then_fault_range(const s2s_launch *launch, void *shared, uint64_t first, uint64_t end) {
	(void)launch, (void)shared, (void)first, (void)end;
	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
	store_to_address_16();
}

static void flush_then_fault_gang(s2s_gang *gang) {
	flush_then_fault_range(gang->launch, gang->shared, 0, 1);
}

KERNEL(flush_then_fault, flush_then_fault_range, flush_then_fault_gang, 0);
KERNEL(recurse, recurse_range, recurse_gang, 0);
KERNEL(recurse_gang, 0, recurse_gang_gang, S2S_HAS_BARRIERS);
KERNEL(deep_gang, 0, deep_gang_gang, S2S_HAS_BARRIERS);
KERNEL(null, null_range, null_gang, 0);
KERNEL(null_gang, 0, null_gang_gang, S2S_HAS_BARRIERS);
KERNEL(wild, wild_range, wild_gang, 0);
KERNEL(divide, divide_range, divide_gang, 0);
KERNEL(huge_frame, 0, huge_frame_gang, S2S_HAS_BARRIERS);
KERNEL(overrun, overrun_range, overrun_gang, 0);
KERNEL(overrun_gang, 0, overrun_gang_gang, S2S_HAS_BARRIERS);
KERNEL(lose_registers, lose_registers_range, empty_gang, 0);
KERNEL(illegal, illegal_range, illegal_gang, 0);
KERNEL(spin, spin_range, spin_gang, 0);
KERNEL(endless, endless_range, endless_gang, S2S_INDEPENDENT_BLOCKS);
KERNEL(last_endless, last_endless_range, last_endless_gang, 0);
KERNEL(endless_barriers, 0, endless_barriers_gang, S2S_HAS_BARRIERS);
