// Chains and nests of if and else; every path leaves its own trace.
__global__ void chain(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], y;
        if (x < 10)
            y = 1;
        else if (x < 30)
            y = x * 2;
        else if (x < 60) {
            y = x - 100;
            if (x & 1)
                y = -y;
        } else if (x == 77)
            y = 7;
        else
            y = x % 13;
        out[i] = y;
    }
}

__global__ void nest(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i];
    int trace = 1;
    if (x & 1) {
        trace = trace * 3 + 1;
        if (x & 2) {
            trace = trace * 3 + 2;
            if (x & 4)
                trace = -trace;
            else if (x & 8)
                trace += 1000;
        } else {
            trace = trace * 5;
            if (x > 50) {
                trace += x;
            }
        }
        trace += 7;
    } else {
        if (x & 4)
            if (x & 8)
                trace = 40;
            else  // belongs to the inner if
                trace = 41;
        trace -= 2;
    }
    out[i] = trace;
}
