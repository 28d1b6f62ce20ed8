// The order of evaluation that C++17 fixes: a value before the place it is assigned to, comma, chains.
__global__ void order(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a[8], k = in[i] & 3, x;
        for (int j = 0; j < 8; j++)
            a[j] = j * 10;
        a[k] = k = k + 1;    // the new k is the index
        a[k] += k += 2;      // here too
        x = a[k & 7] = k * 2;
        int y = (k++, k++, k);
        a[y & 7] = x += y -= 1;
        int sum = 0;
        for (int j = 0; j < 8; j++)
            sum = sum * 3 + a[j];
        out[i] = sum + x + y + k;
    }
}
