// Barriers that some threads skip while others wait: an error with the barrier's line, never a hang.
__global__ void skipped_by_some(int *out, int limit)
{
    if (threadIdx.x < limit)
        __syncthreads();  // the barrier that is skipped
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = 2;
}

__global__ void two_arms(int *out)
{
    if (threadIdx.x & 1)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void uneven_loop(int *out)
{
    for (int k = 0; k < threadIdx.x % 3 + 1; k++)
        __syncthreads();
    out[threadIdx.x] = 1;
    __syncthreads();
}

__global__ void by_row(int *out)
{
    int flag = 0;
    if (threadIdx.y == 1)  // all threads of a gang agree, not those of the block
        flag = 1;
    if (flag)
        __syncthreads();
    out[threadIdx.y * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
}

__global__ void by_search(int *out)
{
    int found = 0;
    while (found < 3 && out[threadIdx.x / 16] > found)
        found++;
    if (found == 2)
        __syncthreads();
    __syncthreads();
}
