// RUN: assembly
// Counts in shared memory: eight lanes at once leave the vector of bytes, and no lane is locked out.
__global__ void histogram(const unsigned char *values, int n, unsigned *bins)
{
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&counts[values[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

// CHECK-LABEL: {{^}}histogram.range0:
// CHECK:       vmovq %xmm[[V:[0-9]+]], %[[BYTES:r[a-z0-9]+]]
// CHECK-NOT:   vpextr{{[bd]}}
// CHECK:       incl (%{{[a-z0-9]+}},%{{[a-z0-9]+}},4)
// CHECK:       shrq $8, %[[BYTES]]
// CHECK-NOT:   vpextr{{[bd]}}
// CHECK:       vpextrq $1, %xmm[[V]], %
// CHECK-NOT:   vpextr{{[bd]}}
// CHECK:       .Lfunc_end
