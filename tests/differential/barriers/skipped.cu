// Barriers that some threads skip: each thread passes as many as it reaches, wherever they are.
__global__ void skipped_by_some(int *out, int limit)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 100 + t;
    if (t < limit)
        __syncthreads();
    else {
        __syncthreads();
        s[t] = 200 + t;
    }
    __syncthreads();
    out[t] = s[blockDim.x - 1 - t];
}

__global__ void two_arms(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t & 1)
        __syncthreads();
    else
        __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void uneven_loop(int *out)
{
    __shared__ int passed;
    if (threadIdx.x == 0)
        passed = 0;
    __syncthreads();
    for (int k = 0; k < threadIdx.x % 3 * 2 + 1; k++)
        __syncthreads();
    out[threadIdx.x] = passed;
    __syncthreads();
    if (threadIdx.x == 0)
        passed = 1;
    __syncthreads();
    __syncthreads();
    out[threadIdx.x] += 10 * passed;
}

__global__ void by_row(int *out)
{
    __shared__ int s[64];
    int flag = 0, t = threadIdx.y * blockDim.x + threadIdx.x;
    if (threadIdx.y == 1)  // all threads of a gang agree, not those of the block
        flag = 1;
    s[t] = t;
    if (flag)
        __syncthreads();
    __syncthreads();
    if (flag)
        out[t] = s[threadIdx.x];
    else
        out[t] = -1;
}

__global__ void by_search(int *out)
{
    int found = 0;
    while (found < 3 && out[threadIdx.x / 16] > found)
        found++;
    if (found == 2)
        __syncthreads();
    if (threadIdx.x >= 4)
        out[threadIdx.x] += 7;
    __syncthreads();
}
