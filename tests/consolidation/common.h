// What the programs share: a graph with a seed, time, and the check of an answer.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifndef LEVEL
#define LEVEL block
#endif
#ifndef KC
#define KC 1 + 0
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

struct Graph {
    int nodes;
    std::vector<int> row, column;
    int edges() const { return row[nodes]; }
};

inline unsigned next_number(unsigned &state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

// Most nodes have few neighbours, some very many; neighbours with small numbers are more frequent.
inline Graph make_graph(int nodes, int mean, unsigned seed) {
    Graph graph;
    graph.nodes = nodes;
    graph.row.resize(nodes + 1);
    unsigned state = seed * 2654435761u + 1;
    for (int i = 0; i < nodes; i++) {
        unsigned luck = next_number(state) % 64;
        int degree = luck == 0 ? mean * 16 : luck < 8 ? mean * 3 : mean / 3;
        graph.row[i + 1] = graph.row[i] + std::max(i % 7 == 0 ? 0 : 1, std::min(degree, nodes));
    }
    for (int e = 0; e < graph.row[nodes]; e++) {
        unsigned to = next_number(state) % nodes;
        graph.column.push_back(next_number(state) % 4 == 0 ? to % (nodes / 16 + 1) : to);
    }
    return graph;
}

template <typename T> T *on_device(const std::vector<T> &values) {
    T *copy;
    size_t bytes = std::max<size_t>(1, values.size()) * sizeof(T);
    if (cudaMalloc(&copy, bytes) != cudaSuccess) exit(2);
    cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return copy;
}

template <typename T> std::vector<T> from_device(const T *values, size_t count) {
    std::vector<T> copy(count);
    cudaMemcpy(copy.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
}

inline double now_ms() {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
}

// Runs `work` a few times, after `reset` each time, and gives the shortest time.
template <typename Reset, typename Work> double shortest_ms(int times, Reset reset, Work work) {
    double best = 1e30;
    for (int i = 0; i < times; i++) {
        reset();
        cudaDeviceSynchronize();
        double begin = now_ms();
        work();
        cudaDeviceSynchronize();
        best = std::min(best, now_ms() - begin);
    }
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
    return best;
}

inline int report(const char *program, const char *form, double ms, long wrong) {
    printf("%s %s %.3f ms, %ld wrong\n", program, form, ms, wrong);
    return wrong != 0;
}
