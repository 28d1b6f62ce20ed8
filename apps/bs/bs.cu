/* Looks values up in a binary search tree: the smallest key that is not smaller than the value; a recursive walk from
 * the root to a leaf, one query a thread. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/npy.h"
#include "../common/on_host.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "../common/random.h"

/* No key on the left is larger than a node's, none on the right is smaller. */
typedef struct {
	float key;
	int row;         /* where the key stood in the input */
	int left, right; /* -1: there is none */
} Node;

/* Returns the node with the first key from `value` on in the subtree of node n, or `found` if all keys there are
 * smaller. */
__device__ int search(const Node *nodes, int n, float value, int found)
{
	if (n < 0)
		return found;
	const Node *node = &nodes[n];
	if (node->key >= value)
		return search(nodes, node->left, value, n);
	return search(nodes, node->right, value, found);
}

/* Returns the row of the first key from `value` on, or -1. */
__device__ int look_up(const Node *nodes, float value)
{
	const int found = search(nodes, 0, value, -1);
	return found < 0 ? -1 : nodes[found].row;
}

/* Query i is the value values[i]; its answer goes to rows[i]. */
__global__ void look_up_all(const Node *nodes, const float *values, int count, int *rows)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		rows[i] = look_up(nodes, values[i]);
}

/* In scalar C++ on the host, for comparison. */
static int search_recursively(const Node *nodes, int n, float value, int found)
{
	if (n < 0)
		return found;
	return nodes[n].key >= value ? search_recursively(nodes, nodes[n].left, value, n)
								 : search_recursively(nodes, nodes[n].right, value, found);
}

static int search_iteratively(const Node *nodes, int n, float value)
{
	int found = -1;
	while (n >= 0) {
		const Node &node = nodes[n];
		const bool go_left = node.key >= value;
		found = go_left ? n : found;
		n = go_left ? node.left : node.right;
	}
	return found;
}

/* The tree over sorted keys whose every node is the middle of its keys; nodes lie in preorder. */
class TreeBuilder
{
public:
	explicit TreeBuilder(const std::vector<float> &keys) : keys(keys), rows(keys.size())
	{
		std::iota(rows.begin(), rows.end(), 0);
		std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return keys[a] < keys[b]; });
	}

	std::vector<Node> build()
	{
		add_node(0, static_cast<int>(rows.size()));
		return std::move(nodes);
	}

private:
	const std::vector<float> &keys;
	std::vector<int> rows; /* in the order of the keys; of equal keys the first row first */
	std::vector<Node> nodes;

	int add_node(int first, int end)
	{
		if (first == end)
			return -1;
		const int node = static_cast<int>(nodes.size()), middle = first + (end - first) / 2;
		nodes.push_back(Node{keys[rows[middle]], rows[middle], -1, -1});
		const int left = add_node(first, middle);
		const int right = add_node(middle + 1, end);
		nodes[node].left = left;
		nodes[node].right = right;
		return node;
	}
};

/* As many values as keys: half are keys, half lie anywhere between the smallest and the largest key, or at them. */
static std::vector<float> make_values(const std::vector<float> &keys, const Options &options)
{
	Random random(options.seed + 1);
	const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
	std::vector<float> values(keys.size());
	for (float &value : values)
		value = random.next() & 1 ? keys[random.next() % keys.size()]
								  : std::min(*least + random.uniform() * (*most - *least), *most);
	if (!options.shuffled)
		std::sort(values.begin(), values.end());
	return values;
}

/* Answers all queries; returns the kernel's least time in milliseconds. */
static double look_up_on_device(const std::vector<Node> &tree, const std::vector<float> &values, int reps,
								std::vector<int> &rows)
{
	set_stack_bytes(16 << 10);
	const int count = static_cast<int>(values.size()), block_threads = 128;
	const DeviceArray<Node> nodes(tree);
	const DeviceArray<float> asked(values);
	const DeviceArray<int> answers(values.size());
	const double ms = least_kernel_ms(reps, "look_up_all", [&] {
		look_up_all<<<blocks_of(block_threads, count), block_threads>>>(nodes.get(), asked.get(), count, answers.get());
	});
	answers.copy_to(rows);
	return ms;
}

static double look_up_on_host(const std::vector<Node> &tree, const std::vector<float> &values, const Options &options,
							  std::vector<int> &rows)
{
	rows.resize(values.size());
	return least_answering_ms(options, values.size(), [&](size_t i) {
		const int found = options.iterative() ? search_iteratively(tree.data(), 0, values[i])
											  : search_recursively(tree.data(), 0, values[i], -1);
		rows[i] = found < 0 ? -1 : tree[found].row;
	});
}

/* Compares a sample with the smallest of all keys from the value on; of equal keys the first row is right. */
static int check_rows(const std::vector<float> &keys, const std::vector<float> &values, const std::vector<int> &rows)
{
	const int count = static_cast<int>(keys.size());
	const std::vector<int> sample = spread_sample(count, static_cast<int>(std::clamp(1e9 / count, 16.0, 2000.0)));
	for (int i : sample) {
		int right = -1;
		for (int row = 0; row < count; row++)
			if (keys[row] >= values[i] && (right < 0 || keys[row] < keys[right]))
				right = row;
		if (rows[i] != right)
			fail<WrongAnswer>("value %d, %.9g: row %d found, row %d is right", i, values[i], rows[i], right);
	}
	return static_cast<int>(sample.size());
}

/* Writes a .npy file of records (value: float32, row: int32), one for each query. */
static void write_rows(const std::string &name, const std::vector<float> &values, const std::vector<int> &rows)
{
	std::string records;
	for (size_t i = 0; i < values.size(); i++) {
		records.append(reinterpret_cast<const char *>(&values[i]), sizeof(float));
		records.append(reinterpret_cast<const char *>(&rows[i]), sizeof(int));
	}
	write_npy(name, "[('value', '<f4'), ('row', '<i4')]", "(" + std::to_string(values.size()) + ",)", records.data(),
			  records.size());
}

static int look_up_all_values(CommandLine &line)
{
	const Options options(line, "random:1000000x1");
	line.end();
	const Points keys = read_points(options.input, options.seed, {1, "a search tree"});
	if (keys.dim != 1)
		fail<InputError>("%s: a search tree needs points of 1 coordinate, found %d", options.input.c_str(), keys.dim);
	const std::vector<Node> tree = TreeBuilder(keys.x).build();
	std::printf("tree: %zu keys\n", tree.size());

	const std::vector<float> values = make_values(keys.x, options);
	std::vector<int> rows;
	const double ms = options.on_host() ? look_up_on_host(tree, values, options, rows)
										: look_up_on_device(tree, values, options.reps, rows);
	print_ms(options, ms, values.size());
	size_t equal = 0;
	for (size_t i = 0; i < values.size(); i++)
		equal += rows[i] >= 0 && keys.x[rows[i]] == values[i];
	std::printf("values that are keys: %zu\n", equal);
	if (!options.out.empty())
		write_rows(options.out, values, rows);
	if (options.check)
		std::printf("check: PASS, %d answers compared with brute force\n", check_rows(keys.x, values, rows));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: bs [--input INPUT] [--order sorted|shuffled] [--seed S] [--reps R]\n"
		"          [--host recursive|iterative] [--openmp] [--check] [--out FILE]\n"
		"\n"
		"Looks as many values up in a binary search tree as it has keys, on the device: the smallest key that is not\n"
		"smaller. Half of the values are keys, the others lie between the smallest and the largest key.\n"
		"\n" +
		usage_of_options(
			"  --input INPUT  the keys. random:Nx1: N random ones (default: random:1000000x1); FILE.npy: a\n"
			"                 float32 or float64 array; FILE.csv: a key a line\n",
			"records (value, row of the key)");
	return run_program("bs", usage, look_up_all_values, argc, argv);
}
