__global__ void k(float *x) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float first = s[0];
    __syncthreads();
    s[threadIdx.x] = x[threadIdx.x] - first;
    __syncthreads();
    float second = s[1];
    __syncthreads();
    s[threadIdx.x] += second;
    x[threadIdx.x] = s[threadIdx.x];
}
