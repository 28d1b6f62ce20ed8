// Effects in places, conditions, counts and arguments happen as often as they are written.
struct Item { int key, count; };
__device__ int bumped(int *p) { *p += 1; return *p; }

__global__ void places(const int *in, int *out, int n, int u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a[8], k = in[i] & 3, m = 0;
    Item items[4];
    for (int j = 0; j < 8; j++)
        a[j] = in[i] * (j + 1);
    for (int j = 0; j < 4; j++)
        items[j].key = j, items[j].count = in[i] + j;
    a[k++ & 7] += bumped(&m);
    a[bumped(&m) & 7]++;
    a[bumped(&k) & 7] -= a[bumped(&k) & 7] < 50 ? a[k & 7] : a[bumped(&k) & 7];
    int least = a[k++ & 7] < a[0] ? a[k & 7] : a[k++ & 7];
    Item *p = items;
    p++->count += 2;
    (*p++).key = 7;
    items[bumped(&m) & 3] = items[bumped(&m) & 3];
    *p = p[bumped(&m) & 1];
    int x = in[i];
    if ((x += 3) > 50)
        x -= x++ > 60 ? 1 : 2;
    x = (x & 1) ? x++ + x : --x;
    const volatile int *v = in + i;
    int w = *v < 50 ? *v : *v + 1;
    int t = u-- > 2 ? u-- : u++;
    t += (u & 1 ? bumped(&m) : bumped(&k)) / (u | 1);
    int sum = 0;
    for (int j = 0; j < 8; j++)
        sum = sum * 3 + a[j];
    for (int j = 0; j < 4; j++)
        sum = sum * 5 + items[j].key + items[j].count * 3;
    for (int j = m++; j < 10; j++)
        sum += j * m;
    int j = k++;
    while (j < 20)
        sum += j++ * k;
    do
        sum ^= k;
    while (k-- > 3 && bumped(&m) < 40);
    out[i] = sum + least + x + w + t + k + m + u + j;
}

__device__ int exchange(int *s, int *p, int value)
{
    s[threadIdx.x] = value;
    __syncthreads();
    int other = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    *p += 1;
    return other;
}

__global__ void rounds(const int *in, int *out, int n, int u)
{
    __shared__ int s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    int x = i < n ? in[i] : 1, k = 1, m = 3, r = 0;
    s[t] = x;
    __syncthreads();
    for (int d = blockDim.x; (d /= 2) > 0;) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    while (u-- > 0) {
        if (threadIdx.x < (k += 2))
            s[t] += k + r++;
        __syncthreads();
        if (threadIdx.x < bumped(&m))
            s[t] ^= m;
        __syncthreads();
        r += (x++ + t) / (m++ | 1) + t % (u + 2);
        switch (k++ & 3) {
        case 0:
            __syncthreads();
        case 1:
        case 2:
            r += s[(t + 1) % blockDim.x];
            __syncthreads();
            s[t] = r;
        }
        __syncthreads();
    }
    r += exchange(s, &x, x + 1) * 3;
    int y = exchange(s, &r, r++);
    y = exchange(s, &y, bumped(&y)) + y;
    s[t] = y;
    __syncthreads();
    for (int j = 0, e = 5; j < e--; j += m++ & 1) {
        r += s[(t + j) % blockDim.x];
        __syncthreads();
        s[t] += r;
        __syncthreads();
    }
    if (i < n)
        out[i] = r + x + y + k + m + s[t];
}

__global__ void strides(const int *in, int *out, int n, int u)
{
    int sum = 0, k = u, calls = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - k++; i += blockDim.x * gridDim.x)
        sum += in[i];
    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step++)
        sum += in[i];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + k++; i < n; i += blockDim.x * gridDim.x)
        sum += in[i] + k;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += bumped(&step))
        sum += in[i];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (calls++, n); i += blockDim.x * gridDim.x)
        sum += in[i];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; calls += 3, i += blockDim.x * gridDim.x)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + k * 7 + step + calls * 11;
}

__device__ void visit(const int *in, int n, int at, int depth, int *sum)
{
    if (depth == 0 || at >= n) {
        *sum = *sum * 3 + at;
        return;
    }
    int k = in[at];
    if (k++ & 1) {
        visit(in, n, at + k++ % 3, depth - 1, sum);
        if (k++ & 2)
            visit(in, n, at + 1, depth - 1, sum);
    } else {
        if (k++ & 4)
            visit(in, n, at + 1, depth - 1, sum);
        visit(in, n, at + k++ % 3, depth - 1, sum);
    }
    *sum += k;
}

__device__ void walk(const int *in, int n, int at, int depth, int *sum)
{
    if (depth == 0 || at >= n)
        return;
    int k = in[at];
    *sum = *sum * 3 + k;
    if (k & 1) {
        walk(in, n, at + 1 + k % 3, depth - 1, sum);
        if (k & 2)
            walk(in, n, at + 1, depth - 1, sum);
    } else {
        if (k & 2)
            walk(in, n, at + 1, depth - 1, sum);
        walk(in, n, at + 1 + k % 3, depth - 1, sum);
    }
}

__global__ void trees(const int *in, int *out, int n, int u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (i >= n)
        return;
    visit(in, n, i, u & 3, &sum);
    walk(in, n, i, u & 7, &sum);
    out[i] = sum;
}
