// Kernels that launch kernels: arguments, configurations, divergence, streams, nesting.
struct Pair {
    short first;
    double second;
};

__device__ int sums[8];

__global__ void add(int *out, char c, short s, long long l, float f, double d, bool b, Pair pair, int at) {
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int value = c + s + (int)l + (int)f + (int)d + b + pair.first + (int)pair.second;
    atomicAdd(&out[at], value * (thread + 1) + block);
}

__global__ void arguments(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Pair pair;
    pair.first = (short)(in[i] - 50);
    pair.second = in[i] * 0.5;
    dim3 grid = dim3(1 + i % 3, 1 + in[i] % 2, 1);
    add<<<grid, dim3(1 + in[i] % 5, 2, 1 + i % 2)>>>(out, (char)(in[i] - 60), (short)(-3 * in[i]), -4ll * in[i], in[i] * 0.25f,
                                                     in[i] * 1.5, in[i] % 2 == 0, pair, i);
}

__global__ void mark(int *out, int at, int value) { atomicAdd(&out[at], value + threadIdx.x); }

__device__ int descend(int *out, int i, int depth) {
    if (depth <= 0) return 0;
    if ((i + depth) % 3 == 0) mark<<<1, depth>>>(out, i, depth);
    return 1 + descend(out, i, depth - 1 - i % 2);
}

__global__ void divergent(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < in[i] % 7; k++) {
        if (k == in[i] % 3) continue;
        if (k == 5) break;
        in[i] % 2 ? mark<<<1, 1 + k>>>(out, i, k) : mark<<<1 + k % 2, 3>>>(out, (i + 1) % n, 2 * k);
    }
    atomicAdd(&out[i], descend(out, i, in[i] % 6));
}

__global__ void then(int *at, int factor, int more) { *at = *at * factor + more + threadIdx.x * 0; }

// One thread's launches into one stream run one after the other, and tail launches behind all others.
__global__ void in_order(int *out, int n) {
    int b = blockIdx.x;
    if (threadIdx.x != 0 || b >= n) return;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int k = 1; k < 9; k++) {
        then<<<1, 1>>>(&out[b], 3, k);
        if (k % 2) then<<<1, 1, 0, stream>>>(&out[n + b], 5, k);
        mark<<<1, 2, 0, cudaStreamFireAndForget>>>(out, 2 * n + b, k);
    }
    then<<<1, 1, 0, cudaStreamTailLaunch>>>(&out[b], 7, 1);
    then<<<1, 1, 0, cudaStreamTailLaunch>>>(&out[b], 2, 5);
    then<<<1, 1>>>(&out[b], 3, 100);
    cudaStreamDestroy(stream);
}

__global__ void grow(int *out, int at, int depth, int width) {
    atomicAdd(&out[at], depth + threadIdx.x + blockIdx.x);
    if (depth > 0 && threadIdx.x < width) grow<<<1 + depth % 2, 2>>>(out, at, depth - 1, width);
}

__global__ void forest(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 5 == 0) grow<<<1, 1 + i % 3>>>(out, i, 3, 1 + i % 2);
}

// A grid is complete with all its descendants: what follows in the stream sees them.
__global__ void last(int *at, int n) {
    int sum = 0;
    for (int i = 1; i < n; i++) sum += at[i];
    at[0] = sum;
}

__global__ void complete(int *out, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        forest<<<2, (n + 1) / 2>>>(out, n);
        last<<<1, 1>>>(out, n);
    }
}

template <class T, int N>
__global__ void typed(T *out, T value) {
    if (threadIdx.x < N) out[blockIdx.x * N + threadIdx.x] = value + (T)threadIdx.x;
}

__global__ void templates(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) typed<int, 3><<<n / 3, 5>>>(out, 4);
}

__global__ void gather(int *out, int n) {
    extern __shared__ int room[];
    int t = threadIdx.x;
    room[t] = t * t + n;
    __syncthreads();
    atomicAdd(&out[n], room[blockDim.x - 1 - t] - t);
}

// Parents with barriers and shared memory, children with both.
__global__ void staged(const int *in, int *out, int n) {
    __shared__ int sizes[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x % 64;
    if (threadIdx.x < 64) sizes[t] = 1 + t % 40;
    __syncthreads();
    if (i < n) gather<<<1, sizes[t], sizes[t] * sizeof(int)>>>(out, i);
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) gather<<<2, 33, 33 * sizeof(int)>>>(out, n - 1);
}

__global__ void failing(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    mark<<<1, i % 3 == 0 ? 2000 : 1>>>(out, i, 1);
    if (i % 2) mark<<<0, 1>>>(out, i, 1);
    int seen = cudaPeekAtLastError();
    out[n + i] = seen * 100 + cudaGetLastError() * 10 + cudaGetLastError();
}

__global__ void copies(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i != 0) return;
    then<<<1, 1>>>(&out[0], 2, 1);
    cudaMemcpyAsync(&out[n / 2], &out[0], n / 4 * sizeof(int), cudaMemcpyDeviceToDevice);
    then<<<1, 1>>>(&out[0], 3, 5);
    cudaMemsetAsync(&out[n - 1], 1, sizeof(int), 0);
    cudaMemset2DAsync(out + n, 16, 3, 8, 4);
    cudaMemcpy2DAsync(out + n + 20, 24, out + n, 16, 12, 4, cudaMemcpyDefault, cudaStreamPerThread);
    out[1] += cudaMemcpy2DAsync(out, 4, out, 4, 12, 4, cudaMemcpyDefault);
}

__global__ void device(int *out) {
    int threads = 0, number = -1, count = 0;
    int first = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
    int second = cudaDeviceGetAttribute(&number, cudaDevAttrMaxThreadsPerBlock, 1);
    cudaGetDeviceCount(&count);
    cudaGetLastError();
    int *memory = nullptr;
    first += cudaMalloc((void **)&memory, 64);
    memory[3] = threads;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = memory[3];
        out[1] = first * 10 + second;
        out[2] = count;
    }
    cudaFree(memory);
}

// With events, one stream waits for another one.
__global__ void events(int *out) {
    if (threadIdx.x != 0) return;
    int *at = &out[blockIdx.x * 2];
    cudaStream_t one, other;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    then<<<1, 1, 0, one>>>(at, 3, 1);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(other, event);
    then<<<1, 1, 0, other>>>(at, 5, 2);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

__device__ int lock;

// Threads that take turns, and launch in theirs.
__global__ void turns(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            mark<<<1, 1>>>(out, i, out[n] % 2 ? 3 : 3);
            out[n]++;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
