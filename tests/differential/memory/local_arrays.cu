// Arrays of a thread's own: initialisers, indices that differ, two and three dimensions, all element sizes.
__global__ void arrays(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i];
        int digits[10] = {3, 1, 4};
        unsigned char bytes[16];
        double grid[3][4];
        short cube[2][3][2] = {{{1, 2}, {3}}, {{4}, {5, 6}}};
        for (int k = 0; k < 16; k++)
            bytes[k] = k * x;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                grid[r][c] = r * 10 + c + x * 0.5;
        digits[x % 10] += x;
        digits[(x + 3) % 10] ^= digits[x % 7];
        grid[x % 3][x % 4] = -1.0;
        cube[x & 1][x % 3][x >> 1 & 1]++;
        int sum = 0;
        for (int k = 0; k < 10; k++)
            sum = sum * 2 + digits[k];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++)
                sum += cube[a][b][x & 1] * (a + 2 * b);
        out[i] = sum + bytes[x & 15] + (int)(grid[x % 3][0] * 2.0 + grid[2][x % 4]);
    }
}

__global__ void stack(const int *in, int *out, int n)
{
    // A stack with a top that differs, pushed and popped under divergence.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int stack[12], top = 0, r = 0;
        stack[top++] = in[i];
        while (top > 0 && top < 11) {
            int x = stack[--top];
            r = r * 3 + x;
            if (x > 20) {
                stack[top++] = x / 2;
                stack[top++] = x / 3;
            } else if (x % 7 == 3)
                stack[top++] = x - 3;
        }
        out[i] = r * 16 + top;
    }
}

__global__ void fresh(const int *in, int *out, int n)
{
    // An initialised array in a loop begins anew in every turn.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = 0;
        for (int k = 0; k < in[i] % 6; k++) {
            int a[3] = {k, 1};
            a[in[i] % 3] += 5;
            r = r * 7 + a[0] + a[1] * 2 + a[2] * 3;
        }
        out[i] = r;
    }
}
