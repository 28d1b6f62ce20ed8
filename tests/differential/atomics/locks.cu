// Locks that threads spin for, in the ways in which programs write them.

__device__ void acquire(int *lock) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void release(int *lock) {
    __threadfence();
    atomicExch(lock, 0);
}

// What is read under the lock is needed after it.
__global__ void plain(const int *in, int *lock, int *sum, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    int mine = in[i];
    __threadfence();
    *sum = *sum + mine;
    __threadfence();
    atomicExch(lock, 0);
    out[i] = mine * 2;
}

// Four locks, given back by a store; in a loop.
__global__ void exchanged(const int *in, int *lock, int *sum, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        if (i < n) {
            int old;
            do {
                old = atomicExch(&lock[i & 3], 1);
            } while (old == 1);
            sum[i & 3] += in[i];
            __threadfence();
            lock[i & 3] = 0;
            out[i] = k;
        }
    }
}

// By device functions; with a jump behind.
__global__ void called(const int *in, int *lock, int *sum, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        acquire(lock);
        if (in[i] % 3 == 0) {
            *sum += in[i];
            release(lock);
            out[i] = 0;
            return;
        }
        *sum += 1;
        release(lock);
        out[i] = in[i];
    }
}

// One lock inside the other, and one in shared memory.
__global__ void nested(const int *in, int *lock, int *sum, int *out, int n) {
    __shared__ int gate, count;
    if (threadIdx.x == 0)
        gate = count = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        while (atomicCAS(&lock[0], 0, 1))
            ;
        while (atomicCAS(&lock[1], 0, 1))
            ;
        sum[0] += in[i];
        sum[1] -= in[i];
        __threadfence();
        atomicExch(&lock[1], 0);
        atomicExch(&lock[0], 0);
        switch (in[i] % 3) {
        case 1:
            out[i] = 3;
            break;
        default:
            out[i] = 4;
        }
        while (atomicExch(&gate, 1))
            ;
        count++;
        atomicExch(&gate, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&sum[2], count);
}
