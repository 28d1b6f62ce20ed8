// Constraints: overloads that ask for what an argument is not, and what is malformed.
#include <concepts>
template <std::integral T> __device__ T half(T x) { return x / 2; } // note 41-44: candidate: 'half<T>': its conditions do not hold
template <class T> concept Small = sizeof(T) <= 2; // note 28-32: 'Small' is declared here
template <Small T> struct Box { // note 27-29: 'Box' is declared here
    T v;
};
__device__ int twice(Small auto x) { return 2 * x; } // note 16-20: candidate: 'twice<auto:1>': its conditions do not hold
template <class T> struct S {
    __device__ int get() requires Small<T> { return 1; } // note 20-22: candidate: 'S<int>::get()': its conditions do not hold
};
__global__ void any(auto x) {} // error 17-19: a parameter of a kernel cannot be 'auto' // help: write `template <class T>` before the kernel, and T for `auto`

__global__ void kernel(int *out, int n, float f) {
    out[0] = half(f); // error 14-20: no 'half' takes (float)
    out[1] = twice(n); // error 14-21: no 'twice' takes (int)
    Box<int> box; // error 5-7: what 'Box<int>' requires does not hold
    Small auto c = n; // error 16: 'int' does not satisfy 'Small'
    S<int> s;
    out[2] = s.get(); // error 14-20: no 'get' takes ()
    out[3] = Small; // error 14-18: 'Small' is a template: its arguments are missing
    out[4] = Small<int, char>; // error 14-18: too many template arguments for 'Small'
}
