// C++ that the device subset lacks, each with what to write instead.
#include <typeinfo>
template <typename T> T host_template(T a) { return a; } // note 25-37: 'host_template' is declared here
namespace host_only { int g() { return 1; } } // note 27: 'host_only::g' is declared here
struct Base { __device__ virtual int f() { return 1; } };
struct Derived : Base { __device__ int f() override { return 2; } };
struct Diamond : virtual Base {}; // note 8-14: 'Diamond' is declared here // note 26-29: virtual base classes are not supported
struct Needs { __device__ int f() { Diamond d; return 1; } }; // error 37-43: 'Diamond' cannot be used in device code // help: leave out 'virtual'

__device__ no_type(int a) { return a; } // error 12-18: 'no_type' has no return type // help: write `void` if it returns nothing

__global__ void kernel(int *out, Base *base, int n) {
    auto x; // error 10: 'auto' needs an initialiser
    auto y = {1, 2.5}; // error 14-21: 'auto' needs values of one type in the braced list
    try { n = 1; } catch (int e) { n = 2; } // error 5-7: exceptions do not exist in device code // help: return an error code
    throw 1; // error 5-11: exceptions do not exist in device code // help: return an error code
    asm("nop;"); // error 10-12: the PTX instruction 'nop' is not supported // help: write it in CUDA-C
    out[1] = host_template(3); // error 14-26: 'host_template' is a template: device code cannot use it // help: mark it `__device__`
    out[2] = host_only::g(); // error 14-25: 'host_only::g' is a host function: device code cannot use it // help: mark it `__device__`
    out[4] = dynamic_cast<int *>(out)[0]; // error 14-25: 'dynamic_cast' does not exist in device code
    out[4] = dynamic_cast<Derived *>(base)->f(); // error 14-25: 'dynamic_cast' does not exist in device code
    out[5] = ({ if (n) n = 1; 3; }); // error 17-18: a block that is an expression can hold only declarations and expressions // help: write a `__device__` function
    int initialised(3, 4); // error 20-25: 'int' is no class: it is made of one value
    out[6] = typeid(n) == typeid(int); // error 14-19: 'typeid' does not exist in device code
    thread_local int own = 3; // error 22-24: 'thread_local' does not exist in device code
    static int kept = 3;
    wchar_t wide = L'x';
    const wchar_t *text = L"wide";
    long double precise = 1.0L;
    std::vector<int> v; // error 5-20: 'std::vector' is not there for device code // help: add `#include <vector>`
    std::string s = "text"; // error 5-15: 'std::string' is not there for device code // help: add `#include <string>`
    co_await n; // error 5-12: coroutines do not exist in device code
    alignas(3) int odd;
    register int r = n;
    out[7] = x + y + own + kept + wide + text[0] + precise + v[0] + s[0] + r;
}
