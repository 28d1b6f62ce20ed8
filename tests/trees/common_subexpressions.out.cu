__global__ void k(const float *u, float *out, int pitch, int n) {
    int base = 7 * pitch - 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n) {
        const int term1 = base + i;
        const int term2 = pitch * j;
        const int term3 = term1 + term2;
        float sum = u[term3] * u[term3];
        const int term4 = base + (i - 2) + term2;
        if (sum > 1.0f) {
            sum += u[term4];
        } else {
            sum -= u[term4];
        }
        for (int r = 0; r < n; r++) {
            int steady = r * pitch;
            const int term5 = steady + 3;
            sum += u[term1 + pitch * (j + 1)] + u[term5] * u[term5];
            sum += u[base + r + term2] * u[base + r + term2];
        }
        out[term3] = sum;
    }
    switch (n) {
    case 0:
        {
            int inside = i + 1;
            const long term6 = (long)inside * n;
            out[term6] = u[term6];
        }
    default:
        int other = i + 2;
        out[other * n] = u[other * n];
    }
    int moving = n;
    out[moving + 1] = 0.0f;
    moving += j;
    out[moving + 1] = u[n / 3] + u[n / 3];
}

__global__ void waits(float *out, int n) {
    __shared__ float s[64];
    s[n + 1] = out[n + 1];
    __syncthreads();
    out[n + 1] = s[n];
}
