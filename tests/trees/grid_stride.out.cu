__global__ void sum(const float *in, const int *at, float *out, int n) {
    float sum_2 = 0.0f;
    {
        int i_first = blockIdx.x * blockDim.x + 0u;
        const int i_bound = n;
        const int i_step = blockDim.x * gridDim.x;
        const int i_ahead = i_step * 4;
        if (blockDim.x * blockDim.y * blockDim.z >= 64u && i_first <= 1879048191u && i_bound <= 1879048191u && i_step <= 134217728u) {
            for (; i_first < i_bound; i_first += i_step) {
                if ((int)threadIdx.x < i_bound - i_first) {
                    int i = i_first + (int)threadIdx.x;
                    __prefetch(at + (i + i_ahead));
                    __prefetch(in + (2 * (i + i_ahead) + 1));
                    const int place = at[i];
                    sum_2 += in[place] + in[2 * i + 1];
                    switch (place) {
                    case 1:
                        break;
                    case 2:
                        sum_2 += 1.0f;
                    }
                }
            }
        } else {
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
                const int place = at[i];
                sum_2 += in[place] + in[2 * i + 1];
                switch (place) {
                case 1:
                    break;
                case 2:
                    sum_2 += 1.0f;
                }
            }
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum_2;
}

__global__ void fill(float *x, long n) {
    long i = (long)(blockIdx.x * blockDim.x + threadIdx.x);
    {
        long i_first = (long)(blockIdx.x * blockDim.x + 0u);
        const long i_bound = n;
        const long i_step = (long)blockDim.x * gridDim.x;
        const long i_ahead = i_step * 4l;
        if (blockDim.x * blockDim.y * blockDim.z >= 64u && i_first <= 8070450532247928831ul && i_bound <= 8070450532247928831ul && i_step <= 576460752303423488ul && blockIdx.x * blockDim.x + 0u <= 4026531839u) {
            for (; i_first <= i_bound; i_first += i_step) {
                if (threadIdx.x <= i_bound - i_first) {
                    long i_2 = i_first + threadIdx.x;
                    __prefetch(x + (i_2 + i_ahead));
                    x[i_2] = 0.0f;
                }
            }
        } else {
            while (i <= n) {
                x[i] = 0.0f;
                i += (long)blockDim.x * gridDim.x;
            }
        }
    }
}

__global__ void kept(float *x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (x[i] < 0.0f) {
            break;
        }
        x[i] = 0.0f;
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = 0.0f;
        __syncthreads();
    }
}
