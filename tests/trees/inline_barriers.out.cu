__device__ int exchange(int *b, int v);
__device__ int early(int *b);
__device__ void meet();

__device__ int exchange(int *b, int v) {
    __shared__ int last;
    b[threadIdx.x] = v;
    __syncthreads();
    int r = b[0];
    if (threadIdx.x == 0u) {
        last = r;
    }
    __syncthreads();
    return r + last;
}

__device__ int early(int *b) {
    if (b[0]) {
        return 1;
    }
    __syncthreads();
    return b[1];
}

__device__ void meet() {
    __syncthreads();
}

__global__ void k(int *out, int n) {
    __shared__ int last;
    __shared__ int b[64];
    int x = n;
    int *p = &n;
    int exchange_;
    {
        int *b_2 = b;
        int v = x;
        b_2[threadIdx.x] = v;
        __syncthreads();
        int r = b_2[0];
        if (threadIdx.x == 0u) {
            last = r;
        }
        __syncthreads();
        exchange_ = r + last;
    }
    x += exchange_ * 2;
    {
        int exchange__2;
        {
            int *b_2 = b;
            int v = 1;
            b_2[threadIdx.x] = v;
            __syncthreads();
            int r = b_2[0];
            if (threadIdx.x == 0u) {
                last = r;
            }
            __syncthreads();
            exchange__2 = r + last;
        }
        int i = exchange__2;
        for (; i < n; i++) {
            if (n > 3) {
                {
                    __syncthreads();
                }
            }
        }
    }
    x = n + exchange(b, *p);
    x = n > 2 && exchange(b, x);
    out[x] = early(b);
}
