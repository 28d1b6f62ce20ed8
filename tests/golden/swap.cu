// RUN: assembly --disable=divisible
// Lanes that do not take part need nothing kept, so a minimum and a maximum remain, whatever the mask.
// CHECK-LABEL: {{^}}sorted:
// CHECK:       vmovups {{.*}}{%k1} {z}
// CHECK-NOT:   vblend
// CHECK:       vminps
// CHECK:       vmaxps
// CHECK-NOT:   vblend
// CHECK:       retq
__global__ void sorted(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i], b = x[i + n];
    if (a > b) {
        float t = a;
        a = b;
        b = t;
    }
    x[i] = a;
    x[i + n] = b;
}
