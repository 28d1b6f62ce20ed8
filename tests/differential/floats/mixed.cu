// int, float and double together: what is computed in which precision.
__global__ void mixed(const int *a, const float *f, const double *d, double *out, float *out32, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double *r = out + i * 8;
        r[0] = f[i] * f[i];             // float
        r[1] = f[i] * (double)f[i];
        r[2] = a[i] / 3 * 0.1f;         // int, then float
        r[3] = a[i] / 3.0;
        r[4] = 0.1 + f[i];              // double
        r[5] = 0.1f + f[i];
        r[6] = a[i] * 16777217ll * 1.0f;
        r[7] = d[i] + a[i] % 5 - 'a';
        float s = d[i];                 // rounded
        s += 0.1;                       // double, then rounded
        s *= a[i];
        unsigned char c = a[i];
        c += 2.75f;
        short t = 100;
        t *= 1.5;
        out32[i] = s + c * t;
    }
}
