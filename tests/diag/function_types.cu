// Types of functions: an exception specification is a part of them.
__device__ int quiet(int x) noexcept { return x; }
__device__ int loud(int x) { return x; }
struct S { __device__ int loud(int x) { return x; } };
template <int (*P)(int) noexcept> __device__ int call(int x) { return P(x); } // note 50-53: candidate: 'call<P>': cannot convert 'int (*)(int)' to 'int (*)(int) noexcept' in the template argument for 'P'
__global__ void kernel(int *out) {
    int (*p)(int) noexcept = loud; // error 30-33: no 'loud' has the type 'int (*)(int) noexcept'
    int (&r)(int) noexcept = loud; // error 30-33: a reference to 'int (int) noexcept' in the initialiser of 'r' needs such a function
    int (S::*m)(int) noexcept = &S::loud; // error 33-40: cannot convert 'int (S::*)(int)' to 'int (S::*)(int) noexcept' in the initialiser of 'm'
    int (*q)(int) = quiet;
    int (*n)(int) noexcept = q; // error 30: cannot convert 'int (*)(int)' to 'int (*)(int) noexcept' in the initialiser of 'n' // help: write the cast: '(int (*)(int) noexcept)'
    out[0] = call<quiet>(q(1));
    out[1] = call<loud>(1); // error 14-26: no 'call' takes (int)
}
