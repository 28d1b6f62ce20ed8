__global__ void k(float *out, int n, int m) {
    __shared__ float s[64];
    float sum = 0.0f;
    const unsigned int hoisted = (threadIdx.x + 1u) % blockDim.x;
    const float hoisted_2 = expf(m * 0.5f);
    const float hoisted_3 = (threadIdx.x + 1u) % blockDim.x;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = sum;
        __syncthreads();
        sum += s[hoisted] * hoisted_2 + hoisted_3;
        sum += s[i % m];
        switch (m) {
        case 1:
            const int hoisted_4 = i / n;
            for (int j = 0; j < m; j++) {
                __syncthreads();
                sum += hoisted_4 + j % m;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < n; i++) {
        sum += n / m;
    }
    out[threadIdx.x] = sum;
}
