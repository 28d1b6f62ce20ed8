// Tiles in shared memory: blocks of their size have code of their own, rows are read whole, and what the block has is
// not kept. Smaller blocks, odd ones, ones with more layers and ones that are partly outside run the other code.

// A pyramid of steps: cells at the tile's border are not computed, neighbours outside the field are the field's edge.
__global__ void pyramid(const float *in, float *out, int columns, int rows, int steps)
{
    __shared__ float now[16][16];
    __shared__ float next[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int inner = blockDim.x - steps * 2;
    const int left = inner * (int)blockIdx.x - steps, top = inner * (int)blockIdx.y - steps;
    const int right = left + (int)blockDim.x - 1, bottom = top + (int)blockDim.y - 1;
    const int x = left + tx, y = top + ty, index = columns * y + x;
    now[ty][tx] = 0;
    if (x >= 0 && x < columns && y >= 0 && y < rows)
        now[ty][tx] = in[index];
    __syncthreads();
    const int first_row = top < 0 ? -top : 0, first_column = left < 0 ? -left : 0;
    const int last_row = bottom > rows - 1 ? blockDim.y - 1 - (bottom - rows + 1) : blockDim.y - 1;
    const int last_column = right > columns - 1 ? blockDim.x - 1 - (right - columns + 1) : blockDim.x - 1;
    const int north = ty - 1 < first_row ? first_row : ty - 1, south = ty + 1 > last_row ? last_row : ty + 1;
    const int west = tx - 1 < first_column ? first_column : tx - 1, east = tx + 1 > last_column ? last_column : tx + 1;
    bool computed = false;
    for (int i = 0; i < steps; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= (int)blockDim.x - i - 2 && ty >= i + 1 && ty <= (int)blockDim.y - i - 2 &&
            tx >= first_column && tx <= last_column && ty >= first_row && ty <= last_row) {
            computed = true;
            next[ty][tx] = now[ty][tx] + (now[north][tx] + now[south][tx]) * 2 + now[ty][west] - now[ty][east];
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (computed)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed)
        out[index] = next[ty][tx];
}

// Padded rows, wider than a register, read where other numbers say; some threads have left before the barrier.
__global__ void padded(const int *in, int *out, int n)
{
    __shared__ int tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * blockDim.x + tx;
    tile[ty][tx] = tx * 3 + ty;
    if (tx == 0 && blockDim.x < 33)
        tile[ty][32] = ty;
    if (i >= n || tx == 5)
        return;
    __syncthreads();
    int to = in[i] % 33;
    int v = to < (int)blockDim.x || to == 32 ? tile[ty][to < 32 && tx == 3 ? tx : to] : -1;
    if (ty == 2 && in[i] > 40)
        v += tile[1][max(tx - 1, 0)] - tile[ty][min(tx + 1, (int)blockDim.x - 1)] * 5;
    __syncthreads();
    if (tx == 6 && ty > 0)
        return;
    tile[ty][tx] = v;
    __syncthreads();
    out[(blockIdx.x * blockDim.y + ty) * blockDim.x + tx] = tile[ty][max(tx - 7, 0) == 5 ? tx : max(tx - 7, 0)] + v;
}

// A short table, asked in many ways: under masks that may be empty, by indices of several types, and by none at all.
__global__ void tables(const int *in, int *out, int n)
{
    __shared__ int table[16];
    __shared__ float few[5];
    __shared__ unsigned wide[24];
    int t = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
    for (int k = t; k < 24; k += threads) {
        if (k < 16) table[k] = k * k;
        if (k < 5) few[k] = k + 0.5f;
        wide[k] = 1000u + k;
    }
    __syncthreads();
    int i = blockIdx.x * threads + t, v = 0;
    if (i < n) {
        int a = in[i];
        v = table[a & 15] + (int)few[(unsigned)a % 5] + wide[(long long)(a % 24)] + wide[(unsigned char)(a % 20)];
        if (a > 95) v += table[a - 95];
        if (a > 1000) v += table[a];
        if (a < 16 && a != 3) v ^= table[a];
        v += a % 3 ? table[15 - t % 16] : wide[t % 24];
    }
    __syncthreads();
    if (i < n)
        out[i] = v;
}

// Values of the block are between those of threads, change later, depend on a divisor that may be 0, or on a loop.
__global__ void settled(const int *in, int *out, int n, int zero)
{
    __shared__ int tile[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int base = blockIdx.x * 3, x = tx + base, later = base + 1;
    int quotient = zero ? n / zero : 7;
    int last = max(tx - 1, base), rest = zero == 0 ? tx : tx % zero;
    tile[ty][tx] = x + quotient;
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        int twice = k * 2 + base, own = tx + twice;
        sum += tile[ty][(tx + k) % blockDim.x] + own;
        __syncthreads();
        tile[ty][tx] = own + last + later;
        later += k;
        __syncthreads();
        sum ^= own * 3 + twice + rest + tile[ty][tx];
    }
    int i = (blockIdx.x * blockDim.y + ty) * blockDim.x + tx;
    out[i] = sum + x * 5 + last + later + in[0];
}

// Rows of a matrix, one in each iteration: the next ones are asked for early, also behind the last.
__global__ void cheapest(const int *in, int *out, int n, int rows)
{
    __shared__ int before[256];
    int t = threadIdx.x, x = blockIdx.x * blockDim.x + t;
    before[t] = 0;
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        int best = min(before[max(t - 1, 0)], before[min(t + 1, (int)blockDim.x - 1)]);
        __syncthreads();
        if (x < n)
            before[t] = best + in[n * i + x];
        __syncthreads();
    }
    if (x < n)
        out[x] = before[t];
}
