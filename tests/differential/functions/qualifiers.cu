// What CUDA writes in front of functions and parameters; calls in conditions and as arguments; void functions.
#define SQUARE(x) ((x) * (x))
#define PICK(cond, a, b) ((cond) ? (a) : (b))
enum { LIMIT = 40, STEP = 3 };
typedef unsigned int uint32;

__host__ __device__ __forceinline__ int add(int a, int b) { return a + b; }
static __device__ __noinline__ int twice(int x) { return add(x, x); }
__device__ inline float half_of(float x) { return x * 0.5f; }
static inline __device__ uint32 mix(uint32 h, uint32 x) { return (h ^ x) * 0x9e3779b1u; }
__device__ int later(int x);

extern "C" __global__ void __launch_bounds__(256, 2)
qualified(const int *__restrict__ in, int *__restrict__ out, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32 h = 5;
    if (twice(in[i]) > LIMIT && later(in[i]) % 2)
        h = mix(h, add(twice(3), later(add(in[i], STEP))));
    for (int k = 0; k < add(in[i] & 3, 1); k++)
        h = mix(h, (uint32)half_of(k * 3.0f + SQUARE(k + 1)));
    out[i] = PICK(h & 1, (int)(h >> 8), -(int)(h >> 12));
}

__device__ int later(int x)
{
    return x > 9 ? x / 3 : x + 100;
}
