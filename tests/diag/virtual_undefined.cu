// A virtual function that is called, and that nothing defines.
struct A {
    __device__ virtual int f() = 0;
    __device__ virtual int h(); // note 28: it is declared here
    __device__ virtual ~A() {}
};
struct B : A {
    __device__ int f() { return 1; }
};
__global__ void kernel(int *out, A *a) {
    B b;
    out[0] = b.f() + a->h(); // error 22-27: 'A::h' is called, but not defined in this file // help: if another file defines it, compile all files with -rdc=true
}
