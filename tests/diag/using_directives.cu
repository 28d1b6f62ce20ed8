// Names that several namespaces declare, whose using-directives make all of them visible.
namespace a {
const int i = 1; // note 11: 'i' is declared here
typedef int T; // note 13: 'T' is declared here
template <class X> struct V { X x; }; // note 27: 'V' is declared here
namespace inner { const int n = 1; } // note 11-15: 'inner' is declared here
__device__ int g(int x) { return x; } // note 16: 'g' is declared here
__device__ int h(int x) { return x; }
} // namespace a
namespace b {
const int i = 2; // note 11: 'i' is declared here
typedef float T; // note 15: 'T' is declared here
template <class X> struct V { X x; }; // note 27: 'V' is declared here
namespace inner { const int m = 1; } // note 11-15: 'inner' is declared here
const int g = 3; // note 11: 'g' is declared here
__device__ int h(float x) { return x; }
} // namespace b
namespace both {
using namespace a;
using namespace b;
} // namespace both
using namespace a;
using namespace b;
__global__ void kernel(int *out) {
    out[0] = i; // error 14: 'i' is ambiguous // help: write the namespace or the class that is meant before it
    T t = 1; // error 5: 'T' is ambiguous // help: write the namespace or the class that is meant before it
    V<int> v; // error 5: 'V' is ambiguous // help: write the namespace or the class that is meant before it
    out[1] = inner::n; // error 14-18: 'inner' is ambiguous // help: write the namespace or the class that is meant before it
    out[2] = g(1); // error 14: 'g' is ambiguous // help: write the namespace or the class that is meant before it
    out[3] = both::i; // error 14-20: 'both::i' is ambiguous // help: write the namespace or the class that is meant before it
    out[4] = a::i + b::i + h(1) + a::inner::n + b::inner::m;
}
