// k nearest neighbours with a sorted list per thread; k-means assignment; range counts.
#define K 4
#define DIMS 3

__global__ void knn(const float *points, int count, const float *queries, int *found, float *distances, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best[K];
    int which[K];
    for (int k = 0; k < K; k++) {
        best[k] = 1e30f;
        which[k] = -1;
    }
    for (int p = 0; p < count; p++) {
        float d = 0.0f;
        for (int a = 0; a < DIMS; a++) {
            float diff = points[p * DIMS + a] - queries[i * DIMS + a];
            d += diff * diff;
        }
        if (d >= best[K - 1])
            continue;
        int at = K - 1;
        while (at > 0 && best[at - 1] > d) {
            best[at] = best[at - 1];
            which[at] = which[at - 1];
            at--;
        }
        best[at] = d;
        which[at] = p;
    }
    for (int k = 0; k < K; k++) {
        found[i * K + k] = which[k];
        distances[i * K + k] = best[k];
    }
}

__global__ void assign(const float *points, const float *centres, int clusters, int *membership, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int index = 0;
        float least = 3.4e38f;
        for (int c = 0; c < clusters; c++) {
            float d = 0.0f;
            for (int a = 0; a < DIMS; a++)
                d += (points[a * n + i] - centres[c * DIMS + a]) * (points[a * n + i] - centres[c * DIMS + a]);
            if (d < least) {
                least = d;
                index = c;
            }
        }
        membership[i] = index;
    }
}
