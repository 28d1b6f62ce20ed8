// A stencil in a 2-D tile with a halo, in the manner of structured grids.
#include <stdio.h>
#define BLOCK 16
#define STR_SIZE 256
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define EXPAND_RATE 2

const float amb_temp = 80.0f;

__global__ void step(int iteration, float *power, float *src, float *dst, int cols, int rows, int border_cols,
                     int border_rows, float Cap, float Rx, float Ry, float Rz, float dt)
{
    __shared__ float temp_on[BLOCK][BLOCK];
    __shared__ float power_on[BLOCK][BLOCK];
    __shared__ float temp_t[BLOCK][BLOCK];
    float step_div_Cap = dt / Cap, Rx_1 = 1 / Rx, Ry_1 = 1 / Ry, Rz_1 = 1 / Rz;
    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int small_rows = BLOCK - iteration * 2;
    int small_cols = BLOCK - iteration * 2;
    int blkY = small_rows * by - border_rows, blkX = small_cols * bx - border_cols;
    int yidx = blkY + ty, xidx = blkX + tx;
    int index = cols * yidx + xidx;
    if (IN_RANGE(yidx, 0, rows - 1) && IN_RANGE(xidx, 0, cols - 1)) {
        temp_on[ty][tx] = src[index];
        power_on[ty][tx] = power[index];
    }
    __syncthreads();
    int validYmax = (blkY + BLOCK - 1 > rows - 1) ? BLOCK - 1 - (blkY + BLOCK - 1 - rows + 1) : BLOCK - 1;
    int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
    N = (N < 0) ? 0 : N;
    S = (S > validYmax) ? validYmax : S;
    W = max(W, 0);
    E = MIN(E, BLOCK - 1);
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK - i - 2) && IN_RANGE(ty, i + 1, BLOCK - i - 2)) {
            computed = true;
            temp_t[ty][tx] = temp_on[ty][tx] + step_div_Cap * (power_on[ty][tx] +
                (temp_on[S][tx] + temp_on[N][tx] - 2.0 * temp_on[ty][tx]) * Ry_1 +
                (temp_on[ty][E] + temp_on[ty][W] - 2.0 * temp_on[ty][tx]) * Rx_1 + (amb_temp - temp_on[ty][tx]) * Rz_1);
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on[ty][tx] = temp_t[ty][tx];
        __syncthreads();
    }
    if (computed)
        dst[index] = temp_t[ty][tx];
}
