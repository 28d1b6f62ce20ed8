// Iteration by iteration, if no number is so large that it could wrap; what comes next is asked for early.
__global__ void sum(const float *in, const int *at, float *out, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const int place = at[i];
        sum += in[place] + in[2 * i + 1];
        switch (place) {
        case 1:
            break;
        case 2:
            sum += 1;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A `while`, a start in a wider type, `<=`.
__global__ void fill(float *x, long n)
{
    long i = (long)(blockIdx.x * blockDim.x + threadIdx.x);
    while (i <= n) {
        x[i] = 0;
        i += (long)blockDim.x * gridDim.x;
    }
}

// No iteration is left early, and none has a barrier.
__global__ void kept(float *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (x[i] < 0)
            break;
        x[i] = 0;
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = 0;
        __syncthreads();
    }
}
