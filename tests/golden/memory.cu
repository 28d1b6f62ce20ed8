// RUN: opt --disable=divisible
// Each access in its cheapest form.
struct Pair { int key; float value; };
struct Wide { float a[5]; };
struct Pixel { unsigned char r, g, b, a; };

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

// Small strides are vector loads and shuffles, also backwards.
// CHECK-LABEL: define internal {{.*}}@strided(
// CHECK-NOT:   gather
// CHECK:       masked.load.v16i32
// CHECK-NOT:   gather
// CHECK:       define {{.*}}@strided.general(
__global__ void strided(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i] + in[3 * i + 1] + in[n - i] + in[n - 4 * i];
}

// All scalars of a struct come by the same loads, and go by the same stores.
// CHECK-LABEL: define internal {{.*}}@records(
// CHECK-NOT:   {{gather|scatter}}
// CHECK:       pdep
// CHECK:       masked.load.v16i32
// CHECK:       masked.load.v16i32
// CHECK:       masked.store.v16i32
// CHECK:       masked.store.v16i32
// CHECK-NOT:   {{gather|scatter|masked}}
// CHECK:       define {{.*}}@records.general(
__global__ void records(const Pair *in, Pair *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in == 0)
        return;
    Pair pair = {in[i].key + n, in[i].value};
    out[i] = pair;
}

// Bytes side by side in a struct are one gather.
// CHECK-LABEL: define internal {{.*}}@pixels(
// CHECK:       gather.dpi.512({{.*}}%mask
// CHECK-NOT:   gather
// CHECK:       define {{.*}}@pixels.general(
__global__ void pixels(const Pixel *in, const int *at, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pixel p = in[at[i]];
    out[i] = p.r + p.g + p.b;
}

// The thread index divided.
// CHECK-LABEL: define internal {{.*}}@divided_index(
// CHECK-NOT:   gather
// CHECK:       define {{.*}}@divided_index.general(
__global__ void divided_index(const float *in, float *out)
{
    int tid = threadIdx.x;
    out[tid] = in[tid % 32] + in[tid / 32] + in[threadIdx.x & 15] + in[(tid >> 4) + 7];
}

// What `const __restrict__` points to stays as it is: the loads leave the loop.
// CHECK-LABEL: define internal {{.*}}@restricted(
// CHECK:       masked.load.v16f32
// CHECK:       load float, ptr %factor
// CHECK:       load <16 x float>
// CHECK:       load float, ptr %factor
// CHECK:       phi
// CHECK-NOT:   {{ load |masked.load}}
// CHECK:       define {{.*}}@restricted.general(
__global__ void restricted(const float *__restrict__ in, const float *__restrict__ factor, float *__restrict__ out, int n)
{
    int i = threadIdx.x;
    for (int k = 0; k < n; k++)
        out[k * 256 + i] = in[i] * factor[0];
}

// A clamped index: one vector load and a permutation.
// CHECK-LABEL: define internal {{.*}}@clamped(
// CHECK-NOT:   gather
// CHECK:       permvar
// CHECK-NOT:   gather
// CHECK:       define {{.*}}@clamped.general(
__global__ void clamped(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, west = i - 1;
    west = west < 0 ? 0 : west;
    out[i] = in[west] + in[min(i + 1, n - 1)] + in[i / 2];
}

// The arm reads what the condition has read: one gather for any mask, one for all lanes.
// CHECK-LABEL: define internal {{.*}}@smaller(
// CHECK:       gather
// CHECK:       gather
// CHECK-NOT:   gather
// CHECK:       define {{.*}}@smaller.general(
__global__ void smaller(const float *in, const int *at, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[at[i]] < 4.0f ? in[at[i]] : 4.0f;
}

// Neighbours are displacements from one address, computed in 64 bits.
// CHECK-LABEL: define internal {{.*}}@neighbours(
// CHECK:       rest.full:
// CHECK:       sext i32
// CHECK-NOT:   sext
// CHECK:       i64 -4
// CHECK-NOT:   sext
// CHECK:       i64 4
// CHECK:       rest.partial:
__global__ void neighbours(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i - 1] + in[i + 1];
}

// Pixels side by side are words, also where bytes may lie anywhere.
// CHECK-LABEL: define internal {{.*}}@recoloured(
// CHECK-NOT:   gather
// CHECK:       masked.load.v16i32.p0(ptr align 1 
// CHECK:       masked.store.v16i32.p0({{.*}}, ptr align 1 
// CHECK:       ret void
__global__ void recoloured(const Pixel *in, Pixel *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pixel pixel = in[i];
        pixel.a = pixel.r;
        out[i] = pixel;
    }
}

// Bytes that are put together are words.
// CHECK-LABEL: define internal {{.*}}@numbers(
// CHECK-NOT:   gather
// CHECK:       masked.load.v16i64.p0(ptr align 1 
// CHECK-NOT:   masked.load
// CHECK:       ret void
__global__ void numbers(const unsigned char *in, unsigned long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long word = 0;
        for (int k = 0; k < 8; k++)
            word |= (unsigned long)in[8 * i + k] << (8 * k);
        out[i] = word;
    }
}

// A pointer that has been moved advances from thread to thread.
// CHECK-LABEL: define internal {{.*}}@moved(
// CHECK-NOT:   gather
// CHECK:       masked.load.v16f32
// CHECK:       masked.store.v16f32
// CHECK:       ret void
__global__ void moved(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    in += i;
    out += i;
    *out = *in * 2;
}
