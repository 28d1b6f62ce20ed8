// Divisions and functions of what stays the same move out of loops with barriers.
__global__ void k(float *out, int n, int m)
{
    __shared__ float s[64];
    float sum = 0;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = sum;
        __syncthreads();
        sum += s[(threadIdx.x + 1) % blockDim.x] * expf(m * 0.5f) + (threadIdx.x + 1) % blockDim.x;
        sum += s[i % m];
        switch (m) {
        case 1:
            for (int j = 0; j < m; j++) {
                __syncthreads();
                sum += i / n + j % m;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < n; i++)
        sum += n / m;
    out[threadIdx.x] = sum;
}
