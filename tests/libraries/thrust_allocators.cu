// Vectors of the device ask their allocators for memory, give it back to them, and take them along.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
static long live, calls;
template <class T> struct Counting {
  using value_type = T;
  int id = 0;
  Counting(int id = 0) : id(id) {}
  template <class U> Counting(const Counting<U> &o) : id(o.id) {}
  T *allocate(size_t n) {
    void *p;
    cudaMallocManaged(&p, n * sizeof(T));
    live += n;
    calls += id;
    return (T *)p;
  }
  void deallocate(T *p, size_t n) {
    live -= n;
    cudaFree(p);
  }
  bool operator==(const Counting &o) const { return id == o.id; }
  bool operator!=(const Counting &o) const { return id != o.id; }
};
template <class T> struct Bare : thrust::device_malloc_allocator<T> {
  template <class U> struct rebind {
    typedef Bare<U> other;
  };
  typedef thrust::device_malloc_allocator<T> super;
  typedef typename super::pointer pointer;
  pointer allocate(size_t n) {
    calls += 1000;
    return super::allocate(n);
  }
  void deallocate(pointer p, size_t n) { super::deallocate(p, n); }
  __host__ __device__ void construct(T *) {}
};
struct Twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
__global__ void add(int *p, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] += 5;
}
int main() {
  {
    thrust::device_vector<int, Counting<int>> v(10, 3, Counting<int>(7)),
        w(Counting<int>(2)), e(4, Counting<int>(1));
    int *p = v.data();
    add<<<1, 32>>>(p, (int)v.size());
    thrust::transform(v.begin(), v.end(), v.begin(), Twice());
    w = v;
    e.swap(w);
    thrust::device_vector<int, Counting<int>> m(std::move(v)),
        c(m, Counting<int>(9));
    printf("%ld %ld %d %zu %d %d %zu\n", live, calls,
           thrust::reduce(e.begin(), e.end()), w.size(), e.get_allocator().id,
           m.get_allocator().id, v.size());
    thrust::host_vector<int> h(c.begin(), c.end());
    printf("%d %d\n", h[9], (int)c[3]);
  }
  printf("%ld\n", live);
  thrust::device_vector<int, Bare<int>> b(100);
  thrust::device_vector<int> plain(5);
  thrust::device_ptr<int> q = b.data();
  q[3] = 4;
  plain[4] = b[3];
  thrust::universal_vector<float> u(3, 1.5f);
  printf("%ld %d %d %g\n", calls, (int)plain[4], (int)plain[0], (float)u[2]);
  std::vector<int> s(plain.size());
  thrust::copy(plain.begin(), plain.end(), s.begin());
  thrust::device_vector<int> copy = s, moved = std::move(copy);
  thrust::host_vector<int> hv = moved;
  printf("%d %zu %d\n", hv[4], copy.size(), plain == moved);
}
