/* The cheapest path down a grid of costs: the host part for kernels.cl. */
#include <utility>

#include "../bench.h"
#include "../opencl.h"

static const int GROUP = 256, PYRAMID = 20;

static int rows, columns;
static const int *first_row;
static opencl::Buffer<int> wall, from, to;
static opencl::Kernel follow;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	columns = in.number("columns");
	first_row = in.array<int>("wall").data;
	wall.assign(first_row + columns, (size_t)(rows - 1) * columns);
	from.resize(columns);
	to.resize(columns);
	follow.create("follow");
	follow.arguments(PYRAMID, wall, from, to, columns, 0, PYRAMID);
}

static void reset() {
	from.copy_from(first_row);
}

static void run() {
	const int inner = GROUP - 2 * PYRAMID, groups = (columns + inner - 1) / inner;
	for (int row = 0; row < rows - 1; row += PYRAMID) {
		follow.argument(0, std::min(PYRAMID, rows - 1 - row));
		follow.argument(2, from);
		follow.argument(3, to);
		follow.argument(5, row);
		follow.launch(groups * GROUP, GROUP);
		std::swap(from, to);
	}
	opencl::finish();
}

static void results(Outputs &out) {
	out.array("cost", from.to_host().data(), columns);
}
