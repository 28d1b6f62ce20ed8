// What is a row further is prefetched four iterations ahead, where it is read; a run of memory is not, nor what the loop makes.
__global__ void follow(int *out, const int *wall, const int *run, const volatile int *seen, int rows, int columns) {
    __shared__ int before[256];
    int t = threadIdx.x, x = blockIdx.x * blockDim.x + t;
    before[t] = 0;
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        int best = before[(t + 1) % 256];
        __syncthreads();
        if (x < columns) {
            int own = x + best;
            before[t] = best + wall[columns * (i + 1) + x] + wall[columns * (i + 1) + x] + run[i + x] + wall[own * i];
            before[t] += seen[columns * i];
        }
        for (int k = 0; k < 4; k++)
            before[t] += wall[i * columns + k];
        __syncthreads();
    }
    for (int i = 0; i < rows; i++)
        out[x] += wall[columns * i + x];
    out[x] += before[t];
}
