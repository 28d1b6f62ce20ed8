// Reads for which no lane of a gang, or of a part of a wide one, asks: what leads there need not lead anywhere.
struct Pair { int first, second; };
struct Box { int sizes[3]; Pair pairs[2]; };

__constant__ const int table[4] = {3, 1, 4, 1};

// A thread's own arrays, indexed by what nearly all lanes agree about.
__global__ void by_condition(const int *in, int *out, int n, int never)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int a[2];
    double d[2];
    unsigned char c[2];
    Pair p[2];
    for (int k = 0; k < 2; k++) {
        a[k] = x * 2 + k;
        d[k] = x * 3 + k;
        c[k] = x * 5 + k;
        p[k].first = p[k].second = x * 7 + k;
    }
    int r = x < n ? in[x] : never - 1, sum = a[x < 7] + (int)d[x < 7] + c[x >= 7] + p[x < 20].second;
    sum += r == never ? a[x < 7] : 2;
    sum += r == never && a[x < 7] == 5;
    sum += r == never ? (int)d[x > 20] : 3;
    sum += r == never && c[x < n / 2] == 4;
    sum += r == never ? p[x < n / 2].second : 5;
    sum += x < 20 ? a[x < 7] : 6;
    sum += x > 40 && d[x < 50] > 90;
    if (x < n) {
        a[x < 7] = r;
        d[x > n / 2] = sum;
        p[x < 20].first += 3;
        out[x] = sum + a[0] * 3 + a[1] + (int)d[0] + (int)d[1] * 5 + p[0].first + p[1].first * 3;
    }
}

// Places that are the same in all lanes, and out of bounds if none asks.
__global__ void by_number(const int *in, int *out, int n, int u)
{
    __shared__ int s[256];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int a[4];
    double d[4];
    Box b;
    for (int k = 0; k < 4; k++)
        d[k] = a[k] = x * 2 + k;
    for (int k = 0; k < 3; k++)
        b.sizes[k] = x + k;
    for (int k = 0; k < 2; k++)
        b.pairs[k].first = b.pairs[k].second = x - k;
    s[threadIdx.x] = x < n ? in[x] : 0;
    __syncthreads();
    int r = s[threadIdx.x], sum = 0;
    const int *own = a + u, *nowhere = (const int *)(long)u;
    sum += r > 50 && u < 4 && a[u] > 3;
    sum += r > 50 && u < 4 ? a[u] : 7;
    sum += r > 50 && u < 4 && d[u] > 3;
    sum += r > 50 && u < 3 && b.sizes[u] > 3;
    sum += r > 50 && u < 2 ? b.pairs[u].second : 2;
    sum += r > 50 && u < 4 && *own > 3;
    sum += r > 50 && u < 4 ? own[0] : 1;
    sum += r > 50 && u < 0 && own[1] == 2;
    sum += r > 50 && u < 0 ? *nowhere : 5;
    sum += r > 50 && u < 0 && *nowhere == 3;
    sum += r > 50 && u < 4 && table[u] == 1;
    sum += r > 50 && u < 1 ? s[u] : 9;
    sum += r > 50 && a[2] > 9 && b.pairs[1].second > 8;
    if (r > 50 && u < 4 && a[u] > 5)
        sum += a[u] * 3;
    if (r > 50 && u < 4)
        a[u] += 5;
    if (r > 50 && u < 2)
        b.pairs[u].first++;
    if (x < n)
        out[x] = sum + a[u & 3] + b.pairs[u & 1].first;
}

// The number of threads of a region in a loop, read where it is not there.
__global__ void threads_of_region(const int *in, int *out, int n, int u)
{
    __shared__ int s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 1;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (u < 4) {
            if (threadIdx.x < table[u])
                s[threadIdx.x] += k;
            __syncthreads();
        }
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (i < n)
        out[i] = s[threadIdx.x];
}
