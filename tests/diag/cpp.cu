// C++ that the device subset lacks, each with what to write instead.
template <typename T> __global__ void templated(T *out) { out[0] = 1; } // error 1-8: templates are not supported yet // help: write one function per type
template <typename T> T host_template(T a) { return a; } // note 25-37: 'host_template' is declared here
namespace inner { __device__ int f() { return 1; } } // error 11-15: device code in a namespace is not supported yet: 'inner' // help: move it out of the namespace // note 19-28: the device code is here
namespace host_only { int g() { return 1; } }
struct Functor { __device__ int operator()(int a) { return a; } }; // note 8-14: 'Functor' is declared here // note 18-27: methods are not supported yet

__device__ void reference(int &x) { x = 1; } // error 31: references are not supported yet // help: pass a pointer
__device__ int &returns_reference(int *x) { return *x; } // error 16: references are not supported yet // help: pass a pointer
__device__ no_type(int a) { return a; } // error 12-18: 'no_type' has no return type // help: write `void` if it returns nothing
__device__ int takes_auto(auto x) { return x; } // error 27-30: cannot infer the type of a parameter
__device__ int variadic(int a, ...) { return a; } // error 32-34: '...' is not supported in device code

__global__ void kernel(int *out, int n) {
    int &r = out[0]; // error 9: references are not supported yet // help: use a pointer: `T *r = &variable;`
    const float &cr = 1.0f; // error 17: references are not supported yet // help: leave out the '&'
    int (&row)[5] = m[1]; // error 10: references are not supported yet // help: use a pointer to the first element: `T *row = array;`
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
    out[0] = host_template<int>(3); // error 14-26: templates are not supported yet // help: write one function per type
    out[1] = host_template(3); // error 14-26: 'host_template' is a template: device code cannot use it // help: write one function per type
    out[2] = host_only::g(); // error 14-22: 'host_only::' is not supported in device code yet
    Functor g; // error 5-11: 'Functor' cannot be used in device code // help: write a `__device__` function that takes a pointer to the struct
    out[3] = this->x; // error 14-17: methods are not supported yet // help: pass a pointer to the struct as an argument
    class Inner { int a; }; // error 5-9: classes are not supported yet // help: use a struct without methods
    for (int v : out) n += v; // error 16: a 'for' over a range is not supported // help: count with an index
    out[4] = dynamic_cast<int *>(out)[0]; // error 14-25: 'dynamic_cast' does not exist in device code
    out[5] = ({ if (n) n = 1; 3; }); // error 17-18: a block that is an expression can hold only declarations and expressions // help: write a `__device__` function
    int initialised(3, 4); // error 20: constructors are not supported yet // help: write `= {a, b}`
    decltype(n) m; // error 5-12: 'decltype' is not supported yet // help: write the type
    std::vector<float> list; // error 5-7: 'std::' is not supported in device code yet
    operator+(n, n); // error 5-12: operator overloading is not supported yet // help: write a named function
}
