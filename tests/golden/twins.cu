// RUN: opt --disable=divisible
// The lanes in a loop share one counter, also if each lane's last count is read after the loop.

// CHECK-LABEL: define internal {{.*}}@escape(
// CHECK:       loop.body:
// CHECK:       %steps_twin{{.*}} = phi i32
// CHECK:       fcmp ule <16 x float>
// CHECK:       rest.1:
// CHECK:       add {{.*}}i32 %steps_twin
// CHECK:       icmp slt i32
// CHECK:       {{^}$}}
__global__ void escape(const float *x, int *out, int limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float z = x[i];
    int steps;
    for (steps = 0; steps < limit; steps++) {
        if (z > 4.0f)
            break;
        z = z * z + x[i];
    }
    out[i] = steps;
}
