/* Breadth-first search, level by level: every thread owns a node and looks whether it is in the frontier. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

/* Nodes of the frontier put their unseen neighbours into the next one. */
__global__ void expand(const int *start, const int *degree, const int *edges, bool *frontier, bool *next,
	const bool *seen, int *level, int n) {
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node < n && frontier[node]) {
		frontier[node] = false;
		for (int i = start[node]; i < start[node] + degree[node]; i++) {
			const int neighbour = edges[i];
			if (!seen[neighbour]) {
				level[neighbour] = level[node] + 1;
				next[neighbour] = true;
			}
		}
	}
}

/* The next frontier becomes the frontier; `*more` says whether it holds anything. */
__global__ void advance(bool *frontier, bool *next, bool *seen, int *more, int n) {
	const int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node < n && next[node]) {
		frontier[node] = true;
		seen[node] = true;
		next[node] = false;
		*more = 1;
	}
}

static const int BLOCK = 256;

static int n;
static DeviceArray<int> start, degree, edges, level, more;
static DeviceArray<bool> frontier, next_frontier, seen;

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
}

static void reset() {
	check(cudaMemset(level.data(), -1, n * sizeof(int)));
	check(cudaMemset(level.data(), 0, sizeof(int)));
	check(cudaMemset(frontier.data(), 0, n));
	check(cudaMemset(frontier.data(), 1, 1));
	check(cudaMemset(seen.data(), 0, n));
	check(cudaMemset(seen.data(), 1, 1));
	check(cudaMemset(next_frontier.data(), 0, n));
	check(cudaDeviceSynchronize());
}

static void run() {
	const int blocks = (n + BLOCK - 1) / BLOCK;
	int again = 1;
	while (again) {
		again = 0;
		more.copy_from(&again);
		expand<<<blocks, BLOCK>>>(start.data(), degree.data(), edges.data(), frontier.data(), next_frontier.data(),
			seen.data(), level.data(), n);
		advance<<<blocks, BLOCK>>>(frontier.data(), next_frontier.data(), seen.data(), more.data(), n);
		check(cudaMemcpy(&again, more.data(), sizeof(int), cudaMemcpyDeviceToHost));
	}
}

static void results(Outputs &out) {
	out.array("level", level.to_host().data(), n);
}
