// while with break and continue in divergent positions.
__global__ void collatz(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = in[i] + 1;
        int steps = 0;
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x / 2;
            if (++steps == 60)
                break;
        }
        out[i] = steps * 1000 + x % 1000;
    }
}

__global__ void search(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int want = in[i], at = 0, probes = 0, found = -1;
    while (true) {
        if (at >= n)
            break;
        probes++;
        if (in[at] % 5 == 0) {
            at += 2;
            continue;
        }
        if (in[at] > want) {
            found = at;
            break;
        }
        at++;
    }
    out[i] = found * 1000 + probes;
}

__global__ void effects_in_test(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], y = 0;
        while (x-- > 3 && (y += x) < 200)
            if (y % 4 == 1)
                continue;
            else
                y++;
        out[i] = x * 1000 + y;
    }
}
