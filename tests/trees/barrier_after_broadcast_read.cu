// Two reads of what all threads share: one before the next write, which gets a barrier, and one that has one already.
__global__ void k(float *x) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float first = s[0];
    s[threadIdx.x] = x[threadIdx.x] - first;
    __syncthreads();
    float second = s[1];
    __syncthreads();
    s[threadIdx.x] += second;
    x[threadIdx.x] = s[threadIdx.x];
}
