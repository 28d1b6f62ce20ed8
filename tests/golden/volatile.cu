// RUN: opt
// A flag that another block sets is read again in every round.
// CHECK-LABEL: define internal {{.*}}@wait_for(
// CHECK:       {{^}}rounds.counted:
// CHECK:       asm sideeffect "", "~{memory}
// CHECK-NEXT:  load i32
// CHECK-NEXT:  icmp eq
// CHECK:       {{^}$}}
__global__ void wait_for(volatile int *flag, int *out)
{
    while (flag[0] == 0)
        ;
    out[threadIdx.x] = flag[1];
}
