// Lambdas for the device that name types and constants of the functions and of
// the classes around them, and kernels that get classes with owners of memory.
#include <cstdio>
#include <memory>
template <class F> __global__ void run(F f, int *o) {
  o[threadIdx.x] = f(threadIdx.x);
}
template <class F> int second(F f) {
  int *o;
  cudaMallocManaged(&o, 64);
  run<<<1, 4>>>(f, o);
  cudaDeviceSynchronize();
  int found = o[1];
  cudaFree(o);
  return found;
}
template <class T> struct Box {
  using inner = T;
  T v;
};
class Grid {
  struct Cell {
    short a, b;
  };
  static constexpr int width = 11;
  static const unsigned char depth = 5;
  using Row = Box<Cell>;

public:
  typedef int Sum;
  static int inside() {
    return second([] __device__(int i) {
      Row r{{(short)i, 2}};
      Sum s = r.v.a;
      return s + width * depth + r.v.b;
    });
  }
  int outside() const;
};
int Grid::outside() const {
  return second([=] __device__(int i) {
    Sum s = i;
    return s + width;
  });
}
template <class T> struct Tall {
  using value = typename Box<T>::inner;
  template <class U> int low();
};
template <class T> template <class U> int Tall<T>::low() {
  using pair = Box<U>;
  return second([=] __device__(int i) {
    pair p{(U)(i + 255)};
    return (int)(value)(p.v + 70000);
  });
}

// A class that device code gets as a copy; the last copy on the host frees the
// memory.
template <class T> struct Device {
  using value_type = T;
  template <class U> struct rebind {
    using other = Device<U>;
  };
  T *allocate(size_t n) {
    T *p;
    cudaMalloc(&p, n * sizeof(T));
    return p;
  }
};
template <class T, class A = Device<char>> class Table {
  typename std::allocator_traits<A>::template rebind_alloc<T> _allocator;
  std::shared_ptr<T> _own;
  std::unique_ptr<int[]> _none;
  T *_first;
  int _plus;

public:
  explicit Table(int n, int plus)
      : _first(_allocator.allocate(n)), _plus(plus) {
    _own = std::shared_ptr<T>(_first, [](T *p) {
      cudaFree(p);
      printf("freed\n");
    });
  }
  Table(const Table &other)
      : _own(other._own), _first(other._first), _plus(other._plus) {}
  __device__ void put(int i, T v) { _first[i] = v + _plus; }
  T *data() const { return _first; }
};
template <class M> __global__ void fill(M m) {
  m.put(threadIdx.x, threadIdx.x * 2);
}

int main() {
  printf("%d %d %d\n", Grid::inside(), Grid().outside(),
         Tall<short>().low<unsigned char>());
  using T = char;
  int n = 2;
  if (n) {
    typedef long long T;
    n += second([=] __device__(int i) { return (int)sizeof(T) + n * i; });
  }
  n += 100 * second([=] __device__(int i) { return (int)sizeof(T); });
  using Pointer = int (*)[3];
  n += 1000 * second([=] __device__(int i) {
         int a[2][3] = {1, 2, 3, 4, 5, 6};
         Pointer p = a;
         return p[1][i];
       });
  auto host = [&] {
    using T = short;
    return second([=] __device__(int i) { return (int)sizeof(T); });
  };
  printf("%d %d\n", n, host());
  Table<int> table(32, 3);
  fill<<<1, 32>>>(table);
  int found[32];
	unsigned sum = 0;
  cudaMemcpy(found, table.data(), sizeof found, cudaMemcpyDeviceToHost);
  for (int x : found)
    sum = sum * 3 + x;
  printf("%u\n", sum);
}
// It prints:
// 58 12 4464
// 5112 2
// 3292298464
// freed
