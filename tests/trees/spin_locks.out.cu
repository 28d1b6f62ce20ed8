__global__ void locked(int *lock, int *sum, int *out, int x) {
    int old;
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(lock, 0, 1) != 0) {
        } else {
            old = *sum;
            *sum = old + x;
            __threadfence();
            atomicExch(lock, 0);
            waiting = false;
        }
    }
    out[threadIdx.x] = old;
}

__global__ void paused(int *lock, int *sum, int n) {
    if (threadIdx.x < n) {
        int tries = 0;
        bool waiting = true;
        while (waiting) {
            tries++;
            if (atomicExch(&lock[n], 1)) {
            } else {
                for (int i = 0; i < n; i++) {
                    sum[i] += tries;
                }
                lock[n] = 0;
                waiting = false;
            }
        }
        sum[n] = 1;
    }
}

__global__ void kept(int *lock, int *sum, int n) {
    for (int i = 0; i < n; i++) {
        while (atomicCAS(lock, 0, 1)) {
        }
        if (sum[0] > n) {
            break;
        }
        atomicExch(lock, 0);
    }
    while (atomicCAS(lock, 0, 1)) {
    }
    __syncthreads();
    atomicExch(lock, 0);
}
