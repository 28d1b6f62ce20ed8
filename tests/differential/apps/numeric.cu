// Number crunching per thread: Mandelbrot, Black-Scholes, n bodies, Monte Carlo, integration, Kepler's equation.
__global__ void mandelbrot(int *out, int width, int height, float x0, float y0, float step, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = x0 + px * step, cy = y0 + py * step, x = 0.0f, y = 0.0f;
    int turns = 0;
    while (turns < limit && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        turns++;
    }
    out[py * width + px] = turns;
}

__device__ float normal(float d)
{
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    if (d > 0)
        c = 1.0f - c;
    return c;
}

__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put, float rate,
                              float volatility, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float root = sqrtf(years[i]);
        float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
        float d2 = d1 - volatility * root;
        float now = expf(-rate * years[i]);
        call[i] = price[i] * normal(d1) - strike[i] * now * normal(d2);
        put[i] = strike[i] * now * (1.0f - normal(d2)) - price[i] * (1.0f - normal(d1));
    }
}

typedef struct {
    float x, y, z, mass;
} Body;

__global__ void bodies(const Body *in, Body *force, int n)
{
    __shared__ Body tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body me = in[i < n ? i : 0], sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int first = 0; first < n; first += 64) {
        for (int k = threadIdx.x; k < 64; k += blockDim.x)
            if (first + k < n)
                tile[k] = in[first + k];
        __syncthreads();
        for (int k = 0; k < 64 && first + k < n; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float f = tile[k].mass / (d2 * sqrtf(d2));
            sum.x += f * dx;
            sum.y += f * dy;
            sum.z += f * dz;
        }
        __syncthreads();
    }
    sum.mass = me.mass;
    if (i < n)
        force[i] = sum;
}

__device__ unsigned xorshift(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

__global__ void monte_carlo(const unsigned *seeds, int *inside, int tries, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned state = seeds[i] | 1u;
        int hits = 0;
        for (int k = 0; k < tries; k++) {
            float x = xorshift(&state) * 2.3283064e-10f, y = xorshift(&state) * 2.3283064e-10f;
            if (x * x + y * y < 1.0f)
                hits++;
        }
        inside[i] = hits;
    }
}

__global__ void kepler(const double *anomaly, const double *eccentricity, double *out, int *turns, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double low = anomaly[i] - 1.0, high = anomaly[i] + 1.0, e = eccentricity[i];
        int k = 0;
        while (high - low > 1e-6) {  // a series for sin: nothing here but exact operations
            double middle = (low + high) / 2.0, term = middle, sine = middle;
            for (int j = 1; fabs(term) > 1e-12; j++) {
                term = -term * middle * middle / ((2 * j) * (2 * j + 1));
                sine += term;
            }
            if (middle - e * sine < anomaly[i])
                low = middle;
            else
                high = middle;
            k++;
        }
        out[i] = low;
        turns[i] = k;
    }
}
