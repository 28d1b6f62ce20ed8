// Stores to places that differ: a permutation, private histograms, compaction by rank, in-place updates.
__global__ void permute(const int *where, const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[where[i]] = in[i] * 2.0;
        if (where[i] & 1)
            out[where[i]] += where[i];
    }
}

__global__ void histogram(const unsigned char *data, int *counts, int n, int bins, int per_thread)
{
    // Each thread counts its part in its own row.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *mine = counts + i * bins;
    for (int b = 0; b < bins; b++)
        mine[b] = 0;
    for (int k = i * per_thread; k < (i + 1) * per_thread && k < n; k++)
        mine[data[k] % bins]++;
}

__global__ void rank_sort(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int rank = 0;
        for (int k = 0; k < n; k++)
            rank += in[k] < in[i] || (in[k] == in[i] && k < i);
        out[rank] = in[i];
    }
}

__global__ void in_place(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] *= 3;
        data[i] += data[i] & 7;
        int *p = &data[i];
        *p = *p - 1;
        --*p;
        (*p)++;
    }
}
