// What constants decide: arms, operands, and what stands behind a jump.
__device__ bool seen(int *p)
{
    *p += 1;
    return true;
}

template <int SIZE, bool EVEN> __device__ void level(int *p, volatile int *flag, int t)
{
    if (EVEN)
        p[t] = 1;
    else
        p[t] = 2;
    if (SIZE >= 512 && t < 256)
        p[t] += p[t + 256];
    if (t < 32 && SIZE >= 64)
        p[t] += p[t + 32];
    if (t < 16 || SIZE >= 64) {
        int own = p[t];
        p[t + 1] = own;
    }
    // An effect stays, and so does a volatile access.
    if (seen(p) && SIZE >= 512)
        p[t] = 3;
    if (*flag || SIZE < 512)
        p[t] = 4;
    // Nothing follows a jump; but a section of a switch may use what one before it declares.
    for (int k = 0; k < t; k++) {
        if (p[k] == 7)
            continue;
        if (EVEN || SIZE > 0) {
            p[k] = 8;
            break;
        }
        p[k] = 9;
    }
    switch (t) {
    case 0:
        if (SIZE > 0)
            break;
        p[t] = 10;
    case 1:
        p[t] = 11;
    }
    if (!EVEN)
        return;
    p[t] = 12;
}

__global__ void k(int *p, volatile int *flag)
{
    level<64, false>(p, flag, threadIdx.x);
    level<512, true>(p, flag, threadIdx.x);
}
