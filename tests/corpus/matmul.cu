// Tiled matrix product; const at file scope, constant tables, macros with arguments.
#define TILE 16
#define AS(i, j) As[i][j]
static const int kUnroll = 4;
__constant__ const float weights[3] = {0.25f, 0.5f, 0.25f};
__constant__ const short table[2][3] = {{1, 2, 3}, {-4, 5}};
typedef float real;
using Index = unsigned int;

__global__ void matmul(real *__restrict__ C, const real *__restrict__ A, const real *__restrict__ B, Index n)
{
    __shared__ real As[TILE][TILE], Bs[TILE][TILE + 1];
    Index row = blockIdx.y * TILE + threadIdx.y;
    Index col = blockIdx.x * TILE + threadIdx.x;
    real sum = 0;
    for (Index t = 0; t < (n + TILE - 1) / TILE; ++t) {
        AS(threadIdx.y, threadIdx.x) = row < n && t * TILE + threadIdx.x < n ? A[row * n + t * TILE + threadIdx.x] : real(0);
        Bs[threadIdx.y][threadIdx.x] = col < n && t * TILE + threadIdx.y < n ? B[(t * TILE + threadIdx.y) * n + col] : 0;
        __syncthreads();
#pragma unroll kUnroll
        for (int k = 0; k < TILE; ++k)
            sum += AS(threadIdx.y, k) * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum * weights[row % 3] + table[row & 1][col % 3];
}
