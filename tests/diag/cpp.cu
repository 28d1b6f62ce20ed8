// C++ that the device subset lacks, each with what to write instead.
template <typename T> __global__ void templated(T *out) { out[0] = 1; } // error 1-8: templates are not supported yet // help: write one function per type
template <typename T> T host_template(T a) { return a; } // note 25-37: 'host_template' is declared here
namespace host_only { int g() { return 1; } }

__device__ no_type(int a) { return a; } // error 12-18: 'no_type' has no return type // help: write `void` if it returns nothing
__device__ int takes_auto(auto x) { return x; } // error 27-30: 'auto' is not supported here // help: write the type
__device__ int variadic(int a, ...) { return a; } // error 32-34: '...' is not supported in device code

__global__ void kernel(int *out, int n) {
    auto x = 3; // error 10: 'auto' is not supported yet // help: write the type
    auto f = [=](int a) { return a; }; // error 14: lambdas are not supported yet // help: write a `__device__` function
    int *p = new int[3]; // error 14-16: 'new' is not supported in device code // help: use a local array of a fixed size
    delete p; // error 5-10: 'delete' is not supported in device code
    try { n = 1; } catch (int e) { n = 2; } // error 5-7: exceptions do not exist in device code // help: return an error code // error 20-24: exceptions do not exist in device code // help: return an error code
    throw 1; // error 5-9: exceptions do not exist in device code // help: return an error code
    asm("nop;"); // error 9-14: the PTX instruction 'nop' is not supported // help: write it in CUDA-C
    using real = float; // error 5-9: 'using' is not supported inside a function yet // help: use `typedef` at file scope
    using namespace std; // error 5-9: 'using' is not supported inside a function yet // help: use `typedef` at file scope
    kernel<<<1, 2>>>(out, n); // error 11-13: a kernel cannot be launched from device code: dynamic parallelism is not supported
    out[1] = host_template(3); // error 14-26: 'host_template' is a template: device code cannot use it // help: mark it `__device__`
    out[4] = dynamic_cast<int *>(out)[0]; // error 14-25: 'dynamic_cast' does not exist in device code
    out[5] = ({ if (n) n = 1; 3; }); // error 17-18: a block that is an expression can hold only declarations and expressions // help: write a `__device__` function
    int initialised(3, 4); // error 20-25: constructors are not supported yet // help: write `= {a, b}`
}
