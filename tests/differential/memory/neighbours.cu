// Reads of neighbours at places of each lane's own, and what may be between them.

struct Part {
    float x, y;
    int left, right, tag;
};

struct Link {
    const Link *next;
    int low, high;
};

// The rows of a sparse matrix, in any order.
__global__ void lengths(const int *row, const int *order, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = order[i];
        out[i] = row[v + 1] - row[v];
    }
}

// Three of them, from the last one on; with unsigned indices; two of each lane's two.
__global__ void three(const int *a, const int *order, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = order[i];
    unsigned u = v;
    out[i] = a[v + 2] * 5 - a[v + 1] * 3 + a[v];
    if (v & 1)
        out[i] += a[u + 1u] ^ a[u];
    out[i] -= a[2 * (v / 3) + 1] - a[2 * (v / 3)];
}

// Members of both kinds, some of them for some lanes.
__global__ void members(const Part *parts, const int *order, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Part &p = parts[order[i]];
    float sum = p.x - p.y;
    if (p.tag & 1)
        sum += p.right * 2 + p.left;
    for (int k = p.left; k < p.right; k++)
        sum += parts[k].left - parts[k].right;
    out[i] = sum;
}

// What is written between two reads may be what the second one reads.
__global__ void written(int *a, const int *order, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = 4 * order[i];
    int first = a[v];
    a[v + 1] = first + 7;
    int second = a[v + 1];
    a[v + 3] = second;
    int low = a[v + 2];
    atomicAdd(&a[v + 3], low);
    out[i] = first + 3 * second + low + 5 * a[v + 3];
}

// The second one's place depends on what the first one reads.
__global__ void depends(const int *a, const int *order, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = order[i], next = v + (a[v] & 1);
    out[i] = a[v] - 2 * a[next] + a[next + 1];
}

__global__ void listed(const Link *links, const int *order, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (const Link *l = &links[order[i]]; l && sum < 1000; l = l->next)
        sum += l->high - 2 * l->low;
    out[i] = sum;
}

__device__ float at(const float *image, int x, int y, int w, int h)
{
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return image[y * w + x];
}

// Neighbours but at the edges, which `place` may lie far beyond.
__global__ void between(const float *image, const int *place, float *out, int w, int h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = place[2 * i], y = place[2 * i + 1];
    float sum = at(image, x, y, w, h) + 2.0f * at(image, x + 1, y, w, h);
    if (x & 1)
        sum += 3.0f * at(image, x, y + 1, w, h) + 4.0f * at(image, x + 1, y + 1, w, h);
    out[i] = sum;
}

// The same in a loop, whose iterations lanes leave one by one; beyond the last column comes the first one.
__global__ void around(const float *image, const int *place, float *out, int w, int h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = (unsigned)place[2 * i] % w, y = (unsigned)place[2 * i + 1] % h;
    float sum = 0.0f;
    for (int k = 0; k < (i & 3) + 1; k++) {
        int right = x + 1 == w ? 0 : x + 1;
        int left = x == 0 ? w - 1 : x - 1;
        sum += image[y * w + right] - 2.0f * image[y * w + x] + image[y * w + left];
        x = right;
        y = min(y + 1, h - 1);
    }
    out[i] = sum;
}

// One pair of each, the nearer one last, as whole numbers.
__global__ void ends(const int *a, const int *place, int *out, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = place[i];
    int above = min(max(x + 1, 0), count - 1), below = min(max(x, 0), count - 1);
    out[i] = a[above] * 3 - a[below];
}

__global__ void watched(const volatile int *a, const int *order, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[order[i]] - 2 * a[order[i] + 1];
}

__global__ void shared(const int *in, int *out, int n)
{
    __shared__ int tile[1026];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    if (t == 0)
        tile[blockDim.x] = tile[blockDim.x + 1] = -1;
    __syncthreads();
    int v = tile[t] % blockDim.x;
    int sum = tile[v] - 3 * tile[v + 1];
    __syncthreads();
    tile[t] = sum;
    __syncthreads();
    if (i < n)
        out[i] = tile[v] + 5 * tile[v + 1] - tile[v + 2];
}
