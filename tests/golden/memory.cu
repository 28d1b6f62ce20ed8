// RUN: opt
// Each access in its cheapest form.
struct Pair { int key; float value; };
struct Wide { float a[5]; };

// CHECK-LABEL: define internal {{.*}}@uniform_load(
// CHECK-NOT:   gather
// CHECK:       load float
// CHECK:       ret void
__global__ void uniform_load(const float *in, float *out, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[k];
}

// CHECK-LABEL: define internal {{.*}}@consecutive(
// CHECK-NOT:   gather
// CHECK:       masked.load.v16f32
// CHECK:       masked.store.v16f32
// CHECK:       ret void
__global__ void consecutive(const float *in, float *out, int w)
{
    int i = blockIdx.y * w + blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
}

// One 32-bit gather, also for a struct of 8 bytes and one of 20.
// CHECK-LABEL: define internal {{.*}}@gathered(
// CHECK:       gather.dpi.512{{.*}}i32 4)
// CHECK:       gather.dps.512{{.*}}i32 8)
// CHECK:       gather.dps.512{{.*}}i32 4)
// CHECK-NOT:   masked.gather
// CHECK:       ret void
__global__ void gathered(const int *at, const Pair *pairs, const Wide *wides, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = at[at[i]];
    out[i] = pairs[k].value + wides[k].a[3];
}

// Bytes are gathered as the words around them.
// CHECK-LABEL: define internal {{.*}}@bytes(
// CHECK:       gather.dpi.512
// CHECK-NOT:   extractelement
// CHECK:       masked.store.v16i8
// CHECK:       ret void
__global__ void bytes(const int *at, const unsigned char *in, unsigned char *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[at[i]];
}
