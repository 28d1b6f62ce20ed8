// Barriers in uniform ifs, in loops with uniform trip counts, in device functions, after threads have left.
__device__ int exchange(int *buffer, int value, int from)
{
    buffer[threadIdx.x] = value;
    __syncthreads();
    int got = buffer[from];
    __syncthreads();
    return got;
}

__device__ int rotate(int *buffer, int value, int turns)
{
    for (int k = 0; k < turns; k++)
        value = exchange(buffer, value + k, (threadIdx.x + 1) % blockDim.x);
    return value;
}

__global__ void uniform_if(const int *in, int *out, int n, int mode)
{
    __shared__ int buffer[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int value = i < n ? in[i] : -1;
    if (mode & 1) {
        buffer[t] = value;
        __syncthreads();
        value += buffer[blockDim.x - 1 - t];
        __syncthreads();
    }
    if (blockIdx.x & 1) {
        __syncthreads();
        buffer[t] = value * 2;
        __syncthreads();
        value = buffer[(t * 7 + 3) % blockDim.x];
    } else if (mode & 2) {
        value = exchange(buffer, value, (t + 5) % blockDim.x);
    }
    if (i < n)
        out[i] = value;
}

__global__ void in_functions(const int *in, int *out, int n, int turns)
{
    __shared__ int buffer[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = rotate(buffer, i < n ? in[i] : 0, turns);
    if (i < n)
        out[i] = value * 10 + exchange(buffer, i, 0);
}

__global__ void in_loops(const int *in, int *out, int n, int rounds)
{
    __shared__ int a[1024], total;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    a[t] = i < n ? in[i] : 1;
    if (t == 0)
        total = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int left = a[(t + blockDim.x - 1) % blockDim.x];
        if (left % 3 == 0) {
            for (int k = 0; k < left % 5; k++)
                left += k;
        }
        __syncthreads();
        a[t] = left + r;
        if (a[t] % 2 && t == r % blockDim.x)
            total += a[t];
        __syncthreads();
        if (total > 200)
            break;   // the same for all threads of the block
        __syncthreads();
    }
    if (i < n)
        out[i] = a[t] * 1000 + total;
}

__global__ void after_return(const int *in, int *out, int n)
{
    __shared__ int buffer[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    buffer[t] = -1;
    __syncthreads();
    if (i >= n)
        return;
    buffer[t] = in[i];
    __syncthreads();
    int value = buffer[t + 1 < blockDim.x ? t + 1 : t];
    __syncthreads();
    if (in[i] % 4 == 0) {
        out[i] = -value;
        return;
    }
    buffer[t] = value * 2;
    __syncthreads();
    out[i] = buffer[(t + 1) % blockDim.x] + value;
}

// The variable in shared memory of a function whose body may be put in place of its calls: it lies beside the arrays of
// either kernel, wherever those end, and in one place for both kinds of calls.
__device__ int first_of(int value)
{
    __shared__ int kept;
    if (threadIdx.x == 0)
        kept = value;
    __syncthreads();
    int got = kept;
    __syncthreads();
    return got;
}

__global__ void many_shared(const int *in, int *out, int n)
{
    __shared__ int own[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x] = threadIdx.x;
    int first = first_of(blockIdx.x * 7 + 1);
    int again = blockDim.x > 16 ? first_of(3) : 0;
    if (i < n)
        out[i] = own[threadIdx.x] * 100 + first + again + in[0];
}

__global__ void few_shared(const int *in, int *out, int n)
{
    __shared__ int own[16];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x % 16] = 5;
    __syncthreads();
    int first = 0;
    for (int k = first_of(2); k < 4; k++)
        first += first_of(k) + own[0];
    if (i < n)
        out[i] = first + in[i];
}
