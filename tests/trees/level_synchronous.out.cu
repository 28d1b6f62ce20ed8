struct Value;

struct Value {
    int sum;
    int most;
};

__global__ void combine(const int *first, Value *values, float *mean, int node);
__global__ void visit(const int *first, Value *values, float *mean, int node);
__global__ void mark(const int *first, char *marks, int node);
__global__ void visit_count(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level);
__global__ void visit_next(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level);
__global__ void visit_down(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level, int room);
__global__ void visit_add(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level);
__global__ void visit_up(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level);
__global__ void visit_ups(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level, int last);

__global__ void combine(const int *first, Value *values, float *mean, int node) {
    for (int c = first[node] + threadIdx.x; c < first[node + 1]; c += blockDim.x) {
        atomicAdd(&values[node].sum, values[c].sum);
        atomicMax(&values[node].most, values[c].most);
    }
    __syncthreads();
    if (threadIdx.x == 0u) {
        mean[node] = (float)values[node].sum / values[node].most;
    }
}

__global__ void visit(const int *first, Value *values, float *mean, int node) {
    if (gridDim.x * gridDim.y * gridDim.z == 1u && blockDim.y == 1u && blockDim.z == 1u) {
        if (threadIdx.x == 0u) {
            int **lists = (int **)malloc(65536ul);
            if (!lists) {
                __trap();
            }
            int *counts = (int *)malloc(32768ul);
            if (!counts) {
                __trap();
            }
            int **above = (int **)malloc(32768ul);
            if (!above) {
                __trap();
            }
            int level = 0;
            lists[2 * level] = (int *)malloc(4ul);
            if (!lists[2 * level]) {
                __trap();
            }
            lists[2 * level + 1] = (int *)malloc(4ul);
            if (!lists[2 * level + 1]) {
                __trap();
            }
            lists[2 * level][0] = node;
            counts[2 * level] = 1;
            counts[2 * level + 1] = 0;
            counts[2 * level + 2] = 0;
            visit_count<<<1u, 128u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level);
            visit_next<<<1u, 1u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level);
        }
        return;
    }
    if (threadIdx.x == 0u) {
        values[node].most = values[node].sum;
    }
    for (int c = first[node] + threadIdx.x; c < first[node + 1]; c += blockDim.x) {
        if (first[c] < first[c + 1]) {
            visit<<<1u, 32u, 0, cudaStreamFireAndForget>>>(first, values, mean, c);
        }
    }
    if (threadIdx.x == 0u) {
        combine<<<1u, 32u, 0, cudaStreamTailLaunch>>>(first, values, mean, node);
    }
}

__global__ void mark(const int *first, char *marks, int node) {
    marks[node] = (char)1;
    for (int c = first[node]; c < first[node + 1]; c++) {
        mark<<<1u, 1u>>>(first, marks, c);
    }
}

__global__ void visit_count(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level) {
    const int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= counts[2 * level]) {
        return;
    }
    const int node = lists[2 * level][number];
    int found = 0;
    for (int c = first[node]; c < first[node + 1]; c++) {
        if (first[c] < first[c + 1]) {
            found++;
        }
    }
    if (found > 0) {
        atomicAdd(&counts[2 * level + 2], found);
    }
}

__global__ void visit_next(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level) {
    const int room = counts[2 * level + 2];
    if (room > 0) {
        if (level + 1 == 4095) {
            __trap();
        }
        lists[2 * level + 2] = (int *)malloc(4ul * room);
        if (!lists[2 * level + 2]) {
            __trap();
        }
        lists[2 * level + 3] = (int *)malloc(4ul * room);
        if (!lists[2 * level + 3]) {
            __trap();
        }
        above[level + 1] = (int *)malloc(4ul * room);
        if (!above[level + 1]) {
            __trap();
        }
        counts[2 * level + 2] = 0;
        counts[2 * level + 3] = 0;
        counts[2 * level + 4] = 0;
    }
    visit_down<<<(counts[2 * level] + 127u) / 128u, 128u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level, room);
    visit_add<<<(counts[2 * level] + 127u) / 128u, 128u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level);
    if (room > 0) {
        visit_count<<<(room + 127u) / 128u, 128u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level + 1);
        visit_next<<<1u, 1u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level + 1);
    } else {
        visit_ups<<<1u, 1u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level, level);
    }
}

__global__ void visit_down(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level, int room) {
    const int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= counts[2 * level]) {
        return;
    }
    const int node = lists[2 * level][number];
    values[node].most = values[node].sum;
    int part = 0;
    bool any = false;
    for (int c = first[node]; c < first[node + 1]; c++) {
        bool listed = false;
        if (first[c] < first[c + 1]) {
            {
                {
                    const int slot = atomicAdd(&counts[2 * level + 2], 1);
                    if (slot >= room) {
                        __trap();
                    }
                    lists[2 * level + 2][slot] = c;
                    above[level + 1][slot] = number;
                }
                listed = true;
            }
        }
        if (!listed) {
            {
                part += values[c].sum;
                any = true;
            }
            atomicMax(&values[node].most, values[c].most);
        }
    }
    if (any) {
        atomicAdd(&values[node].sum, part);
    }
    lists[2 * level + 1][atomicAdd(&counts[2 * level + 1], 1)] = node;
}

__global__ void visit_add(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level) {
    const int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= counts[2 * level]) {
        return;
    }
    const int node = lists[2 * level][number];
    const int part0 = values[node].sum;
    const int part1 = values[node].most;
    int place = number;
    for (int here = level; here > 0; here--) {
        place = above[here][place];
        const int ancestor = lists[2 * (here - 1)][place];
        atomicAdd(&values[ancestor].sum, part0);
        atomicMax(&values[ancestor].most, part1);
    }
}

__global__ void visit_up(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level) {
    const int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= counts[2 * level + 1]) {
        return;
    }
    const int node = lists[2 * level + 1][number];
    mean[node] = (float)values[node].sum / values[node].most;
}

__global__ void visit_ups(const int *first, Value *values, float *mean, int **lists, int *counts, int **above, int level, int last) {
    if (level < last) {
        free(lists[2 * level + 2]);
        free(lists[2 * level + 3]);
        if (level >= 0) {
            free(above[level + 1]);
        }
    }
    if (level >= 0) {
        if (counts[2 * level + 1] > 0) {
            visit_up<<<(counts[2 * level + 1] + 127u) / 128u, 128u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level);
        }
        visit_ups<<<1u, 1u, 0, cudaStreamTailLaunch>>>(first, values, mean, lists, counts, above, level - 1, last);
    } else {
        free(lists);
        free(counts);
        free(above);
    }
}
