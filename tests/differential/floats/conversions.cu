// Floats to integers: toward zero, saturated, NaN to 0; __float2int_rn and the like; integers to floats, rounded once.
__global__ void to_integers(const float *f, const double *d, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long *r = out + i * 11;
        r[0] = (int)f[i];
        r[1] = (unsigned)f[i];
        r[2] = (long long)f[i];
        r[3] = (unsigned long long)f[i];
        r[4] = (int)d[i];
        r[5] = (unsigned)d[i];
        r[6] = (long long)d[i];
        r[7] = (unsigned long long)d[i];
        r[8] = (bool)f[i] + (bool)d[i] * 2;
        r[9] = (long)f[i] + (f[i] ? 1 : 0);
        r[10] = (size_t)d[i];
    }
}

__global__ void to_narrow(const float *f, int *out, int n)
{
    // Values that fit: beyond that C leaves it open.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (signed char)f[i] + (unsigned char)(f[i] < 0 ? -f[i] : f[i]) * 3 + (short)(f[i] * 100) * 5 +
                 (unsigned short)(f[i] * f[i]) * 7;
}

__global__ void with_mode(const float *f, const double *d, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long *r = out + i * 32;
        r[0] = __float2int_rn(f[i]);
        r[1] = __float2int_rz(f[i]);
        r[2] = __float2int_rd(f[i]);
        r[3] = __float2int_ru(f[i]);
        r[4] = __float2uint_rn(f[i]);
        r[5] = __float2uint_rz(f[i]);
        r[6] = __float2uint_rd(f[i]);
        r[7] = __float2uint_ru(f[i]);
        r[8] = __float2ll_rn(f[i]);
        r[9] = __float2ll_rz(f[i]);
        r[10] = __float2ll_rd(f[i]);
        r[11] = __float2ll_ru(f[i]);
        r[12] = __float2ull_rn(f[i]);
        r[13] = __float2ull_rz(f[i]);
        r[14] = __float2ull_rd(f[i]);
        r[15] = __float2ull_ru(f[i]);
        r[16] = __double2int_rn(d[i]);
        r[17] = __double2int_rz(d[i]);
        r[18] = __double2int_rd(d[i]);
        r[19] = __double2int_ru(d[i]);
        r[20] = __double2uint_rn(d[i]);
        r[21] = __double2uint_rz(d[i]);
        r[22] = __double2uint_rd(d[i]);
        r[23] = __double2uint_ru(d[i]);
        r[24] = __double2ll_rn(d[i]);
        r[25] = __double2ll_rz(d[i]);
        r[26] = __double2ll_rd(d[i]);
        r[27] = __double2ll_ru(d[i]);
        r[28] = __double2ull_rn(d[i]);
        r[29] = __double2ull_rz(d[i]);
        r[30] = __double2ull_rd(d[i]);
        r[31] = __double2ull_ru(d[i]);
    }
}

__global__ void from_integers(const long long *in, float *f, double *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long l = in[i];
        unsigned long long u = in[i];
        int s = (int)l;
        unsigned t = (unsigned)l;
        float *r = f + i * 12;
        r[0] = l;
        r[1] = u;
        r[2] = s;
        r[3] = t;
        r[4] = __ll2float_rn(l);
        r[5] = __ll2float_rz(l);
        r[6] = __ull2float_rn(u);
        r[7] = __ull2float_rz(u);
        r[8] = __int2float_rn(s);
        r[9] = __int2float_rz(s);
        r[10] = __uint2float_rn(t);
        r[11] = __uint2float_rz(t);
        double *q = d + i * 6;
        q[0] = l;
        q[1] = u;
        q[2] = __ll2double_rn(l);
        q[3] = __ull2double_rn(u);
        q[4] = __int2double_rn(s);
        q[5] = __uint2double_rn(t);
    }
}

__global__ void between(const double *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i * 3] = in[i];
        out[i * 3 + 1] = __double2float_rn(in[i]);
        out[i * 3 + 2] = __double2float_rz(in[i]);
    }
}
