__global__ void k(const unsigned char *p, unsigned long *out, unsigned int u, int i) {
    unsigned long s = 0ul;
    s |= *(const unsigned long *)(p + 8 * i);
    out[0] = s;
    out[1] = (unsigned int)(int)*(const unsigned int *)(p + i);
    out[2] = *(const unsigned int *)(p + 4u * u);
    out[3] = (int)*(const unsigned short *)p;
    out[4] = p[u] | (p[u + 1u] << 8);
    out[5] = (int)*(const unsigned int *)p;
}
