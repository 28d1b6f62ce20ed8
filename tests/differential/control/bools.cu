// bool as a value: arithmetic on it, conversions to it, arrays of it, ! and comparisons as numbers.
__global__ void bools(const int *in, const float *f, bool *flags, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bool a = in[i], b = f[i], c = !in[i];
        bool d = 0.3f, e = -0.0f;
        int sum = a + b * 2 + c * 4 + d * 8 + e * 16;
        sum += (in[i] > 5) * 32 + !(f[i] < 0.5f) * 64;
        a ^= b;
        b |= c;
        c &= in[i];       // the int is combined first, then compared with 0
        flags[i] = a && !c;
        a += 2;           // becomes true
        bool *p = &d;
        *p = (in[i] & 6) == 4;
        out[i] = sum * 8 + a + (b << 1) + (c ? 4 : 0) - d;
    }
}
