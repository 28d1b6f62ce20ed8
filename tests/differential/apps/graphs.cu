// Graphs: one level of breadth-first search (after Rodinia), shortest paths, sparse matrix times vector, components.
typedef struct {
    int start, count;
} Node;

__global__ void bfs(const Node *nodes, const int *edges, bool *frontier, bool *next, bool *visited, int *cost, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && frontier[i]) {
        frontier[i] = false;
        for (int k = nodes[i].start; k < nodes[i].start + nodes[i].count; k++) {
            int to = edges[k];
            if (!visited[to])
                next[to] = true;
        }
        cost[i] += 1;
    }
}

__global__ void bellman_ford(const Node *nodes, const int *edges, const float *weights, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float best = in[i];
        for (int k = 0; k < nodes[i].count; k++) {
            int e = nodes[i].start + k;
            float d = in[edges[e]] + weights[e];
            if (d < best)
                best = d;
        }
        out[i] = best;
    }
}

__global__ void spmv(const Node *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        int end = rows[i].start + rows[i].count;
        for (int k = rows[i].start; k < end; ++k)
            sum += values[k] * x[columns[k]];
        y[i] = sum;
    }
}

__global__ void roots(const int *parents, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int at = i, steps = 0;
        while (parents[at] != at) {
            at = parents[at];
            ++steps;
        }
        out[i] = at * 100 + steps;
    }
}

__global__ void floyd(int *distance, int n)
{
    // One block, all pairs; a row at a time.
    for (int k = 0; k < n; k++) {
        for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
            int through = distance[i / n * n + k] + distance[k * n + i % n];
            if (through < distance[i])
                distance[i] = through;
        }
        __syncthreads();
    }
}
