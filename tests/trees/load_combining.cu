// Bytes that are read one by one and put together are read as words.
__global__ void k(const unsigned char *p, unsigned long *out, unsigned u, int i)
{
    unsigned long s = 0;
    for (int n = 0; n < 8; n++)
        s |= (unsigned long)p[8 * i + n] << (n * 8);
    out[0] = s;
    out[1] = (unsigned)(p[i] | p[i + 1] << 8 | p[2 + i] << 16 | p[i + 3] << 24);
    out[2] = p[4 * u] | p[4 * u + 1] << 8 | p[4 * u + 2] << 16 | (unsigned)p[4 * u + 3] << 24;
    out[3] = *p + (*(p + 1) << 8);
    out[4] = p[u] | p[u + 1] << 8;
    out[5] = p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24;
}
