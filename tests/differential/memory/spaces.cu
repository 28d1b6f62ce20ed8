// Functions that say how memory is accessed, and what they ask about addresses.
struct Pair { int a; float b; };

__constant__ int fixed[4] = {1, 2, 3, 4};
__device__ int one = 1;
__device__ Pair pair = {3, 4};

__device__ unsigned kinds(const void *p)
{
    return __isGlobal(p) | __isShared(p) << 1 | __isConstant(p) << 2 | __isLocal(p) << 3;
}

__global__ void cached(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = __ldg(in + i) + __ldg(&in[0]) + __ldcg(&in[n - 1 - i]) + __ldca(in) + __ldcs(&in[i]) + __ldlu(in + i) + __ldcv(in + i);
    Pair p = __ldg(&pair);
    __builtin_assume(x >= 0);
    const int *aligned = (const int *)__builtin_assume_aligned(in, 16);
    if (__builtin_expect(x & 1, 0))
        x += aligned[i] + p.a;
    else if (x < 0)
        __builtin_unreachable();
    __stcg(&out[i], x);
    __stwb(out + i, __ldca(out + i) + 1);
    __stcs(out + i, *(out + i) + 1.9f);
    __stwt(out + i, out[i] + 1);
}

__global__ void spaces(const int *in, int *out, int n)
{
    __shared__ int tile[32];
    extern __shared__ int dynamic[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, own[4] = {1, 2, 3, 4};
    tile[threadIdx.x % 32] = 0;
    dynamic[threadIdx.x] = i;
    if (i >= n)
        return;
    const int *p = i % 5 == 0 ? in + i : i % 5 == 1 ? &tile[i % 32] : i % 5 == 2 ? &fixed[i % 4]
        : i % 5 == 3 ? &own[in[i] & 3] : &dynamic[threadIdx.x];
    out[i] = kinds(p) + 16 * kinds(in) + 256 * kinds(tile) + 4096 * kinds(&one) + 65536 * kinds(own) + (kinds(fixed) << 20);
    size_t place = __cvta_generic_to_shared(&dynamic[threadIdx.x]);
    out[i] += *(int *)__cvta_shared_to_generic((unsigned)place);
    out[i] += place - __cvta_generic_to_shared(dynamic);
    size_t global = __cvta_generic_to_global(in);
    out[i] += *(const int *)__cvta_global_to_generic(global);
}
