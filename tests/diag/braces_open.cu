// What follows a brace that is never closed is not believed.
__device__ int known(int a) { return missing; } // error 38-44: 'missing' is not declared
struct Open { // error 13: this '{' is never closed
    int x;
    __device__ int f() {
        if (x) { return 1; }
};
__global__ void kernel(int *out) { out[0] = also_missing + ; }
