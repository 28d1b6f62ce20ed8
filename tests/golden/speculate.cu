// RUN: opt --disable=divisible
// What the condition has read is not read again, and nothing branches around an assignment.
// CHECK-LABEL: define internal {{.*}}@least(
// CHECK:       rest.full:
// CHECK:       gather.dps.512
// CHECK-NOT:   gather
// CHECK-NOT:   br i1
// CHECK:       br label %rest.done
__global__ void least(const int *at, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = at[i], where = -1;
    float best = 9;
    if (in[k] < best) {
        best = in[k];
        where = k;
    }
    out[i] = (in[k] > 3 ? in[k] : -in[k]) + best + where;
}
