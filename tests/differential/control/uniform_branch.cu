// Conditions that all threads of a block, or of the grid, share.
__global__ void uniform(const int *in, int *out, int n, int mode, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bias = 1;
    if (blockIdx.x % 2)
        bias = 5;
    if (mode == 1 && scale > 1.0f)
        bias *= 2;
    else if (mode > 1)
        for (int k = 0; k < mode; k++)
            bias += k;
    if (i < n) {
        switch (mode) {
        case 0:
            bias -= in[i];
            break;
        case 1:
            if (in[i] & 1)
                bias += 100;
            break;
        default:
            bias += gridDim.x * 1000 + blockDim.x;
        }
        out[i] = bias;
    }
}

__global__ void broken_switch(const int *in, int *out, int n, int mode)
{
    // All threads enter the same section; some leave it early and keep what they had.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = 1, s = 0;
        switch (mode) {
        case 0:
            r = 2;
            if (in[i] & 1)
                break;
            r = 3;
            if (in[i] & 2)
                break;
            s = mode + 5;
        case 1:
            if (in[i] & 4) {
                s++;
                break;
            }
            r = 4;
            s = 9;
            break;
        default:
            while (r < 6) {
                if (in[i] == r * 10)
                    break;  // leaves the loop
                r++;
            }
            if (in[i] & 8)
                break;
            s = r;
            r = 8;
        }
        out[i] = r * 100 + s;
    }
}
