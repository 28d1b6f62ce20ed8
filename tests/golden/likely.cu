// RUN: llvm
// An index that is affine in nearly all gangs is looked at when it runs: one vector load or store, else a gather.

// CHECK-LABEL: define internal void @"wrapped"(
// CHECK:       icmp ne <16 x i32>
// CHECK:       %"even" = icmp eq i16
// CHECK:       br i1 %"even", label %"even.1", label %"uneven"
// CHECK:       {{^}}even.1:
// CHECK-NEXT:  load <16 x float>
// CHECK:       {{^}}uneven:
// CHECK-NEXT:  gather.dps.512
// CHECK:       {{^}}loaded:
// CHECK-NEXT:  phi <16 x float>
// CHECK:       {{^}}even.3:
// CHECK-NEXT:  store <16 x float>
// CHECK:       {{^}}uneven.1:
// CHECK-NEXT:  scatter.dps.512
__global__ void wrapped(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    int next = i + 1 == n ? 0 : i + 1;
    out[next] = in[next];
}

// What lies in memory is unknown.
// CHECK-LABEL: define internal void @"unknown"(
// CHECK-NOT:   uneven
// CHECK:       ret void
__global__ void unknown(const float *in, const int *next, float *out)
{
    out[threadIdx.x] = in[next[threadIdx.x]];
}
