// The addresses of locals, array elements and struct members go to device functions.
__device__ void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

__device__ bool divide(int x, int y, int *quotient, int *rest)
{
    if (y == 0)
        return false;
    *quotient = x / y;
    *rest = x % y;
    return true;
}

__device__ void advance(const int **p, int steps)
{
    *p += steps;
}

__global__ void addresses(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = in[i], b = 7, q = -1, r = -2;
        if (in[i] & 1)
            swap(&a, &b);
        if (!divide(a, in[i] % 4, &q, &r))
            q = 1000;
        int v[3] = {a, b, q};
        swap(v, v + 2);
        swap(&v[in[i] % 3], &v[1]);
        const int *p = in;
        advance(&p, i);
        out[i] = v[0] + v[1] * 10 + v[2] * 100 + r + *p * 10000;
    }
}

__global__ void aliased(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = in[i], b = 50;
        int *p = in[i] & 2 ? &a : &b;
        int **pp = &p;
        **pp += 5;
        swap(p, p);
        swap(p, &b);
        if (in[i] & 4)
            *pp = &b;
        *p -= a;
        out[i] = a * 1000 + b;
    }
}
