// Sorting and searching: bitonic sort in shared memory, heap sort per thread, binary search, radix sort by counting.
__global__ void bitonic(int *data)
{
    // The block size is a power of two; each block sorts its part.
    __shared__ int s[256];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                if ((s[t] > s[other]) == up) {
                    int swap = s[t];
                    s[t] = s[other];
                    s[other] = swap;
                }
            }
            __syncthreads();
        }
    data[blockIdx.x * blockDim.x + t] = s[t];
}

__device__ void sift(int *heap, int at, int count)
{
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[at] >= heap[child])
            return;
        int swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
        at = child;
    }
}

__global__ void heap_sort(int *data, const int *counts, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int *mine = data + i * stride, count = counts[i];
        for (int k = count / 2 - 1; k >= 0; k--)
            sift(mine, k, count);
        for (int k = count - 1; k > 0; k--) {
            int swap = mine[0];
            mine[0] = mine[k];
            mine[k] = swap;
            sift(mine, 0, k);
        }
    }
}

__global__ void binary_search(const int *sorted, int count, const int *wanted, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int low = 0, high = count - 1, found = -1, probes = 0;
        while (low <= high) {
            int middle = low + (high - low) / 2;
            probes++;
            if (sorted[middle] == wanted[i]) {
                found = middle;
                break;
            }
            if (sorted[middle] < wanted[i])
                low = middle + 1;
            else
                high = middle - 1;
        }
        out[i] = found * 16 + probes;
    }
}

__global__ void counting_sort(const unsigned char *in, unsigned char *out, int n)
{
    // One block; every thread owns some of the 16 values.
    __shared__ int counts[16], starts[16];
    for (int v = threadIdx.x; v < 16; v += blockDim.x) {
        counts[v] = 0;
        for (int k = 0; k < n; k++)
            counts[v] += in[k] == v;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int v = 0; v < 16; v++) {
            starts[v] = sum;
            sum += counts[v];
        }
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 16; v += blockDim.x)
        for (int k = 0; k < counts[v]; k++)
            out[starts[v] + k] = v;
}
