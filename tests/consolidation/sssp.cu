// Shortest paths: every thread relaxes the edges of its node; those of nodes with many edges are a child's.
#include "common.h"

__global__ void relax_edges(int node, int reached, const int *row, const int *column, const int *length, int *distance, int *changed) {
    int e = row[node] + blockIdx.x * blockDim.x + threadIdx.x;
    if (e < row[node + 1]) {
        int through = reached + length[e];
        if (through < distance[column[e]] && atomicMin(&distance[column[e]], through) > through) *changed = 1;
    }
}

__global__ void relax(int nodes, int threshold, const int *row, const int *column, const int *length, int *distance, int *relaxed, int *changed) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes) return;
    int reached = distance[node];
    if (reached == relaxed[node]) return;
    relaxed[node] = reached;
    int degree = row[node + 1] - row[node];
    if (degree > threshold) {
#pragma dp consolidate(LEVEL) kc(KC)
        relax_edges<<<(degree + 63) / 64, 64>>>(node, reached, row, column, length, distance, changed);
    } else {
        for (int e = row[node]; e < row[node + 1]; e++) {
            int through = reached + length[e];
            if (through < distance[column[e]] && atomicMin(&distance[column[e]], through) > through) *changed = 1;
        }
    }
}

int main(int argc, char **argv) {
    int nodes = argc > 1 ? atoi(argv[1]) : 1000, mean = argc > 2 ? atoi(argv[2]) : 20;
    int threshold = argc > 3 ? atoi(argv[3]) : 16, times = argc > 4 ? atoi(argv[4]) : 1, threads = argc > 5 ? atoi(argv[5]) : 256;
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1 << 18);
    Graph graph = make_graph(nodes, mean, 1);
    std::vector<int> length(graph.edges());
    unsigned state = 7;
    for (int &one : length) one = 1 + next_number(state) % 100;
    const int far = 1 << 29;
    std::vector<int> expected(nodes, far);
    expected[0] = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < nodes; i++)
            for (int e = graph.row[i]; expected[i] < far && e < graph.row[i + 1]; e++)
                if (expected[i] + length[e] < expected[graph.column[e]]) expected[graph.column[e]] = expected[i] + length[e], more = true;
    }
    std::vector<int> start(nodes, far);
    start[0] = 0;
    int *row = on_device(graph.row), *column = on_device(graph.column), *lengths = on_device(length);
    int *distance = on_device(start), *relaxed = on_device(start), *changed = on_device(std::vector<int>(1));
    double ms = shortest_ms(
        times,
        [&] {
            cudaMemcpy(distance, start.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
            std::vector<int> never(nodes, far);
            cudaMemcpy(relaxed, never.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
        },
        [&] {
            for (int more = 1; more;) {
                cudaMemset(changed, 0, sizeof(int));
                relax<<<(nodes + threads - 1) / threads, threads>>>(nodes, threshold, row, column, lengths, distance, relaxed, changed);
                cudaMemcpy(&more, changed, sizeof(int), cudaMemcpyDeviceToHost);
            }
        });
    std::vector<int> found = from_device(distance, nodes);
    long wrong = 0;
    for (int i = 0; i < nodes; i++) wrong += found[i] != expected[i];
    return report("sssp", threshold > nodes ? "flat" : TEXT(LEVEL), ms, wrong);
}
