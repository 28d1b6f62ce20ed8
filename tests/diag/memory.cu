// Where variables may live.
__device__ int global_variable;
__constant__ float coefficients[16]; // note 20-31: 'coefficients' is declared here
__shared__ int at_file_scope[2] = {1, 2}; // error 35-40: a shared array cannot have an initialiser // help: assign the elements after the declaration, then call `__syncthreads()`
extern __shared__ float dynamic_outside[4] = {1}; // error 25-39: an 'extern __shared__' variable cannot be initialised: the launch gives its memory
__device__ const int nothing; // error 22-28: const variable 'nothing' has no initialiser
__device__ int computed = global_variable + 1; // error 27-45: 'computed' is not a constant: 'global_variable' is known only at run time
__device__ int too_many[2] = {1, 2, 3}; // error 37: too many values for 'int [2]'
__managed__ float enormous[1 << 30]; // error 19-26: the variable 'enormous' takes 4294967296 bytes: at most 1024 MiB are supported // help: allocate it with cudaMalloc and pass a pointer
extern __device__ int changes; // note 23-29: the first declaration is here
__device__ float changes; // error 18-24: 'changes' is declared with different types
__device__ int same_name; // note 16-24: 'same_name' is first declared here
__device__ int same_name; // error 16-24: 'same_name' is declared twice in the same scope
const int known = 4;
struct Empty {
    int a;
    __device__ Empty() {}
    __device__ ~Empty() {}
};
struct Full {
    int a;
    __device__ Full() : a(1) {}
};
template <class T> struct Holds {
    T t;
    __device__ Holds();
};
template <class T> __device__ Holds<T>::Holds() {}
__shared__ Empty empty;
__shared__ Holds<Empty> holds_empty[2];
__shared__ Full full; // error 17-20: no thread calls the constructor and the destructor of 'full', which a block's threads share // help: leave both empty, or make the object by placement new in one thread, then call `__syncthreads()`
__shared__ Holds<Full> holds_full; // error 24-33: no thread calls the constructor and the destructor of 'holds_full', which a block's threads share // help: leave both empty, or make the object by placement new in one thread, then call `__syncthreads()`

__global__ void kernel(int *out) {
    __shared__ int s[4] = {1, 2, 3, 4}; // error 27-38: a shared array cannot have an initialiser // help: assign the elements after the declaration, then call `__syncthreads()`
    __shared__ float t = 1; // error 26: a shared variable cannot have an initialiser // help: assign it after the declaration, then call `__syncthreads()`
    extern __shared__ int unsized[];
    out[2] = sizeof(unsized); // error 14-28: the launch gives the size of dynamic shared memory: it is not known here
    atomicAdd(&coefficients[1], 1.f); // error 15-30: 'atomicAdd' cannot change 'coefficients': a kernel cannot change a `__constant__` variable // help: make it `__device__`
    out[3] = __ldg(3); // error 20: '__ldg' takes a pointer, not 'int'
    __stcg((const int *)out, 1); // error 5-31: '__stcg' writes there: the data must not be const
    __stcs(out); // error 5-15: too few arguments to '__stcs': 1 given, 2 expected
    __builtin_unreachable(1); // error 5-28: too many arguments to '__builtin_unreachable': 1 given, 0 expected
    coefficients[3] = 1; // error 5-19: cannot assign to 'coefficients': a kernel cannot change a `__constant__` variable // help: make it `__device__`
    static int count = out[0]; // error 24-29: 'count' is not a constant: 'out' is known only at run time
    volatile int v;
    int *w = &v; // error 14-15: cannot convert 'volatile int *' to 'int *' in the initialiser of 'w' // help: 'volatile' would be lost: declare the target 'volatile int *'
    extern int outside; // error 16-22: 'extern' variables are not supported in device code
    __constant__ int c = 3; // error 22: '__constant__' variables of functions are static // help: write `static __constant__`
    __shared__ int n[known][out[0]]; // error 29-34: the size of an array must be an integer constant: 'out' is known only at run time // help: use a macro or a `const int`
    out[0] = global_variable + coefficients[1] + known;
    out[1] = s[0] + t + count + full.a + holds_full.t.a + empty.a + holds_empty[1].t.a;
}
