// RUN: assembly --disable=divisible
// No division is done lane by lane, and a * b + c fuses.
// CHECK-LABEL: {{^}}divide:
// CHECK-NOT:   idiv
// CHECK:       .Lfunc_end
__global__ void divide(const int *a, const int *b, int *q, int *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}

// CHECK-LABEL: {{^}}fused:
// CHECK:       vfmadd
// CHECK:       .Lfunc_end
__global__ void fused(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] * b[i] + c[i];
}
