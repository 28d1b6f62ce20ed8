/* Blocks whose rows are narrower than a gang: several rows of them are read, written and kept at barriers together. */
__global__ void tile(const int *in, int *out, int nx, int ny, int nz) {
    __shared__ int held[1024];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z, threads = blockDim.x * blockDim.y * blockDim.z;
    int k = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    bool inside = x < nx && y < ny && z < nz;
    held[k] = inside ? in[(z * ny + y) * nx + x] : -1;
    __syncthreads();
    int sum = held[threads - 1 - k];
    for (int s = 1; s < 4; s++) {
        __syncthreads();
        if (k % 3 != 0)
            held[k] += sum * s;
        __syncthreads();
        sum += held[(k + s) % threads];
    }
    if (inside && (in[(z * ny + y) * nx + x] & 3))
        out[(z * ny + y) * nx + x] = sum + 7 * threadIdx.x + 100 * threadIdx.y + 1000 * threadIdx.z;
}

/* Scalars of one and of eight bytes, beside which lanes are off. */
__global__ void sizes(const unsigned char *in, unsigned char *out, const double *a, double *b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z, at = (z * ny + y) * nx + x;
    if (x >= nx || y >= ny || z >= nz || threadIdx.x % 5 == 3)
        return;
    out[at] = in[at] + threadIdx.x;
    if (in[at] & 1)
        b[at] = a[at] * 2 + threadIdx.y;
}
