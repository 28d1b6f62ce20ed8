// A sparse matrix times a vector: long rows are summed by a block each.
#include "common.h"

__global__ void sum_row(int at, const int *row, const int *column, const float *value, const float *x, float *y) {
    __shared__ float part[64];
    float own = 0;
    for (int e = row[at] + threadIdx.x; e < row[at + 1]; e += blockDim.x) own += value[e] * x[column[e]];
    part[threadIdx.x] = own;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) y[at] = part[0];
}

__global__ void multiply(int rows, int threshold, const int *row, const int *column, const float *value, const float *x, float *y) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= rows) return;
    if (row[at + 1] - row[at] > threshold) {
#pragma dp consolidate(LEVEL) kc(KC)
        sum_row<<<1, 64>>>(at, row, column, value, x, y);
    } else {
        float sum = 0;
        for (int e = row[at]; e < row[at + 1]; e++) sum += value[e] * x[column[e]];
        y[at] = sum;
    }
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 1000, mean = argc > 2 ? atoi(argv[2]) : 20;
    int threshold = argc > 3 ? atoi(argv[3]) : 16, times = argc > 4 ? atoi(argv[4]) : 1, threads = argc > 5 ? atoi(argv[5]) : 256;
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1 << 18);
    Graph matrix = make_graph(rows, mean, 2);
    std::vector<float> values(matrix.edges()), vector(rows), expected(rows);
    unsigned state = 5;
    for (float &one : values) one = next_number(state) % 8;
    for (float &one : vector) one = next_number(state) % 8;
    for (int i = 0; i < rows; i++)
        for (int e = matrix.row[i]; e < matrix.row[i + 1]; e++) expected[i] += values[e] * vector[matrix.column[e]];
    int *row = on_device(matrix.row), *column = on_device(matrix.column);
    float *value = on_device(values), *x = on_device(vector), *y = on_device(std::vector<float>(rows));
    double ms = shortest_ms(
        times, [&] { cudaMemset(y, 0xff, rows * sizeof(float)); },
        [&] { multiply<<<(rows + threads - 1) / threads, threads>>>(rows, threshold, row, column, value, x, y); });
    std::vector<float> found = from_device(y, rows);
    long wrong = 0;
    for (int i = 0; i < rows; i++) wrong += !(found[i] == expected[i]);
    return report("spmv", threshold > rows ? "flat" : TEXT(LEVEL), ms, wrong);
}
