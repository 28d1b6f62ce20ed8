// Math functions in branches and loops: threads that are off must not disturb, whatever their values are.
__global__ void guarded(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i], r = -1.0f;
        if (x > 0.0f)
            r = logf(x) + sqrtf(x);
        else if (x < 0.0f) {
            r = expf(x);
            for (int k = 0; k < i % 4; k++)
                r = sinf(r) + 1.0f / x;
        }
        if (r != 0.0f && i % 3)
            r = powf(r < 0 ? -r : r, 0.25f) / r;
        out[i] = r;
    }
}

__global__ void newton(const double *in, double *out, int *turns, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double a = in[i], x = a > 1.0 ? a : 1.0;
        int k = 0;
        while (fabs(x * x - a) > 1e-9 * a && k < 60) {
            x = 0.5 * (x + a / x);
            k++;
        }
        out[i] = x;
        turns[i] = k;
    }
}
