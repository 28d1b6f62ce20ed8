// RUN: llvm
// Masks are i16 where they cross a function boundary; uniform conditions are scalar branches.

__device__ __noinline__ int pick(int v, int limit)
{
    if (v < limit)
        return 1;
    return v;
}

// CHECK-LABEL: define internal void @"kernel"(
// CHECK:       icmp sgt i32 %"n
// CHECK-NEXT:  br i1
// CHECK:       call {{.*}}@"pick"(ptr %"gang", i16
__global__ void kernel(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 5)
        out[i] = pick(in[i], n);
}

// CHECK-LABEL: define internal <16 x i32> @"pick"(ptr %"gang", i16 %"mask.bits", <16 x i32> %"v", i32 %"limit")
// CHECK:       bitcast i16 %"mask.bits" to <16 x i1>
// CHECK:       %"then.mask" = and <16 x i1> %"mask"
