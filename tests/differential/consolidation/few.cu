// Few launches, one for each block, in place of one for each thread.
__global__ void add(int from, int count, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(&out[(from + i) % 16], in[from] + i);
}

__global__ void adds(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 3 == 0) {
        atomicAdd(&out[0], in[i]);
    } else {
#pragma dp consolidate(block)
        add<<<in[i] % 4, 8>>>(i, in[i], in, out);
    }
}
