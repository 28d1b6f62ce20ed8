// What a kernel may be.
__global__ int returns(int *out) { return 1; } // error 16-22: a kernel must return void: 'returns' returns 'int' // help: write the result through a pointer
__global__ __device__ void both(int *out) { out[0] = 1; } // error 28-31: 'both' cannot be both '__global__' and '__device__'
__global__ void __launch_bounds__(n) bounds(int *out) { out[0] = 1; } // error 35: 'n' is not declared
__global__ void __launch_bounds__(0) zero_bounds(int *out) { out[0] = 1; } // error 35: an operand of '__launch_bounds__' must be positive, not 0
__global__ void void_parameter(void out, int n) {} // error 37-39: a parameter cannot have type void
__global__ void same(int *out) {} // note 17-20: the first declaration is here // note 17-20: 'same' is declared here
__device__ void same(int *out) {} // error 17-20: 'same' is declared as a kernel and as a device function
struct Large { float values[8191]; };
__global__ void just_fits(Large l) {}
__global__ void large(Large l, char c) {} // error 17-21: the parameters of a kernel may take at most 32764 bytes
__device__ int array_result(int a)[3] { return a; } // error 16-27: a function cannot return an array
__device__ int uses_kernel(int a) { same(0); return same; } // error 37-43: kernel 'same' cannot be called as a function // help: launch it with 'same<<<grid, block>>>(...)', or make it a `__device__` function // error 53-56: device code cannot take the address of a kernel: 'same'
__global__ void duplicate(int a, int a) {} // error 38: 'a' is declared twice in the same scope // note 31: 'a' is first declared here
