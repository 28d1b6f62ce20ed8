// Loops in which, now and then or always, only the first gang of a block has something to do.

// Every element is looked at afterwards, also those that no thread writes.
__global__ void tree(const int *in, int *out, int n)
{
    __shared__ int sums[1024];
    unsigned t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 7;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    out[i] = sums[blockDim.x - 1 - t];
}

// Two arrays; the branch inside is taken by some lanes only.
__global__ void largest(const float *in, float *value, int *place, int n)
{
    __shared__ float best[256];
    __shared__ int at[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    best[t] = i < n ? in[i] : -1.0f;
    at[t] = i;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s && t + s < blockDim.x) {
            if (best[t + s] > best[t] || (best[t + s] == best[t] && at[t + s] < at[t])) {
                best[t] = best[t + s];
                at[t] = at[t + s];
            }
        }
        __syncthreads();
    }
    value[i] = best[t];
    place[i] = at[t];
}

// The same, as a prefix of the threads.
__global__ void smallest(const float *in, float *value, int *place, int n)
{
    __shared__ float best[512];
    __shared__ int at[512];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int j = t; j < 512; j += blockDim.x) {
        best[j] = 1e30f;
        at[j] = j;
    }
    __syncthreads();
    best[t] = i < n ? in[i] : 2.0f;
    __syncthreads();
    for (int s = 256; s > 0; s /= 2) {
        if (t < s)
            if (best[t + s] < best[t]) {
                best[t] = best[t + s];
                at[t] = at[t + s];
            }
        __syncthreads();
    }
    value[i] = best[t];
    place[i] = at[t];
}

// Values that live across the barriers, in a block that may have one gang only.
__global__ void round(const int *in, int *out, int n, int rounds)
{
    __shared__ int numbers[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int next = t + 1 == blockDim.x ? 0 : t + 1, total = 0;
    numbers[t] = i < n ? in[i] : 5;
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        int number = numbers[next];
        total = total * 3 + number;
        __syncthreads();
        numbers[t] = number + k;
        __syncthreads();
    }
    out[i] = total + numbers[t];
}

// Unknown indices: many are beyond the first two vectors.
__global__ void anywhere(const int *in, int *out, int n, int rounds)
{
    __shared__ int box[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned where = i < n ? in[i] * 977u : 3u;
    for (int j = t; j < 1024; j += blockDim.x)
        box[j] = j * j;
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        int found = box[(where >> (k & 3)) % 1024], near = box[where % 40];
        __syncthreads();
        box[t] += found ^ near;
        where = where * 1664525u + 1013904223u;
        __syncthreads();
    }
    out[i] = box[(t * 5) % 1024];
}

// Fewer elements than lanes, and an array that ends in the second vector.
__global__ void small(const int *in, int *out, int n)
{
    __shared__ int few[5], more[21], guard[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    guard[t] = 1000 + t;
    if (t < 5)
        few[t] = i < n ? in[i] : 1;
    for (int j = t; j < 21; j += blockDim.x)
        more[j] = j;
    __syncthreads();
    for (int s = 2; s > 0; s--) {
        if (t < s)
            few[t] += few[t + s] * more[t + 16] + guard[t];
        __syncthreads();
    }
    for (int s = 10; s > 0; s -= 3) {
        if (t < s)
            more[t] ^= more[t + s] + few[t % 5];
        __syncthreads();
    }
    out[i] = (t < 5 ? few[t] : 0) + more[t] * 1000 + guard[t] * 7;
}

// The number of threads shrinks and grows; what the loop's test changes must change once.
__global__ void tides(const int *in, int *out, int n, int rounds)
{
    __shared__ int sea[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int j = t; j < 1024; j += blockDim.x)
        sea[j] = i < n ? in[i] + j : j;
    __syncthreads();
    int left = rounds, width = 3;
    for (; left-- > 0; width = width * 5 % 47) {
        if (t < width)
            sea[t] += sea[t + width] * left;
        __syncthreads();
        if (t <= width / 2)
            sea[t]++;
        __syncthreads();
        if (!t)
            --sea[t];
        __syncthreads();
    }
    out[i] = sea[t] + left * 1000;
}

// Some threads, or the whole first gang, have ended.
__global__ void survivors(const int *in, int *out, int n, int first)
{
    __shared__ int box[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int j = t; j < 1024; j += blockDim.x)
        box[j] = j ^ 21;
    __syncthreads();
    if (t < first || i >= n)
        return;
    for (int s = 16; s > 0; s /= 2) {
        if (t < s)
            box[t] += box[t + s] + in[i];
        __syncthreads();
    }
    out[i] = box[t];
}

// Rows: there are several first gangs, if not only one row.
__global__ void rows(const int *in, int *out, int threads)
{
    __shared__ int box[8][64];
    __shared__ int line[64];
    int t = threadIdx.x, y = threadIdx.y, k = t + y * blockDim.x;
    for (int j = t; j < 64; j += blockDim.x) {
        box[y][j] = j;
        if (y == 0)
            line[j] = j;
    }
    __syncthreads();
    box[y][t] = in[k];
    __syncthreads();
    for (int s = 8; s > 0; s /= 2) {
        if (t < s) {
            box[y][t] += box[y][t + s];
            if (y == 0)
                line[t] += line[t + s] + box[y][t];
        }
        __syncthreads();
    }
    out[blockIdx.x * threads + k] = box[y][t] + line[t];
}

// The arrays are reached by other names too.
__global__ void names(const int *in, int *out, int n)
{
    __shared__ int sums[1024], count[64], kept[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int *same = sums;
    sums[t] = i < n ? in[i] : 7;
    for (int j = t; j < 64; j += blockDim.x)
        count[j] = kept[j] = j;
    __syncthreads();
    for (int s = 16; s > 0; s /= 2) {
        if (t < s && t + s < blockDim.x) {
            sums[t] += same[t + s];
            same[t] ^= s;
        }
        __syncthreads();
        if (t < s) {
            count[t] += count[t + s];
            kept[t] = kept[t + s] + kept[t];
        }
        __syncthreads();
        atomicAdd(&count[0], 1);
        __syncthreads();
    }
    out[i] = sums[t] + count[t % 64] * 100 + kept[t % 64] * 7;
}

// The step stands at the end of the body, which has a part for the whole block and one for few threads.
__global__ void last(const int *in, int *out, int n)
{
    __shared__ int sums[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, w = blockDim.x, steps = 0;
    sums[t] = i < n ? in[i] : 7;
    __syncthreads();
    while (w > 1) {
        int odd = w & 1;
        if (t < w / 2)
            sums[t] += sums[t + (w + 1) / 2];
        __syncthreads();
        steps += odd + 2;
        w = (w + 1) / 2;
    }
    out[i] = sums[t] + steps * 1000;
}
