/* Kernels over both axes of their blocks whose lanes diverge in loops: their gangs may be tiles. */
__device__ int own_column() {
    return threadIdx.x % 5 + 3 * (threadIdx.y % 3);
}

/* How long each thread continues depends on where it is in both directions, and on data. */
__global__ void far(const int *in, int *out, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int steps = 0, v = in[y * nx + x] + x - y;
    while (v != 1 && steps < 40) {
        if (v % 3 == 0)
            v = v / 3 + own_column();
        else if (v % 3 == 1 && steps > 30)
            break;
        else
            v = v / 2 + (int)threadIdx.y;
        steps++;
    }
    out[y * nx + x] = steps * 1000 + v;
}

/* Layers, the threads' own numbers, and reads beside one's own place. */
__global__ void layers(const int *in, int *out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, sum = 0;
    if (x < nx && y < ny && z < nz) {
        int at = (z * ny + y) * nx + x;
        for (int k = 0; k < in[at] % 9; k++) {
            int beside = x + k - 3;
            if (beside < 0 || beside >= nx)
                continue;
            sum += in[at + k - 3] * (k + 1);
            if (sum > 900)
                return;
        }
        out[at] = sum * 100 + number % 100;
    }
}

/* Neighbours meet in counters, and a row of the block has something in common. */
__global__ void counted(const int *in, int *out, int *counts, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int row = in[y < ny ? y * nx : 0], left = threadIdx.x + 2 * threadIdx.y;
    int mine = 0;
    while (left > 0) {
        left -= 1 + (row + left) % 4;
        mine += left & 7;
        if (x < nx && y < ny && left % 5 == 0)
            atomicAdd(&counts[(x + y) % 7], left + 1);
    }
    if (x < nx && y < ny)
        out[y * nx + x] = mine;
}
