/* Mass calculation: the mass and the center of mass of every cube of an octree of bodies, as the Barnes-Hut algorithm
 * needs them.
 *
 * The recursive kernel launches itself for the children of its cube that have children, a thread a child, and when they
 * are done adds up what they have found. The other forms are those of common/subtrees.h. Sums are in double precision:
 * in `flat`, every body is added to the root. */
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

/* Masses added up, and places, each times its mass. */
typedef struct {
	double x, y, z, mass;
} Value;

/* A center of mass. */
typedef struct {
	float x, y, z, mass;
} Result;

__host__ __device__ inline Value plus(Value one, Value other)
{
	const Value sum = {one.x + other.x, one.y + other.y, one.z + other.z, one.mass + other.mass};
	return sum;
}

/* Only cubes that are not divided have masses of their own. */
__device__ inline bool own(const int *first, const Value *value, int node, Value *part)
{
	if (first[node] < first[node + 1])
		return false;
	*part = value[node];
	return true;
}

__device__ inline void add(Value *to, Value part)
{
	atomicAdd(&to->x, part.x);
	atomicAdd(&to->y, part.y);
	atomicAdd(&to->z, part.z);
	atomicAdd(&to->mass, part.mass);
}

__host__ __device__ inline Result finish(Value sum)
{
	const Result center = {static_cast<float>(sum.x / sum.mass), static_cast<float>(sum.y / sum.mass),
						   static_cast<float>(sum.z / sum.mass), static_cast<float>(sum.mass)};
	return center;
}

#include "../common/npy.h"
#include "../common/options.h"
#include "../common/subtrees.h"
#include "octree.h"

/* Adds up a cube's children, which are complete. */
__global__ void combine(const int *__restrict__ first, Value *value, Result *result, int node)
{
	for (int child = first[node] + threadIdx.x; child < first[node + 1]; child += blockDim.x) {
		atomicAdd(&value[node].x, value[child].x);
		atomicAdd(&value[node].y, value[child].y);
		atomicAdd(&value[node].z, value[child].z);
		atomicAdd(&value[node].mass, value[child].mass);
	}
	__syncthreads();
	if (threadIdx.x == 0)
		result[node] = finish(value[node]);
}

/* Finds the center of mass of a cube that is divided, and of all in it. */
__global__ void weigh(const int *__restrict__ first, Value *value, Result *result, int node)
{
	for (int child = first[node] + threadIdx.x; child < first[node + 1]; child += blockDim.x)
		if (first[child] < first[child + 1])
			weigh<<<1, NODE_THREADS, 0, cudaStreamFireAndForget>>>(first, value, result, child);
	if (threadIdx.x == 0)
		combine<<<1, NODE_THREADS, 0, cudaStreamTailLaunch>>>(first, value, result, node);
}

static void start_recursive(const DeviceTree &tree)
{
	weigh<<<1, NODE_THREADS>>>(tree.first, tree.value, tree.result, 0);
}

static void check_center(int node, double found, double right, double size)
{
	if (!(std::fabs(found - right) <= 1e-9 * size + std::fabs(right) * 0x1p-23))
		fail<WrongAnswer>("node %d: %.9g, expected %.9g", node, found, right);
}

/* Sums differ by the order in which they are made: by 1e-9 of the numbers that are added, and the rounding of Result.
 */
static void check_centers(const Octree &octree, const std::vector<Value> &bodies, const std::vector<Result> &found)
{
	const LevelTree &tree = octree.tree;
	std::vector<Value> right = bodies, size(tree.nodes());
	walk_post_order(tree, [&](int node) {
		const Value &own = right[node];
		size[node] = Value{std::fabs(own.x), std::fabs(own.y), std::fabs(own.z), own.mass};
		for (int child = tree.first[node]; child < tree.first[node + 1]; child++) {
			right[node] = plus(right[node], right[child]);
			size[node] = plus(size[node], size[child]);
		}
	});
	for (int node = 0; node < tree.nodes(); node++) {
		const Value &sum = right[node];
		check_center(node, found[node].x, sum.x / sum.mass, size[node].x / sum.mass);
		check_center(node, found[node].y, sum.y / sum.mass, size[node].y / sum.mass);
		check_center(node, found[node].z, sum.z / sum.mass, size[node].z / sum.mass);
		check_center(node, found[node].mass, sum.mass, sum.mass);
	}
}

static int calculate_masses(CommandLine &line)
{
	const SubtreeOptions options(line);
	const std::string input = line.text("--input", "plummer:1000000");
	line.end();
	const Bodies bodies = read_bodies(input, options.seed);
	const Octree octree = octree_of(bodies.place);
	const LevelTree &tree = octree.tree;

	std::vector<Value> values(tree.nodes(), Value{}), sums;
	std::vector<Result> leaves(tree.nodes(), Result{}), found;
	for (int node = 0; node < tree.nodes(); node++) {
		if (tree.first[node] < tree.first[node + 1])
			continue;
		for (int i = octree.begin[node]; i < octree.end[node]; i++) {
			const Vector &body = bodies.place[octree.order[i]];
			const double mass = body.w;
			values[node] = plus(values[node], Value{body.x * mass, body.y * mass, body.z * mass, mass});
		}
		leaves[node] = finish(values[node]);
	}
	sum_subtrees(options, tree, values, leaves, sums, found);
	double mass = 0.0;
	for (const Vector &body : bodies.place)
		mass += body.w;
	if (!(std::fabs(sums[0].mass - mass) <= 1e-9 * mass))
		fail_launches(tree, "masses add up to " + std::to_string(sums[0].mass));
	std::printf("center: %.6g %.6g %.6g, mass %.6g\n", found[0].x, found[0].y, found[0].z, found[0].mass);
	if (options.check) {
		check_centers(octree, values, found);
		std::printf("check: PASS, %d centers of mass compared with a serial walk\n", tree.nodes());
	}
	if (!options.out.empty())
		write_npy(options.out, "[('center', '<f4', (3,)), ('mass', '<f4')]", "(" + std::to_string(found.size()) + ",)",
				  found.data(), found.size() * sizeof(Result));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: mc [--input INPUT] [--form FORM | --host HOW] [--seed S] [--reps R] [--check] [--out FILE]\n"
		"\n"
		"Calculates the mass and the center of mass of every cube of an octree that is divided down to single bodies.\n"
		"\n"
		"  --input INPUT  plummer:N: a cluster of N bodies (default: plummer:1000000); random:NxD: N bodies at "
		"random,\n"
		"                 D = 3; FILE.npy or FILE.csv: a body a row, with 3 numbers (x y z), 6 (and a velocity) or 7\n"
		"                 (and a mass)\n" +
		usage_of_subtrees("the centers of the cubes, level by level: 'center', 3 x float32, and 'mass'");
	return run_program("mc", usage, calculate_masses, argc, argv);
}
