// RUN: assembly
// All gangs of a block run an iteration of a grid-stride loop before the next iteration begins. A full gang's share of an iteration is
// one load, one addition from memory and one store to its frame: no mask, no test.
__global__ void sum(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK-LABEL: {{^}}sum.range0:
// CHECK:       vmovaps ([[FRAME:.*]]), %zmm[[SUM:[0-9]+]]
// CHECK-NOT:   {%k
// CHECK-NOT:   kortest
// CHECK:       vaddps (%{{.*}},4), %zmm[[SUM]], %zmm[[SUM]]
// CHECK-NEXT:  vmovaps %zmm[[SUM]], ([[FRAME]])
// CHECK:       .Lfunc_end

// Nothing is kept from round to round here.
__global__ void scale(float *x, float factor, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        x[i] *= factor;
        i += blockDim.x * gridDim.x;
    }
}

// CHECK-LABEL: {{^}}scale.range0:
// CHECK:       vmulps ([[PLACE:%.*,4]]), %zmm{{[0-9]+}}, %zmm[[X:[0-9]+]]
// CHECK-NEXT:  vmovups %zmm[[X]], ([[PLACE]])
// CHECK:       .Lfunc_end
