// features: managed enums nested-structs device-variables pointers-to-pointers volatile constructors tags
// Breadth-first search over a graph in managed memory: variables that host and device both read and write by name.
#include <queue>

#include "check.h"

enum Status { IDLE, RUNNING, DONE };

struct Counters {
	int visited, edges;
	Status status;
};

struct Node {
	int first, degree;
	int *neighbours; // managed memory as well
};

__managed__ int frontier_size = 0;
__managed__ Counters counters = {0, 0, IDLE};
__managed__ float weights[4] = {1.0f, 0.5f, 0.25f, 0.125f};
__managed__ Node *graph = nullptr;
__device__ __managed__ int *frontiers[2];

__global__ void expand(int from, int size, int level, int *levels) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= size)
		return;
	const Node &node = graph[frontiers[from][i]];
	for (int k = 0; k < node.degree; k++) {
		int to = node.neighbours[k];
		if (atomicCAS(&levels[to], -1, level) == -1) {
			frontiers[1 - from][atomicAdd(&frontier_size, 1)] = to;
			atomicAdd(&counters.visited, 1);
		}
	}
	atomicAdd(&counters.edges, node.degree);
}

__global__ void finish(const int *levels, float *scores, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		scores[i] = levels[i] < 0 ? 0.0f : weights[levels[i] % 4];
	if (i == 0)
		counters.status = DONE;
}

template <typename T> T *managed_array(size_t n) {
	T *p = nullptr;
	CHECK(cudaMallocManaged(&p, n * sizeof(T)));
	return p;
}

int main() {
	const int n = 2000, most = 6;
	Random random(59);
	std::vector<int> edges;
	graph = managed_array<Node>(n);
	int *all = managed_array<int>(n * most);
	for (int i = 0; i < n; i++) {
		graph[i] = {(int)edges.size(), random.below(most), all + edges.size()};
		for (int k = 0; k < graph[i].degree; k++) {
			edges.push_back(random.below(3) ? (i + random.below(40)) % n : random.below(n));
			all[edges.size() - 1] = edges.back();
		}
	}
	int *levels = managed_array<int>(n);
	float *scores = managed_array<float>(n);
	for (int side = 0; side < 2; side++)
		frontiers[side] = managed_array<int>(n);
	for (int i = 0; i < n; i++)
		levels[i] = -1;

	const int start = 3;
	levels[start] = 0;
	frontiers[0][0] = start;
	counters.status = RUNNING;
	counters.visited = 1;
	weights[3] = 0.0625f;
	int size = 1, side = 0;
	for (int level = 1; size > 0; level++) {
		frontier_size = 0;
		expand<<<(size + 63) / 64, 64>>>(side, size, level, levels);
		CHECK_LAUNCH();
		size = frontier_size;
		side = 1 - side;
	}
	finish<<<(n + 127) / 128, 128>>>(levels, scores, n);
	CHECK_LAUNCH();

	std::vector<int> expected(n, -1);
	std::queue<int> queue({start});
	int visited = 0, followed = 0;
	expected[start] = 0;
	while (!queue.empty()) {
		int i = queue.front();
		queue.pop();
		visited++;
		followed += graph[i].degree;
		for (int k = 0; k < graph[i].degree; k++) {
			int to = edges[graph[i].first + k];
			if (expected[to] < 0) {
				expected[to] = expected[i] + 1;
				queue.push(to);
			}
		}
	}
	const float weight[] = {1.0f, 0.5f, 0.25f, 0.0625f};
	for (int i = 0; i < n; i++) {
		expect_equal("level", i, levels[i], expected[i]);
		expect_near("score", i, scores[i], expected[i] < 0 ? 0 : weight[expected[i] % 4], 0);
	}
	expect_equal("visited", 0, counters.visited, visited);
	expect_equal("edges", 0, counters.edges, followed);
	expect_equal("status", 0, counters.status, DONE);
	expect(visited > n / 2, "most of the graph can be reached");
	return verdict();
}
