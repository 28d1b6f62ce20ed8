// Where variables may live.
__device__ int global_variable; // error 16-30: '__device__' variables are not supported yet // help: pass a pointer to the kernel
__constant__ float coefficients[16]; // error 20-31: '__constant__' variables are not supported yet // help: pass a pointer to the kernel, or make it `const` with an initialiser if it never changes
__shared__ int at_file_scope[2] = {1, 2}; // error 35-40: a shared array cannot have an initialiser // help: assign the elements after the declaration, then call `__syncthreads()`
extern __shared__ float dynamic_outside[]; // error 25-39: dynamic shared memory is not supported yet // help: give the array a size that is a constant
__managed__ int managed; // error 17-23: '__managed__' variables are not supported yet // help: pass a pointer to the kernel
const int known = 4;

__global__ void kernel(int *out) {
    __shared__ int s[4] = {1, 2, 3, 4}; // error 27-38: a shared array cannot have an initialiser // help: assign the elements after the declaration, then call `__syncthreads()`
    __shared__ float t = 1; // error 26: a shared variable cannot have an initialiser // help: assign it after the declaration, then call `__syncthreads()`
    extern __shared__ float dynamic[]; // error 29-35: dynamic shared memory is not supported yet // help: give the array a size that is a constant
    static int count = 0; // error 16-20: static variables are not supported in device code // help: use an argument of the kernel
    volatile int v; // error 18: volatile variables are not supported yet // help: leave out 'volatile' or use `__syncthreads()`
    extern int outside; // error 16-22: 'extern' variables are not supported in device code
    __constant__ int c = 3; // error 22: '__constant__' variables belong at file scope
    __shared__ int n[known][out[0]]; // error 29-34: the size of an array must be an integer constant // help: use a macro or a `const int`
    out[0] = global_variable + coefficients[1] + known;
    out[1] = s[0] + t + count;
}
