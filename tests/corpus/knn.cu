// k nearest neighbours by insertion into a local list; latitude and longitude in a struct.
#include <float.h>
#define K 8
typedef struct latLong { float lat; float lng; } LatLong;
struct Candidate { float distance; int index; };

__device__ static void insert(Candidate list[K], Candidate candidate)
{
    int k = K - 1;
    if (candidate.distance >= list[k].distance) return;
    for (; k > 0 && list[k - 1].distance > candidate.distance; --k)
        list[k] = list[k - 1];
    list[k] = candidate;
}

__global__ void knn(const LatLong *locations, int n, const LatLong *queries, int nqueries, int *result, float *distances)
{
    int q = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    if (q < nqueries) {
        Candidate list[K];
        for (int k = 0; k < K; k++) {
            Candidate c = {FLT_MAX, -1};
            list[k] = c;
        }
        const LatLong me = queries[q];
        for (const LatLong *p = locations; p < locations + n; p++) {
            float dx = me.lat - p->lat, dy = me.lng - p->lng;
            Candidate c;
            c.distance = (float)sqrt(dx * dx + dy * dy);
            c.index = p - locations;
            insert(list, c);
        }
        for (int k = 0; k < K; k++) {
            result[q * K + k] = list[k].index;
            distances[q * K + k] = list[k].distance;
        }
    }
}
