/* The contract between generated code, the runtime and the code that launches kernels.
 *
 * Words: a gang is 16 (or 32 or 64) consecutive threads of a block (x fastest) that share one instruction
 * stream; an hthread is one hardware thread; an hthread-block is the hthreads that run one block.
 *
 * Generated code depends on the layout of s2s_launch, s2s_gang, s2s_context and s2s_kernel:
 * simt2simd/abi.py states the same offsets and a test compares the two.
 */
#ifndef S2S_H
#define S2S_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S2S_LANES 16

#ifdef __cplusplus
#define S2S_LAYOUT(holds) static_assert(holds, "simt2simd/abi.py says otherwise")
#else
#define S2S_LAYOUT(holds) _Static_assert(holds, "simt2simd/abi.py says otherwise")
#endif

typedef struct {
	uint32_t x, y, z;
} s2s_dim3;
S2S_LAYOUT(
	offsetof(s2s_dim3, x) == 0 && offsetof(s2s_dim3, y) == 4 && offsetof(s2s_dim3, z) == 8 && sizeof(s2s_dim3) == 12);

/* One launch of one kernel. Written by s2s_launch_kernel before any block runs, then only read. */
typedef struct s2s_launch {
	s2s_dim3 grid;                   /*  0 */
	s2s_dim3 block;                  /* 12 */
	uint32_t threads;                /* 24  threads of a block */
	uint32_t gangs;                  /* 28  ceil(threads / 16) */
	const void *args;                /* 32  the kernel's parameters, packed at their C alignments */
	const struct s2s_kernel *kernel; /* 40 */
	uint32_t own_shared_bytes;       /* 48  of a block's shared memory, that one hthread has for itself; 0 in a team */
	uint32_t dynamic_shared_bytes;   /* 52  what the launch asks for beside the kernel's own variables */
} s2s_launch;
S2S_LAYOUT(offsetof(s2s_launch, grid) == 0 && offsetof(s2s_launch, block) == 12 &&
		   offsetof(s2s_launch, threads) == 24 && offsetof(s2s_launch, gangs) == 28 &&
		   offsetof(s2s_launch, args) == 32 && offsetof(s2s_launch, kernel) == 40 &&
		   offsetof(s2s_launch, own_shared_bytes) == 48 && offsetof(s2s_launch, dynamic_shared_bytes) == 52 &&
		   sizeof(s2s_launch) == 56);

/* Where a gang of a kernel with barriers is while it does not run. `gang` never changes.
 * The contexts of an hthread's gangs lie one after the other; after the last comes the
 * scheduler's. A barrier saves itself in its own context and jumps to the next one, with the
 * address of that next one in rsi. A context may be moved by the
 * scheduler between phases, so a resumed gang stores rsi in gang->context. */
typedef struct s2s_context {
	void *rsp, *rip, *rbp;
	struct s2s_gang *gang;
} s2s_context;
S2S_LAYOUT(offsetof(s2s_context, rsp) == 0 && offsetof(s2s_context, rip) == 8 && offsetof(s2s_context, rbp) == 16 &&
		   offsetof(s2s_context, gang) == 24 && sizeof(s2s_context) == 32);

/* What generated code reads about the gang that it runs. */
typedef struct s2s_gang {
	const s2s_launch *launch; /*  0 */
	void *shared;             /*  8  the block's shared memory, 64-byte aligned */
	s2s_dim3 block;           /* 16  blockIdx */
	uint32_t first_thread;    /* 28  linear index within the block of lane 0 */
	s2s_context *context;     /* 32  only in kernels with barriers; written by the gang when it is resumed */
	uint64_t alive;   /* 40  the lanes of this piece of the gang that have not ended; only in kernels that part */
	s2s_dim3 thread;  /* 48  threadIdx of lane 0; written and read by generated code */
	int32_t finished; /* 60  only in kernels with barriers: bytes from here to the count of finished gangs */
	uint32_t present; /* 64  the lanes that may still reach a warp function; only generated code uses it */
	uint32_t absent;  /* 68  lanes that barriers count with those of the piece. The runtime's, as what follows */
	struct s2s_block *resident; /* 72  its block, in kernels whose threads wait for each other */
	const char *where;          /* 80  the loop or the barrier where it waits, or has waited */
	uint64_t waiting_lanes;     /* 88  in that loop */
	uint64_t expected;          /* 96  the lanes that make the gang whole; 0 if it is split. For generated code, too */
	struct s2s_pieces *pieces;  /* 104 those of the gang that do not run; null if it was never split. Likewise */
	uint64_t counted;           /* 112 the lanes of the piece that the block counts as alive */
	uint32_t long_waits;        /* 120 how often it has reported the same wait */
	bool of_block;              /* 124 it waits for threads of its own block */
	bool works;                 /* 125 in a loop that changes something while it waits */
	bool for_children;          /* 126 it waits for those of its block */
} s2s_gang;
S2S_LAYOUT(offsetof(s2s_gang, launch) == 0 && offsetof(s2s_gang, shared) == 8 && offsetof(s2s_gang, block) == 16 &&
		   offsetof(s2s_gang, first_thread) == 28 && offsetof(s2s_gang, context) == 32 &&
		   offsetof(s2s_gang, alive) == 40 && offsetof(s2s_gang, thread) == 48 && offsetof(s2s_gang, finished) == 60 &&
		   offsetof(s2s_gang, present) == 64 && offsetof(s2s_gang, resident) == 72 &&
		   offsetof(s2s_gang, expected) == 96 && offsetof(s2s_gang, pieces) == 104 && sizeof(s2s_gang) == 128);

/* What a range function runs, for messages about faults. It lies S2S_SHARED_ROOM_BYTES after `shared`. */
typedef struct s2s_progress {
	uint64_t block;  /* the number of a block; written by the range function, unless blocks have no numbers of theirs */
	uint32_t blocks; /* how many, from this on, run together; 1 unless the range function writes it */
	const s2s_gang *gang; /* which says where the gang is, in kernels compiled with -g; else null */
} s2s_progress;
S2S_LAYOUT(offsetof(s2s_progress, block) == 0 && offsetof(s2s_progress, blocks) == 8 &&
		   offsetof(s2s_progress, gang) == 16 && sizeof(s2s_progress) == 24);

/* Equals: for (b = first_block; b < end_block; b++) for each gang of block b: run it to its end.
 * Null for kernels with barriers, unless they are compiled as loops between the barriers. `shared` serves one block
 * after the other. */
typedef void s2s_range_function(const s2s_launch *launch, void *shared, uint64_t first_block, uint64_t end_block);

/* Runs one gang from start to end; at a barrier it switches to the next context. In a kernel with barriers it may end
 * without returning: it counts itself as finished, sets gang->context->gang to null and resumes the next context. */
typedef void s2s_gang_function(s2s_gang *gang);

enum {
	S2S_HAS_BARRIERS = 1,       /* gangs need contexts of their own */
	S2S_PARTS = 2,              /* lanes of a gang may wait without the others: gang->alive is kept */
	S2S_INDEPENDENT_BLOCKS = 4, /* no block can wait for another: it sees nothing that others write meanwhile */
	S2S_FUSED_BLOCKS = 8,       /* ranges at index 0 and 3 may be used for blocks of any width */
	S2S_ALWAYS_WIDE = 16,       /* index 3 is to be used wherever it can be */
	S2S_COUNTED = 32,           /* the descriptor is that of an s2s_counted_kernel */
	S2S_FIBERS = 64,            /* threads wait for each other: gangs run in turns, and there are no ranges */
	S2S_LAUNCHES = 128,         /* it may launch kernels */
	S2S_ONE_STREAM = 256,       /* all streams of a block of it are one, so that no stream has to wait for another */
	S2S_FUSED_ALONG_Y = 512,    /* the range at index 2 may be used for blocks of any height */
	S2S_RAGGED_ROWS = 1024,     /* the range at index 2, or 0 if that is null, may be used where gangs do not divide
								 * rows, of lanes / 2 threads and more */
	S2S_DIVISIBLE_X = 2048,     /* its blocks may be divided along x: nothing depends on where one ends; no `gang` */
	S2S_DIVISIBLE_Y = 4096,
	S2S_ALWAYS_SORTED = 8192, /* threads that can be sorted are, even where it seems not worth it */
	S2S_MAX_PARAMS = 1024
};

/* One compiled kernel: constant data in the object file, symbol `s2s_kernel_NAME`. Gangs have `lanes` threads: 16,
 * or 32 if the kernel uses warps. Index 0 of `range` and `gang` assumes that no gang spans two rows of the block
 * (block.y * block.z == 1 or block.x % lanes == 0) and that grid.x * block.x <= 2^31; index 1 assumes nothing. Index
 * 2 is null, or better than both where it can be used: gangs lie along y, block.y % lanes == 0 and grid.y * block.y
 * <= 2^31; its range numbers blocks along y first. Index 3 is null, or better than index 0 where that can be used
 * and gangs of `wide_lanes` span no rows either. Index 4 is null, or better than all others where gangs of
 * `tile_lanes` can be tiles of the block, without a rest along x and y (4 by 4, 8 by 4 or 8 by 8), and both grid.x *
 * block.x and grid.y * block.y are at most 2^31. Neither of these has an entry for one gang. Others may have none if
 * they have a range: then one hthread runs a block. */
typedef struct s2s_kernel {
	const char *name;
	s2s_range_function *range[5];
	s2s_gang_function *gang[4];
	const uint32_t *param_offset, *param_size; /* bytes, in the packed parameters */
	uint32_t nparams;
	uint32_t args_bytes;
	uint32_t shared_bytes; /* static shared memory of a block */
	uint32_t max_threads;  /* of a block; from __launch_bounds__, 1024 without */
	uint32_t flags;
	uint32_t wide_lanes;                    /* of a gang at index 3; 0 without */
	uint32_t lanes;                         /* of a gang elsewhere; a power of two */
	uint32_t tile_lanes;                    /* of a gang at index 4; 0 without */
	const struct s2s_companion *companions; /* other kernels, which launches of this one use */
	uint32_t ncompanions;
	uint32_t unused;
} s2s_kernel;
S2S_LAYOUT(offsetof(s2s_kernel, name) == 0 && offsetof(s2s_kernel, range) == 8 && offsetof(s2s_kernel, gang) == 48 &&
		   offsetof(s2s_kernel, param_offset) == 80 && offsetof(s2s_kernel, param_size) == 88 &&
		   offsetof(s2s_kernel, nparams) == 96 && offsetof(s2s_kernel, args_bytes) == 100 &&
		   offsetof(s2s_kernel, shared_bytes) == 104 && offsetof(s2s_kernel, max_threads) == 108 &&
		   offsetof(s2s_kernel, flags) == 112 && offsetof(s2s_kernel, wide_lanes) == 116 &&
		   offsetof(s2s_kernel, lanes) == 120 && offsetof(s2s_kernel, tile_lanes) == 124 &&
		   offsetof(s2s_kernel, companions) == 128 && offsetof(s2s_kernel, ncompanions) == 136 &&
		   sizeof(s2s_kernel) == 144);

/* What a companion of a kernel is for. All but the first have the kernel's parameters and more.
 *
 * S2S_SINGLE_THREAD does the same for blocks of one thread, and better.
 *
 * Threads of a kernel that searches a tree can be sorted. S2S_COORDINATES, with (float *where, uint32_t stride), stores
 * what thread t searches for at where[t + i * stride], for i < number, or numbers that are none. S2S_IN_ORDER, with
 * (const uint32_t *list), runs thread list[t] in place of thread t. Threads are numbered through the launch, block by
 * block.
 *
 * A kernel may walk through a tree without a stack. S2S_ROPE_INSTALLER, with (int32_t *ropes, int32_t room, int32_t
 * *state) and run by one thread, finds for node n the one that comes next without its children, ropes[2 * n], and with
 * them, ropes[2 * n + 1]. There is room for so many nodes; all numbers are -1 before. It stores 0; or a negative number
 * if there is no such tree; or else for how many nodes there must be room at least. S2S_BY_ROPES, with (const int32_t
 * *ropes), does what the kernel does. */
enum s2s_companion_kind {
	S2S_SINGLE_THREAD = 1,
	S2S_COORDINATES = 2,
	S2S_IN_ORDER = 3,
	S2S_ROPE_INSTALLER = 4,
	S2S_BY_ROPES = 5
};
typedef struct s2s_companion {
	const s2s_kernel *kernel;
	uint32_t kind;
	uint32_t number; /* of coordinates, at most S2S_MAX_COORDINATES; else 0 */
} s2s_companion;
S2S_LAYOUT(offsetof(s2s_companion, kernel) == 0 && offsetof(s2s_companion, kind) == 8 &&
		   offsetof(s2s_companion, number) == 12 && sizeof(s2s_companion) == 16);

enum { S2S_MAX_COORDINATES = 16 };

/* A recursion whose visits are counted. The texts can be used in JSON as they are. */
typedef struct s2s_traversal {
	const char *function; /* or several, if they call each other */
	const char *file;
	uint32_t line;
	uint32_t tail; /* not 0: each thread makes at most one call in a visit, and nothing after it */
} s2s_traversal;
S2S_LAYOUT(offsetof(s2s_traversal, function) == 0 && offsetof(s2s_traversal, file) == 8 &&
		   offsetof(s2s_traversal, line) == 16 && offsetof(s2s_traversal, tail) == 20 && sizeof(s2s_traversal) == 24);

/* A place of a program where gangs are counted: a kernel's beginning, a statement, a branch, an iteration of a loop, an
 * access. The text can be used in JSON as it is. */
enum s2s_site_kind {
	S2S_SITE_KERNEL,
	S2S_SITE_STATEMENT,
	S2S_SITE_BRANCH,
	S2S_SITE_LOOP,
	S2S_SITE_UNIFORM, /* from here on accesses */
	S2S_SITE_CONSECUTIVE,
	S2S_SITE_STRIDED,
	S2S_SITE_GATHER,
	S2S_SITE_SCATTER,
	S2S_SITE_ATOMIC,
	S2S_SITE_KINDS
};
/* What a statement does, but for its accesses. An int is anything but: */
enum s2s_operation {
	S2S_OPERATION_INT,
	S2S_OPERATION_FLOAT,
	S2S_OPERATION_DOUBLE,
	S2S_OPERATION_SPECIAL, /* a division, a root, a function such as expf */
	S2S_OPERATION_CALL,
	S2S_OPERATION_BARRIER,
	S2S_OPERATIONS
};
/* What time is spent for: an access of kind k for k - S2S_SITE_UNIFORM, or: */
enum { S2S_TIME_DIVERGENT = S2S_SITE_KINDS - S2S_SITE_UNIFORM, S2S_TIME_OTHER, S2S_TIMES };
typedef struct s2s_site {
	const char *file;
	uint32_t line, column;
	uint8_t kind, time;
	uint8_t lanes;                       /* of a gang; 1 if it is done once for the block */
	bool full;                           /* all of them come: only counter.gangs is raised */
	uint32_t counter;                    /* its number */
	uint32_t cost_ps;                    /* about, for each time that a gang comes */
	uint16_t operations[S2S_OPERATIONS]; /* for each lane that comes */
} s2s_site;
S2S_LAYOUT(offsetof(s2s_site, file) == 0 && offsetof(s2s_site, line) == 8 && offsetof(s2s_site, column) == 12 &&
		   offsetof(s2s_site, kind) == 16 && offsetof(s2s_site, time) == 17 && offsetof(s2s_site, lanes) == 18 &&
		   offsetof(s2s_site, full) == 19 && offsetof(s2s_site, counter) == 20 && offsetof(s2s_site, cost_ps) == 24 &&
		   offsetof(s2s_site, operations) == 28 && sizeof(s2s_site) == 40);

/* What a file that was compiled with --stats has to count. */
typedef struct s2s_counted_module {
	const s2s_traversal *traversals;
	const s2s_site *sites;
	uint32_t ntraversals, nsites;
	uint64_t mark; /* another one for other sites */
	uint32_t ncounters;
	uint32_t traffic; /* not 0: its kernels call s2s_count_access */
} s2s_counted_module;
S2S_LAYOUT(offsetof(s2s_counted_module, traversals) == 0 && offsetof(s2s_counted_module, sites) == 8 &&
		   offsetof(s2s_counted_module, ntraversals) == 16 && offsetof(s2s_counted_module, nsites) == 20 &&
		   offsetof(s2s_counted_module, mark) == 24 && offsetof(s2s_counted_module, ncounters) == 32 &&
		   offsetof(s2s_counted_module, traffic) == 36 && sizeof(s2s_counted_module) == 40);

/* A kernel of such a file, and where it is. */
typedef struct s2s_counted_kernel {
	s2s_kernel kernel;
	const s2s_counted_module *module;
	const char *file;
	uint32_t line;
} s2s_counted_kernel;
S2S_LAYOUT(offsetof(s2s_counted_kernel, kernel) == 0 && offsetof(s2s_counted_kernel, module) == 144 &&
		   offsetof(s2s_counted_kernel, file) == 152 && offsetof(s2s_counted_kernel, line) == 160 &&
		   sizeof(s2s_counted_kernel) == 168);

/* What an hthread counts at some sites; generated code adds to it. */
typedef struct s2s_counter {
	uint64_t gangs;   /* that came with a lane on */
	uint64_t lanes;   /* that were on, in all */
	uint64_t partial; /* of the gangs: those with some lanes off */
	uint64_t halves;  /* of wider gangs: sixteenths of lanes, side by side, with one that is on. 0: not counted */
} s2s_counter;
S2S_LAYOUT(offsetof(s2s_counter, gangs) == 0 && offsetof(s2s_counter, lanes) == 8 &&
		   offsetof(s2s_counter, partial) == 16 && offsetof(s2s_counter, halves) == 24 && sizeof(s2s_counter) == 32);

/* The counters, by number, of the calling hthread for the kernel of a launch. They stay where they are until that ends.
 */
s2s_counter *s2s_counters(const s2s_launch *launch);

/* Called by code compiled with --warp-stats: a gang begins with these lanes; and these lanes access so many bytes each.
 * Lane l does it at addresses[l], all of them at addresses[0] if the access is uniform; without addresses, in private
 * memory that is interleaved. */
enum { S2S_ACCESS_UNIFORM = 1, S2S_ACCESS_STORES = 2, S2S_ACCESS_ATOMIC = 4 };
void s2s_begin_gang_traffic(s2s_gang *gang, uint64_t lanes);
void s2s_count_access(s2s_gang *gang, uint64_t lanes, const uint64_t *addresses, uint32_t bytes, uint32_t how);

/* The kernels of a file that have several forms, by their places and by their template arguments: symbol
 * `s2s_instances_MARK`. */
typedef struct s2s_instance {
	const char *place, *arguments;
	const s2s_kernel *kernel;
} s2s_instance;
typedef struct s2s_instances {
	const s2s_instance *items;
	uint64_t count;
} s2s_instances;
S2S_LAYOUT(offsetof(s2s_instance, place) == 0 && offsetof(s2s_instance, arguments) == 8 &&
		   offsetof(s2s_instance, kernel) == 16 && sizeof(s2s_instance) == 24);
S2S_LAYOUT(offsetof(s2s_instances, items) == 0 && offsetof(s2s_instances, count) == 8 && sizeof(s2s_instances) == 16);

/* Called by code compiled with --stats: these lanes of the gang call a recursive function from outside the recursion,
 * the same lanes are back, and, in between, these lanes visit a node. `number` is the traversal's. A gang makes no two
 * traversals of one number at a time. */
void s2s_begin_traversal(s2s_gang *gang, uint32_t number, uint64_t lanes);
void s2s_end_traversal(s2s_gang *gang, uint32_t number, uint64_t lanes);
void s2s_count_visit(s2s_gang *gang, uint32_t number, uint64_t lanes);

/* A kernel that kernels launch: how its parameters are packed, scalar by scalar. */
typedef struct s2s_child {
	const s2s_kernel *kernel;
	const uint32_t *offsets, *sizes; /* bytes, in the packed parameters */
	uint32_t count;
} s2s_child;
S2S_LAYOUT(offsetof(s2s_child, kernel) == 0 && offsetof(s2s_child, offsets) == 8 && offsetof(s2s_child, sizes) == 16 &&
		   offsetof(s2s_child, count) == 24 && sizeof(s2s_child) == 32);

/* A variable at file scope that host code knows. The section `s2s_variables` of a program holds one for each. */
typedef struct s2s_variable {
	void *address;
	uint64_t bytes;
} s2s_variable;
/* Called when a program or a shared library begins, and when it ends, by each of its objects with host code of a .cu
 * file: these are its `s2s_variable`s. */
void s2s_add_variables(const void *begin, const void *end);
/* Whether the program's cudaMalloc is in the library that has `nvidias`, a function that only NVIDIA's runtime has. */
bool s2s_is_hidden_by(const void *nvidias, const void *cuda_malloc);
void s2s_remove_variables(const void *begin, const void *end);
S2S_LAYOUT(offsetof(s2s_variable, address) == 0 && offsetof(s2s_variable, bytes) == 8 && sizeof(s2s_variable) == 16);

/* __syncthreads() of the lanes in `active`. Called by generated code in place of a switch where these are not
 * gang->expected: the gang is split, now or before. May return several times, with different gang->alive. */
void s2s_barrier_of_lanes(s2s_gang *gang, uint64_t active);

/* Called in place of a warp function's own work by a piece of a gang that was split. Argument i of lane l is slots[i *
 * 32 + l]. Waits until all lanes in `named` that have not ended are here or at another function of the same kind, and
 * adds their arguments; returns those that are. */
enum { S2S_MOST_POSTED = 4 };
uint64_t s2s_meet(
	s2s_gang *gang, const char *where, uint64_t named, uint64_t active, uint64_t *slots, uint32_t count, uint32_t kind);

/* Called before that by lanes of which others may be named that are elsewhere: these are split off, and run on. May
 * return several times, with different gang->alive. Only in kernels with S2S_FIBERS. */
void s2s_part_at(s2s_gang *gang, uint64_t named, uint64_t active);

/* Called at the end of a gang that was split: returns if no other piece of it is left. */
void s2s_end_piece(s2s_gang *gang);

/* Called by generated code: whether `address` lies in a stack of the calling hthread. */
bool s2s_is_local(const s2s_gang *gang, uint64_t address);

/* Called by code compiled with --verify where a claim of the shape analysis does not hold; ends the launch with
 * `claim` as the message, a text that lives as long as the code. */
void s2s_claim_failed(s2s_gang *gang, const char *claim);

/* Called by generated code after S2S_WAIT_ITERATIONS iterations of a loop in which its gang changed nothing, and after
 * each further one. `iterations`: how many so far, by the lanes of `active`. Other gangs run meanwhile; blocks may be
 * started for that. Ends the launch with an error if all its threads that have begun wait like this.
 * A loop that changes something in every iteration passes 0, after every S2S_WORK_ITERATIONS: then the launch
 * continues. `where` is the loop's place in the source, a text that lives as long as the code. Only in kernels with
 * S2S_FIBERS, as the next three; all but s2s_give_way may split the gang. */
void s2s_long_wait(s2s_gang *gang, const char *where, uint32_t iterations, uint64_t active);

/* Called by generated code after every S2S_WAIT_ITERATIONS iterations of such a loop in which some lanes of the gang
 * changed something and others did not: other gangs run. */
void s2s_give_way(s2s_gang *gang);

/* __syncthreads() of the lanes in `active`, at `where` in the source. */
void s2s_block_barrier(s2s_gang *gang, const char *where, uint64_t active);

/* A named barrier, as a service (see below). For each lane: the barrier's number, how many threads meet there, 0 for
 * all of the block, what to do (S2S_ARRIVES, S2S_OF_WARPS, and S2S_OF_TILES for the barriers of tiles, which have
 * numbers of their own), and a vote. Gives how many votes are not 0.
 *
 * s2s_awaiting, also a service: wait until the 64-bit number at an address is another one than this. */
enum { S2S_NAMED_BARRIERS = 16, S2S_TILES = 32, S2S_ARRIVES = 1, S2S_OF_WARPS = 2, S2S_OF_TILES = 4 };

/* The barrier of the grid: `where`, in the source, as of a loop. */
void s2s_grid_barrier(s2s_gang *gang, const char *where, uint64_t active);

enum { S2S_WAIT_ITERATIONS = 1 << 2, S2S_WORK_ITERATIONS = 1 << 8 };

/* Called by generated code for the functions that kernels have of C's library. Argument i of lane l is
 * slots[i * stride + l], for i < count: integers extended to 64 bits by their signs, float as double, bits as they are.
 * `lanes` are those that call; what a function returns takes the place of argument 0.
 *
 * s2s_printf: the format, then what it prints. s2s_assert_fail: the expression, file, line and function of an
 * assertion that these lanes do not fulfil, and their numbers along the three axes of the grid; ends the launch.
 * s2s_malloc and s2s_free: the device's heap. s2s_memcpy is memmove. s2s_swap_16(place,
 * expected, desired) compares and swaps 16 bytes. s2s_nanosleep: the longest of the times. */
typedef void s2s_service(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count);
s2s_service s2s_printf, s2s_assert_fail, s2s_malloc, s2s_free, s2s_nanosleep;
s2s_service s2s_memcpy, s2s_memset, s2s_memcmp, s2s_strlen, s2s_strcmp, s2s_strncmp, s2s_strcpy;
s2s_service s2s_swap_16, s2s_named_barrier, s2s_awaiting;

/* For each of these lanes, launch a child of its block. Argument i of lane l is slots[i * stride + l], as for an
 * s2s_service: the grid and the block along the three axes, the bytes of dynamic shared memory, the stream, and the
 * scalars of the kernel's parameters. A child begins when its parent block has ended, or waits for it. */
void s2s_launch_children(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, const s2s_child *child);

/* CUDA's runtime for kernels, as services; they return its error codes. */
s2s_service s2s_last_error, s2s_peek_error, s2s_error_string, s2s_error_identifier, s2s_await_children;
s2s_service s2s_create_stream, s2s_destroy_stream, s2s_stream_wait;
s2s_service s2s_create_event, s2s_record_event, s2s_destroy_event;
s2s_service s2s_copy_async, s2s_copy_2d_async, s2s_set_async, s2s_set_2d_async;
s2s_service s2s_device_attribute, s2s_get_device, s2s_device_count, s2s_get_limit, s2s_runtime_version;
s2s_service s2s_device_malloc, s2s_device_free;

/* Divide `count` integers of 128 bits: the quotients, or the remainders, become `result`. x / 0 is all ones, x % 0 is
 * x. */
void s2s_divide_wide(
	const void *left, const void *right, void *result, uint32_t count, uint32_t is_signed, uint32_t remainder);

/* Nanoseconds since 1970. */
uint64_t s2s_globaltimer(void);

/* ---- For code that launches kernels. ----
 *
 * All functions may be called from any thread; launches run one after the other, but for s2s_launch_beside. */

/* The error codes that a launch can give; the numbers are CUDA's. */
enum {
	S2S_SUCCESS = 0,
	S2S_INVALID_VALUE = 1,     /* cudaErrorInvalidValue: a grid, a block or dynamic shared memory that cannot be */
	S2S_OUT_OF_MEMORY = 2,     /* cudaErrorMemoryAllocation: no stacks, no threads */
	S2S_ILLEGAL_ADDRESS = 700, /* cudaErrorIllegalAddress: the kernel touched memory that is not there */
	S2S_COOPERATIVE_TOO_LARGE = 720, /* cudaErrorCooperativeLaunchTooLarge: a barrier of a grid without room for it */
	S2S_ASSERT = 710,                /* cudaErrorAssert: an assertion does not hold */
	S2S_TIMEOUT = 702,               /* cudaErrorLaunchTimeout: threads wait for what no thread will do */
	S2S_ILLEGAL_INSTRUCTION = 715,   /* cudaErrorIllegalInstruction: the kernel was compiled for another CPU */
	S2S_NOT_SUPPORTED = 801,         /* cudaErrorNotSupported: threads in step where gangs of 32 cannot be */
	S2S_INTERRUPTED = -1,            /* not CUDA's: SIGINT ended the launch; see s2s_watch_interrupts */
	S2S_LAUNCH_FAILURE = 719         /* cudaErrorLaunchFailure: stack overflow, a fault of other kinds */
};

/* Equals: for each block of the grid, in any order: run all its threads to their end. Returns when that is done.
 * `args` holds the parameters at their offsets, aligned as the most aligned of them; it is only read. Returns
 * S2S_SUCCESS or why the launch failed; s2s_last_message() then says more. Blocks that were not run when another one
 * failed are never run. */
int s2s_launch_kernel(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args);

/* The same for a launch whose threads may wait at the barrier of the grid. All its blocks must have room on the machine
 * at once: s2s_resident_blocks for each hthread. */
int s2s_launch_cooperative(
	const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args);

/* What s2s_launch_kernel returns for a launch that cannot begin, else S2S_SUCCESS. */
int s2s_check_launch(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes);

/* The same as s2s_launch_kernel for launches that threads of a program make beside each other: those with few blocks
 * run at the same time. */
int s2s_launch_beside(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args);

/* How many blocks of so many threads an hthread can have begun at a time. */
uint32_t s2s_resident_blocks(const s2s_kernel *kernel, uint32_t threads);

/* How much dynamic shared memory (`extern __shared__`) a block of a kernel may have: what S2S_STATIC_SHARED_BYTES
 * leaves beside its static memory, or what s2s_set_dynamic_limit has set (cudaFuncAttributeMaxDynamicSharedMemorySize).
 * S2S_INVALID_VALUE if that is more than S2S_MOST_SHARED_BYTES leave, S2S_OUT_OF_MEMORY if it cannot be noted. */
int s2s_set_dynamic_limit(const s2s_kernel *kernel, size_t bytes);
size_t s2s_dynamic_limit(const s2s_kernel *kernel);

/* Forget the limits of the kernels whose descriptors lie there: other code may be loaded at the same place. */
void s2s_forget_dynamic_limits(const void *begin, size_t bytes);

/* Dynamic shared memory begins at a multiple of its alignment, a page at most, after the static memory of all kernels
 * of a file: there is room for as much as a block may have of both. */
enum {
	S2S_STATIC_SHARED_BYTES = 48 << 10,
	S2S_MOST_SHARED_BYTES = 227 << 10,
	S2S_SHARED_ROOM_BYTES = S2S_STATIC_SHARED_BYTES + 4096 + S2S_MOST_SHARED_BYTES
};

/* One line about the calling thread's last failed launch, without a newline; "" if none failed. */
const char *s2s_last_message(void);

/* For programs that handle SIGINT themselves: from now on it also ends the kernel that runs, after
 * `ignored` SIGINTs during its launch that only the program's handler sees. Has to be called again when the program has
 * set another handler, which s2s_interrupts_are_watched reports; that is also true if the program handles it no more.
 */
void s2s_watch_interrupts(uint32_t ignored);
bool s2s_interrupts_are_watched(void);

/* CUDA's name and text of an error code: "cudaErrorLaunchFailure", "unspecified launch failure". */
const char *s2s_error_name(int code);
const char *s2s_error_text(int code);

/* How launches use the machine from now on; 0 leaves a value as it is by default.
 * threads: hthreads in all, the launching thread included (default: $S2S_THREADS, else the CPUs of the affinity mask).
 * hthreads_per_block: hthreads that run one block together (default: $S2S_HTHREADS_PER_BLOCK, else 1). More than the
 *   block has gangs: one for each gang.
 * affinity: hthread i stays on CPU i / affinity (default: $S2S_AFFINITY, else hthreads move freely). Without `threads`,
 *   there are `affinity` hthreads for each CPU.
 * Hthreads that run a block together meet at a barrier of this runtime, or at pthread's with S2S_BARRIER=pthread.
 * Returns S2S_SUCCESS, or S2S_INVALID_VALUE if a value is above S2S_MAX_HTHREADS. */
int s2s_configure(uint32_t threads, uint32_t hthreads_per_block, uint32_t affinity);

enum { S2S_MAX_HTHREADS = 1024, S2S_ALL_GANGS = 64, S2S_MAX_ARGS_BYTES = 32764 };

/* What s2s_configure and the environment led to. Any of the pointers may be null. */
void s2s_configuration(uint32_t *threads, uint32_t *hthreads_per_block, uint32_t *affinity);

/* Stack that a thread of a kernel is sure to have, in bytes: 64 KiB, or what s2s_set_stack_limit raised it to
 * (cudaLimitStackSize). S2S_INVALID_VALUE above S2S_MAX_STACK_BYTES. */
int s2s_set_stack_limit(size_t bytes);
size_t s2s_stack_limit(void);

enum { S2S_MAX_STACK_BYTES = 64 << 20 };

/* The device heap of malloc and free in kernels, in bytes (cudaLimitMallocHeapSize). It cannot be set above
 * S2S_MAX_HEAP_BYTES, nor while something is allocated. Resetting it frees everything. */
bool s2s_set_heap_limit(size_t bytes);
size_t s2s_heap_limit(void);
void s2s_reset_heap(void);

#define S2S_MAX_HEAP_BYTES ((size_t)1 << 35)

/* Write to stdout what kernels have printed and is not written yet, without flushing stdout; false if nothing was. */
bool s2s_flush_output(void);

/* What has been counted so far, as JSON (docs/remarks.md describes it), for s2s_free_stats to free; null if there is no
 * memory. With `forget`, counting begins anew. */
char *s2s_stats(bool forget);
void s2s_free_stats(char *text);

#undef S2S_LAYOUT

#ifdef __cplusplus
}
#endif
#endif
