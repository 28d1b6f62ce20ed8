// Arrays of 8- and 16-bit integers: loads extend, stores truncate, compound assignment goes through int.
__global__ void chars(const signed char *a, const unsigned char *b, char *c, unsigned char *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
        d[i] = a[i] * b[i] >> 3;
        if (a[i] < 0)
            d[i] += 200;
        c[i] ^= b[n - 1 - i];
        c[i]--;
        d[i] <<= 1;
    }
}

__global__ void shorts(const short *a, const unsigned short *b, short *c, unsigned short *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int j = (i * 7) % n;
        c[i] = a[j] * b[i];
        d[j] = a[i] - b[j];
        if (b[i] & 1)
            c[i] /= 3;
        d[j]++;
        c[i] %= 1000;
    }
}

__global__ void gathered(const unsigned char *bytes, const unsigned short *index, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && bytes[i] % 3) {
        unsigned char sum = 0;
        for (int k = 0; k < bytes[i] % 6; k++)
            sum += bytes[(index[i] + k) % n];
        out[(index[0] + i) % n] = sum;
    }
}
