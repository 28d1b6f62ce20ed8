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

// A conversion to 64 bits does not make a gather of an affine index, or a 64-bit gather of a 32-bit one.
// CHECK-LABEL: define internal {{.*}}@widened(
// CHECK:       masked.load.v16i32
// CHECK:       gather.dps.512
// CHECK:       ret void
__global__ void widened(const int *at, const float *in, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(size_t)(i + 3)] = in[(size_t)at[(size_t)(i - 1)]];
}

// Small strides are vector loads and shuffles.
// CHECK-LABEL: define internal {{.*}}@strided(
// CHECK-NOT:   gather
// CHECK:       pdep
// CHECK:       masked.load.v16f32
// CHECK:       masked.load.v16f32
// CHECK-NOT:   gather
// CHECK:       {{^}$}}
__global__ void strided(const Pair *pairs, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = pairs[i].value;
}
