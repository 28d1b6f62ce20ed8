// Names that device code cannot use, or that do not exist.
#include <cstdio>
#include <vector>

struct Point { float x, y; }; // note 8-12: 'Point' is declared here

static float helper(float v) { return v * 2; } // note 14-19: 'helper' is declared here
int counter = 0; // note 5-11: 'counter' is declared here
const std::vector<int> lookup = {1, 2, 3}; // note 24-29: 'lookup' is declared here // note 33-41: 'lookup' is not a constant: 'std::vector<int, std::allocator<int>>::vector' is not constexpr

__device__ float square(float v) { return v * v; }

__global__ void undeclared(float *out, int length) {
    out[0] = lenght; // error 14-19: 'lenght' is not declared // help: did you mean 'length'?
    out[1] = lenght + lenght;
    out[2] = sqare(out[1]); // error 14-18: function 'sqare' is not declared // help: did you mean 'square'?
    out[3] = frobnicate(missing, 1); // error 14-23: function 'frobnicate' is not declared // error 25-31: 'missing' is not declared
    out[4] = left + right; // error 14-17: 'left' is not declared // error 21-25: 'right' is not declared
}

__global__ void host_names(float *out) {
    out[0] = helper(1); // error 14-19: 'helper' is a host function: device code cannot use it // help: mark it `__device__`
    out[1] = counter; // error 14-20: 'counter' is a host variable: device code cannot use it // help: pass its value to the kernel as an argument
    out[2] = lookup[1]; // error 14-19: 'lookup' cannot be used in device code
    void *p;
    cudaMemcpy(p, p, 4); // error 5-14: 'cudaMemcpy' is a function of the host: device code cannot call it
}

__global__ void wrong_kind(float *out, Point *p) { // note 35-37: 'out' is declared here
    out[0] = Point; // error 14-18: 'Point' is a type: an expression is expected here
    out[1] = square; // error 14-19: cannot convert 'float (*)(float)' to 'float' in an assignment // help: write '(...)' after it to call it
    out[2] = out(3); // error 14-16: 'out' is a variable, not a function
    out[3] = sqrtf; // error 14-18: cannot convert 'float (*)(float)' to 'float' in an assignment // help: write '(...)' after it to call it
    out[4] = p->z + p->yy; // error 17: 'Point' has no member 'z' // error 24-25: 'Point' has no member 'yy'
    out[5] = Point(1); // error 14-21: 'Point' has no constructor that takes arguments // help: write '{...}' to initialise its members
}

__global__ void thread_variables(int *out) {
    int i = threadIdx; // error 13-21: cannot convert 'uint3' to 'int' in the initialiser of 'i' // help: write 'threadIdx.x', 'threadIdx.y' or 'threadIdx.z'
    out[i] = blockIdx.w; // error 23: 'blockIdx' has no member 'w' // help: its members are x, y and z
    int threadIdx = 3;
    out[threadIdx] = threadIdx.x; // error 22-30: 'int' is not a struct: it has no member 'x'
}

__global__ void not_yet(int *out) {
    printf("%s\n", out[0]); // error 20-25: '%s' prints a string, not 'int'
    out[2] = std::min(out[0], out[1]);
    out[3] = strstr("ab", "b") != 0; // error 14-19: 'strstr' is not supported yet // help: write a loop
}
