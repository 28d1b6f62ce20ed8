// What becomes of the thread index on its way to an address: divided, scaled, reversed, clamped, bumped, widened.
struct Pair { float x, y; };
struct Triple { int x, y, z; };
struct Quad { float x, y, z, w; };
struct Pixel { unsigned char r, g, b, a; };
struct Complex { double re, im; };
struct Mixed { short tag; unsigned char low, high; float weight; };

__global__ void split(const int *in, int *out, int n)
{
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    unsigned u = threadIdx.x;
    int lane = tid & 31, warp = tid >> 5, sum = in[lane] * 3 + in[warp];
    sum += in[tid % 16] * 5 + in[threadIdx.x / 32] * 7 + in[u % 64u] * 11 + in[(u >> 4) + 2];
    sum += in[(tid + 32) % 128] + in[(2 * tid) & 63] * 13 + in[((tid * 4) & 127) / 4] * 17;
    sum += in[tid & 7] + in[tid / 2] + in[tid % 24] * 19 + in[(tid | 256) - 256] + in[(tid ^ 16) & 255] * 23;
    sum += in[i / 32] + in[i % 32] * 29 + in[(i + 5) % 32] + in[(i >> 3) & 15];
    int down = tid - 16;
    sum += (down % 32) * 31 + (down / 32) * 37 + (down & 31) * 41 + (down >> 5) * 43;
    int parts = tid;
    parts %= 32;
    sum += in[parts] * 47;
    parts = tid;
    parts >>= 4;
    sum += in[parts] * 53;
    parts = tid;
    parts &= ~15;
    sum += in[parts] * 59;
    if (i < n)
        out[i] = sum;
}

__global__ void rows(const int *in, int *out, int n)
{
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    int deep = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned first = threadIdx.z * blockDim.x, late = threadIdx.x + blockDim.x * threadIdx.y;
    int sum = in[tid % 32] + in[deep & 15] * 3 + in[tid / 32] * 5 + in[first] * 7 + in[late >> 4] * 11 + in[late & 31];
    int all = blockDim.x * blockDim.y * blockDim.z, i = (blockIdx.y * gridDim.x + blockIdx.x) * all + deep;
    const int *row = in + (int)(threadIdx.y * blockDim.x);
    sum += row[threadIdx.x] * 13 + row[blockDim.x - 1 - threadIdx.x] * 17;
    if (i < n)
        out[i] = sum;
}

__global__ void reversed(const int *in, int *out, int *more, const short *narrow, const double *wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int back = n - 1 - i;
        out[back] = in[back] * 3 + in[2 * back] + in[2 * back + 1] * 5 - in[3 * back + 2];
        more[2 * back + 1] = narrow[back] + (int)wide[back];
        more[2 * back] = narrow[2 * back] * 2 + (int)wide[2 * back + 1];
    }
}

__global__ void steps(const int *in, int *out, const unsigned char *bytes, const short *halves, const double *wides, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = in[2 * i] + in[3 * i + 1] * 3 + in[4 * i + 3] * 5 + in[5 * i] * 7 + in[6 * i + 2] + in[8 * i + 7] * 11;
        sum += bytes[2 * i] + bytes[3 * i + 2] * 3 + bytes[4 * i] * 5 + bytes[8 * i + 5];
        sum += halves[2 * i + 1] * 7 + halves[3 * i] + halves[4 * i + 3];
        sum += (int)wides[2 * i] + (int)wides[3 * i + 1] * 3 + (int)wides[4 * i + 2];
        out[2 * i] = sum;
        if (sum & 1)
            out[2 * i + 1] = sum * 3;
    }
}

__global__ void narrow_stores(const int *in, unsigned char *bytes, short *halves, double *wides, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3) {
        bytes[2 * i] = in[i];
        bytes[3 * n - 1 - i] = in[i] + 1;
        halves[3 * i + 1] = in[i] * 9;
        wides[2 * i + 1] = in[i] * 0.5;
        wides[3 * n - 1 - i] = in[i];
    }
}

__global__ void pairs(const Pair *in, Pair *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pair v = in[i], w = in[n - 1 - i];
        float t = v.x;
        v.x = v.y + w.x;
        v.y = t * w.y;
        if (i % 3)
            out[i] = v;
        else
            out[i].y = in[i].y;
    }
}

__global__ void triples(const Triple *in, Triple *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Triple v = in[i];
        v.x += v.y * v.z;
        if (v.x & 1)
            out[i] = v;
        else {
            out[i].z = in[i].x;
            out[i].x = in[i].z;
        }
    }
}

__global__ void quads(const Quad *in, Quad *out, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Quad v = in[i], r = {v.w, v.z, v.y * 2, v.x};
        out[i] = r;
        sums[i] = in[i].x + in[i].z - out[i].w;
        if (v.x > 0)
            out[i].y += in[n - 1 - i].w;
    }
}

__global__ void pixels(const Pixel *in, Pixel *out, const int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pixel v = in[i], w = in[at[i]];
        v.r = v.b + w.g;
        v.b = w.a - v.g;
        if (v.r & 3)
            out[i] = v;
        else
            out[i].g = w.b;
    }
}

__global__ void complexes(const Complex *in, Complex *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Complex a = in[i], b = in[n - 1 - i], r = {a.re * b.re - a.im, a.im + b.im};
        if (a.re > 0)
            out[i] = r;
        else
            out[i].im = a.re;
    }
}

__global__ void mixed(const Mixed *in, Mixed *out, const int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Mixed a = in[i], b = in[at[i]];
        a.tag += b.low;
        a.weight *= b.high;
        a.low = b.tag;
        if (a.weight > 100)
            out[at[i]] = a;
        else
            out[at[i]].high = in[i].low;
    }
}

__global__ void shared_records(const int *in, int *out, int n)
{
    __shared__ Quad quads[256];
    __shared__ short halves[512];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    Quad q = {in[i % n] * 0.5f, 1.0f * tid, 2.0f, 3.0f};
    quads[tid] = q;
    halves[2 * tid] = tid;
    halves[2 * tid + 1] = in[i % n];
    __syncthreads();
    int last = blockDim.x - 1;
    float sum = quads[last - tid].x + quads[tid].y + quads[(tid + 1) % blockDim.x].w;
    sum += halves[2 * (last - tid) + 1] * 2 + halves[last - tid];
    if (i < n)
        out[i] = (int)(sum * 4);
}

__global__ void clamped(const int *in, int *out, int n, int low, int high)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, west = i - 1, east = i + 1;
    west = west < 0 ? 0 : west;
    east = east > n - 1 ? n - 1 : east;
    if (i < n) {
        int sum = in[west] + in[east] * 3 + in[min(max(i + low, 0), n - 1)] * 5 + in[max(0, min(n - 1, i - high))] * 7;
        int far = i + 7;
        if (far > high)
            far = high;
        if (far < low)
            far = low;
        sum += in[min(max(far, 0), n - 1)] * 11 + west * 13 + east * 17;
        const int *p = in + min(i, high);
        sum += i <= high ? *p : 1;
        int flip = n - 1 - (i >= n - 1 ? n - 1 : i);
        out[i] = sum + in[flip] * 19 + in[max(2 * i - n, 0)];
    }
}

__global__ void bumped(const int *in, int *out, const int *at, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        const int *p = in + at[i], *q = in;
        for (int k = 0; k < width; k++) {
            sum = sum * 3 + *p;
            p += width;
        }
        const int *end = p;
        p -= at[i] % width;
        sum += (int)(end - p) + (p < end) * 100 + (p == end) * 1000;
        while (q < p && *q % 7)
            q += 1 + *q % 3;
        sum += (int)(q - in) + *q;
        const int *either = at[i] & 1 ? p - 1 : in + width;
        sum += *either * 5 + either[-1];
        const int *start = 0;
        if (sum & 2)
            start = in + at[i];
        out[i] = sum + (start ? *start : 1);
    }
}

__global__ void exchanged(int *a, const int *at, int n)
{
    // Two pointers per thread that meet.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int *low = a + i * 8, *high = low + at[i] % 8;
        while (low < high) {
            if (*low % 2) {
                ++low;
            } else {
                int t = *low;
                *low = *high;
                *high-- = t;
            }
        }
        a[i * 8 + 7] += (int)(high - a) - i * 8;
    }
}

__global__ void widened(const int *in, const int *at, const unsigned *bits, const unsigned char *bytes, int *out, int n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        size_t j = (size_t)at[i] * 2 + 3;
        int sum = in[j] + in[j - 3] * 3 + bytes[j] * 5 + bytes[(size_t)bits[i] % n] * 7;
        long long back = at[i];
        back -= n;
        sum += *(in + n + back) + in[(long long)n + back] * 11 + *(in + at[i] - back);
        unsigned u = at[i];
        sum += in[u + 1u] + in[(size_t)u * 2u] + bytes[u] + bytes[u + 1] * 3;
        const int *p = in + n;
        sum += *(p - u) + p[-(long)u] * 13 + *(p - j / 4);
        out[i] = sum;
    }
}

__global__ void blocked(const int *in, int *out, int width, int height)
{
    __shared__ int tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
    int west = tx - 1, east = tx + 1, north = ty - 1, south = ty + 1;
    west = west < 0 ? 0 : west;
    east = east > blockDim.x - 1 ? blockDim.x - 1 : east;
    north = (north < 0) ? 0 : north;
    south = (south > (int)blockDim.y - 1) ? (int)blockDim.y - 1 : south;
    const int *row = in + y * width;
    tile[ty][tx] = x < width && y < height ? row[x] : -1;
    __syncthreads();
    int sum = tile[ty][west] + tile[ty][east] * 3 + tile[north][tx] * 5 + tile[south][tx] * 7 + tile[ty][tx];
    sum += tile[blockDim.y - 1 - ty][blockDim.x - 1 - tx] * 11;
    if (x < width && y < height)
        out[y * width + x] = sum + row[min(max(x - 2, 0), width - 1)];
}

__global__ void restricted(const float *__restrict__ in, const float *__restrict__ factors, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < 3; k++)
            out[k * n + i] = in[i] * factors[0] + factors[k];
}

#define LESS(a, b) ((a) < (b) ? (a) : (b))

__global__ void repeated(const int *in, const int *at, volatile int *last, int *out, int n)
{
    // The arms of `?:` read again what the condition has read.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int west = i > 0 ? i - 1 : 0, east = LESS(i + 1, n - 1);
        int least = LESS(LESS(in[west], in[i]), in[east]);
        least += in[at[i]] > 50 ? in[at[i]] : -in[at[i]] / 3;
        least += i > 3 && in[i - 3] > 50 ? in[i - 3] : 7;
        const int *none = i & 1 ? in + i : 0;
        least += none ? *none : 1;
        last[i] = LESS(last[i], in[i]);
        out[i] = least + (in[0] > 50 ? in[0] : in[n - 1]);
    }
}
