// Host code and kernels on the same variables, by every function for symbols.
#include <cstdio>
#include <cstdlib>

#define CHECK(x) do { if (!(x)) { printf("%d: %s\n", __LINE__, #x); exit(1); } } while (0)

struct P { int a; float b[2]; };
static __device__ int count = 5, list[3] = {1, 2, 3}, *where = &count;
__constant__ float table[] = {1, 2, 3, 4};
__constant__ static float coef[4][2];
__device__ __managed__ double m = 2.5;
__device__ P ps[3] = {{1, {2.f, 3.f}}, {4}};
__device__ struct { int x, y; } pair_ = {3, 4};
__device__ const int fixed[3] = {7, 8, 9};
__constant__ const int N = 3;
volatile __device__ int flag;
namespace { __device__ int hidden{4}; }
__device__ float (*rows)[4], *ptrs[2];
__device__ __align__(32) char buf[33];
template<int K> struct Q { int v[K]; };
__global__ void k(int *out) {
    int i = threadIdx.x;
    atomicAdd(&count, 1);
    out[i] = table[i % 4] + coef[i % 4][1] + fixed[i % N] + list[i % 3] + hidden + pair_.y;
    if (i == 0) { m += *where; flag = 1; buf[32] = 5; ps[2].b[1] = 9; }
}
int main() {
    int h[32], *d;
    cudaMalloc(&d, sizeof h);
    float c[4][2] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    CHECK(sizeof table == 16);
    CHECK(cudaMemcpyToSymbol(coef, c, sizeof c) == 0);
    float two = 20;
    CHECK(cudaMemcpyToSymbol(table, &two, 4, 4, cudaMemcpyHostToDevice) == 0);
    k<<<1, 32>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == 0);
    for (int i = 0; i < 32; i++) { float t[] = {1, 20, 3, 4}; int f[] = {7, 8, 9};
        int want = t[i % 4] + c[i % 4][1] + f[i % 3] + i % 3 + 1 + 4 + 4;
        if (h[i] != want) { printf("%d: %d not %d\n", i, h[i], want); return 1; } }
    int n; CHECK(cudaMemcpyFromSymbol(&n, count, sizeof n) == 0 && n == 37);
    CHECK(m >= 2.5 + 5);
    P p[3]; CHECK(cudaMemcpyFromSymbol(p, ps, sizeof p) == 0 && p[0].b[0] == 2 && p[1].a == 4 && p[2].b[1] == 9);
    int *a; CHECK(cudaGetSymbolAddress((void **)&a, list) == 0);
    int three[3] = {5, 6, 7}; CHECK(cudaMemcpy(a, three, 12, cudaMemcpyHostToDevice) == 0);
    CHECK(cudaMemcpy(a, three, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue); cudaGetLastError();
    CHECK(cudaMemcpyFromSymbol(&n, list, 4, 8) == 0 && n == 7);
    size_t s; CHECK(cudaGetSymbolSize(&s, ps) == 0 && s == sizeof p);
    CHECK(cudaMemcpyToSymbol(list, three, 16) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(list, three, 4, 12) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(list, three, 4, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpyToSymbol("list", three, 4) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyFromSymbol(three, "list", 4) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyToSymbol(h, three, 4) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyToSymbol(fixed, three, 4) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyFromSymbol(three, fixed, 12) == 0 && three[2] == 9);
    int size[N]; CHECK(sizeof size == 12);
    CHECK(cudaMemcpyFromSymbol(&n, flag, 4) == 0 && n == 1);
    CHECK(cudaMemcpyFromSymbolAsync(&n, pair_, 4, 4, cudaMemcpyDeviceToHost, 0) == 0 && n == 4);
    CHECK(cudaGetSymbolAddress((void **)&a, buf) == 0 && (size_t)a % 32 == 0);
    puts("ok");
}
