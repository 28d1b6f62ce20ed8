// A function that returns `auto` is checked for `decltype` first: what it calls is missing where it is called.
__device__ int far(int); // note 16-18: it is declared here
template <class T> __device__ auto never(T x) { return far(x) + 1; }
template <class T> __device__ auto near(T x) { return far(x); } // error 55-60: 'far' is called, but not defined in this file // help: if another file defines it, compile all files with -rdc=true
__global__ void k(int *out) {
    decltype(near(2)) n = sizeof(never(3));
    *out = near(n);
}
