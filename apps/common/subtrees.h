/* Ways to add up a value over the subtree of every node of a LevelTree, each as kernels and how to launch them; the
 * forms of Wu (2022, section 4.4). A program defines, before it includes this:
 *
 *   Value                         what is added up
 *   own(first, value, node, &v)   the node's own part: false if it has none; it may read value[node] of leaves only
 *   add(&to, v)                   *to += v, by atomic functions
 *   plus(v, w)                    v + w
 *   Result, finish(v)             what is made of a node's sum in the end
 *   start_recursive(device)       the first launch of its recursive kernel
 *
 * value[n] is the node's own part in the beginning, and all of its subtree in the end. */
#ifndef COMMON_SUBTREES_H
#define COMMON_SUBTREES_H

#include <algorithm>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "device.h"
#include "iterative.h"
#include "level_tree.h"

#define BLOCK 128       /* threads, where a thread has a node */
#define NODE_THREADS 32 /* where a block has one */

/* A tree and its values in the device's memory. */
struct DeviceTree {
	const int *first, *parent;
	Value *value;
	Result *result;
	int *buffer;   /* nodes that have children, in the order in which crec meets them */
	int *counters; /* how many these are, and how many blocks of a launch are done */
};

__device__ inline bool has_children(const int *first, int node)
{
	return first[node] < first[node + 1];
}

/* The value of a node whose children are summed up. */
__device__ inline Value sum_of_children(const int *first, const Value *value, int node)
{
	Value sum = value[node];
	for (int child = first[node]; child < first[node + 1]; child++)
		sum = plus(sum, value[child]);
	return sum;
}

/* ---- flat: every node adds its part to all that it lies below ---- */

__global__ void flat(DeviceTree tree, int nodes)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	Value part;
	if (node < nodes && own(tree.first, tree.value, node, &part))
		for (int above = tree.parent[node]; above >= 0; above = tree.parent[above])
			add(&tree.value[above], part);
}

__global__ void finish_all(DeviceTree tree, int nodes)
{
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node < nodes)
		tree.result[node] = finish(tree.value[node]);
}

/* ---- levels: a launch for each level, from the last to the first ---- */

__global__ void sum_level(DeviceTree tree, int begin, int end)
{
	const int node = begin + blockIdx.x * blockDim.x + threadIdx.x;
	if (node < end) {
		const Value sum = sum_of_children(tree.first, tree.value, node);
		tree.value[node] = sum;
		tree.result[node] = finish(sum);
	}
}

/* ---- crec: one launch for the children of all nodes of a level, from the device ---- */

/* The last block of a launch to come here launches what comes next; true in its first thread. */
__device__ inline bool is_last_block(int *done)
{
	__threadfence();
	__syncthreads();
	return threadIdx.x == 0 && atomicInc(reinterpret_cast<unsigned *>(done), gridDim.x - 1) == gridDim.x - 1;
}

__global__ void crec_sum(DeviceTree tree, int begin, int end)
{
	const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
	if (i < end) {
		const int node = tree.buffer[i];
		const Value sum = sum_of_children(tree.first, tree.value, node);
		tree.value[node] = sum;
		tree.result[node] = finish(sum);
	}
}

/* A thread takes a node of buffer[begin, end) and puts its children behind them. */
__global__ void crec(DeviceTree tree, int begin, int end)
{
	const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
	if (i < end) {
		const int node = tree.buffer[i];
		for (int child = tree.first[node]; child < tree.first[node + 1]; child++)
			if (has_children(tree.first, child))
				tree.buffer[atomicAdd(&tree.counters[0], 1)] = child;
	}
	if (is_last_block(&tree.counters[1])) {
		const int found = atomicAdd(&tree.counters[0], 0);
		if (found > end)
			crec<<<(found - end + BLOCK - 1) / BLOCK, BLOCK, 0, cudaStreamFireAndForget>>>(tree, end, found);
		crec_sum<<<(end - begin + BLOCK - 1) / BLOCK, BLOCK, 0, cudaStreamTailLaunch>>>(tree, begin, end);
	}
}

__global__ void crec_block_sum(DeviceTree tree, int begin)
{
	const int node = tree.buffer[begin + blockIdx.x];
	for (int child = tree.first[node] + threadIdx.x; child < tree.first[node + 1]; child += blockDim.x)
		add(&tree.value[node], tree.value[child]);
	__syncthreads();
	if (threadIdx.x == 0)
		tree.result[node] = finish(tree.value[node]);
}

/* The same, where a block takes a node, and its threads the node's children. */
__global__ void crec_block(DeviceTree tree, int begin, int end)
{
	const int node = tree.buffer[begin + blockIdx.x];
	for (int child = tree.first[node] + threadIdx.x; child < tree.first[node + 1]; child += blockDim.x)
		if (has_children(tree.first, child))
			tree.buffer[atomicAdd(&tree.counters[0], 1)] = child;
	if (is_last_block(&tree.counters[1])) {
		const int found = atomicAdd(&tree.counters[0], 0);
		if (found > end)
			crec_block<<<found - end, NODE_THREADS, 0, cudaStreamFireAndForget>>>(tree, end, found);
		crec_block_sum<<<end - begin, NODE_THREADS, 0, cudaStreamTailLaunch>>>(tree, begin);
	}
}

/* ---- hier: a block for each child, a thread for each grandchild, a launch where one of these has children ---- */

/* Runs when everything below a node is summed up: hands the sum on to the parent. */
__global__ void hier_up(DeviceTree tree, int node)
{
	tree.result[node] = finish(tree.value[node]);
	if (tree.parent[node] >= 0)
		add(&tree.value[tree.parent[node]], tree.value[node]);
}

__global__ void hier(DeviceTree tree, int node)
{
	const int child = tree.first[node] + blockIdx.x;
	const int begin = tree.first[child], end = tree.first[child + 1];
	int deeper = 0;
	for (int grandchild = begin + threadIdx.x; grandchild < end; grandchild += blockDim.x)
		deeper |= has_children(tree.first, grandchild);
	deeper = __syncthreads_or(deeper);
	if (!deeper) {
		for (int grandchild = begin + threadIdx.x; grandchild < end; grandchild += blockDim.x)
			add(&tree.value[child], tree.value[grandchild]);
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		if (deeper) {
			hier<<<end - begin, NODE_THREADS, 0, cudaStreamFireAndForget>>>(tree, child);
		} else {
			add(&tree.value[node], tree.value[child]);
			tree.result[child] = finish(tree.value[child]);
		}
		if (blockIdx.x == 0)
			hier_up<<<1, 1, 0, cudaStreamTailLaunch>>>(tree, node);
	}
}

/* ---- launches ---- */

static const std::vector<std::string> DEVICE_FORMS = {"rec", "flat", "crec", "crec-block", "hier", "levels"};

static void start_recursive(const DeviceTree &tree);

/* Launches one of DEVICE_FORMS; returns how many launches the host made. */
static int launch_form(const std::string &form, const LevelTree &host, const DeviceTree &tree)
{
	const int nodes = host.nodes();
	if (form == "levels") {
		for (int level = host.levels() - 2; level >= 0; level--) {
			const int begin = host.level[level], end = host.level[level + 1];
			sum_level<<<blocks_of(BLOCK, end - begin), BLOCK>>>(tree, begin, end);
		}
		return host.levels() - 1;
	}
	if (form == "flat") {
		flat<<<blocks_of(BLOCK, nodes), BLOCK>>>(tree, nodes);
		finish_all<<<blocks_of(BLOCK, nodes), BLOCK>>>(tree, nodes);
		return 2;
	}
	if (nodes == 1)
		return 0;
	if (form == "rec")
		start_recursive(tree);
	else if (form == "crec")
		crec<<<1, BLOCK>>>(tree, 0, 1);
	else if (form == "crec-block")
		crec_block<<<1, NODE_THREADS>>>(tree, 0, 1);
	else
		hier<<<host.first[1] - host.first[0], NODE_THREADS>>>(tree, 0);
	return 1;
}

/* Makes room for the launches that have not begun yet, of which there may be one for each node that has children, and
 * for the lists that simt2simd makes of these nodes where it takes levels at a time. */
static void prepare_launches(const std::string &form, const LevelTree &tree)
{
	if (form != "rec" && form != "hier")
		return;
	size_t inner = 0;
	for (int node = 0; node < tree.nodes(); node++)
		inner += tree.first[node] < tree.first[node + 1];
	check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, std::max<size_t>(2048, 2 * inner)),
		  "cudaDeviceSetLimit");
	check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t(64) << 20) + 16 * sizeof(int) * inner),
		  "cudaDeviceSetLimit");
}

/* Says that not all nodes were reached. */
[[noreturn]] inline void fail_launches(const LevelTree &tree, const std::string &found)
{
	const char *why = tree.levels() > 24 ? "GPUs nest kernels 24 deep" : "they may be more than a GPU takes at a time";
	fail<CudaError>("%s: launches on the device have failed, for a tree of %d nodes and %d levels; %s", found.c_str(),
					tree.nodes(), tree.levels(), why);
}

/* Adds up the values on the device; returns the kernels' least time in milliseconds. */
static double sum_on_device(const std::string &form, const LevelTree &tree, const std::vector<Value> &values,
							const std::vector<Result> &leaves, int reps, std::vector<Value> &sums,
							std::vector<Result> &results, int &launches)
{
	prepare_launches(form, tree);
	const size_t nodes = values.size();
	const DeviceArray<int> first(tree.first), parent(tree.parent), buffer(nodes), counters(2);
	const DeviceArray<Value> value(nodes);
	const DeviceArray<Result> result(leaves);
	const int at_start[2] = {1, 0}, root = 0;
	const double ms = least_launches_ms(
		reps, form.c_str(),
		[&] {
			check(cudaMemcpy(value.get(), values.data(), nodes * sizeof(Value), cudaMemcpyHostToDevice), "cudaMemcpy");
			check(cudaMemcpy(counters.get(), at_start, sizeof at_start, cudaMemcpyHostToDevice), "cudaMemcpy");
			check(cudaMemcpy(buffer.get(), &root, sizeof root, cudaMemcpyHostToDevice), "cudaMemcpy");
		},
		[&] {
			const DeviceTree on_device = {first.get(),  parent.get(), value.get(),
										  result.get(), buffer.get(), counters.get()};
			return launch_form(form, tree, on_device);
		},
		launches);
	value.copy_to(sums);
	result.copy_to(results);
	return ms;
}

/* ---- on the host ---- */

static void sum_recursively(const LevelTree &tree, std::vector<Value> &value, std::vector<Result> &result, int node)
{
	Value sum = value[node];
	for (int child = tree.first[node]; child < tree.first[node + 1]; child++) {
		if (tree.first[child] < tree.first[child + 1])
			sum_recursively(tree, value, result, child);
		sum = plus(sum, value[child]);
	}
	value[node] = sum;
	result[node] = finish(sum);
}

/* `form` is recursive; iterative: from the last node to the first; or openmp: the levels in turn, from the last on. */
static double sum_on_host(const std::string &form, const LevelTree &tree, const std::vector<Value> &values,
						  const std::vector<Result> &leaves, int reps, std::vector<Value> &sums,
						  std::vector<Result> &results)
{
	const int most_calls = 20000;
	if (form == "recursive" && tree.levels() > most_calls)
		fail<InputError>("a tree of %d levels: --host recursive takes up to %d", tree.levels(), most_calls);
	const auto sum_node = [&](int node) {
		Value sum = sums[node];
		for (int child = tree.first[node]; child < tree.first[node + 1]; child++)
			sum = plus(sum, sums[child]);
		sums[node] = sum;
		results[node] = finish(sum);
	};
	return least_host_ms(
		reps,
		[&] {
			sums = values;
			results = leaves;
		},
		[&] {
			if (form == "recursive") {
				sum_recursively(tree, sums, results, 0);
			} else if (form == "iterative") {
				for (int node = tree.nodes() - 1; node >= 0; node--)
					if (tree.first[node] < tree.first[node + 1])
						sum_node(node);
			} else {
				for (int level = tree.levels() - 2; level >= 0; level--) {
#pragma omp parallel for schedule(static) if (tree.level[level + 1] - tree.level[level] > 500)
					for (int node = tree.level[level]; node < tree.level[level + 1]; node++)
						if (tree.first[node] < tree.first[node + 1])
							sum_node(node);
				}
			}
		});
}

/* The serial walk that all forms are checked against: children before their parent, on a stack of its own. */
template <class Visit> void walk_post_order(const LevelTree &tree, Visit visit)
{
	struct Frame {
		int node, next;
	};
	std::vector<Frame> stack = {{0, tree.first[0]}};
	while (!stack.empty()) {
		Frame &top = stack.back();
		if (top.next < tree.first[top.node + 1]) {
			const int child = top.next++;
			stack.push_back({child, tree.first[child]});
		} else {
			visit(top.node);
			stack.pop_back();
		}
	}
}

/* ---- the command line ---- */

struct SubtreeOptions {
	std::string form, host; /* one of them is empty */
	uint64_t seed;
	int reps;
	bool check;
	std::string out;

	explicit SubtreeOptions(CommandLine &line)
		: form(line.text("--form", "")), host(line.text("--host", "")),
		  seed(line.whole_number("--seed", 1, 0, UINT64_MAX)),
		  reps(static_cast<int>(line.whole_number("--reps", 5, 1, 1000000))), check(line.flag("--check")),
		  out(line.text("--out", ""))
	{
		if (host.empty() && form.empty())
			form = "levels";
		const std::vector<std::string> hosts = {"recursive", "iterative", "openmp"};
		if (!host.empty() && !form.empty())
			fail<UsageError>("--form and --host exclude each other");
		if (!form.empty() && std::find(DEVICE_FORMS.begin(), DEVICE_FORMS.end(), form) == DEVICE_FORMS.end())
			fail<UsageError>("--form: expected rec, flat, crec, crec-block, hier or levels, found '%s'", form.c_str());
		if (!host.empty() && std::find(hosts.begin(), hosts.end(), host) == hosts.end())
			fail<UsageError>("--host: expected recursive, iterative or openmp, found '%s'", host.c_str());
	}
};

inline std::string usage_of_subtrees(const std::string &out)
{
	return "  --form FORM    rec: a kernel launches itself for each child that has children, and adds up behind them;\n"
		   "                 flat: every node adds to all that it lies below, by atomic functions; crec: one launch\n"
		   "                 from the device for a level, a thread for a node; crec-block: a block for a node; hier: "
		   "a\n"
		   "                 block for a child, a thread for a grandchild; levels: a launch from the host for a "
		   "level,\n"
		   "                 from the last on (default)\n"
		   "  --host HOW     on the host instead: recursive; iterative: from the last node to the first; openmp: the\n"
		   "                 nodes of a level on all threads, $OMP_NUM_THREADS\n"
		   "  --seed S       of the random input (default: 1)\n"
		   "  --reps R       run R times, report the quickest (default: 5)\n"
		   "  --check        compare the answers with those of a serial walk; exit code 1 if one is wrong\n"
		   "  --out FILE     write all answers to FILE, as .npy: " +
		   out + "\n  --help         print this\n";
}

/* Adds up the values by the form that the options name, and prints the time; returns the results. */
static void sum_subtrees(const SubtreeOptions &options, const LevelTree &tree, const std::vector<Value> &values,
						 const std::vector<Result> &leaves, std::vector<Value> &sums, std::vector<Result> &results)
{
	std::printf("tree: %d nodes, %d levels\n", tree.nodes(), tree.levels());
	int launches = 0;
	const bool on_host = !options.host.empty();
	const double ms = on_host
						  ? sum_on_host(options.host, tree, values, leaves, options.reps, sums, results)
						  : sum_on_device(options.form, tree, values, leaves, options.reps, sums, results, launches);
	std::printf("%s: %.4f ms (best of %d), %.4g nodes/s, %s\n", on_host ? "host" : "kernel", ms, options.reps,
				tree.nodes() / (ms * 1e-3), on_host ? options.host.c_str() : options.form.c_str());
	print_transfers();
	if (launches > 0)
		print_launches(1, BLOCK, launches, ms);
}

#endif
