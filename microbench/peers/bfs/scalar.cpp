/* Breadth-first search, level by level, over the same flags as the kernels. */
#include <algorithm>
#include <vector>

#include "../bench.h"

static int n;
static const int *start, *degree, *edges;
static std::vector<int> level;
static std::vector<char> frontier, next_frontier, seen;

static void setup(const Inputs &in) {
	n = in.array<int>("start").count;
	start = in.array<int>("start").data;
	degree = in.array<int>("degree").data;
	edges = in.array<int>("edges").data;
	level.resize(n);
	frontier.resize(n);
	next_frontier.resize(n);
	seen.resize(n);
}

static void reset() {
	std::fill(level.begin(), level.end(), -1);
	std::fill(frontier.begin(), frontier.end(), 0);
	std::fill(next_frontier.begin(), next_frontier.end(), 0);
	std::fill(seen.begin(), seen.end(), 0);
	level[0] = 0;
	frontier[0] = seen[0] = 1;
}

/* Threads that reach one neighbour together write the same values. */
static void expand() {
#pragma omp parallel for schedule(dynamic, 4096)
	for (int node = 0; node < n; node++) {
		if (!frontier[node])
			continue;
		frontier[node] = 0;
		for (int i = start[node]; i < start[node] + degree[node]; i++) {
			const int neighbour = edges[i];
			if (!seen[neighbour]) {
				level[neighbour] = level[node] + 1;
				next_frontier[neighbour] = 1;
			}
		}
	}
}

static bool advance() {
	bool more = false;
#pragma omp parallel for schedule(static) reduction(|| : more)
	for (int node = 0; node < n; node++) {
		if (!next_frontier[node])
			continue;
		frontier[node] = seen[node] = 1;
		next_frontier[node] = 0;
		more = true;
	}
	return more;
}

static void run() {
	do
		expand();
	while (advance());
}

static void results(Outputs &out) {
	out.array("level", level.data(), n);
}
