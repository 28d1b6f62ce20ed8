// RUN: llvm
// The last lanes of a loop of gathers finish one by one; a loop of arithmetic, or of stores that ends by what it
// loads, never does.

// CHECK-LABEL: @"row_sums"(
// CHECK:       icmp ule i16 {{.*}}, {{[0-9]+}}
// CHECK:       loop.alone:
// CHECK:       call float @"row_sums.loop0"(ptr %"gang", i16
// CHECK-LABEL: @"row_sums.loop0"(ptr %"gang", i16 %"mask.bits", i32 %"j", i32 %"end", float %"sum"
// CHECK-NOT:   <16 x float>
// CHECK:       ret float
__global__ void row_sums(const int *start, const int *column, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    int end = start[i + 1];
    for (int j = start[i]; j < end; j++)
        sum += x[column[j]];
    y[i] = sum;
}

// CHECK-LABEL: @"steps"(
// CHECK-NOT:   loop.alone
// CHECK:       {{^}$}}
__global__ void steps(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    while (v < 1000.0f)
        v = v * v + 1.5f;
    y[i] = v;
}

// CHECK-LABEL: @"waits"(
// CHECK-NOT:   loop.alone
// CHECK:       {{^}$}}
__global__ void waits(int *ready, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (ready[ready[i]] == 0)
        ready[out[i]] = 1;
}
