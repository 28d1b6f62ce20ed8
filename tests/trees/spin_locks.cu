// What a thread does with a lock becomes a part of the loop that waits for it.
__global__ void locked(int *lock, int *sum, int *out, int x)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    const int old = *sum;
    *sum = old + x;
    __threadfence();
    atomicExch(lock, 0);
    out[threadIdx.x] = old;
}

// Also with a pause, in an arm, and with the release in a loop.
__global__ void paused(int *lock, int *sum, int n)
{
    if (threadIdx.x < n) {
        int tries = 0;
        do {
            tries++;
        } while (atomicExch(&lock[n], 1));
        for (int i = 0; i < n; i++)
            sum[i] += tries;
        lock[n] = 0;
        sum[n] = 1;
    }
}

// Not over a barrier, and not out of a loop around it.
__global__ void kept(int *lock, int *sum, int n)
{
    for (int i = 0; i < n; i++) {
        while (atomicCAS(lock, 0, 1))
            ;
        if (sum[0] > n)
            break;
        atomicExch(lock, 0);
    }
    while (atomicCAS(lock, 0, 1))
        ;
    __syncthreads();
    atomicExch(lock, 0);
}
