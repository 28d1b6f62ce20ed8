// return out of nested loops, and a flag that ends them by hand: both must agree for each thread.
__global__ void from_loops(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = 0;
    int x = in[i];
    for (int a = 1; a < 7; a++) {
        for (int b = a; b < 7; b++) {
            int c = 0;
            while (c < 5) {
                if (a * 10 + b * 3 + c == x) {
                    out[i] = a * 100 + b * 10 + c;
                    return;
                }
                if (c == a)
                    break;
                c++;
            }
            out[i]--;
        }
    }
    out[i] -= 1000;
}

__global__ void by_flag(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bool done = false;
        int x = in[i], a, b = 0, turns = 0;
        for (a = 0; a < 8 && !done; a++)
            for (b = 0; b < 8 && !done; b++) {
                turns++;
                if (a * b == x % 40)
                    done = true;
            }
        out[i] = a * 10000 + b * 100 + turns;
    }
}
