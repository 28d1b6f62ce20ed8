// Launches of every form that are consolidated. LEVEL and KC are what the pragmas say; they are macros of the tests.
#ifndef LEVEL
#define LEVEL block
#define KC 16
#endif

// Blocks of one size, as many as the item needs.
__global__ void add_row(int node, int *sums, const int *row) {
    int e = row[node] + blockIdx.x * blockDim.x + threadIdx.x;
    if (e < row[node + 1]) atomicAdd(&sums[e], gridDim.x * 100 + blockDim.x);
}

__global__ void rows(const int *row, int *sums, int n, int threshold) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int degree = row[i + 1] - row[i];
    if (degree > threshold) {
#pragma dp consolidate(LEVEL) kc(KC)
        add_row<<<(degree + 7) / 8, 8>>>(i, sums, row);
    } else {
        for (int e = row[i]; e < row[i + 1]; e++) sums[e] += i;
    }
}

// One thread each, launched in a loop, more than there is room for; a parameter that the child changes.
struct Change {
    double by;
    char sign;
    short times[3];
};

__global__ void change(int *at, Change change, int left) {
    if (*at == 7) return;
    while (left-- > 0) *at += change.sign * change.times[1];
    *at += (int)change.by + threadIdx.x + blockIdx.x + blockDim.x + gridDim.x;
}

__global__ void changes(const int *in, int *out, int n, int room) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Change how = {in[i] + 0.5, (char)(in[i] % 2 ? 1 : -1), {0, (short)in[i], 0}};
        if (in[i] % 5 == 0) continue;
#pragma dp consolidate(LEVEL) size(room) kc(KC)
        change<<<1, 1, 0, cudaStreamFireAndForget>>>(out + i, how, 3);
    }
}

// Blocks with barriers and shared memory.
__global__ void reduce(const int *x, int begin, int end, int *sum) {
    __shared__ int part[32];
    int own = 0;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) own += x[i];
    part[threadIdx.x] = own;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *sum = part[0];
}

__global__ void reductions(const int *x, const int *row, int *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#pragma dp consolidate(LEVEL) work(row, i) kc(items)
        reduce<<<1, 32>>>(x, row[i], row[i + 1], sums + i);
    }
}

// Several blocks with barriers, along three axes.
__global__ void mirror(int first, int *out, int by) {
    __shared__ int mine[8];
    int t = threadIdx.y * 4 + threadIdx.x, block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    mine[t] = first * 1000 + block * 10 + t;
    __syncthreads();
    atomicAdd(&out[(first * 12 + block) * 8 + t], mine[7 - t] * by + gridDim.z);
}

__global__ void mirrors(int *out, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dim3 grid(1 + i % 3, 2, 1 + i % 2);
#pragma dp consolidate(LEVEL) kc(KC)
    mirror<<<grid, dim3(4, 2)>>>(i, out, by);
}

// Blocks of any size, also of none and of too many threads; several blocks of these.
__global__ void fill(int *to, int count, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = value + blockDim.x;
}

__global__ void fills(const int *row, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int size = i % 11 == 10 ? 5000 : row[i + 1] - row[i];
    if (i % 2) {
#pragma dp consolidate(LEVEL) kc(KC) threads(24)
        fill<<<1, size>>>(out + row[i], row[i + 1] - row[i], i);
    } else {
#pragma dp consolidate(LEVEL) kc(KC) blocks(3)
        fill<<<i % 5, size / 2 + 1>>>(out + row[i], row[i + 1] - row[i], -i);
    }
}

// A tree: a kernel that launches itself.
__global__ void visit(const int *first_child, int node, int depth, int *count, int *depths) {
    int at = first_child[node] + threadIdx.x;
    atomicAdd(&count[depth], 1);
    depths[at] = depth;
    int below = first_child[at + 1] - first_child[at];
    if (below > 0) {
#pragma dp consolidate(LEVEL) kc(KC)
        visit<<<1, below>>>(first_child, at, depth + 1, count, depths);
    }
}

// Children that launch children.
__global__ void leaf(int *out, int a, int b) { atomicAdd(out + a, b); }

__global__ void middle(int *out, int from, int to, int n) {
    int i = from + threadIdx.x;
    if (i >= to) return;
    for (int k = 0; k < i % 3; k++) {
#pragma dp consolidate(LEVEL) kc(KC)
        leaf<<<1, 1>>>(out, (i * 7 + k) % n, k + from);
    }
}

__global__ void top(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#pragma dp consolidate(LEVEL) kc(KC)
        middle<<<1, 16>>>(out, i, i + 10, n);
    }
}

// Items of which nothing differs.
__global__ void tick(int *out) { atomicAdd(&out[threadIdx.x], 1); }

__global__ void ticks(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0) {
#pragma dp consolidate(LEVEL) kc(KC)
        tick<<<1, 4>>>(out);
    }
}
