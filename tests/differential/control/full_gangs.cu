// Guards of every form: gangs with all lanes on run code of their own.

__device__ int mixed(int v)
{
    if (v & 1)
        return v * 3;
    return v - 7;
}

__global__ void forms(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned u = i;
    if (n > i)
        out[i] = in[i];
    if (!(i >= n) && i > 2)
        out[i] += in[i - 3];
    if (i < 3 || i >= n - 2) {
        if (i < n)
            out[i] -= 1000;
    } else {
        out[i] += in[i + 2] * in[i + 1];
    }
    if (u - 1 < (unsigned)n - 1)
        out[u] ^= in[u - 1];
    if (n - 1 - i >= 0)
        out[i] += in[n - 1 - i] << 12;
    if ((long long)i * 2 < 2ll * n && n > 0)
        out[i] += mixed(in[i]);
    if (i < n && in[i] > 50)
        out[i] *= 3;
}

__global__ void leaving(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || blockDim.x == 0)
        return;
    int sum = in[i];
    for (int j = 0; j < 5; j++) {
        if (i < j)
            continue;
        sum += in[i - j];
        if (sum > 300)
            break;
    }
    if (i == 4)
        return;
    if (i < 1)
        sum = -sum;
    out[i] = sum;
    if (i + 1 >= n)
        return;
    out[i] += in[i + 1];
}

// The iterations that all lanes run, and those at the end; the counter is used behind the loop.
__global__ void rounds(const int *in, int *out, int n)
{
    int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x, i, k = 0;
    for (i = thread; i < 3 * n; i += threads, k++)
        out[i] = in[i] * k;
    for (int j = thread; j < 3 * n; j += threads) {
        out[j] += i;
        for (int m = j; m < 3 * n && m < j + 2 * threads; m += threads)
            out[j] += in[m];
    }
    for (int j = 3 * n - 1 - thread; j >= 0; j -= threads)
        if (in[j] > 30)
            out[3 * n - 1 - j] -= mixed(in[j]);
    for (unsigned j = thread; j < 3u * n; j += threads) {
        if (in[j] == 7)
            break;
        out[j] ^= 1;
    }
    for (int rest = 3; rest-- > 0 && thread < 3 * n && (thread >= 20 || thread < rest * 9);)
        out[thread] += in[thread] * rest;
}

// A `break` of a switch is none of the loop round it, and a `continue` of a loop in a switch stays in that one.
__device__ int sorted_out(const int *in, int from, int end, int step)
{
    int sum = 0;
    for (int j = from; j < end; j += step) {
        switch (in[j] & 3) {
        case 0:
            break;
        case 1:
            sum += in[j];
        case 2:
            for (int m = 0; m < (in[j] & 7); m++) {
                if (m & 1)
                    continue;
                sum += m;
            }
            break;
        default:
            sum -= 3;
        }
        sum += j;
    }
    return sum;
}

__global__ void switched(const int *in, int *out, int n)
{
    int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = thread; i < 2 * n; i += threads) {
        switch (in[i] & 3) {
        case 0:
            out[i] = 1;
            break;
        case 1:
            if (in[i] & 8)
                break;
            out[i] = 2;
        case 3:
            out[i] += in[i];
        }
        out[i] -= 3;
    }
    if (thread < n)
        out[2 * n + thread] = sorted_out(in, thread, 3 * n, 16) + thread;
}
