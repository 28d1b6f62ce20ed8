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

__global__ void product_rows(const float *a, const float *b, float *c, int n) {
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

__global__ void sums_rows(const float *a, const float *b, float *c, int n) {
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
