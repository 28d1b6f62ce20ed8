// One launch for the blocks of all children of a block's threads.
__global__ void add_row(int node, int *sums, const int *row) {
    int e = row[node] + blockIdx.x * blockDim.x + threadIdx.x;
    if (e < row[node + 1]) {
        atomicAdd(&sums[e], gridDim.x);
    }
}

__global__ void rows(int n, int *sums, const int *row) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int degree = row[i + 1] - row[i];
    if (degree > 32) {
#pragma dp consolidate(block)
        add_row<<<(degree + 63) / 64, 64>>>(i, sums, row);
    } else {
        for (int e = row[i]; e < row[i + 1]; e++) sums[e]++;
    }
}

// Children of one thread each become threads; their launches are in a loop, and others follow in the same stream.
__global__ void mark(int *at, float by) {
    if (*at < 0) return;
    *at += (int)by;
}

__global__ void marks(int *at, const float *by, int n, int limit) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
#pragma dp consolidate(warp) size(limit) threads(32)
        mark<<<1, 1, 0, cudaStreamFireAndForget>>>(at + i, by[i]);
    }
}

// A kernel that launches itself: blocks of any size, one for each item; the last block of the grid launches.
__global__ void visit(const int *child, int node, int depth, int *count) {
    int at = child[node] + threadIdx.x;
    if (atomicAdd(&count[depth], 1) < 0) return;
    int below = child[at + 1] - child[at];
    if (below > 0) {
#pragma dp consolidate(grid) kc(1)
        visit<<<1, below>>>(child, at, depth + 1, count);
    }
}

// Blocks with barriers keep their size; no thread writes to shared memory that others still read.
__global__ void reduce(const float *x, int begin, int end, float *sum) {
    __shared__ float part[128];
    float own = 0;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) own += x[i];
    part[threadIdx.x] = own;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *sum = part[0];
}

__global__ void reductions(const float *x, const int *row, int n, float *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#pragma dp consolidate(block) work(i) kc(items)
        reduce<<<1, 128>>>(x, row[i], row[i + 1], sums + i);
    }
}
