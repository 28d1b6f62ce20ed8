// Local arrays go to device functions: sorted there, searched there, with indices that differ.
#define COUNT 8

__device__ void insertion_sort(int *a, int count)
{
    for (int i = 1; i < count; i++) {
        int x = a[i], j = i - 1;
        while (j >= 0 && a[j] > x) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = x;
    }
}

__device__ int lower_bound(const int a[], int count, int x)
{
    int low = 0, high = count;
    while (low < high) {
        int mid = (low + high) >> 1;
        if (a[mid] < x)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

__device__ void fill(int (*rows)[4], int seed)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            rows[r][c] = seed * r - c;
}

__global__ void sorted(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a[COUNT], m[3][4];
        for (int k = 0; k < COUNT; k++)
            a[k] = in[(i * 3 + k * 5) % n];
        insertion_sort(a, in[i] % (COUNT + 1));
        int at = lower_bound(a, COUNT / 2, in[i]);
        insertion_sort(a + 2, COUNT - 2);
        fill(m, in[i]);
        unsigned h = at;
        for (int k = 0; k < COUNT; k++)
            h = h * 31 + a[k];
        out[i] = (h & 0xffff) + m[in[i] % 3][i % 4] * 65536;
    }
}
