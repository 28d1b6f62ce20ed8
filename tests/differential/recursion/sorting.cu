// Recursive sorting of local arrays, and recursion that returns structs.
__device__ void quicksort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, low, j);
    quicksort(a, i, high);
}

__device__ void merge_sort(int *a, int *scratch, int count)
{
    if (count < 2)
        return;
    int half = count / 2, i = 0, j = half, k = 0;
    merge_sort(a, scratch, half);
    merge_sort(a + half, scratch, count - half);
    while (i < half || j < count)
        scratch[k++] = j >= count || (i < half && a[i] <= a[j]) ? a[i++] : a[j++];
    for (k = 0; k < count; k++)
        a[k] = scratch[k];
}

typedef struct {
    int least, greatest, sum;
} Summary;

__device__ Summary summarise(const int *a, int count)
{
    Summary s;
    if (count == 1) {
        s.least = s.greatest = s.sum = *a;
        return s;
    }
    Summary left = summarise(a, count / 2), right = summarise(a + count / 2, count - count / 2);
    s.least = left.least < right.least ? left.least : right.least;
    s.greatest = left.greatest > right.greatest ? left.greatest : right.greatest;
    s.sum = left.sum + right.sum;
    return s;
}

__global__ void sorts(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a[12], b[12], scratch[12];
    int count = 1 + in[i] % 12;
    for (int k = 0; k < count; k++)
        a[k] = b[k] = in[(i + k * k) % n];
    quicksort(a, 0, count - 1);
    merge_sort(b, scratch, count);
    Summary s = summarise(b, count);
    int r = s.sum * 10 + (s.least == a[0]) + (s.greatest == a[count - 1]) * 2;
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            r = -k;
    out[i] = r * 100 + a[count / 2];
}
