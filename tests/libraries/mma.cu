// Products of matrices of every size and type, against those of the host: the numbers are small, so that all are exact.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class T, class Acc, class LA, class LB>
__global__ void gemm(const T *a, const T *b, Acc *c, int m, int n, int k, float alpha, float beta) {
    int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int warpN = blockIdx.y * blockDim.y + threadIdx.y;
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Acc> acc, old;
    wmma::fill_fragment(acc, 0.0f);
    bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
    int lda = ra ? k : m, ldb = rb ? n : k;
    int row = warpM * M, col = warpN * N;
    for (int i = 0; i < k; i += K)
        if (row < m && col < n) {
            wmma::load_matrix_sync(fa, a + (ra ? row * lda + i : row + i * lda), lda);
            wmma::load_matrix_sync(fb, b + (rb ? i * ldb + col : i + col * ldb), ldb);
            wmma::mma_sync(acc, fa, fb, acc);
        }
    if (row < m && col < n) {
        wmma::load_matrix_sync(old, c + row * n + col, n, wmma::mem_row_major);
        for (int i = 0; i < old.num_elements; i++) old.x[i] = (Acc)(alpha * (float)acc.x[i] + beta * (float)old.x[i]);
        wmma::store_matrix_sync(c + row * n + col, old, n, wmma::mem_row_major);
    }
}
template <int M, int N, int K, class T, class Acc, class LA, class LB> int run(const char *name, double bound) {
    int m = 64, n = 96, k = 80;
    bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
    std::vector<float> A(m * k), B(k * n), C(m * n);
    for (auto &x : A) x = rand() % 9 - 4;
    for (auto &x : B) x = rand() % 9 - 4;
    for (auto &x : C) x = rand() % 9 - 4;
    T *a, *b; Acc *c;
    cudaMallocManaged(&a, m * k * sizeof(T)); cudaMallocManaged(&b, n * k * sizeof(T)); cudaMallocManaged(&c, m * n * sizeof(Acc));
    for (int i = 0; i < m; i++) for (int j = 0; j < k; j++) a[ra ? i * k + j : j * m + i] = T(A[i * k + j]);
    for (int i = 0; i < k; i++) for (int j = 0; j < n; j++) b[rb ? i * n + j : j * k + i] = T(B[i * n + j]);
    for (int i = 0; i < m * n; i++) c[i] = Acc(C[i]);
    dim3 block(64, 2), grid((m + M * 2 - 1) / (M * 2), (n + N * 2 - 1) / (N * 2));
    gemm<M, N, K, T, Acc, LA, LB><<<grid, block>>>(a, b, c, m, n, k, 2.f, 0.5f);
    cudaError_t e = cudaDeviceSynchronize();
    double worst = 0;
    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) {
        double s = 0; for (int l = 0; l < k; l++) s += (double)A[i * k + l] * B[l * n + j];
        double want = 2 * s + 0.5 * C[i * n + j];
        if (std::is_same<Acc, int>::value) want = (int)want;
        worst = fmax(worst, fabs(want - (double)(float)c[i * n + j]));
    }
    printf("%s %s %s\n", name, worst <= bound ? "ok" : "WRONG", cudaGetErrorString(e));
    if (worst > bound) printf("   %g\n", worst);
    return worst > bound;
}
int main() {
    int bad = 0;
    using wmma::row_major; using wmma::col_major;
    bad += run<16, 16, 16, half, float, row_major, row_major>("half rr", 0);
    bad += run<16, 16, 16, half, float, col_major, row_major>("half cr", 0);
    bad += run<16, 16, 16, half, float, row_major, col_major>("half rc", 0);
    bad += run<32, 8, 16, half, half, row_major, col_major>("half 32 8", 0.5);
    bad += run<8, 32, 16, half, float, col_major, col_major>("half 8 32", 0);
    bad += run<16, 16, 16, __nv_bfloat16, float, row_major, row_major>("bf16", 0);
    bad += run<16, 16, 16, signed char, int, row_major, col_major>("s8", 0);
    bad += run<32, 8, 16, signed char, int, row_major, row_major>("s8 32", 0);
    bad += run<8, 8, 4, double, double, row_major, col_major>("double", 0);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
