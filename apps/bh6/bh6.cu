/* Barnes-Hut as Burtscher and Pingali wrote it ("An Efficient CUDA Implementation of the Tree-Based Barnes Hut n-Body
 * Algorithm", 2011): six kernels a time step, the tree built, used and thrown away on the device. */
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../bh/all_pairs.h"
#include "../bh/bodies.h"
#include "../bh/octree.h"
#include "../bh/pull.h"
#include "../common/device.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/queries.h"
#include "checks.h"
#include "result.h"
#include "serial.h"
#include "system.h"

const int WARP = 32;
const int BOX_THREADS = 512, TREE_THREADS = 256, SUM_THREADS = 128, SORT_THREADS = 64, FORCE_THREADS = 256,
		  MOVE_THREADS = 512, PAIRS_THREADS = 256; /* of a block */
const int LOCKED = -2;                             /* in place of a child */

__constant__ System given;

__device__ inline int thread_number()
{
	return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ inline int number_of_threads()
{
	return gridDim.x * blockDim.x;
}

/* ---- kernel 1: the box ---- */

/* Leaves the maxima of all threads in best[.][0]. */
__device__ inline void find_maxima(float best[6][BOX_THREADS])
{
	const int t = threadIdx.x;
	for (int half = BOX_THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (t < half)
			for (int k = 0; k < 6; k++)
				best[k][t] = fmaxf(best[k][t], best[k][t + half]);
	}
	__syncthreads();
}

/* Makes the root of the box's corners: the largest x, y, z, -x, -y and -z. */
__device__ inline void make_root(float x, float y, float z, float minus_x, float minus_y, float minus_z)
{
	const int root = given.root;
	given.x[root] = 0.5f * (x - minus_x);
	given.y[root] = 0.5f * (y - minus_y);
	given.z[root] = 0.5f * (z - minus_z);
	given.mass[root] = -1.0f;
	given.start[root] = 0;
	for (int k = 0; k < 8; k++)
		given.child[8 * root + k] = NOTHING;
	*given.edge = fmaxf(fmaxf(x + minus_x, y + minus_y), z + minus_z);
	*given.bottom = root;
	*given.deepest = 0;
}

/* Finds the box of all bodies, which becomes the root: each block that of its own, the last block that of all. */
__global__ void __launch_bounds__(BOX_THREADS) find_box()
{
	__shared__ float best[6][BOX_THREADS];
	__shared__ bool is_last;
	const int t = threadIdx.x;
	float x = -FLT_MAX, y = -FLT_MAX, z = -FLT_MAX, minus_x = -FLT_MAX, minus_y = -FLT_MAX, minus_z = -FLT_MAX;
	for (int i = thread_number(); i < given.bodies; i += number_of_threads()) {
		x = fmaxf(x, given.x[i]);
		y = fmaxf(y, given.y[i]);
		z = fmaxf(z, given.z[i]);
		minus_x = fmaxf(minus_x, -given.x[i]);
		minus_y = fmaxf(minus_y, -given.y[i]);
		minus_z = fmaxf(minus_z, -given.z[i]);
	}
	best[0][t] = x;
	best[1][t] = y;
	best[2][t] = z;
	best[3][t] = minus_x;
	best[4][t] = minus_y;
	best[5][t] = minus_z;
	find_maxima(best);
	if (t < 6)
		given.maxima[6 * blockIdx.x + t] = best[t][0];
	__threadfence();
	__syncthreads();
	if (t == 0)
		is_last = atomicInc(given.arrived, gridDim.x - 1) == gridDim.x - 1;
	__syncthreads();
	if (!is_last)
		return;
	volatile float *const maxima = given.maxima;
	for (int k = 0; k < 6; k++) {
		float most = -FLT_MAX;
		for (int block = t; block < gridDim.x; block += BOX_THREADS)
			most = fmaxf(most, maxima[6 * block + k]);
		best[k][t] = most;
	}
	find_maxima(best);
	if (t == 0)
		make_root(best[0][0], best[1][0], best[2][0], best[3][0], best[4][0], best[5][0]);
}

/* ---- kernel 2: the tree ---- */

/* The cube of a cell. */
typedef struct {
	float x, y, z; /* its center */
	float quarter; /* of its edge: how far the centers of its eighths are from its own */
} Cube;

__device__ inline int eighth_of(Cube cube, float x, float y, float z)
{
	return (cube.x < x ? 1 : 0) + (cube.y < y ? 2 : 0) + (cube.z < z ? 4 : 0);
}

__device__ inline Cube cube_of_eighth(Cube cube, int eighth)
{
	Cube found;
	found.x = cube.x + (eighth & 1 ? cube.quarter : -cube.quarter);
	found.y = cube.y + (eighth & 2 ? cube.quarter : -cube.quarter);
	found.z = cube.z + (eighth & 4 ? cube.quarter : -cube.quarter);
	found.quarter = 0.5f * cube.quarter;
	return found;
}

__device__ inline void tell_trouble(int kind, int body, int other)
{
	if (atomicCAS(&given.trouble->kind, NO_TROUBLE, kind) == NO_TROUBLE) {
		given.trouble->body = body;
		given.trouble->other = other;
	}
}

/* Returns a new cell, without children; less than first_cell if there is none. */
__device__ inline int new_cell()
{
	const int cell = atomicSub(given.bottom, 1) - 1;
	if (cell >= given.first_cell) {
		given.mass[cell] = -1.0f;
		given.start[cell] = -1;
		for (int k = 0; k < 8; k++)
			given.child[8 * cell + k] = NOTHING;
	}
	return cell;
}

/* Puts all bodies into the tree. A thread goes down to where its body belongs and locks that child by writing LOCKED
 * there. It puts its body there, or, if another one is there, cells that part the two; that unlocks the child. Who
 * finds a child locked tries again once all warps of the block have had their turn: the barrier only throttles. */
__global__ void __launch_bounds__(TREE_THREADS) build_tree()
{
	volatile int *const child = given.child;
	const int root = given.root, first_cell = given.first_cell;
	const Cube whole = {given.x[root], given.y[root], given.z[root], 0.25f * *given.edge};
	Cube cube = whole;
	int cell = root, depth = 0, deepest = 0;
	bool begins = true;
	float x = 0.0f, y = 0.0f, z = 0.0f;
	for (int body = thread_number(); body < given.bodies;) {
		if (begins) {
			x = given.x[body];
			y = given.y[body];
			z = given.z[body];
			cube = whole;
			cell = root;
			depth = 0;
			begins = false;
		}
		int eighth = eighth_of(cube, x, y, z);
		int there = child[8 * cell + eighth];
		while (there >= first_cell) {
			cell = there;
			cube = cube_of_eighth(cube, eighth);
			depth++;
			eighth = eighth_of(cube, x, y, z);
			there = child[8 * cell + eighth];
		}
		const int locked = 8 * cell + eighth;
		if (there != LOCKED && atomicCAS(&given.child[locked], there, LOCKED) == there) {
			int put = body;
			if (there != NOTHING) {
				const float other_x = given.x[there], other_y = given.y[there], other_z = given.z[there];
				int place = NOTHING, place_of_other;
				do {
					const int made = new_cell();
					if (depth == MAX_DEPTH || made < first_cell) {
						tell_trouble(depth == MAX_DEPTH ? TOO_DEEP : TOO_MANY_CELLS, body, there);
						put = there;
						break;
					}
					if (place == NOTHING)
						put = made;
					else
						child[place] = made;
					cube = cube_of_eighth(cube, eighth);
					depth++;
					eighth = eighth_of(cube, x, y, z);
					place = 8 * made + eighth;
					place_of_other = 8 * made + eighth_of(cube, other_x, other_y, other_z);
					child[place_of_other] = there;
				} while (place == place_of_other);
				if (put != there)
					child[place] = body;
				__threadfence();
			}
			child[locked] = put;
			deepest = max(deepest, depth);
			body += number_of_threads();
			begins = true;
		}
		__syncthreads();
	}
	atomicMax(given.deepest, deepest);
}

/* ---- kernel 3: masses and centers ---- */

/* Finds the mass and the center of gravity of all cells, and counts their bodies. A thread that needs a cell whose mass
 * is not known yet looks for it again and again; such a cell has a smaller number, and so its thread reaches it
 * before. Moves the children of each cell to the front. */
__global__ void __launch_bounds__(SUM_THREADS) sum_up()
{
	__shared__ int waiting_for[8][SUM_THREADS];
	volatile float *const mass = given.mass, *const x = given.x, *const y = given.y, *const z = given.z;
	volatile int *const count = given.count;
	const int t = threadIdx.x, first_cell = given.first_cell, bottom = *given.bottom;
	int cell = bottom / WARP * WARP + thread_number();
	if (cell < bottom)
		cell += number_of_threads();
	int missing = 0, bodies = 0;
	float sum = 0.0f, sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
	while (cell <= given.root) {
		if (missing == 0) {
			int children = 0;
			bodies = 0;
			sum = sum_x = sum_y = sum_z = 0.0f;
			for (int k = 0; k < 8; k++) {
				const int child = given.child[8 * cell + k];
				if (child != NOTHING) {
					if (k != children) {
						given.child[8 * cell + k] = NOTHING;
						given.child[8 * cell + children] = child;
					}
					children++;
					const float m = mass[child];
					if (m < 0.0f) {
						waiting_for[missing][t] = child;
						missing++;
					} else {
						bodies += child < first_cell ? 1 : count[child];
						sum += m;
						sum_x += m * x[child];
						sum_y += m * y[child];
						sum_z += m * z[child];
					}
				}
			}
		}
		while (missing > 0) {
			const int child = waiting_for[missing - 1][t];
			const float m = mass[child];
			if (m < 0.0f)
				break;
			missing--;
			bodies += count[child];
			sum += m;
			sum_x += m * x[child];
			sum_y += m * y[child];
			sum_z += m * z[child];
		}
		if (missing == 0) {
			x[cell] = sum_x / sum;
			y[cell] = sum_y / sum;
			z[cell] = sum_z / sum;
			count[cell] = bodies;
			__threadfence();
			mass[cell] = sum;
			cell += number_of_threads();
		}
	}
}

/* ---- kernel 4: the order of the tree ---- */

/* Puts the bodies in the order of a walk through the tree. A thread waits until the place of its cell is known, which
 * the cell's parent says, a cell with a larger number. */
__global__ void __launch_bounds__(SORT_THREADS) sort_bodies()
{
	volatile int *const starts = given.start;
	const int first_cell = given.first_cell, bottom = *given.bottom;
	int cell = given.root + 1 - number_of_threads() + thread_number();
	while (cell >= bottom) {
		int start = starts[cell];
		if (start >= 0) {
			for (int k = 0; k < 8; k++) {
				const int child = given.child[8 * cell + k];
				if (child >= first_cell) {
					starts[child] = start;
					start += given.count[child];
				} else if (child != NOTHING) {
					given.sorted[start] = child;
					start++;
				}
			}
			cell -= number_of_threads();
		}
	}
}

/* ---- kernel 5: forces ---- */

/* Keeps the acceleration of a body. After the first step, it also changes the velocity: the step before had to do with
 * the acceleration at its beginning. */
__device__ inline void accelerate(int body, int step, float ax, float ay, float az)
{
	if (step > 0) {
		given.vx[body] += (ax - given.ax[body]) * 0.5f * given.dt;
		given.vy[body] += (ay - given.ay[body]) * 0.5f * given.dt;
		given.vz[body] += (az - given.az[body]) * 0.5f * given.dt;
	}
	given.ax[body] = ax;
	given.ay[body] = ay;
	given.az[body] = az;
}

/* Finds the acceleration of all bodies. A warp walks through the tree together, with one stack: a cell pulls as a whole
 * if it is far enough from the bodies of all lanes. If it COUNTS, it only counts the nodes that warps look at, and
 * those that pull. */
template <bool COUNTS> __global__ void __launch_bounds__(FORCE_THREADS) attract_bodies(int step)
{
	__shared__ float far2[MAX_DEPTH]; /* the least distance from which children of a cell pull as a whole, squared */
	__shared__ int stack[FORCE_THREADS / WARP][MAX_DEPTH], stack_next[FORCE_THREADS / WARP][MAX_DEPTH];
	const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, first_cell = given.first_cell;
	const float softening2 = given.softening2;
	if (threadIdx.x < MAX_DEPTH) {
		const float edge = ldexpf(*given.edge, -1 - static_cast<int>(threadIdx.x));
		far2[threadIdx.x] = edge * edge * given.per_theta2 + softening2;
	}
	__syncthreads();
	for (int i = thread_number(); __any_sync(0xffffffff, i < given.bodies); i += number_of_threads()) {
		const int body = given.sorted[min(i, given.bodies - 1)];
		const float x = given.x[body], y = given.y[body], z = given.z[body];
		float ax = 0.0f, ay = 0.0f, az = 0.0f;
		int cell = given.root, next = 0, depth = 0;
		unsigned visits = 0, pulls = 0;
		while (depth >= 0) {
			while (next < 8) {
				const int node = given.child[8 * cell + next];
				next++;
				if (node == NOTHING)
					break;
				if (COUNTS)
					visits++;
				const float dx = given.x[node] - x, dy = given.y[node] - y, dz = given.z[node] - z;
				const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
				if (node < first_cell || __all_sync(0xffffffff, distance2 >= far2[depth])) {
					if (COUNTS)
						pulls++;
					const float inverse = rsqrtf(distance2);
					const float strength = given.mass[node] * inverse * inverse * inverse;
					ax += dx * strength;
					ay += dy * strength;
					az += dz * strength;
				} else {
					if (lane == 0) {
						stack[warp][depth] = cell;
						stack_next[warp][depth] = next;
					}
					cell = node;
					next = 0;
					depth++;
				}
			}
			depth--;
			__syncwarp();
			if (depth >= 0) {
				cell = stack[warp][depth];
				next = stack_next[warp][depth];
			}
			__syncwarp();
		}
		if (COUNTS && lane == 0) {
			atomicAdd(&given.counted[0], static_cast<unsigned long long>(visits));
			atomicAdd(&given.counted[1], static_cast<unsigned long long>(pulls));
		}
		if (!COUNTS && i < given.bodies)
			accelerate(body, step, ax, ay, az);
	}
}

/* The same by the pull of every body on every other, tile by tile. */
__global__ void __launch_bounds__(PAIRS_THREADS) attract_all_pairs(int step)
{
	__shared__ float other_x[PAIRS_THREADS], other_y[PAIRS_THREADS], other_z[PAIRS_THREADS], mass[PAIRS_THREADS];
	const int t = threadIdx.x, i = thread_number(), body = min(i, given.bodies - 1);
	const float x = given.x[body], y = given.y[body], z = given.z[body], softening2 = given.softening2;
	float ax = 0.0f, ay = 0.0f, az = 0.0f;
	for (int first = 0; first < given.bodies; first += PAIRS_THREADS) {
		const int other = min(first + t, given.bodies - 1);
		other_x[t] = given.x[other];
		other_y[t] = given.y[other];
		other_z[t] = given.z[other];
		mass[t] = first + t < given.bodies ? given.mass[other] : 0.0f;
		__syncthreads();
		for (int k = 0; k < PAIRS_THREADS; k++) {
			const float dx = other_x[k] - x, dy = other_y[k] - y, dz = other_z[k] - z;
			const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening2);
			const float strength = mass[k] * inverse * inverse * inverse;
			ax += dx * strength;
			ay += dy * strength;
			az += dz * strength;
		}
		__syncthreads();
	}
	if (i < given.bodies)
		accelerate(i, step, ax, ay, az);
}

/* ---- kernel 6: the step ---- */

/* Moves all bodies on by a time step. */
__global__ void __launch_bounds__(MOVE_THREADS) move_bodies()
{
	const float dt = given.dt, half = 0.5f * dt;
	for (int i = thread_number(); i < given.bodies; i += number_of_threads()) {
		const float kick_x = given.ax[i] * half, kick_y = given.ay[i] * half, kick_z = given.az[i] * half;
		const float vx = given.vx[i] + kick_x, vy = given.vy[i] + kick_y, vz = given.vz[i] + kick_z;
		given.x[i] += vx * dt;
		given.y[i] += vy * dt;
		given.z[i] += vz * dt;
		given.vx[i] = vx + kick_x;
		given.vy[i] = vy + kick_y;
		given.vz[i] = vz + kick_z;
	}
}

/* ---- the host ---- */

/* Adds the milliseconds that a launch takes to `ms`. */
template <class Launch> static void time_kernel(double &ms, const char *name, Launch launch)
{
	Event start, stop;
	start.record();
	launch();
	check(cudaGetLastError(), name);
	stop.record();
	ms += stop.since(start, name);
}

/* Returns how many blocks of a kernel the device can have at the same time. Threads of kernels 3 and 4 wait for those
 * of other blocks, so there may be no more. */
static int most_blocks(const void *kernel, int threads)
{
	int device, blocks, processors;
	check(cudaGetDevice(&device), "cudaGetDevice");
	check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy");
	check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
	return std::max(1, blocks * processors);
}

/* Blocks for so many items, a thread each, but no more than fit the device at the same time. */
template <class Kernel> static int blocks_for(Kernel kernel, int threads, int items)
{
	return std::min(blocks_of(threads, items), most_blocks(reinterpret_cast<const void *>(kernel), threads));
}

/* The bodies on the device: forces by the six kernels, or by all pairs. */
class Device
{
public:
	Device(const Bodies &bodies, const Physics &physics, bool all_pairs)
		: start(bodies), count(bodies.count()), all_pairs(all_pairs),
		  box_blocks(blocks_for(find_box, BOX_THREADS, count)), memory(count, box_blocks)
	{
		const System system = memory.system(physics);
		check(cudaMemcpyToSymbol(given, &system, sizeof system), "cudaMemcpyToSymbol");
	}

	void begin()
	{
		memory.put(start);
	}

	void find_forces(int step, Times &times)
	{
		if (all_pairs) {
			time_kernel(times.ms[FORCES], "attract_all_pairs",
						[&] { attract_all_pairs<<<blocks_of(PAIRS_THREADS, count), PAIRS_THREADS>>>(step); });
			return;
		}
		const int tree_blocks = blocks_for(build_tree, TREE_THREADS, count);
		const int sum_blocks = blocks_for(sum_up, SUM_THREADS, count);
		const int sort_blocks = blocks_for(sort_bodies, SORT_THREADS, count);
		const int force_blocks = blocks_of(FORCE_THREADS, count);
		time_kernel(times.ms[BOX], "find_box", [&] { find_box<<<box_blocks, BOX_THREADS>>>(); });
		time_kernel(times.ms[TREE], "build_tree", [&] { build_tree<<<tree_blocks, TREE_THREADS>>>(); });
		memory.check_trouble();
		time_kernel(times.ms[SUMS], "sum_up", [&] { sum_up<<<sum_blocks, SUM_THREADS>>>(); });
		time_kernel(times.ms[SORT], "sort_bodies", [&] { sort_bodies<<<sort_blocks, SORT_THREADS>>>(); });
		time_kernel(times.ms[FORCES], "attract_bodies",
					[&] { attract_bodies<false><<<force_blocks, FORCE_THREADS>>>(step); });
	}

	/* Counts what find_forces() does for the bodies as they are. */
	void count_work(Work &work) const
	{
		attract_bodies<true><<<blocks_of(FORCE_THREADS, count), FORCE_THREADS>>>(0);
		check(cudaGetLastError(), "attract_bodies");
		memory.copy_counted(work.visits, work.pulls);
	}

	void move(Times &times)
	{
		time_kernel(times.ms[MOVE], "move_bodies",
					[&] { move_bodies<<<blocks_for(move_bodies, MOVE_THREADS, count), MOVE_THREADS>>>(); });
	}

	void copy_places(std::vector<Vector> &places) const
	{
		memory.copy_places(places);
	}

	void copy_tree(Result &result) const
	{
		if (!all_pairs)
			memory.copy_tree(result.tree);
	}

	void copy_to(Result &result) const
	{
		memory.copy_to(result);
		if (!all_pairs)
			memory.copy_shape(result);
	}

private:
	const Bodies &start;
	const int count;
	const bool all_pairs;
	const int box_blocks;
	Memory memory;
};

/* The bodies as ../bh has them: a tree of the host's, and a recursive walk for each body on the device. */
class Walks
{
public:
	Walks(const Bodies &bodies, const Physics &physics)
		: start(bodies), physics(physics), count(bodies.count()), place(bodies.place), velocity(bodies.velocity),
		  pull(bodies.place.size())
	{
		set_stack_bytes(16 << 10);
	}

	void begin()
	{
		put(place, start.place);
		put(velocity, start.velocity);
	}

	void find_forces(int step, Times &times)
	{
		std::vector<Vector> places;
		place.copy_to(places);
		std::unique_ptr<Octree> tree;
		times.ms[TREE] += host_ms([&] { tree.reset(new Octree(OctreeBuilder(places, physics.theta).build())); });
		nodes = static_cast<int>(tree->nodes.size());
		const DeviceArray<Node> on_device(tree->nodes);
		const DeviceArray<Vector> bodies(tree->bodies);
		const DeviceArray<int> asked(tree->row);
		if (step > 0)
			kick_half(-1.0f);
		time_kernel(times.ms[FORCES], "attract", [&] {
			attract<<<blocks_of(THREADS, count), THREADS>>>(on_device.get(), bodies.get(), place.get(), asked.get(),
															count, physics.softening * physics.softening, pull.get());
		});
		if (step > 0)
			kick_half(1.0f);
	}

	void count_work(Work &) const
	{
	}

	void move(Times &times)
	{
		time_kernel(times.ms[MOVE], "kick and drift", [&] {
			kick_half(1.0f);
			drift<<<blocks_of(THREADS, count), THREADS>>>(place.get(), velocity.get(), count, physics.dt);
			kick_half(1.0f);
		});
	}

	void copy_places(std::vector<Vector> &places) const
	{
		place.copy_to(places);
	}

	void copy_tree(Result &) const
	{
	}

	void copy_to(Result &result) const
	{
		place.copy_to(result.bodies.place);
		velocity.copy_to(result.bodies.velocity);
		pull.copy_to(result.acceleration);
		result.cells = nodes;
	}

private:
	static const int THREADS = 128; /* of a block */
	const Bodies &start;
	const Physics physics;
	const int count;
	int nodes = 0;
	const DeviceArray<Vector> place, velocity, pull;

	static void put(const DeviceArray<Vector> &array, const std::vector<Vector> &from)
	{
		copy(array.get(), from.data(), from.size() * sizeof(Vector), cudaMemcpyHostToDevice,
			 "cudaMemcpy to the device");
	}

	/* Changes velocities by the pull that acts for half a step; a `sign` of -1 takes that back. */
	void kick_half(float sign)
	{
		kick<<<blocks_of(THREADS, count), THREADS>>>(velocity.get(), pull.get(), count, sign * 0.5f * physics.dt);
		check(cudaGetLastError(), "kick");
	}
};

/* What is wanted of the last step besides the bodies. */
struct Extras {
	bool tree, work;
};

/* Moves bodies by time steps, `reps` times from the start; the times are those of the quickest. */
template <class Place> static Result simulate(Place place, const Physics &physics, int reps, const Extras &extras)
{
	Result result;
	for (int rep = 0; rep < reps; rep++) {
		Times times;
		place.begin();
		for (int step = 0; step < physics.steps; step++) {
			place.find_forces(step, times);
			if (rep + 1 == reps && step + 1 == physics.steps) {
				place.copy_places(result.from);
				if (extras.tree || extras.work)
					place.copy_tree(result);
				if (extras.work)
					place.count_work(result.work);
			}
			place.move(times);
		}
		for (double &ms : times.ms)
			ms /= physics.steps;
		if (rep == 0 || times.all() < result.times.all())
			result.times = times;
	}
	place.copy_to(result);
	return result;
}

static void write_bodies(const std::string &name, const Result &result)
{
	std::vector<float> records(result.from.size() * 13);
	float *to = records.data();
	const auto append = [&](const Vector &vector, int numbers) {
		const float members[4] = {vector.x, vector.y, vector.z, vector.w};
		to = std::copy_n(members, numbers, to);
	};
	for (size_t i = 0; i < result.from.size(); i++) {
		append(result.from[i], 4);
		append(result.acceleration[i], 3);
		append(result.bodies.place[i], 3);
		append(result.bodies.velocity[i], 3);
	}
	write_npy(name,
			  "[('from', '<f4', (3,)), ('mass', '<f4'), ('acceleration', '<f4', (3,)), ('place', '<f4', (3,)), "
			  "('velocity', '<f4', (3,))]",
			  "(" + std::to_string(result.from.size()) + ",)", records.data(), records.size() * sizeof(float));
}

/* What finds the forces, as the user names them. */
const char *const WAYS[] = {"kernels", "all-pairs", "walks", "serial"};

static std::string way_of(CommandLine &line)
{
	const std::string way = line.text("--by", WAYS[0]);
	if (std::find(std::begin(WAYS), std::end(WAYS), way) == std::end(WAYS))
		fail<UsageError>("--by: expected kernels, all-pairs, walks or serial, found '%s'", way.c_str());
	return way;
}

static Result simulate_by(const std::string &way, const Bodies &bodies, const Physics &physics, int reps,
						  const Extras &extras)
{
	if (way == "serial")
		return simulate(Serial(bodies, physics), physics, reps, extras);
	if (way == "walks")
		return simulate<Walks>({bodies, physics}, physics, reps, extras);
	return simulate<Device>({bodies, physics, way == "all-pairs"}, physics, reps, extras);
}

/* Prints what a step takes, part by part. */
static void print_times(const std::string &way, const Result &result, int reps)
{
	if (result.cells > 0)
		std::printf("tree: %zu bodies, %d cells, %d levels\n", result.from.size(), result.cells, result.depth + 1);
	std::printf("%s: %.3f ms a step (best of %d)\n", way == "serial" ? "host" : "kernel", result.times.all(), reps);
	for (int part = 0; part < PARTS; part++)
		if (result.times.ms[part] > 0.0)
			std::printf("part %s: %.4f ms\n", name_of(part), result.times.ms[part]);
	print_transfers();
}

/* Prints what the kernels have done, of which flops and bytes follow. */
static void print_work(const Result &result)
{
	std::printf("count cells: %d\n", result.cells);
	std::printf("count levels: %lld\n", levels_of_bodies(result.tree));
	std::printf("count visits: %llu\n", result.work.visits);
	std::printf("count pulls: %llu\n", result.work.pulls);
}

/* Compares the pull on a sample with that of all pairs, and the tree with what a tree of all bodies is. Cells that pull
 * as a whole put the pull off by less than a tenth of theta squared, on average; float's rounding by less than
 * 1e-4. */
static void check_result(const Result &result, const Physics &physics)
{
	const int count = static_cast<int>(result.from.size());
	const std::vector<int> rows = spread_sample(count, static_cast<int>(std::clamp(2e8 / count, 4.0, 2000.0)));
	check_pull(result.from, result.acceleration, rows, physics.softening, 0.1 * physics.theta * physics.theta + 1e-4);
	const char *checked = "";
	if (result.tree.cells > 0) {
		TreeCheck tree(result.tree, result.from);
		tree.run();
		checked = tree.is_sample() ? ", a sample of the tree's cells with their bodies"
								   : ", all cells of the tree with their bodies";
	}
	std::printf("check: PASS, %zu answers compared with all pairs%s\n", rows.size(), checked);
}

static int simulate_all(CommandLine &line)
{
	const std::string input = line.text("--input", "plummer:100000"), way = way_of(line), out = line.text("--out", "");
	const uint64_t seed = line.whole_number("--seed", 1, 0, UINT64_MAX);
	const int reps = static_cast<int>(line.whole_number("--reps", 3, 1, 1000000));
	const bool checks = line.flag("--check"), counts = line.flag("--count");
	if (counts && way != WAYS[0])
		fail<UsageError>("--count counts what the six kernels do: --by %s does not go with it", way.c_str());
	Physics physics;
	physics.steps = static_cast<int>(line.whole_number("--steps", 1, 1, 1000000));
	physics.dt = line.number("--dt", 0.025f, 0.0f, 1e6f);
	physics.theta = line.number("--theta", 0.5f, 0.0f, 0.57f);
	physics.softening = line.number("--softening", 0.05f, 1e-6f, 1e6f);
	line.end();
	const Bodies bodies = read_bodies(input, seed);

	const Result result = simulate_by(way, bodies, physics, reps, {checks, counts});
	print_times(way, result, reps);
	if (counts)
		print_work(result);
	if (!out.empty())
		write_bodies(out, result);
	if (checks)
		check_result(result, physics);
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: bh6 [--input INPUT] [--by WAY] [--steps N] [--dt T] [--theta T] [--softening L] [--seed S] [--reps R]\n"
		"           [--check] [--count] [--out FILE]\n"
		"\n"
		"Moves bodies under their own gravity, whose constant is 1, by six kernels a time step.\n"
		"\n"
		"  --input INPUT  plummer:N: a cluster of N bodies (default: plummer:100000); FILE.npy, a float32 or\n"
		"                 float64 array, or FILE.csv: a body a row, x y z, then perhaps its velocity, then\n"
		"                 perhaps its mass; random:NxD: N such rows of D = 3, 6 or 7 random numbers\n"
		"  --by WAY       kernels: the six kernels (default); all-pairs: the pull of every body on every other;\n"
		"                 walks: a recursive walk for each body, as bh; serial: C++ on the host\n"
		"  --steps N      time steps (default: 1)\n"
		"  --dt T         length of a step, up to 1e6 (default: 0.025)\n"
		"  --theta T      0 to 0.57: a cell farther away than its edge divided by T pulls as a whole (default: 0.5)\n"
		"  --softening L  1e-6 to 1e6: nearer bodies pull as if they were about that far away (default: 0.05)\n"
		"  --seed S       of random bodies (default: 1)\n"
		"  --reps R       run R times from the start, report the quickest (default: 3)\n"
		"  --check        compare a sample of the forces with all pairs, and the tree with all bodies; exit code 1\n"
		"                 if one is wrong\n"
		"  --count        also count cells, the levels of all bodies, nodes that warps look at, and those that pull\n"
		"  --out FILE     write the bodies to FILE, as .npy: records (from, mass, acceleration, place, velocity);\n"
		"                 the acceleration is the last step's, at its beginning, where the body was at `from`\n"
		"  --help         print this\n";
	return run_program("bh6", usage, simulate_all, argc, argv);
}
