// Pointers to members between host and device: in launches, in structs, in variables, and as template arguments.
#include <cstdio>
#include <cuda_runtime.h>

struct S {
    int x, y;
    __host__ __device__ int get(int n) const { return x + n; }
    __host__ __device__ int times(int n) const { return y * n; }
};
struct Holder {
    int S::*p;
    int S::*q;
    int n;
};
struct Both {
    char first;
    int (S::*method)(int) const;
    int last;
};
__device__ int S::*unset;
__device__ int S::*fields[3] = {&S::y};
__device__ int S::*one = &S::x, S::*other = &S::y;
__device__ int (S::*methods[2])(int) const = {&S::times};
__device__ int (S::*method)(int) const = &S::get;
__constant__ Holder holder;

template <int (S::*F)(int) const> struct Call {
    __device__ static int on(const S &s, int n) { return (s.*F)(n); }
};
__global__ void by_method(int *out, bool times) {
    S s{3, 4};
    int n = threadIdx.x;
    out[n] = times ? Call<&S::times>::on(s, n) : Call<&S::get>::on(s, n);
}
template <auto M> __global__ void by_field(int *out) {
    S s{3, 4};
    out[threadIdx.x] = s.*M + threadIdx.x;
}
__global__ void launched(int *out, int S::*p, S s) { out[threadIdx.x] = p ? s.*p : -1; }
__global__ void held(int *out, Holder h) {
    S s{7, 8};
    out[threadIdx.x] = h.q ? s.*h.q : h.p ? s.*h.p : h.n;
}
__global__ void sized(int *out, const Both *b) { out[threadIdx.x] = b[1].first + b[1].last + (b[1].method == nullptr); }
__global__ void variables(int *out) {
    S s{5, 6};
    out[0] = (unset == nullptr) + 2 * (fields[1] == nullptr) + 4 * (methods[1] == nullptr);
    out[1] = s.*fields[0] + 10 * s.*one + 100 * s.*other + 1000 * (s.*methods[0])(1) + 10000 * (s.*method)(2);
    out[2] = s.*holder.p + (holder.q == nullptr);
}

int main() {
    int *d, r[3];
    cudaMalloc(&d, sizeof(int) * 4);
    auto show = [&](const char *what) {
        cudaMemcpy(r, d, sizeof(r), cudaMemcpyDeviceToHost);
        printf("%s %d %d %d\n", what, r[0], r[1], r[2]);
    };
    by_method<<<1, 4>>>(d, false), show("get");
    by_method<<<1, 4>>>(d, true), show("times");
    by_field<&S::y><<<1, 4>>>(d), show("y");
    launched<<<1, 4>>>(d, &S::y, S{1, 2}), show("launched");
    launched<<<1, 4>>>(d, nullptr, S{1, 2}), show("null");
    held<<<1, 4>>>(d, Holder{&S::y, nullptr, 1}), show("first");
    held<<<1, 4>>>(d, Holder{&S::y, &S::x, 1}), show("second");
    held<<<1, 4>>>(d, Holder{nullptr, nullptr, 5}), show("none");
    Both both[2] = {{}, {1, nullptr, 3}}, *b;
    cudaMalloc(&b, sizeof(both));
    cudaMemcpy(b, both, sizeof(both), cudaMemcpyHostToDevice);
    sized<<<1, 4>>>(d, b), show("sized");
    Holder given{&S::y, nullptr, 0};
    cudaMemcpyToSymbol(holder, &given, sizeof(given));
    variables<<<1, 1>>>(d), show("variables");
    cudaFree(b), cudaFree(d);
}

// It prints:
// get 3 4 5
// times 0 4 8
// y 4 5 6
// launched 2 2 2
// null -1 -1 -1
// first 8 8 8
// second 7 7 7
// none 5 5 5
// sized 5 5 5
// variables 7 76656 7
