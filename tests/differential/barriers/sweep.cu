// Grid-stride loops, which the gangs of a block run iteration by iteration.

__global__ void counters(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = in[i] * 3;
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned u = threadIdx.x + blockDim.x * blockIdx.x; u < n; u += stride)
        out[u] += in[u] & 7;
    size_t s = blockIdx.x * blockDim.x + threadIdx.x;
    while (s < n) {
        out[s] ^= (int)s;
        s += (size_t)blockDim.x * gridDim.x;
    }
    int tid = threadIdx.x;
    long long first = tid + (long long)blockIdx.x * blockDim.x, last = n - 1;
    for (long long l = first; l <= last; l = l + stride)
        out[l] = out[l] * 2 + 1;
    for (int b = tid + blockIdx.x * (int)blockDim.x; n > b; b += (int)stride)
        if (in[b] % 3 != 0)
            out[b] -= in[b];
}

// Sums of their own live from round to round, and a barrier comes after the last.
__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int total[1024], most[1024];
    int tid = threadIdx.x, sum = 0, largest = -1, rounds = 0;
    for (int i = blockIdx.x * 7 + tid; i < n; i += blockDim.x) {
        sum += in[i];
        if (in[i] > largest)
            largest = in[i];
        rounds++;
    }
    total[tid] = sum * 100 + rounds;
    most[tid] = largest;
    __syncthreads();
    for (int i = tid; i < blockDim.x; i += blockDim.x) {
        if (i == 0)
            for (int k = 1; k < blockDim.x; k++) {
                total[0] += total[k];
                most[0] = most[k] > most[0] ? most[k] : most[0];
            }
    }
    __syncthreads();
    if (tid == 0) {
        out[2 * blockIdx.x] = total[0];
        out[2 * blockIdx.x + 1] = most[0];
    }
}

__device__ int weight(int x, int i) { return x * (i % 5) + 1; }

// In loops of the block, with loops, calls and arrays inside.
__global__ void nested(const int *in, int *out, int n, int times)
{
    int seen = 0;
    for (int t = 0; t < times; t++) {
        int stride = blockDim.x * gridDim.x;
        if (t % 2 == 0) {
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - t; i += stride) {
                int parts[3] = {in[i], t, i};
                for (int k = 0; k < in[i] % 4; k++)
                    parts[k % 3] += weight(in[i], k);
                out[i] = parts[0] + parts[1] * parts[2];
                seen++;
            }
        } else {
            for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n - t; i += stride) {
                out[i] += seen + t;
                int j = i;
                while (j > 0 && j % 2 == 0)
                    j /= 2;
                out[i] += j;
            }
        }
    }
}

// Where sums wrap, threads may begin below the bound of others.
__global__ void wraps(const int *in, int *out, unsigned base, unsigned n, unsigned step)
{
    int sum = 0;
    for (unsigned i = base + threadIdx.x; i < n; i += step)
        sum += (i < 64 ? in[i] : 3) + (int)(i % 1000);
    for (size_t i = base + threadIdx.x; i < n; i += step)
        sum = sum * 3 + (i < 64 ? in[i] : 5) + (int)(i % 1000);
    for (long i = (int)(base + threadIdx.x); i < (long)n; i += (long)step + 1)
        sum = sum * 5 + (0 <= i && i < 64 ? in[i] : 7) + (int)(i % 1000);
    out[threadIdx.x] = sum;
}

// Some threads are not there, or have bounds of their own.
__global__ void parted(const int *in, int *out, int n, int limit)
{
    if (threadIdx.x < limit)
        for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
            out[i] = in[i];
    int own = in[threadIdx.x % n] % 20;
    int k = 0;
    for (int i = threadIdx.x; i < own; i += blockDim.x)
        k += in[i % n];
    if (threadIdx.x >= limit + 3)
        return;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = out[i] * 2 + in[i] + k;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        if (in[i] == 50)
            break;
        out[i] += 5;
    }
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        if (in[i] == 51)
            continue;
        out[i] += 9;
    }
}

// Each row of threads goes along a row of data.
__global__ void rows(const int *in, int *out, int width, int height)
{
    int sum = 0;
    for (int row = blockIdx.x; row < height; row += gridDim.x)
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            if ((threadIdx.y + threadIdx.z) == 0)
                out[row * width + x] = in[row * width + x] + sum;
            sum += in[row * width + x] % 10;
        }
}

__device__ int counted(int *calls, int at)
{
    calls[at] += 1;
    return 0;
}

// Effects in an index happen once a round.
__global__ void effects(const int *in, int *calls, int *out, int n)
{
    int sum = 0, own = 0;
    const int threads = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i + counted(calls, blockIdx.x * blockDim.x + threadIdx.x)];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i + (calls[threads + blockIdx.x * blockDim.x + threadIdx.x]++ & 0)];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i - (calls[2 * threads + blockIdx.x * blockDim.x + threadIdx.x] += 2) * 0];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i + 0 * atomicAdd(&calls[3 * threads + blockIdx.x * blockDim.x + threadIdx.x], 3)];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i + 0 * (calls[4 * threads + blockIdx.x * blockDim.x + threadIdx.x] ^= 5, 1)];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i * (sum > 0 ? 1 : 1 + counted(calls, 5 * threads + blockIdx.x * blockDim.x + threadIdx.x))];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += in[i + (own++ & 0)];
    out[threadIdx.x + blockIdx.x * blockDim.x] = sum + own;
}

// What an index reads may not be there before the iteration's own statements.
__global__ void prepared(const int *in, int **places, int *out, int n)
{
    int *zero = (int *)(places + 1);
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        *places = zero;
        out[i] = in[i + **places];
    }
}
