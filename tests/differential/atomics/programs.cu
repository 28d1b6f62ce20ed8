// What atomic functions are used for. No result depends on the order in which threads come.

struct Cell {
    int count;
    float weight;
    unsigned flags[2];
};

__device__ void add_to(unsigned *bin, unsigned amount) {
    atomicAdd(bin, amount);
}

// A histogram in shared memory, added up in global memory; one helper for both.
__global__ void histogram(const int *in, unsigned *out, int n) {
    __shared__ unsigned bins[32];
    for (int i = threadIdx.x; i < 32; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        add_to(&bins[in[i] & 31], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 32; i += blockDim.x)
        add_to(&out[i], bins[i]);
}

// Each thread that has something takes a slot; the slots are sorted by what lies in them.
__global__ void compact(const int *in, int *slot_of, int *taken, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (in[i] % 3 == 0) {
        int slot = atomicAdd(count, 1);
        atomicAdd(&taken[slot], 1);
        slot_of[i] = slot < n;
    }
}

// The last block to come adds up what the others left.
__global__ void last_block(const int *in, int *partial, unsigned *arrived, int *out, int n) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (int k = 0; k < (int)gridDim.x; k++)
            total += partial[k];
        *out = total;
    }
}

// Floating maximum and product, by compare and swap.
__device__ float atomic_max(float *at, float value) {
    int *bits = (int *)at;
    int old = *bits, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value)
            break;
        old = atomicCAS(bits, assumed, __float_as_int(value));
    } while (old != assumed);
    return __int_as_float(old);
}

__global__ void by_compare_and_swap(const float *in, float *out, unsigned long long *product, int n) {
    __shared__ float best;
    if (threadIdx.x == 0)
        best = -1.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomic_max(&best, in[i]);
        unsigned long long old = product[i & 1], assumed;
        do {
            assumed = old;
            old = atomicCAS(&product[i & 1], assumed, assumed * 3);
        } while (old != assumed);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomic_max(out, best);
}

// Members of structs, in an order without neighbours.
__global__ void cells(Cell *cells, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Cell *cell = &cells[in[i] % 7];
        atomicSub(&cell->count, in[i]);
        if (in[i] & 1)
            atomicAdd(&cell->weight, 0.5f);
        atomicOr(&cell->flags[in[i] & 1], 1u << (in[i] & 31));
        atomicXor(&cells[7].flags[0], (unsigned)in[i] * 2654435761u);
        atomicAnd(&cells[7].flags[1], ~(1u << (i & 31)));
    }
}

// Bounds of what the threads hold, of every type that has an order.
__global__ void bounds(const int *in, int *lowest, unsigned *highest, long long *low, unsigned long long *high, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicMin(lowest, in[i]);
        atomicMax(highest, (unsigned)in[i]);
        atomicMin(&low[i % 3], (long long)in[i] << 20);
        atomicMax(&high[in[i] & 3], (unsigned long long)in[i] * in[i]);
        atomicMax(&high[4], 17ull);
    }
}

// A lock that a lane gives back before the loop's next iteration.
__global__ void locked(int *lock, int *count, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *count = *count + in[i];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Under divergent control, in a loop, and where the value of the call decides.
__global__ void divergent(const int *in, int *first, int *visits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int winner = 0;
    for (int k = 0; k < in[i] % 5; k++) {
        if (atomicExch(&first[in[i] % 11], 1) == 0 || atomicAdd(&visits[k], 1) < 0)
            winner++;
        if (k & 1)
            atomicDec((unsigned *)&visits[8], 1000u);
    }
    atomicAdd(&visits[9], winner);
}

// An atomic function that a helper calls on a thread's own variable, which no other thread sees.
__device__ void bump(int *count, int by) {
    atomicAdd(count, by);
}

__global__ void own_variable(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int mine = in[i];
        bump(&mine, i);
        bump(&mine, 5);
        out[i] = mine;
    }
}
