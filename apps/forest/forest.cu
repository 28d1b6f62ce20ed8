/* Asks a forest of decision trees, trained by scikit-learn, what it says to rows of numbers: a class or a number.
 *
 * The forest lies in memory node by node or in subtrees (layout.h), and threads walk through it in one of four ways
 * (walks.h), or through nodes that are linked (linked.h). A tree's leaf has a share for each class; the class of the
 * greatest sum over all trees is the answer. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/matrix.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "layout.h"
#include "linked.h"
#include "walks.h"

#ifndef BLOCK
#define BLOCK 256 /* threads */
#endif
#define GROUP_BYTES (1 << 20) /* of the trees that a block asks with the atomic mapping: a cache holds them */

enum class Kernel { CSR, LINKED, ITERATIVE, ENCODED, COLLABORATIVE };

struct Plan {
	Kernel kernel;
	bool atomic;
	int group; /* trees that a block asks with the atomic mapping */
};

/* A class for each row, or a number. */
struct Answers {
	std::vector<int> classes;
	std::vector<double> numbers;
};

/* ---- on the device ---- */

template <class Walk> static void launch_walks(const Forest &forest, const Rows &rows, const Plan &plan, double *sums)
{
	const dim3 blocks(blocks_of(BLOCK, rows.count), plan.atomic ? blocks_of(plan.group, forest.trees) : 1);
	if (plan.atomic)
		ask<Walk, true><<<blocks, BLOCK>>>(forest, rows, plan.group, sums);
	else
		ask<Walk, false><<<blocks, BLOCK>>>(forest, rows, plan.group, sums);
}

static void launch_warps(const Forest &forest, const Rows &rows, const Plan &plan, double *sums)
{
	const dim3 blocks(blocks_of(BLOCK / 32, rows.count), plan.atomic ? blocks_of(plan.group, forest.trees) : 1);
	if (plan.atomic)
		ask_together<true><<<blocks, BLOCK>>>(forest, rows, plan.group, sums);
	else
		ask_together<false><<<blocks, BLOCK>>>(forest, rows, plan.group, sums);
}

static void launch(const Forest &forest, const Rows &rows, const Plan &plan, int depth, double *sums)
{
	if (plan.kernel == Kernel::CSR)
		launch_walks<CsrWalk>(forest, rows, plan, sums);
	else if (plan.kernel == Kernel::ITERATIVE)
		launch_walks<IterativeWalk>(forest, rows, plan, sums);
	else if (plan.kernel == Kernel::COLLABORATIVE)
		launch_warps(forest, rows, plan, sums);
	else if (depth == 3)
		launch_walks<EncodedWalk<3>>(forest, rows, plan, sums);
#if MOST_DEPTH >= 4
	else if (depth == 4)
		launch_walks<EncodedWalk<4>>(forest, rows, plan, sums);
#endif
#if MOST_DEPTH >= 5
	else
		launch_walks<EncodedWalk<5>>(forest, rows, plan, sums);
#endif
}

/* Times what `add_up` launches, which gets the rows and the sums, and the kernel that decides by these. */
template <class AddUp>
static double time_answers(const Layout &layout, const Matrix &matrix, const RunOptions &options, Answers &answers,
						   AddUp add_up)
{
	const DeviceArray<float> x(matrix.x);
	const DeviceArray<double> sums(static_cast<size_t>(layout.outputs) * matrix.rows), means(matrix.rows);
	const DeviceArray<int> classes(matrix.rows);
	const Rows rows{x.get(), matrix.rows, matrix.columns};
	int launches;
	const double ms = least_launches_ms(
		options.reps, "ask", [] {},
		[&] {
			add_up(rows, sums.get());
			const int blocks = blocks_of(BLOCK, rows.count);
			if (layout.numbers)
				take_means<<<blocks, BLOCK>>>(sums.get(), rows.count, layout.trees(), means.get());
			else
				decide<<<blocks, BLOCK>>>(sums.get(), rows.count, layout.outputs, layout.trees(), classes.get());
			return 2;
		},
		launches);
	if (layout.numbers)
		means.copy_to(answers.numbers);
	else
		classes.copy_to(answers.classes);
	return ms;
}

static double ask_device(const Layout &layout, const Matrix &matrix, const Plan &plan, const RunOptions &options,
						 Answers &answers)
{
	std::vector<Node> padded = layout.nodes;
	padded.resize(padded.size() + (1 << MOST_DEPTH), Node{LEAF, 0.0f});
	const DeviceArray<int> roots(layout.roots), links(layout.links), children(layout.children);
	const DeviceArray<Node> nodes(padded);
	const DeviceArray<double> values(layout.values);
	const Forest forest{roots.get(),  links.get(),    children.get(), nodes.get(),
						values.get(), layout.trees(), layout.depth,   layout.outputs};
	const size_t sum_bytes = static_cast<size_t>(layout.outputs) * matrix.rows * sizeof(double);
	return time_answers(layout, matrix, options, answers, [&](const Rows &rows, double *sums) {
		if (plan.atomic)
			check(cudaMemsetAsync(sums, 0, sum_bytes), "cudaMemset");
		launch(forest, rows, plan, layout.depth, sums);
	});
}

static double ask_linked_device(const Layout &layout, const LinkedLayout &linked, const Matrix &matrix,
								const RunOptions &options, Answers &answers)
{
	const DeviceArray<int> roots(linked.roots);
	const DeviceArray<LinkedNode> nodes(linked.nodes);
	const DeviceArray<Top> tops(linked.tops);
	const DeviceArray<double> values(layout.values);
	const LinkedForest forest{roots.get(),    nodes.get(),        tops.get(),    values.get(),
							  layout.trees(), linked.column_bits, layout.outputs};
	int device = 0, multiprocessors = 0;
	check(cudaGetDevice(&device), "cudaGetDevice");
	check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
	const int rounds = rounds_of(matrix.rows, multiprocessors);
	const int blocks = blocks_of(LINKED_BLOCK * ROWS_AT_ONCE * rounds, matrix.rows);
	return time_answers(layout, matrix, options, answers, [&](const Rows &rows, double *sums) {
		ask_linked<<<blocks, LINKED_BLOCK>>>(forest, rows, rounds, sums);
	});
}

/* ---- on the host ---- */

static int leaf_in_csr(const Layout &layout, const float *x, int tree)
{
	for (int n = layout.roots[tree];;) {
		const Node &node = layout.nodes[n];
		if (node.feature < 0)
			return row_of(node);
		n = layout.children[layout.links[n] + !(x[node.feature] <= node.value)];
	}
}

static int leaf_in_subtrees(const Layout &layout, const float *x, int tree)
{
	for (int head = layout.roots[tree];;) {
		const Node *nodes = layout.nodes.data() + head;
		int n = 1;
		for (int level = 0; level < layout.depth; level++) {
			if (nodes[n].feature < 0)
				return row_of(nodes[n]);
			n = 2 * n + !(x[nodes[n].feature] <= nodes[n].value);
		}
		head = layout.children[nodes[0].feature + n - (1 << layout.depth)];
		if (head < 0)
			return ~head;
	}
}

static int leaf_of(const Layout &layout, const float *x, int tree)
{
	return layout.is_csr() ? leaf_in_csr(layout, x, tree) : leaf_in_subtrees(layout, x, tree);
}

/* The rows of a block go through one tree after the other, so that a tree stays in a cache for all of them. */
#define HOST_ROWS 256

static void ask_rows(const Layout &layout, const Matrix &matrix, int first, int end, Answers &answers)
{
	const int outputs = OUTPUTS_OF(layout.outputs), trees = layout.trees();
	double sums[HOST_ROWS * SUMS] = {};
	for (int tree = 0; tree < trees; tree++)
		for (int row = first; row < end; row++) {
			const float *x = matrix.x.data() + static_cast<size_t>(row) * matrix.columns;
			const double *values = layout.values.data() + static_cast<size_t>(leaf_of(layout, x, tree)) * outputs;
			for (int k = 0; k < outputs; k++)
				sums[(row - first) * SUMS + k] += values[k];
		}
	for (int row = first; row < end; row++) {
		const double *own = sums + (row - first) * SUMS;
		if (layout.numbers)
			answers.numbers[row] = own[0] / trees;
		else
			answers.classes[row] = greatest(own, 1, outputs, trees);
	}
}

static double ask_host(const Layout &layout, const Matrix &matrix, const RunOptions &options, Answers &answers)
{
	answers.classes.resize(layout.numbers ? 0 : matrix.rows);
	answers.numbers.resize(layout.numbers ? matrix.rows : 0);
	return least_host_ms(
		options.reps, [] {},
		[&] {
#pragma omp parallel for schedule(dynamic)
			for (int first = 0; first < matrix.rows; first += HOST_ROWS)
				ask_rows(layout, matrix, first, std::min(first + HOST_ROWS, matrix.rows), answers);
		});
}

/* Compares a sample with the host's answers; sums in another order may differ by rounding, which decides where two
 * classes are even. */
static int check_answers(const Layout &layout, const Matrix &matrix, const Answers &answers)
{
	const int size = std::min(matrix.rows, 2000), trees = layout.trees(), outputs = layout.outputs;
	for (int s = 0; s < size; s++) {
		const int row = static_cast<int>(static_cast<long long>(s) * matrix.rows / size);
		std::vector<double> sums(outputs);
		for (int tree = 0; tree < trees; tree++) {
			const float *x = matrix.x.data() + static_cast<size_t>(row) * matrix.columns;
			for (int k = 0; k < outputs; k++)
				sums[k] += layout.values[static_cast<size_t>(leaf_of(layout, x, tree)) * outputs + k];
		}
		const int best = greatest(sums.data(), 1, outputs, trees);
		if (layout.numbers && std::fabs(answers.numbers[row] - sums[0] / trees) > 1e-9 * (1 + std::fabs(sums[0])))
			fail<WrongAnswer>("row %d: %.17g, the trees' mean is %.17g", row, answers.numbers[row], sums[0] / trees);
		if (!layout.numbers && sums[answers.classes[row]] < sums[best] - 1e-9 * trees)
			fail<WrongAnswer>("row %d: class %d, the trees say %d", row, answers.classes[row], best);
	}
	return size;
}

/* ---- the command line ---- */

static Kernel kernel_named(const std::string &name)
{
	static const char *const names[] = {"csr", "linked", "iterative", "encoded", "collaborative"};
	for (int i = 0; i < 5; i++)
		if (name == names[i])
			return static_cast<Kernel>(i);
	fail<UsageError>("--kernel: expected csr, linked, iterative, encoded or collaborative, found '%s'", name.c_str());
}

static void check_fit(const Layout &layout, const Matrix &matrix, const std::string &name)
{
	if (layout.columns != matrix.columns)
		fail<InputError>("%s: rows of %d numbers; the forest was trained with %d", name.c_str(), matrix.columns,
						 layout.columns);
	if (OUTPUTS_OF(layout.outputs) != layout.outputs)
		fail<InputError>("compiled for %d classes, not %d", OUTPUTS_OF(layout.outputs), layout.outputs);
	if (matrix.rows > INT32_MAX / layout.outputs)
		fail<InputError>("%s: %d rows of %d classes are too many", name.c_str(), matrix.rows, layout.outputs);
}

static int solve(CommandLine &line)
{
	const RunOptions options(line);
	const std::string forest = line.text("--forest", ""), input = line.text("--input", "");
	const std::string kernel = line.text("--kernel", "");
	Plan plan;
	plan.atomic = line.one_of("--mapping", "free", "free", "atomic") == "atomic";
	const int group = static_cast<int>(line.whole_number("--group", 0, 0, 1 << 24));
	line.end();
	if (forest.empty() || input.empty())
		fail<UsageError>("--forest and --input are needed");
	const Layout layout = read_layout(forest);
	plan.kernel = kernel.empty() ? (layout.is_csr() ? Kernel::CSR : Kernel::ITERATIVE) : kernel_named(kernel);
	if ((plan.kernel <= Kernel::LINKED) != layout.is_csr())
		fail<InputError>("%s: %s, which --kernel %s does not walk through", forest.c_str(),
						 layout.is_csr() ? "nodes in CSR" : "nodes in subtrees", kernel.c_str());
	if (plan.kernel == Kernel::LINKED && plan.atomic)
		fail<UsageError>("--mapping atomic: --kernel linked has no such mapping");
	LinkedLayout linked;
	if (plan.kernel == Kernel::LINKED && !options.host)
		linked = linked_of(layout, forest);
	const Matrix matrix = read_matrix(input);
	check_fit(layout, matrix, input);
	const double groups = std::ceil(static_cast<double>(layout.bytes()) / GROUP_BYTES);
	plan.group = group ? group : std::max(1, static_cast<int>(layout.trees() / groups));
	std::printf("forest: %d trees, %zu nodes, %zu bytes, %d classes; rows: %d x %d\n", layout.trees(),
				layout.nodes.size(), layout.bytes(), layout.numbers ? 0 : layout.outputs, matrix.rows, matrix.columns);

	Answers answers;
	double ms;
	if (options.host)
		ms = ask_host(layout, matrix, options, answers);
	else if (plan.kernel == Kernel::LINKED)
		ms = ask_linked_device(layout, linked, matrix, options, answers);
	else
		ms = ask_device(layout, matrix, plan, options, answers);
	print_run(options, ms, static_cast<double>(matrix.rows) * layout.trees(), "rows x trees");
	const std::string shape = "(" + std::to_string(matrix.rows) + ",)";
	if (!options.out.empty() && layout.numbers)
		write_npy(options.out, "'<f8'", shape, answers.numbers.data(), answers.numbers.size() * sizeof(double));
	else if (!options.out.empty())
		write_npy(options.out, "'<i4'", shape, answers.classes.data(), answers.classes.size() * sizeof(int));
	if (options.check)
		std::printf("check: PASS, %d rows compared\n", check_answers(layout, matrix, answers));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: forest --forest FILE --input FILE [--kernel KERNEL] [--mapping MAPPING] [--group N] [--reps R]\n"
		"              [--host] [--check] [--out FILE]\n"
		"\n"
		"Asks a forest of decision trees what it says to rows of numbers, on the device.\n"
		"\n"
		"  --forest FILE      what python -m apps.forest.export writes\n"
		"  --input FILE       rows x columns: .npy, float32 or float64, or text\n"
		"  --kernel KERNEL    csr (default) or linked, of a forest in CSR; iterative (default), encoded or "
		"collaborative,\n"
		"                     of subtrees\n"
		"  --mapping MAPPING  free: a thread, or a warp, asks all trees (default); atomic: a group of trees\n"
		"  --group N          trees in a group (default: as many as fit 1 MiB)\n" +
		usage_of_run_options("classes, counted from 0 (int32), or numbers (float64)");
	return run_program("forest", usage, solve, argc, argv);
}
