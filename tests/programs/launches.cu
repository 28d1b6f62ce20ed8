// Kernels launched from templates, classes and lambdas, as arguments and from
// tables; lambdas as arguments.
#include <cstdio>
#include <functional>
#include <vector>
#define CHECK(x)                                                               \
  do {                                                                         \
    if (!(x))                                                                  \
      printf("%s (%s)\n", #x, cudaGetErrorString(cudaGetLastError()));         \
  } while (0)
struct Mat {
  float m[2][2];
  __host__ __device__ float det() const {
    return m[0][0] * m[1][1] - m[0][1] * m[1][0];
  }
};
struct Pt {
  int x, y;
};
template <class F> __global__ void run(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}
template <class F> void forall(int n, F f) {
  run<<<(n + 63) / 64, 64>>>(n, f);
  CHECK(cudaDeviceSynchronize() == 0);
}
template <class T, class Op>
__global__ void red(const T *in, T *out, int n, Op op) {
  T r = in[0];
  for (int i = 1; i < n; i++)
    r = op(r, in[i]);
  *out = r;
}
class Solver {
  float *x;
  int n;
  float w = 2;

public:
  Solver(int n) : n(n) { cudaMallocManaged(&x, n * 4); }
  template <class F> void apply(F f) {
    float *x = this->x;
    float w = this->w;
    forall(n, [=] __device__(int i) { x[i] = f(x[i] + i) * w; });
  }
  void twice() {
    apply([] __device__(float v) { return v * 2; });
  }
  float at(int i) { return x[i]; }
};
__global__ void Solver_free(int *o, int v) { *o = v; }
struct S {
  template <class T> static void launch(T *o, T v);
};
namespace deep {
namespace er {
template <class T> __global__ void kern(T *o, T v) { *o = v; }
__global__ void plain(int *o, int v) { *o = v + 1; }
__global__ void plain(float *o, float v) { *o = v + 2; }
} // namespace er
} // namespace deep
template <class T> void S::launch(T *o, T v) {
  deep::er::kern<<<1, 1>>>(o, v);
  auto l = [&](auto q) { deep::er::kern<T><<<1, 1>>>(o, q); };
  l(v + 1);
}
template <void (*K)(int *, int)> void by_arg(int *o, int v) {
  K<<<1, 1>>>(o, v);
  CHECK(cudaDeviceSynchronize() == 0);
}
template <class K, class... A> void by_ptr(K k, A... a) {
  k<<<1, 1>>>(a...);
  CHECK(cudaDeviceSynchronize() == 0);
}
struct Adder {
  int by;
  __device__ int operator()(int a, int b) const { return a + b + by; }
};
template <class A, class B> struct Compose {
  A a;
  B b;
  __host__ __device__ auto operator()(int i) const { return a(b(i)); }
};
template <class A, class B> Compose<A, B> compose(A a, B b) { return {a, b}; }
template <class F> __global__ void store(int *o, F f) { *o = f(5); }
int main() {
  int *o;
  float *fo;
  cudaMallocManaged(&o, 400);
  cudaMallocManaged(&fo, 400);
  Mat m{{{1, 2}, {3, 5}}};
  Pt pts[3] = {{1, 2}, {3, 4}, {5, 6}};
  float scale = .5f;
  const int K = 7;
  double dd = 2;
  forall(10, [=] __device__(int i) {
    o[i] = m.det() * 100 + pts[i % 3].y * 10 + K + (int)(scale * 2) + (int)dd;
  });
  printf("%d %d %d\n", o[0], o[1], o[2]);
  auto inner = [=] __host__ __device__(int i) { return i * K; };
  forall(4, [=] __device__(int i) mutable {
    int q = inner(i);
    auto third = [&q, scale](int z) {
      q += z;
      return (int)(q * scale);
    };
    o[i] = third(4) + inner(1) + pts[0].x++;
  });
  printf("%d %d\n", o[1], o[3]);
  Solver s(5);
  s.apply([=] __device__(float v) { return v + scale; });
  s.twice();
  printf("%g %g\n", s.at(0), s.at(4));
  for (int i = 0; i < 5; i++)
    o[i] = i;
  red<<<1, 1>>>(o, o + 10, 5, Adder{100});
  red<<<1, 1>>>(o, o + 11, 5,
                [] __device__(int a, int b) { return a > b ? a : b; });
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%d %d\n", o[10], o[11]);
  S::launch(o, 4);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%d\n", *o);
  S::launch(fo, 4.5f);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%g\n", *fo);
  by_arg<Solver_free>(o, 77);
  printf("%d\n", *o);
  by_arg<deep::er::kern<int>>(o, 78);
  printf("%d\n", *o);
  by_ptr(deep::er::kern<int>, o, 79);
  printf("%d\n", *o);
  by_ptr((void (*)(int *, int))deep::er::plain, o, 80);
  printf("%d\n", *o);
  by_ptr(static_cast<void (*)(float *, float)>(deep::er::plain), fo, 1.f);
  printf("%g\n", *fo);
  void (*tab[])(int *, int) = {Solver_free, deep::er::kern<int>,
                               deep::er::plain};
  for (auto k : tab) {
    k<<<1, 1>>>(o, 5);
    cudaDeviceSynchronize();
    printf("%d ", *o);
  }
  puts("");
  int v = 9;
  void *args[] = {&o, &v};
  CHECK(cudaLaunchKernel((const void *)deep::er::kern<int>, dim3(1), dim3(1),
                         args, 0, 0) == 0);
  cudaDeviceSynchronize();
  printf("%d\n", *o);
  cudaFuncAttributes a;
  CHECK(cudaFuncGetAttributes(&a, deep::er::kern<float>) == 0);
  printf("%d\n", a.maxThreadsPerBlock);
  int mg, bs;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&mg, &bs, deep::er::kern<int>, 0,
                                           0) == 0);
  int nb;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, deep::er::kern<int>,
                                                      64, 0) == 0);
  store<<<1, 1>>>(o, compose([=] __host__ __device__(int i) { return i + v; },
                             [] __host__ __device__(int i) { return i * 3; }));
  cudaDeviceSynchronize();
  printf("%d\n", *o);
  auto rec = [=] __device__(int i) {
    struct L {
      int q;
      __device__ int get() { return q * 2; }
    } l{i};
    return l.get() + v;
  };
  store<<<1, 1>>>(o, rec);
  cudaDeviceSynchronize();
  printf("%d\n", *o);
  std::vector<int> hv(3, 1);
  int sum = 0;
  for (int x : hv)
    sum += x;
  forall(1, [o, sum, q = sum * 2] __device__(int) { o[0] = sum * 10 + q; });
  printf("%d\n", *o);
}

// It prints:
// -70 -50 -30
// 13 20
// 4 52
// 410 4
// 5
// 5.5
// 77
// 78
// 79
// 81
// 3
// 5 5 6
// 9
// 1024
// 24
// 19
// 36
