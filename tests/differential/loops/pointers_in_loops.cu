// Pointers that walk: each thread its own distance, in both directions.
__global__ void walk(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int *p = in + i, *end = in + n;
    int sum = 0;
    while (p != end && *p % 6)
        sum += *p++;
    out[i] = sum * 100 + (int)(p - in);
    const int *back = p - 1;
    while (back >= in && *back > 10)
        --back;
    out[i] = out[i] * 10 + (back < in) + (int)(p - back);
}

__global__ void list(const int *next, int *out, int n)
{
    // Linked lists in an array; -1 ends one.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int length = 0, last = i;
        for (int at = i; at >= 0; at = next[at]) {
            length++;
            last = at;
        }
        out[i] = length * 1000 + last;
    }
}
