// A variable that gets another value for good is another variable from there on.
__device__ void look(int **p);

__global__ void k(const float *in, float *out, int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j;
    in += i;
    out = out + 2 * i;
    j = i * 4;
    *out = *in;
    in++;
    if (i < n) {
        int own = i;
        own += n;
        j += own;
        out[j] = *in;
    }
    i ^= i >> 4;
    for (; i < n; i += 3) {
        int last = i;
        last--;
        out[last] = in[i];
    }
    p += n;
    look(&p);
}

__device__ void look(int **p)
{
    **p = 0;
}
