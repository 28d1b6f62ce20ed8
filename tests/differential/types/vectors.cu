// CUDA's vector types: whole loads and stores, contiguous and not, members, make_, braces, dim3.

__global__ void scaled(const float4 *in, float4 *out, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    v.x *= by;
    v.w += v.y;
    out[i] = v;
}

__global__ void gathered(const float4 *in, const int *p, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[p[i]];
    float4 w = make_float4(v.y, v.x, v.w, v.z);
    out[p[n - 1 - i]] = i % 3 ? w : v;
}

__device__ float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__global__ void crossed(const float3 *a, const float3 *b, float3 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = cross(a[i], float3{b[i].z, b[i].x});
}

__global__ void small(const uchar4 *in, const char2 *pairs, short3 *out, uchar4 *back, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 c = in[n - 1 - i];
    char2 p = pairs[i];
    short3 sum = {(short)(c.x + c.w), (short)(p.x * p.y), c.z};
    out[i] = sum;
    if (i & 1) c = make_uchar4(c.w, c.z, c.y, c.x);
    else c.y = p.x;
    back[i] = c;
}

__global__ void wide(const double2 *in, const longlong2 *l, double4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double2 a = in[i], b = in[(i * 7) % n];
    out[i] = make_double4(a.x + b.y, a.y - b.x, l[i].x, l[n - 1 - i].y);
}

__global__ void tile(const int4 *in, int4 *out, int n) {
    __shared__ int4 s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = i < n ? in[i] : make_int4(1, 2, 3, 4);
    __syncthreads();
    int4 other = s[blockDim.x - 1 - t];
    other.x += s[t].y;
    if (i < n) out[i] = other;
}

__global__ void parameter(float4 by, uint2 shift, float2 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 several[3] = {by, {1, 2}, make_float4(by.w, i, i, i)};
    float4 v = several[i % 3];
    const float *p = &v.x;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += p[k];
    out[i] = make_float2(sum, (float)(i >> shift.y) + shift.x);
}

__device__ unsigned linear(dim3 at, dim3 size) { return (at.z * size.y + at.y) * size.x + at.x; }

__global__ void indices(int *out, int nx, int ny, int nz) {
    dim3 size = blockDim, grid = dim3(gridDim), unit, two = {2, 3};
    uint3 t = threadIdx;
    dim3 at = dim3(blockIdx.x * size.x + t.x, blockIdx.y * blockDim.y + t.y, blockIdx.z * size.z + t.z);
    if (at.x >= nx || at.y >= ny || at.z >= nz) return;
    unsigned sum = linear(t, size) + unit.x + two.y + two.z + grid.x;
    out[linear(at, dim3(nx, ny, nz))] = sum;
}

// A loop that carries a vector, and lanes that leave it.
__global__ void walked(const float2 *in, const int *next, float2 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 sum = {};
    int at = i;
    for (int k = 0; k < 9; k++) {
        float2 v = in[at];
        sum.x += v.x;
        if (v.y > 0.5f) sum.y = v.y;
        else sum = make_float2(sum.y, sum.x);
        if (v.x > 0.9f) break;
        at = next[at];
    }
    out[i] = sum;
}
