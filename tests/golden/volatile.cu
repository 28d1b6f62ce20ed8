// RUN: opt
// A flag that another block sets is read again in every iteration.
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

// Each access to a variable and to a member happens, and in this order.
// CHECK-LABEL: define internal {{.*}}@in_order.gang0(
// CHECK:       store i32 1, ptr @[[FLAG:s2s_variable_flag_[0-9a-f]+]]
// CHECK-NEXT:  asm sideeffect "", "~{memory}
// CHECK-NEXT:  store i32 2, ptr @[[FLAG]]
// CHECK:       load i32, ptr @[[FLAG]]
// CHECK-NEXT:  asm sideeffect "", "~{memory}
// CHECK-NEXT:  load i32, ptr @[[FLAG]]
// CHECK:       store i32 3, ptr {{.*}}@s2s_variable_cell_
// CHECK-NEXT:  asm sideeffect "", "~{memory}
// CHECK:       load i32, ptr {{.*}}@s2s_variable_cell_
// CHECK:       {{^}$}}
struct Cell { int plain; volatile int value; };
volatile __device__ int flag;
__device__ Cell cell;

__global__ void in_order(int *out)
{
    flag = 1;
    flag = 2;
    out[0] = flag + flag;
    cell.value = 3;
    out[1] = cell.value;
}
