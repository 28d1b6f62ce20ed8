// Pointer arithmetic, differences, comparisons, casts between pointer types, null, pointers to pointers.
__global__ void arithmetic(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int *a = in + i, *b = &in[n - 1 - i];
        long distance = b - a;
        int r = (int)distance * 10 + (a < b) + (a == b) * 2 + (a >= in) * 4;
        const int *p = distance < 0 ? b : a;
        r += *p + p[(n - 1) / 2 - (p - in) / 2];
        p = in;
        p += i;
        p -= i / 2;
        r += *p * 100 + *(in + n - 1) + (i + in)[0] + 0 [in];
        const char *bytes = (const char *)a;
        r += bytes[1] + (int)((const char *)b - bytes);
        out[i] = r;
    }
}

__global__ void null(const int *in, const int *maybe, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int *p = in[i] & 1 ? in + i : 0, *q = p;
        int r = maybe ? 1 : 2;
        if (p)
            r += *p;
        if (!q)
            r -= 10;
        r += (p != 0 && *q > 50) * 100;
        out[i] = r;
    }
}

__global__ void double_pointers(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = in[i], b = 20, c = 30;
        int *table[3] = {&a, &b, &c};
        int **which = table + in[i] % 3;
        **which += 1;
        *which = table[(in[i] + 1) % 3];
        **which *= 2;
        *table[0] -= 5;
        out[i] = a * 10000 + b * 100 + c;
    }
}

__global__ void rows(const int *const *table, const int *lengths, int *out, int n)
{
    // An array of pointers that the host made.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < lengths[i]; k++)
            sum = sum * 3 + table[i][k];
        out[i] = sum;
    }
}

__global__ void bits(const float *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float f = in[i];
        unsigned u = *(unsigned *)&f;
        const unsigned short *halves = (const unsigned short *)(in + i);
        out[i] = (u >> 23) + halves[1] * 3u + (unsigned)(((size_t)(in + i) - (size_t)in) & 255);
    }
}
