// The lanes that wait outside a loop keep their values: it works on a twin.
__global__ void carried(int *out, int n, int kind)
{
    int x = threadIdx.x;
    if (x % 3 == kind)
        for (int j = 0; j < n; j++)
            x = x * 5 + 1;
    out[threadIdx.x] = x;
}

// A counter that is read after the loop has a twin for the lanes inside.
__global__ void counted(const float *in, int *out, int limit)
{
    int steps = 0;
    float z = in[threadIdx.x];
    while (steps < limit && z < 4.0f) {
        z = z * z;
        steps++;
    }
    out[threadIdx.x] = steps;
}

// Not if a pointer leads to it, and not if nothing reads it after the loop.
__global__ void kept(int *out, int n)
{
    int x = 1, y = 2, z = 3, *p = &x;
    if (threadIdx.x < 7) {
        while (y < n) {
            x++;
            y += x + *p;
        }
        while (z < n)
            z *= 3;
    }
    out[threadIdx.x] = x + y;
}
