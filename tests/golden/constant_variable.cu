// RUN: opt
// A `__constant__` variable does not change while a kernel runs: its element is read once, before the loop that stores.
// CHECK-LABEL: define internal fastcc void @multiples.general(
// CHECK:       load float, ptr {{.*}}@s2s_variable_table_{{.*}}, !invariant.load
// CHECK-NOT:   @s2s_variable_table_
// CHECK:       {{^}$}}
__constant__ float table[16];

__global__ void multiples(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        out[k * 1024 + i] = table[3] * k;
}
