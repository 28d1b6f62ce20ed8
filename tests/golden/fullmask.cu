// RUN: opt --disable=divisible
// Gangs with every lane on run code without masks; a guard is tested on scalars first.

// CHECK-LABEL: define internal {{.*}}@guarded(
// CHECK:       add i32 {{.*}}, 15
// CHECK-NEXT:  icmp slt i32 {{.*}}, %n
// CHECK:       br i1 %full
// CHECK:       masked.load.v16f32
// CHECK:       then.full:
// CHECK-NOT:   masked
// CHECK:       {{^}$}}
__global__ void guarded(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// CHECK-LABEL: define internal {{.*}}@grid_stride(
// CHECK:       loop.full.body:
// CHECK-NOT:   masked
// CHECK:       load <16 x float>
// CHECK-NEXT:  fmul
// CHECK:       store <16 x float>
// CHECK:       br label %loop.full.head
__global__ void grid_stride(float a, float *x, const int *n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *n; i += gridDim.x * blockDim.x)
        x[i] = a * x[i];
}

// While all threads of a gang are in a loop with barriers, none of them can be at another one.
// CHECK-LABEL: define internal {{.*}}@each_its_own.gang0(
// CHECK:       loop.full.body{{.*}}:
// CHECK-NOT:   s2s_barrier_of_lanes
// CHECK:       br label %loop.full.head
// CHECK:       s2s_barrier_of_lanes
__global__ void each_its_own(const int *barriers, int *out)
{
    int own = barriers[threadIdx.x];
    for (int i = 0; i < own; i++)
        __syncthreads();
    out[threadIdx.x] = own;
}
