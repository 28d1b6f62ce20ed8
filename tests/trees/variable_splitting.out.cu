__device__ void look(int **p);

__global__ void k(const float *in, float *out, int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j;
    const float *in2 = in + i;
    float *out2 = out + 2 * i;
    int j2 = i * 4;
    *out2 = *in2;
    const float *in3 = in2 + 1;
    if (i < n) {
        int own = i;
        int own2 = own + n;
        j2 += own2;
        out2[j2] = *in3;
    }
    i ^= i >> 4;
    for (; i < n; i += 3) {
        int last = i;
        int last2 = last - 1;
        out2[last2] = in3[i];
    }
    p += n;
    look(&p);
}

__device__ void look(int **p) {
    **p = 0;
}
