typedef struct { int sum, most; } Value;

// Runs for a node when all below it are complete.
__global__ void combine(const int *first, Value *values, float *mean, int node) {
    for (int c = first[node] + threadIdx.x; c < first[node + 1]; c += blockDim.x) {
        atomicAdd(&values[node].sum, values[c].sum);
        atomicMax(&values[node].most, values[c].most);
    }
    __syncthreads();
    if (threadIdx.x == 0) mean[node] = (float)values[node].sum / values[node].most;
}

// Children that have no children are not launched: what they have is combined at once.
__global__ void visit(const int *__restrict__ first, Value *values, float *mean, int node) {
    if (threadIdx.x == 0) values[node].most = values[node].sum;
    for (int c = first[node] + threadIdx.x; c < first[node + 1]; c += blockDim.x) {
        if (first[c] < first[c + 1]) visit<<<1, 32, 0, cudaStreamFireAndForget>>>(first, values, mean, c);
    }
    if (threadIdx.x == 0) combine<<<1, 32, 0, cudaStreamTailLaunch>>>(first, values, mean, node);
}

// This one waits for no children: it stays as it is.
__global__ void mark(const int *first, char *marks, int node) {
    marks[node] = 1;
    for (int c = first[node]; c < first[node + 1]; c++) mark<<<1, 1>>>(first, marks, c);
}
