// RUN: opt --disable=divisible
// Gangs lie along y if what they access does: one vector load and store each, the pivot row's factor a scalar.

// CHECK-LABEL: define internal {{.*}}@eliminate.along_y(
// CHECK-NOT:   gather
// CHECK-NOT:   scatter
// CHECK:       then.full:
// CHECK-NOT:   masked
// CHECK:       store <16 x float>
// CHECK:       {{^}$}}
__global__ void eliminate(float *a, const float *factor, int size, int t)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < size && column < size)
        a[row * size + column] -= factor[row] * a[t * size + column];
}
