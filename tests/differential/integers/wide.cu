// 64-bit arithmetic: hashes, random numbers, multiplication in pieces, modular powers.
__device__ unsigned long long fnv(const unsigned char *bytes, int count)
{
    unsigned long long h = 0xcbf29ce484222325ull;
    for (int k = 0; k < count; k++) {
        h ^= bytes[k];
        h *= 0x100000001b3ull;
    }
    return h;
}

__device__ unsigned long long next_random(unsigned long long *state)
{
    unsigned long long z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

__device__ unsigned long long multiply_modulo(unsigned long long a, unsigned long long b, unsigned long long m)
{
    unsigned long long r = 0;
    while (b) {
        if (b & 1)
            r = r >= m - a ? r - (m - a) : r + a;
        a = a >= m - a ? a - (m - a) : a + a;
        b >>= 1;
    }
    return r;
}

__global__ void wide(const unsigned char *bytes, const unsigned long long *in, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long long state = in[i], sum = 0, m = 1000000007ull * (1 + (in[i] & 3));
        for (int k = 0; k < (int)(in[i] % 5); k++)
            sum += next_random(&state) >> (k * 7);
        sum ^= fnv(bytes + i, n - i < 9 ? n - i : 9);
        out[2 * i] = sum;
        out[2 * i + 1] = multiply_modulo(in[i] % m, sum % m & 0xfff, m);
        long long s = (long long)sum;
        out[2 * i] += s / 1000003 + s % 1000003 + (s >> 13) + (s < 0 ? -s : s);
    }
}
