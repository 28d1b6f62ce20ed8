/* Breadth-first search: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

static const int GROUP = 256;

static int n;
static std::vector<int> initial_level;
static std::vector<char> initial_flags;
static opencl::Buffer<int> start, degree, edges, level, more;
static opencl::Buffer<char> frontier, next_frontier, seen;
static opencl::Kernel expand, advance;

static void setup(const Inputs &in) {
	const auto starts = in.array<int>("start"), degrees = in.array<int>("degree"), all_edges = in.array<int>("edges");
	n = starts.count;
	start.assign(starts.data, n);
	degree.assign(degrees.data, n);
	edges.assign(all_edges.data, all_edges.count);
	level.resize(n);
	more.resize(1);
	frontier.resize(n);
	next_frontier.resize(n);
	seen.resize(n);
	initial_level.assign(n, -1);
	initial_level[0] = 0;
	initial_flags.assign(n, 0);
	initial_flags[0] = 1;
	expand.create("expand");
	expand.arguments(start, degree, edges, frontier, next_frontier, seen, level, n);
	advance.create("advance");
	advance.arguments(frontier, next_frontier, seen, more, n);
}

static void reset() {
	level.copy_from(initial_level.data());
	frontier.copy_from(initial_flags.data());
	seen.copy_from(initial_flags.data());
	next_frontier.fill(0);
}

static void run() {
	const size_t items = (n + GROUP - 1) / GROUP * GROUP;
	int again = 1;
	while (again) {
		again = 0;
		more.copy_from(&again);
		expand.launch(items, GROUP);
		advance.launch(items, GROUP);
		more.copy_to(&again);
	}
}

static void results(Outputs &out) {
	out.array("level", level.to_host().data(), n);
}
