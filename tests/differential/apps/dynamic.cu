// Dynamic programming: pathfinder (after Rodinia), edit distance, longest common subsequence in local rows, knapsack.
__global__ void pathfinder(const int *wall, int *out, int columns, int rows)
{
    __shared__ int now[256], next[256];
    int t = threadIdx.x, x = blockIdx.x * blockDim.x + t;
    int span = blockDim.x;
    now[t] = x < columns ? wall[x] : 1000000;
    __syncthreads();
    for (int r = 1; r < rows; r++) {
        int best = now[t];
        if (t > 0 && now[t - 1] < best)
            best = now[t - 1];
        if (t + 1 < span && now[t + 1] < best)
            best = now[t + 1];
        next[t] = x < columns ? best + wall[r * columns + x] : 1000000;
        __syncthreads();
        now[t] = next[t];
        __syncthreads();
    }
    if (x < columns)
        out[x] = now[t];
}

#define LONGEST 12

__device__ int least(int a, int b, int c)
{
    return a < b ? a < c ? a : c : b < c ? b : c;
}

__global__ void edit_distance(const char *texts, const int *lengths, const char *pattern, int pattern_length, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const char *text = texts + i * LONGEST;
    unsigned char row[LONGEST + 1];
    int length = lengths[i];
    for (int k = 0; k <= length; k++)
        row[k] = k;
    for (int p = 1; p <= pattern_length; p++) {
        int diagonal = row[0];
        row[0] = p;
        for (int k = 1; k <= length; k++) {
            int above = row[k];
            row[k] = least(above + 1, row[k - 1] + 1, diagonal + (text[k - 1] != pattern[p - 1]));
            diagonal = above;
        }
    }
    out[i] = row[length];
}

__global__ void knapsack(const int *weights, const int *values, const int *capacities, int *out, int items, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best[20] = {0};
        for (int k = 0; k < items; k++)
            for (int c = capacities[i]; c >= weights[k]; c--)
                best[c] = max(best[c], best[c - weights[k]] + values[k]);
        out[i] = best[capacities[i]];
    }
}
