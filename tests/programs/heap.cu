// Objects on the device heap: lists with virtual methods, arrays with
// constructors, a heap that is full.
#include <cstdio>
#include <cstdlib>
#define CHECK(x)                                                               \
  do {                                                                         \
    if (!(x))                                                                  \
      printf("%s (%s)\n", #x, cudaGetErrorString(cudaGetLastError()));         \
  } while (0)
__device__ int alive;
struct Node {
  int v;
  Node *next;
  __device__ Node() : v(3), next(nullptr) { atomicAdd(&alive, 1); }
  __device__ Node(int v, Node *n) : v(v), next(n) { atomicAdd(&alive, 1); }
  __device__ virtual ~Node() { atomicAdd(&alive, -1); }
  __device__ virtual int get() const { return v; }
};
struct Big : Node {
  double extra[5];
  __device__ Big(int v) : Node(v, nullptr) {
    for (auto &e : extra)
      e = v;
  }
  __device__ ~Big() override { extra[0] = 0; }
  __device__ int get() const override { return v * 100 + (int)extra[4]; }
};
__device__ Node *heads[256];
template <class T> __device__ T *make(int n) { return new T[n]; }
__global__ void build(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node *h = nullptr;
  for (int k = 0; k < i % 7 + n; k++)
    h = new Node(k, h);
  heads[i] = i % 5 == 0 ? (delete h, new Big(i)) : h;
}
__global__ void sum(int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (Node *p = heads[i]; p;) {
    s += p->get();
    Node *n = p->next;
    delete p;
    p = n;
  }
  o[i] = s;
}
__global__ void arrays(int *o) {
  int i = threadIdx.x;
  Node *a = make<Node>(i % 4 + 1);
  int s = 0;
  for (int k = 0; k <= i % 4; k++)
    s += a[k].v;
  int *b = make<int>(i + 1);
  for (int k = 0; k <= i; k++)
    b[k] = k;
  s += b[i] * 100;
  float (*m)[3] = new float[2][3]{{1, 2, 3}, {4}};
  s += m[1][0] * 10000;
  delete[] m;
  delete[] b;
  delete[] a;
  int *z = new int();
  s += *z;
  delete z;
  int *w = new int[0];
  delete[] w;
  delete (int *)nullptr;
  o[i] = s;
}
__global__ void fill(void **p, size_t n) { p[threadIdx.x] = malloc(n); }
__global__ void release(void **p) { free(p[threadIdx.x]); }
__global__ void newfail(int *o) {
  int *p = new int[1 << 30];
  o[0] = p == nullptr;
  int *q = new int[1 << 30];
  o[1] = q == nullptr;
}
int main() {
  int *o;
  cudaMallocManaged(&o, 4096);
  size_t lim;
  cudaDeviceGetLimit(&lim, cudaLimitMallocHeapSize);
  printf("%zu\n", lim);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20) == 0);
  cudaDeviceGetLimit(&lim, cudaLimitMallocHeapSize);
  printf("%zu\n", lim);
  for (int r = 0; r < 2; r++) {
    build<<<4, 64>>>(3);
    sum<<<4, 64>>>(o);
    CHECK(cudaDeviceSynchronize() == 0);
    int s = 0;
    for (int k = 0; k < 256; k++)
      s += o[k];
    int al;
    cudaMemcpyFromSymbol(&al, alive, 4);
    printf("%d %d %d %d\n", s, o[5], o[6], al);
  }
  arrays<<<1, 100>>>(o);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%d %d %d\n", o[0], o[3], o[99]);
  int al;
  cudaMemcpyFromSymbol(&al, alive, 4);
  printf("%d\n", al);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20) != 0);
  cudaGetLastError();
  void **p;
  cudaMallocManaged(&p, 4096);
  fill<<<1, 64>>>(p, 1 << 20);
  cudaDeviceSynchronize();
  int got = 0;
  for (int k = 0; k < 64; k++)
    got += p[k] != 0;
  printf("got %d\n", got);
  release<<<1, 64>>>(p);
  CHECK(cudaDeviceSynchronize() == 0);
  newfail<<<1, 1>>>(o);
  CHECK(cudaDeviceSynchronize() == 0);
  printf("%d %d\n", o[0], o[1]);
}

// It prints:
// 8388608
// 33554432
// 673069 505 36 259
// 673069 505 36 518
// 40003 40312 49912
// 518
// got 31
// 1 1
