/* Tree descendants: how many nodes the subtree of every node of a tree has, the node itself included.
 *
 * The recursive kernel launches itself for the children of its node that have children, a thread a child, and when they
 * are done adds up what they have found. The other forms are those of common/subtrees.h. */
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

typedef int Value;
typedef int Result;

__host__ __device__ inline int plus(int one, int other)
{
	return one + other;
}

__device__ inline bool own(const int *first, const int *value, int node, int *part)
{
	*part = 1;
	return true;
}

__device__ inline void add(int *to, int part)
{
	atomicAdd(to, part);
}

__host__ __device__ inline int finish(int sum)
{
	return sum;
}

#include "../common/npy.h"
#include "../common/options.h"
#include "../common/subtrees.h"

/* Adds up a node's children, which are complete. */
__global__ void combine(const int *__restrict__ first, int *__restrict__ value, int *__restrict__ result, int node)
{
	for (int child = first[node] + threadIdx.x; child < first[node + 1]; child += blockDim.x)
		atomicAdd(&value[node], value[child]);
	__syncthreads();
	if (threadIdx.x == 0)
		result[node] = value[node];
}

/* Finds the descendants of a node that has children, and of all below it. */
__global__ void descend(const int *__restrict__ first, int *__restrict__ value, int *__restrict__ result, int node)
{
	for (int child = first[node] + threadIdx.x; child < first[node + 1]; child += blockDim.x)
		if (first[child] < first[child + 1])
			descend<<<1, NODE_THREADS, 0, cudaStreamFireAndForget>>>(first, value, result, child);
	if (threadIdx.x == 0)
		combine<<<1, NODE_THREADS, 0, cudaStreamTailLaunch>>>(first, value, result, node);
}

static void start_recursive(const DeviceTree &tree)
{
	descend<<<1, NODE_THREADS>>>(tree.first, tree.value, tree.result, 0);
}

static void check_descendants(const LevelTree &tree, const std::vector<int> &found)
{
	std::vector<int> right(tree.nodes());
	walk_post_order(tree, [&](int node) {
		right[node] = 1;
		for (int child = tree.first[node]; child < tree.first[node + 1]; child++)
			right[node] += right[child];
	});
	for (int node = 0; node < tree.nodes(); node++)
		if (found[node] != right[node])
			fail<WrongAnswer>("node %d has %d nodes in its subtree, expected %d",
							  tree.row.empty() ? node : tree.row[node], found[node], right[node]);
}

static int count_descendants(CommandLine &line)
{
	const SubtreeOptions options(line);
	const std::string input = line.text("--input", "random:14:4-8:50");
	line.end();
	const LevelTree tree = read_tree(input, options.seed);

	const std::vector<int> ones(tree.nodes(), 1);
	std::vector<int> sums, found;
	sum_subtrees(options, tree, ones, ones, sums, found);
	if (found[0] != tree.nodes())
		fail_launches(tree, std::to_string(found[0]) + " of " + std::to_string(tree.nodes()) + " nodes were counted");
	if (options.check) {
		check_descendants(tree, found);
		std::printf("check: PASS, %d nodes compared with a serial walk\n", tree.nodes());
	}
	if (!options.out.empty()) {
		if (!tree.row.empty()) {
			for (int node = 0; node < tree.nodes(); node++)
				sums[tree.row[node]] = found[node];
			found.swap(sums);
		}
		write_npy(options.out, "'<i4'", "(" + std::to_string(found.size()) + ",)", found.data(),
				  found.size() * sizeof(int));
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: td [--input INPUT] [--form FORM | --host HOW] [--seed S] [--reps R] [--check] [--out FILE]\n"
		"\n"
		"Counts the nodes in the subtree of every node of a tree, the node itself included.\n"
		"\n"
		"  --input INPUT  random:LEVELS:LEAST-MOST:PERCENT: the root, and PERCENT of the other nodes that are not on\n"
		"                 the last level, have from LEAST to MOST children (default: random:14:4-8:50); FILE.npy: an\n"
		"                 int32 or int64 array, the parent of each node, -1 of the root; FILE: text, a parent a "
		"line\n" +
		usage_of_subtrees("how many nodes, int32");
	return run_program("td", usage, count_descendants, argc, argv);
}
