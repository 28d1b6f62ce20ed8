// Half precision and bfloat16: every operation rounds once; loads, stores, gathers and scatters of 16 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void half_operators(const half *a, const half *b, const int *p, half *out, float *wide, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half x = a[i], y = b[p[i]], s = x * y + x;
    if (x > y) s -= y;
    else s = -s / half(3.0f);
    out[p[i]] = s;
    wide[i] = (float)s + x;
}

__global__ void half_functions(const half *a, const half *b, half *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half x = a[i], y = b[i];
    out[4 * i] = __hfma(x, y, x);
    out[4 * i + 1] = __hlt(x, y) ? __hadd(x, y) : __hdiv(x, __hneg(y));
    out[4 * i + 2] = hsqrt(__habs(x));
    out[4 * i + 3] = __float2half(__half2float(__hmax(x, y)) * 3 + __half2int_rz(y));
}

__global__ void bfloats(const __nv_bfloat16 *a, const double *d, __nv_bfloat16 *out, half *narrowed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __nv_bfloat16 x = a[i], sum = x;
    for (int k = 0; k < (i & 3); k++) sum = sum * x + __double2bfloat16(d[i]);
    out[i] = sum;
    narrowed[i] = d[i];
}

__global__ void half_shared(const half *a, half *out, int n) {
    __shared__ half tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, half = blockDim.x / 2;
    tile[t] = i < n ? a[i] : __float2half(1.5f);
    __syncthreads();
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
    if (i < n) out[i] = tile[t ^ 1 < (int)blockDim.x ? t : 0];
}

__global__ void half_table(const half *a, half *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half table[200] = {1.5f, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, -0.1f};
    if (i < n) out[i] = table[i % 20] + a[i];
}

__device__ half2 swapped(const half2 &p) { return __lowhigh2highlow(p); }

// Through float4, shared memory, a parameter, a table, raw bits.
__global__ void pairs(const float4 *a, const half *b, half2 scale, half2 *out, int n) {
    __shared__ half2 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    float4 word = i < n ? a[i] : make_float4(0, 0, 0, 0);
    half2 low = *reinterpret_cast<half2 *>(&word.x), table[3] = {scale, {low.y, low.x}, __half2half2(low.x)};
    tile[t] = __hfma2(low, scale, table[i % 3]);
    __syncthreads();
    if (i >= n) return;
    half2 sum = swapped(tile[(t ^ 1) < (int)blockDim.x ? t ^ 1 : t]);
    for (int k = 0; k < (i & 3); k++) sum += *(const half2 *)(b + 2 * (i + k));
    __half_raw raw = sum.y;
    raw.x ^= 0x8000;
    sum.y = raw;
    if (sum != low) out[i] = __hmax2(sum, __ldg((const half2 *)b + i));
    else out[i] = scale;
}
