// A brace that is never closed is reported where the next function begins.
__global__ void first(float *out) { // note 35: to match this '{'
    if (out[0] > 1) {
        out[0] = 1;
}

__global__ void second(float *out) { // error 1-10: expected '}' before '__global__'
    out[0] = missing; // error 14-20: 'missing' is not declared
}

struct Bare { // a class without its semicolon is whole all the same
    int x;
} // error 2: expected ';' after '}'
template <typename T> struct Pair {
    T a, b;
} // error 2: expected ';' after '}'
template <typename T> __device__ T sum(Pair<T> p) { return p.a + p.b; }
enum Kind { Low, High } // error 24: expected ';' after '}'
static __device__ int kind(Kind k) { return k; }
struct Named {
    int y;
} *named, other;
struct Shared {
    int z;
} __device__ shared_variable;
typedef struct {
    int w;
} Alias;
union Either {
    int i;
} const either = {1};
namespace inner {
struct Last {
    int v;
} // error 2: expected ';' after '}'
}

__global__ void third(int *out, Bare b, Alias a, inner::Last last) { // note 68: to match this '{'
    out[0] = b.x + sum(Pair<int>{1, 2}) + kind(High) + shared_variable.z + a.w + either.i + last.v;
    for (int i = 0; i < 3; i++) {
        auto f = [](int x) { return x; };
        out[i] = f(i);
}
static int main_of_host(int argc, char **argv) { // error 1-6: expected '}' before 'static'
    return argc;
}
