// A constant or a block's value assigned where threads disagree: the variable is different afterwards.
__global__ void one_arm(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = 5, b = blockIdx.x;
        if (in[i] & 1)
            a = 9;
        if (in[i] & 2)
            b = n;
        out[i] = a * 1000 + b;
    }
}

__global__ void both_arms(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a, b = 0;
        if (in[i] & 1) {
            a = 1;
            b = a + 10;
        } else {
            a = 2;
            b = a + 20;
        }
        int c = a;
        if (in[i] & 4)
            c = b;
        else
            c += b;
        out[i] = a * 10000 + b * 100 + c;
    }
}

__global__ void in_loop(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int step = 1, bound = 3, total = 0;
        for (int k = 0; k < bound; k += step) {
            total += k;
            if (in[i] == k + 2)
                step = 2;
            if (total > 30)
                break;
            if (in[i] & 1)
                bound = 12;
        }
        out[i] = total * 100 + step * 10 + bound;
    }
}

__global__ void swapped(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = 1, b = 2, c = 3;
        for (int k = 0; k < 6; k++) {
            if (in[i] >> k & 1) {
                int t = a;
                a = b;
                b = t;
            } else {
                int t = b;
                b = c;
                c = t + k;
            }
        }
        out[i] = a * 10000 + b * 100 + c;
    }
}

__global__ void in_switch(const int *in, int *out, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = m, s = 0;
        switch (in[i] % 4) {
        case 0:
            r = 7;
        case 1:
            s = r;
            break;
        case 2:
            s = m + 1;
        }
        out[i] = r * 100 + s;
    }
}

__global__ void pointer(const int *in, const int *other, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int *p = in;
        if (in[i] & 1)
            p = other;
        out[i] = p[0] + p[i] * 100;
    }
}
