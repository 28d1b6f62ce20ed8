// Option prices: a device function with a polynomial, fast math intrinsics, constants of both precisions.
#include <math.h>
__device__ inline float cndGPU(float d)
{
    const float A1 = 0.31938153f;
    const float A2 = -0.356563782f;
    const float A3 = 1.781477937f;
    const float A4 = -1.821255978f;
    const float A5 = 1.330274429f;
    const float RSQRT2PI = 0.39894228040143267793994605993438f;
    float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0)
        cnd = 1.0f - cnd;
    return cnd;
}

__global__ void price(float *call, float *put, const float *S, const float *X, const float *T, float R, float V, int n)
{
    for (int opt = blockDim.x * blockIdx.x + threadIdx.x; opt < n; opt += blockDim.x * gridDim.x) {
        float sqrtT = __fdividef(1.0F, rsqrtf(T[opt]));
        float d1 = __fdividef(__logf(S[opt] / X[opt]) + (R + 0.5f * V * V) * T[opt], V * sqrtT);
        float d2 = d1 - V * sqrtT;
        float c1 = cndGPU(d1), c2 = cndGPU(d2);
        float expRT = __expf(-R * T[opt]);
        call[opt] = S[opt] * c1 - X[opt] * expRT * c2;
        put[opt] = X[opt] * expRT * (1.0f - c2) - S[opt] * (1.0f - c1);
    }
}
