// RUN: opt
// A launch of a kernel that does nothing takes no time for its blocks: no note is made of which of them runs.

// CHECK-LABEL: define {{.*}}@nothing.range0(
// CHECK-NOT:   store
// CHECK:       ret void
__global__ void nothing(int *)
{
}
