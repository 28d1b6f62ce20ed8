// Escape times: a divergent loop, double and float, unsigned char output, a comma, a do loop.
#include <cuda_runtime.h>
typedef unsigned char uchar_t;
enum Mode { PLAIN, SMOOTH = 4, INVERTED };

__device__ static int escape(double x0, double y0, int limit)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    int i = 0;
    do {
        y = 2 * x * y + y0;
        x = xx - yy + x0;
        xx = x * x, yy = y * y;
    } while (++i < limit && xx + yy <= 4.0);
    return i;
}

__global__ void mandelbrot(uchar_t *image, int width, int height, float scale, int limit, enum Mode mode)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= (unsigned)width || y >= (unsigned)height) return;
    int steps = escape((double)(x - width * .5f) * scale, float(y - height * .5f) * scale, limit);
    uchar_t *pixel = &image[y * width + x];
    switch (mode) {
    case PLAIN:
        *pixel = steps == limit ? 0 : steps;
        break;
    case SMOOTH: {
        float v = log2f((float)steps + 1);
        *pixel = static_cast<unsigned char>(255.f * v / log2f(limit + 1.f));
        break;
    }
    case INVERTED:
        steps = limit - steps;
    default:
        *pixel = ~steps & 0xff;
    }
}
