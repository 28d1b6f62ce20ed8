// The bits of floats: casts both ways, halves of doubles, sign tricks, classification.
__global__ void casts(const float *f, const double *d, unsigned *out, double *back, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned *r = out + i * 8;
        r[0] = __float_as_uint(f[i]);
        r[1] = __float_as_int(f[i]) >> 23;
        r[2] = __float_as_uint(__uint_as_float(r[0] ^ 0x80000000u));
        r[3] = __float_as_uint(__int_as_float((int)(r[0] & 0x7fffff00)));
        r[4] = __double2hiint(d[i]);
        r[5] = __double2loint(d[i]);
        r[6] = (unsigned)(__double_as_longlong(d[i]) >> 20);
        r[7] = isnan(f[i]) + isinf(f[i]) * 2 + isfinite(f[i]) * 4 + signbit(f[i]) * 8 + isnan(d[i]) * 16 +
               isinf(d[i]) * 32 + isfinite(d[i]) * 64 + signbit(d[i]) * 128;
        back[2 * i] = __hiloint2double(r[4] & 0xfffff000, 77);
        back[2 * i + 1] = __longlong_as_double(__double_as_longlong(d[i]) & ~0xffffll);
    }
}
