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
