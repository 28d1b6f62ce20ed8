// Functions for both sides that only the host can have, for what they call or are given: device code does not reach them.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

int host_only(int x) { return x + 1; }
FILE *screen() { return stdout; }

struct OfHost {
    int v;
    OfHost(int x) : v(host_only(x)) {}
    int get() const { return v; }
};

__host__ __device__ int calls(int x) { return host_only(x) * 2; }
__host__ __device__ int calls_one_that_calls(int x) { return calls(x) + 1; }
__host__ __device__ auto deduced(int x) { return host_only(x); }
__host__ __device__ int needs_the_type(int x) { return deduced(x) + 1; }
__host__ __device__ inline void fatal(const char *text) {
    puts(text);
    exit(1);
}
__host__ __device__ int makes_an_object(int x) {
    OfHost made(x);
    return made.get();
}
__host__ __device__ int has_a_lambda(int x) {
    auto f = [&](int y) { return host_only(x + y); };
    return f(1);
}
__host__ __device__ void fills(std::vector<int> &all) { all.push_back(1); }

template <class T>
struct Value {
    T v;
    __host__ __device__ Value(T t) : v(t) {}
    __host__ __device__ explicit Value(FILE *from) : v(from != nullptr) {}
    __host__ __device__ void log(FILE *to) const { fprintf(to, "value %d\n", (int)v); }
    __host__ __device__ void log() const { log(screen()); }
    __host__ __device__ T get() const { return v; }
    __host__ __device__ T of_host() const { return host_only(v); }
};

namespace out {
__host__ __device__ void put(FILE *to, int x);
__host__ __device__ void put(FILE *to, int x) { fprintf(to, "put %d\n", x); }
__host__ __device__ int put(int x) { return x; }
}  // namespace out

struct Point {
    int x;
    __host__ __device__ void print(std::ostream &to) const;
    __host__ __device__ friend std::ostream &operator<<(std::ostream &to, const Point &p) {
        p.print(to);
        return to;
    }
    __host__ __device__ int twice() const;
};
__host__ __device__ void Point::print(std::ostream &to) const { to << "point " << x; }
__host__ __device__ int Point::twice() const { return 2 * x; }

struct Base {
    __host__ __device__ virtual int f(int x) const { return x; }
    __host__ __device__ virtual int g(int x) const { return host_only(x); }
};
struct Derived : Base {
    __host__ __device__ int f(int x) const override { return 3 * x; }
};

__global__ void reaches_none(int *result) {
    Value<int> value(3);
    Point point{4};
    Derived derived;
    const Base *base = &derived;
    *result = value.get() + point.twice() + out::put(1) + base->f(2);
}

int main() {
    int *result;
    cudaMallocManaged(&result, sizeof(int));
    reaches_none<<<1, 1>>>(result);
    cudaDeviceSynchronize();
    if (*result < 0) fatal("a wrong result");
    std::vector<int> all;
    fills(all);
    Value<int> value(7);
    printf("%d %zu %d\n", *result, all.size(), Value<int>(stdout).get());
    printf("%d %d %d\n", calls(2), calls_one_that_calls(1), needs_the_type(3));
    printf("%d %d %d %d\n", makes_an_object(3), has_a_lambda(4), value.of_host(), Derived().g(1));
    value.log();
    out::put(stdout, out::put(5));
    fflush(stdout);
    std::cout << Point{9} << std::endl;
}
// It prints:
// 18 1 1
// 6 5 5
// 4 6 8 2
// value 7
// put 5
// point 9
