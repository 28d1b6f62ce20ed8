// Levels of a graph: a thread that finds a shorter way to a node launches a child for the node's neighbours. Or, flat, level by level.
#include "common.h"

__global__ void visit(int node, int level, const int *row, const int *column, int *levels) {
    int e = row[node] + blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= row[node + 1]) return;
    int to = column[e];
    if (levels[to] <= level + 1 || atomicMin(&levels[to], level + 1) <= level + 1) return;
    int degree = row[to + 1] - row[to];
    if (degree > 0) {
#pragma dp consolidate(LEVEL) kc(KC)
        visit<<<(degree + 63) / 64, 64>>>(to, level + 1, row, column, levels);
    }
}

__global__ void next_level(int nodes, int level, const int *row, const int *column, int *levels, int *changed) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || levels[node] != level) return;
    for (int e = row[node]; e < row[node + 1]; e++)
        if (levels[column[e]] > level + 1) levels[column[e]] = level + 1, *changed = 1;
}

int main(int argc, char **argv) {
    int nodes = argc > 1 ? atoi(argv[1]) : 1000, mean = argc > 2 ? atoi(argv[2]) : 20;
    bool flat = argc > 3 && atoi(argv[3]) > nodes;
    int times = argc > 4 ? atoi(argv[4]) : 1;
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1 << 18);
    Graph graph = make_graph(nodes, mean, 3);
    const int far = 1 << 29;
    std::vector<int> expected(nodes, far), start(nodes, far), now{1}, later;
    expected[1] = start[1] = 0;
    for (int level = 1; !now.empty(); level++, now.swap(later), later.clear())
        for (int node : now)
            for (int e = graph.row[node]; e < graph.row[node + 1]; e++)
                if (expected[graph.column[e]] == far) expected[graph.column[e]] = level, later.push_back(graph.column[e]);
    int *row = on_device(graph.row), *column = on_device(graph.column), *levels = on_device(start), *changed = on_device(std::vector<int>(1));
    double ms = shortest_ms(
        times, [&] { cudaMemcpy(levels, start.data(), nodes * sizeof(int), cudaMemcpyHostToDevice); },
        [&] {
            if (!flat) visit<<<(graph.row[2] - graph.row[1] + 63) / 64, 64>>>(1, 0, row, column, levels);
            for (int more = flat, level = 0; more; level++) {
                cudaMemset(changed, 0, sizeof(int));
                next_level<<<(nodes + 255) / 256, 256>>>(nodes, level, row, column, levels, changed);
                cudaMemcpy(&more, changed, sizeof(int), cudaMemcpyDeviceToHost);
            }
        });
    std::vector<int> found = from_device(levels, nodes);
    long wrong = 0;
    for (int i = 0; i < nodes; i++) wrong += found[i] != expected[i];
    return report("bfs_rec", flat ? "flat" : TEXT(LEVEL), ms, wrong);
}
