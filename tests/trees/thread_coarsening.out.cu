__global__ void product(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        float scale = 2.0f * k;
        sum += scale * (a[row * n + k] * b[k * n + column]);
        if (sum > a[k]) {
            sum = 0.0f;
        }
    }
    c[row * n + column] = sum;
}

__global__ void sums(const float *a, const float *b, float *c, int n) {
    a += threadIdx.y * n;
    float sum = 0.0f;
    float more = 0.0f;
    for (int k = threadIdx.x; k < n; k++, a++) {
        sum += *a * b[k];
    }
    for (int k = 0; k < threadIdx.y; k++) {
        more += b[k * n + threadIdx.x];
    }
    c[threadIdx.y * n + threadIdx.x] = sum + more;
}

__global__ void nothing_shared(const float *a, float *c, int n) {
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[k] * threadIdx.y;
    }
    c[threadIdx.y * n + threadIdx.x] = sum;
}

__global__ void counted(const float *a, const float *b, float *c, int n, int *count) {
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[threadIdx.y * n + k] * b[k * n + threadIdx.x];
    }
    c[threadIdx.y * n + threadIdx.x] = sum;
    atomicAdd(count, 1);
}

__global__ void of_tiles(const float *a, const float *b, float *c, int n) {
    __shared__ float tile[16][16];
    __shared__ float column[16][16][2];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    float sum[4] = {0.0f};
    for (int k = 0; k < n; k += 16) {
        tile[ty][tx] = k + tx < n ? a[ty * n + k + tx] : 0.0f;
        if (k + ty < n) {
            column[ty][tx][0] = column[ty][tx][1] = b[(k + ty) * n + tx];
        }
        __syncthreads();
        for (int kk = 0; kk < 16; kk++) {
            sum[0] += tile[ty][kk] * column[kk][tx][0];
            sum[kk & 3] -= column[kk][tx][1];
        }
        __syncthreads();
    }
    c[ty * n + tx] = sum[0] + sum[1] + sum[2] + sum[3];
}

__global__ void not_all(const float *a, const float *b, float *c, int n) {
    __shared__ float tile[16][16];
    float sum = 0.0f;
    if (threadIdx.y < n) {
        tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += b[threadIdx.y * n + k] * tile[k][threadIdx.x];
        }
    }
    c[threadIdx.y * n + threadIdx.x] = sum;
}

__global__ void turned(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[row * n + k] * b[k * n + column];
    }
    c[row * n + column] = sum;
}

__global__ void product_rows8(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    const unsigned int thread_y4 = threadIdx.y + 4u;
    const unsigned int thread_y5 = threadIdx.y + 5u;
    const unsigned int thread_y6 = threadIdx.y + 6u;
    const unsigned int thread_y7 = threadIdx.y + 7u;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int row_row1 = blockIdx.y * blockDim.y + thread_y1;
    int row_row2 = blockIdx.y * blockDim.y + thread_y2;
    int row_row3 = blockIdx.y * blockDim.y + thread_y3;
    int row_row4 = blockIdx.y * blockDim.y + thread_y4;
    int row_row5 = blockIdx.y * blockDim.y + thread_y5;
    int row_row6 = blockIdx.y * blockDim.y + thread_y6;
    int row_row7 = blockIdx.y * blockDim.y + thread_y7;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(row >= n || column >= n) && !(row_row1 >= n || column >= n) && !(row_row2 >= n || column >= n) && !(row_row3 >= n || column >= n) && !(row_row4 >= n || column >= n) && !(row_row5 >= n || column >= n) && !(row_row6 >= n || column >= n) && !(row_row7 >= n || column >= n)) {
        float sum = 0.0f;
        float sum_row1 = 0.0f;
        float sum_row2 = 0.0f;
        float sum_row3 = 0.0f;
        float sum_row4 = 0.0f;
        float sum_row5 = 0.0f;
        float sum_row6 = 0.0f;
        float sum_row7 = 0.0f;
        for (int k = 0; k < n; k++) {
            __prefetch(b + ((k + 4) * n + column));
            float scale = 2.0f * k;
            float shared = b[k * n + column];
            sum += scale * (a[row * n + k] * shared);
            sum_row1 += scale * (a[row_row1 * n + k] * shared);
            sum_row2 += scale * (a[row_row2 * n + k] * shared);
            sum_row3 += scale * (a[row_row3 * n + k] * shared);
            sum_row4 += scale * (a[row_row4 * n + k] * shared);
            sum_row5 += scale * (a[row_row5 * n + k] * shared);
            sum_row6 += scale * (a[row_row6 * n + k] * shared);
            sum_row7 += scale * (a[row_row7 * n + k] * shared);
            if (sum > a[k]) {
                sum = 0.0f;
            }
            if (sum_row1 > a[k]) {
                sum_row1 = 0.0f;
            }
            if (sum_row2 > a[k]) {
                sum_row2 = 0.0f;
            }
            if (sum_row3 > a[k]) {
                sum_row3 = 0.0f;
            }
            if (sum_row4 > a[k]) {
                sum_row4 = 0.0f;
            }
            if (sum_row5 > a[k]) {
                sum_row5 = 0.0f;
            }
            if (sum_row6 > a[k]) {
                sum_row6 = 0.0f;
            }
            if (sum_row7 > a[k]) {
                sum_row7 = 0.0f;
            }
        }
        c[row * n + column] = sum;
        c[row_row1 * n + column] = sum_row1;
        c[row_row2 * n + column] = sum_row2;
        c[row_row3 * n + column] = sum_row3;
        c[row_row4 * n + column] = sum_row4;
        c[row_row5 * n + column] = sum_row5;
        c[row_row6 * n + column] = sum_row6;
        c[row_row7 * n + column] = sum_row7;
    } else {
#pragma unroll 1
        for (int turn = 0; turn < 8; turn += 1) {
            const unsigned int thread_y = threadIdx.y + turn;
            int row_2 = turn == 0 ? row : turn == 1 ? row_row1 : turn == 2 ? row_row2 : turn == 3 ? row_row3 : turn == 4 ? row_row4 : turn == 5 ? row_row5 : turn == 6 ? row_row6 : row_row7;
            if (!(row_2 >= n || column >= n)) {
                float sum = 0.0f;
                for (int k = 0; k < n; k++) {
                    float scale = 2.0f * k;
                    sum += scale * (a[row_2 * n + k] * b[k * n + column]);
                    if (sum > a[k]) {
                        sum = 0.0f;
                    }
                }
                c[row_2 * n + column] = sum;
            }
        }
    }
}

__global__ void product_rows4(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int row_row1 = blockIdx.y * blockDim.y + thread_y1;
    int row_row2 = blockIdx.y * blockDim.y + thread_y2;
    int row_row3 = blockIdx.y * blockDim.y + thread_y3;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(row >= n || column >= n) && !(row_row1 >= n || column >= n) && !(row_row2 >= n || column >= n) && !(row_row3 >= n || column >= n)) {
        float sum = 0.0f;
        float sum_row1 = 0.0f;
        float sum_row2 = 0.0f;
        float sum_row3 = 0.0f;
        for (int k = 0; k < n; k++) {
            __prefetch(b + ((k + 4) * n + column));
            float scale = 2.0f * k;
            float shared = b[k * n + column];
            sum += scale * (a[row * n + k] * shared);
            sum_row1 += scale * (a[row_row1 * n + k] * shared);
            sum_row2 += scale * (a[row_row2 * n + k] * shared);
            sum_row3 += scale * (a[row_row3 * n + k] * shared);
            if (sum > a[k]) {
                sum = 0.0f;
            }
            if (sum_row1 > a[k]) {
                sum_row1 = 0.0f;
            }
            if (sum_row2 > a[k]) {
                sum_row2 = 0.0f;
            }
            if (sum_row3 > a[k]) {
                sum_row3 = 0.0f;
            }
        }
        c[row * n + column] = sum;
        c[row_row1 * n + column] = sum_row1;
        c[row_row2 * n + column] = sum_row2;
        c[row_row3 * n + column] = sum_row3;
    } else {
#pragma unroll 1
        for (int turn = 0; turn < 4; turn += 1) {
            const unsigned int thread_y = threadIdx.y + turn;
            int row_2 = turn == 0 ? row : turn == 1 ? row_row1 : turn == 2 ? row_row2 : row_row3;
            if (!(row_2 >= n || column >= n)) {
                float sum = 0.0f;
                for (int k = 0; k < n; k++) {
                    float scale = 2.0f * k;
                    sum += scale * (a[row_2 * n + k] * b[k * n + column]);
                    if (sum > a[k]) {
                        sum = 0.0f;
                    }
                }
                c[row_2 * n + column] = sum;
            }
        }
    }
}

__global__ void sums_rows8(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    const unsigned int thread_y4 = threadIdx.y + 4u;
    const unsigned int thread_y5 = threadIdx.y + 5u;
    const unsigned int thread_y6 = threadIdx.y + 6u;
    const unsigned int thread_y7 = threadIdx.y + 7u;
    const float *a_row0 = a;
    const float *a_row1 = a;
    const float *a_row2 = a;
    const float *a_row3 = a;
    const float *a_row4 = a;
    const float *a_row5 = a;
    const float *a_row6 = a;
    const float *a_row7 = a;
    a_row0 += threadIdx.y * n;
    a_row1 += thread_y1 * n;
    a_row2 += thread_y2 * n;
    a_row3 += thread_y3 * n;
    a_row4 += thread_y4 * n;
    a_row5 += thread_y5 * n;
    a_row6 += thread_y6 * n;
    a_row7 += thread_y7 * n;
    float sum = 0.0f;
    float sum_row1 = 0.0f;
    float sum_row2 = 0.0f;
    float sum_row3 = 0.0f;
    float sum_row4 = 0.0f;
    float sum_row5 = 0.0f;
    float sum_row6 = 0.0f;
    float sum_row7 = 0.0f;
    float more = 0.0f;
    float more_row1 = 0.0f;
    float more_row2 = 0.0f;
    float more_row3 = 0.0f;
    float more_row4 = 0.0f;
    float more_row5 = 0.0f;
    float more_row6 = 0.0f;
    float more_row7 = 0.0f;
    for (int k = threadIdx.x; k < n; k++, a_row0++, a_row1++, a_row2++, a_row3++, a_row4++, a_row5++, a_row6++, a_row7++) {
        float shared = b[k];
        sum += *a_row0 * shared;
        sum_row1 += *a_row1 * shared;
        sum_row2 += *a_row2 * shared;
        sum_row3 += *a_row3 * shared;
        sum_row4 += *a_row4 * shared;
        sum_row5 += *a_row5 * shared;
        sum_row6 += *a_row6 * shared;
        sum_row7 += *a_row7 * shared;
    }
    for (int k = 0; k < threadIdx.y; k++) {
        more += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y1; k++) {
        more_row1 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y2; k++) {
        more_row2 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y3; k++) {
        more_row3 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y4; k++) {
        more_row4 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y5; k++) {
        more_row5 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y6; k++) {
        more_row6 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y7; k++) {
        more_row7 += b[k * n + threadIdx.x];
    }
    c[threadIdx.y * n + threadIdx.x] = sum + more;
    c[thread_y1 * n + threadIdx.x] = sum_row1 + more_row1;
    c[thread_y2 * n + threadIdx.x] = sum_row2 + more_row2;
    c[thread_y3 * n + threadIdx.x] = sum_row3 + more_row3;
    c[thread_y4 * n + threadIdx.x] = sum_row4 + more_row4;
    c[thread_y5 * n + threadIdx.x] = sum_row5 + more_row5;
    c[thread_y6 * n + threadIdx.x] = sum_row6 + more_row6;
    c[thread_y7 * n + threadIdx.x] = sum_row7 + more_row7;
}

__global__ void sums_rows4(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    const float *a_row0 = a;
    const float *a_row1 = a;
    const float *a_row2 = a;
    const float *a_row3 = a;
    a_row0 += threadIdx.y * n;
    a_row1 += thread_y1 * n;
    a_row2 += thread_y2 * n;
    a_row3 += thread_y3 * n;
    float sum = 0.0f;
    float sum_row1 = 0.0f;
    float sum_row2 = 0.0f;
    float sum_row3 = 0.0f;
    float more = 0.0f;
    float more_row1 = 0.0f;
    float more_row2 = 0.0f;
    float more_row3 = 0.0f;
    for (int k = threadIdx.x; k < n; k++, a_row0++, a_row1++, a_row2++, a_row3++) {
        float shared = b[k];
        sum += *a_row0 * shared;
        sum_row1 += *a_row1 * shared;
        sum_row2 += *a_row2 * shared;
        sum_row3 += *a_row3 * shared;
    }
    for (int k = 0; k < threadIdx.y; k++) {
        more += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y1; k++) {
        more_row1 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y2; k++) {
        more_row2 += b[k * n + threadIdx.x];
    }
    for (int k = 0; k < thread_y3; k++) {
        more_row3 += b[k * n + threadIdx.x];
    }
    c[threadIdx.y * n + threadIdx.x] = sum + more;
    c[thread_y1 * n + threadIdx.x] = sum_row1 + more_row1;
    c[thread_y2 * n + threadIdx.x] = sum_row2 + more_row2;
    c[thread_y3 * n + threadIdx.x] = sum_row3 + more_row3;
}

__global__ void of_tiles_rows4(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    __shared__ float tile[16][16];
    __shared__ float column[16][16][2];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int ty_row1 = thread_y1;
    int ty_row2 = thread_y2;
    int ty_row3 = thread_y3;
    float sum[4] = {0.0f};
    float sum_row1[4] = {0.0f};
    float sum_row2[4] = {0.0f};
    float sum_row3[4] = {0.0f};
    for (int k = 0; k < n; k += 16) {
        tile[ty][tx] = k + tx < n ? a[ty * n + k + tx] : 0.0f;
        tile[ty_row1][tx] = k + tx < n ? a[ty_row1 * n + k + tx] : 0.0f;
        tile[ty_row2][tx] = k + tx < n ? a[ty_row2 * n + k + tx] : 0.0f;
        tile[ty_row3][tx] = k + tx < n ? a[ty_row3 * n + k + tx] : 0.0f;
        if (k + ty < n) {
            column[ty][tx][0] = column[ty][tx][1] = b[(k + ty) * n + tx];
        }
        if (k + ty_row1 < n) {
            column[ty_row1][tx][0] = column[ty_row1][tx][1] = b[(k + ty_row1) * n + tx];
        }
        if (k + ty_row2 < n) {
            column[ty_row2][tx][0] = column[ty_row2][tx][1] = b[(k + ty_row2) * n + tx];
        }
        if (k + ty_row3 < n) {
            column[ty_row3][tx][0] = column[ty_row3][tx][1] = b[(k + ty_row3) * n + tx];
        }
        __syncthreads();
        for (int kk = 0; kk < 16; kk++) {
            float shared = column[kk][tx][0];
            sum[0] += tile[ty][kk] * shared;
            sum_row1[0] += tile[ty_row1][kk] * shared;
            sum_row2[0] += tile[ty_row2][kk] * shared;
            sum_row3[0] += tile[ty_row3][kk] * shared;
            float shared_2 = column[kk][tx][1];
            sum[kk & 3] -= shared_2;
            sum_row1[kk & 3] -= shared_2;
            sum_row2[kk & 3] -= shared_2;
            sum_row3[kk & 3] -= shared_2;
        }
        __syncthreads();
    }
    c[ty * n + tx] = sum[0] + sum[1] + sum[2] + sum[3];
    c[ty_row1 * n + tx] = sum_row1[0] + sum_row1[1] + sum_row1[2] + sum_row1[3];
    c[ty_row2 * n + tx] = sum_row2[0] + sum_row2[1] + sum_row2[2] + sum_row2[3];
    c[ty_row3 * n + tx] = sum_row3[0] + sum_row3[1] + sum_row3[2] + sum_row3[3];
}

__global__ void turned_rows8(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    const unsigned int thread_y4 = threadIdx.y + 4u;
    const unsigned int thread_y5 = threadIdx.y + 5u;
    const unsigned int thread_y6 = threadIdx.y + 6u;
    const unsigned int thread_y7 = threadIdx.y + 7u;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    int column_row1 = blockIdx.y * blockDim.y + thread_y1;
    int column_row2 = blockIdx.y * blockDim.y + thread_y2;
    int column_row3 = blockIdx.y * blockDim.y + thread_y3;
    int column_row4 = blockIdx.y * blockDim.y + thread_y4;
    int column_row5 = blockIdx.y * blockDim.y + thread_y5;
    int column_row6 = blockIdx.y * blockDim.y + thread_y6;
    int column_row7 = blockIdx.y * blockDim.y + thread_y7;
    float sum = 0.0f;
    float sum_row1 = 0.0f;
    float sum_row2 = 0.0f;
    float sum_row3 = 0.0f;
    float sum_row4 = 0.0f;
    float sum_row5 = 0.0f;
    float sum_row6 = 0.0f;
    float sum_row7 = 0.0f;
    for (int k = 0; k < n; k++) {
        float shared = a[row * n + k];
        sum += shared * b[k * n + column];
        sum_row1 += shared * b[k * n + column_row1];
        sum_row2 += shared * b[k * n + column_row2];
        sum_row3 += shared * b[k * n + column_row3];
        sum_row4 += shared * b[k * n + column_row4];
        sum_row5 += shared * b[k * n + column_row5];
        sum_row6 += shared * b[k * n + column_row6];
        sum_row7 += shared * b[k * n + column_row7];
    }
    c[row * n + column] = sum;
    c[row * n + column_row1] = sum_row1;
    c[row * n + column_row2] = sum_row2;
    c[row * n + column_row3] = sum_row3;
    c[row * n + column_row4] = sum_row4;
    c[row * n + column_row5] = sum_row5;
    c[row * n + column_row6] = sum_row6;
    c[row * n + column_row7] = sum_row7;
}

__global__ void turned_rows4(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_y1 = threadIdx.y + 1u;
    const unsigned int thread_y2 = threadIdx.y + 2u;
    const unsigned int thread_y3 = threadIdx.y + 3u;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    int column_row1 = blockIdx.y * blockDim.y + thread_y1;
    int column_row2 = blockIdx.y * blockDim.y + thread_y2;
    int column_row3 = blockIdx.y * blockDim.y + thread_y3;
    float sum = 0.0f;
    float sum_row1 = 0.0f;
    float sum_row2 = 0.0f;
    float sum_row3 = 0.0f;
    for (int k = 0; k < n; k++) {
        float shared = a[row * n + k];
        sum += shared * b[k * n + column];
        sum_row1 += shared * b[k * n + column_row1];
        sum_row2 += shared * b[k * n + column_row2];
        sum_row3 += shared * b[k * n + column_row3];
    }
    c[row * n + column] = sum;
    c[row * n + column_row1] = sum_row1;
    c[row * n + column_row2] = sum_row2;
    c[row * n + column_row3] = sum_row3;
}

__global__ void turned_columns8(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_x1 = threadIdx.x + 1u;
    const unsigned int thread_x2 = threadIdx.x + 2u;
    const unsigned int thread_x3 = threadIdx.x + 3u;
    const unsigned int thread_x4 = threadIdx.x + 4u;
    const unsigned int thread_x5 = threadIdx.x + 5u;
    const unsigned int thread_x6 = threadIdx.x + 6u;
    const unsigned int thread_x7 = threadIdx.x + 7u;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int row_column1 = blockIdx.x * blockDim.x + thread_x1;
    int row_column2 = blockIdx.x * blockDim.x + thread_x2;
    int row_column3 = blockIdx.x * blockDim.x + thread_x3;
    int row_column4 = blockIdx.x * blockDim.x + thread_x4;
    int row_column5 = blockIdx.x * blockDim.x + thread_x5;
    int row_column6 = blockIdx.x * blockDim.x + thread_x6;
    int row_column7 = blockIdx.x * blockDim.x + thread_x7;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    float sum_column1 = 0.0f;
    float sum_column2 = 0.0f;
    float sum_column3 = 0.0f;
    float sum_column4 = 0.0f;
    float sum_column5 = 0.0f;
    float sum_column6 = 0.0f;
    float sum_column7 = 0.0f;
    for (int k = 0; k < n; k++) {
        __prefetch(b + ((k + 4) * n + column));
        float shared = b[k * n + column];
        sum += a[row * n + k] * shared;
        sum_column1 += a[row_column1 * n + k] * shared;
        sum_column2 += a[row_column2 * n + k] * shared;
        sum_column3 += a[row_column3 * n + k] * shared;
        sum_column4 += a[row_column4 * n + k] * shared;
        sum_column5 += a[row_column5 * n + k] * shared;
        sum_column6 += a[row_column6 * n + k] * shared;
        sum_column7 += a[row_column7 * n + k] * shared;
    }
    c[row * n + column] = sum;
    c[row_column1 * n + column] = sum_column1;
    c[row_column2 * n + column] = sum_column2;
    c[row_column3 * n + column] = sum_column3;
    c[row_column4 * n + column] = sum_column4;
    c[row_column5 * n + column] = sum_column5;
    c[row_column6 * n + column] = sum_column6;
    c[row_column7 * n + column] = sum_column7;
}

__global__ void turned_columns4(const float *a, const float *b, float *c, int n) {
    const unsigned int thread_x1 = threadIdx.x + 1u;
    const unsigned int thread_x2 = threadIdx.x + 2u;
    const unsigned int thread_x3 = threadIdx.x + 3u;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int row_column1 = blockIdx.x * blockDim.x + thread_x1;
    int row_column2 = blockIdx.x * blockDim.x + thread_x2;
    int row_column3 = blockIdx.x * blockDim.x + thread_x3;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    float sum_column1 = 0.0f;
    float sum_column2 = 0.0f;
    float sum_column3 = 0.0f;
    for (int k = 0; k < n; k++) {
        __prefetch(b + ((k + 4) * n + column));
        float shared = b[k * n + column];
        sum += a[row * n + k] * shared;
        sum_column1 += a[row_column1 * n + k] * shared;
        sum_column2 += a[row_column2 * n + k] * shared;
        sum_column3 += a[row_column3 * n + k] * shared;
    }
    c[row * n + column] = sum;
    c[row_column1 * n + column] = sum_column1;
    c[row_column2 * n + column] = sum_column2;
    c[row_column3 * n + column] = sum_column3;
}
