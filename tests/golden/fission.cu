// RUN: assembly
// Barriers in block-uniform control flow cost nothing: no switches, no stacks; a block is loops over its gangs.
__global__ void reduce(const float *in, float *out, float factor)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    float scale = 1.0f / factor;
    part[t] = in[blockIdx.x * blockDim.x + t] * scale;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0] * scale;
}

// The division is done once. The steps that the first gang runs alone are in registers; in the others, the sum of two
// full gangs is one load, one addition from memory, one store.
// CHECK-LABEL: {{^}}reduce.range0:
// CHECK-NOT:   jmpq *8(
// CHECK:       vdivss
// CHECK-NOT:   vdiv
// CHECK:       vpermi2d
// CHECK-NEXT:  vaddps %zmm{{[0-9]+}}, %zmm[[B:[0-9]+]], %zmm[[B]] {%k
// CHECK:       vmovups -128({{.*}}, %zmm[[A:[0-9]+]]
// CHECK-NEXT:  vaddps -128(%{{[a-z0-9]+}},%{{[a-z0-9]+}},4), %zmm[[A]], %zmm[[A]]
// CHECK-NEXT:  vmovups %zmm[[A]], -128(%{{[a-z0-9]+}},
// CHECK-NOT:   vdiv
// CHECK-NOT:   jmpq *8(
// CHECK:       .Lfunc_end

__global__ void empty(int *out, int n)
{
    for (int i = 0; i < n; i++)
        __syncthreads();
    out[threadIdx.x] = n;
}

// CHECK-LABEL: {{^}}empty.range0:
// CHECK-NOT:   jmpq *8(
// CHECK-NOT:   callq
// CHECK:       .Lfunc_end

// Not here: the block cannot know what its threads read. A barrier switches from gang to gang.
__global__ void unknown(const int *in, int *out)
{
    for (int i = 0; i < *in; i++)
        __syncthreads();
    out[threadIdx.x] = 1;
}

// CHECK-LABEL: {{^}}unknown.gang0:
// CHECK:       jmpq *8(
