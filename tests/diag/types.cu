// Types that do not exist, are incomplete, or are outside the subset.
struct Later; // note 8-12: 'Later' is declared here
struct Twice { int a; };
struct Twice { int b; };
class Host { int x; }; // note 7-10: 'Host' is declared here
struct Methods { int x; int get() const { return x; } }; // note 8-14: 'Methods' is declared here // note 29-31: methods are not supported yet
struct Constructor { int x; Constructor(int v) : x(v) {} }; // note 8-18: 'Constructor' is declared here // note 29-39: constructors are not supported yet
struct Derived : Twice { int c; }; // note 18-22: 'Twice' is declared here // note 16: base classes are not supported yet // note 8-14: 'Derived' is declared here
struct Defaults { int x = 3; }; // note 8-15: 'Defaults' is declared here // note 25: initialisers of members are not supported yet
struct Bits { unsigned a : 33; }; // note 8-11: 'Bits' is declared here // note 28-29: a bit-field of type 'unsigned int' has 1 to 32 bits, not 33
struct Static { static const int n = 3; int x; }; // note 8-13: 'Static' is declared here // note 17-22: static members are not supported yet
struct Volatile { volatile int x; }; // note 8-15: 'Volatile' is declared here // note 32: volatile members are not supported yet
union Either { int i; float i; }; // note 7-12: 'Either' is declared here // note 29: union 'Either' has two members named 'i'
struct Mixed { union { int i; float f; }; int f; }; // note 8-12: 'Mixed' is declared here // note 47: struct 'Mixed' has two members named 'f'
struct Plain { int a; }; struct Pointing { union Plain *e; }; // note 33-40: 'Pointing' is declared here // note 50-54: 'Plain' is a struct, not a union
typedef cub::Sum<int> Total; // note 23-27: 'Total' is declared here // note 9-11: 'cub::' is not supported in device code yet
typedef Unknown *Pointer; // note 18-24: 'Pointer' is declared here // note 9-15: unknown type name 'Unknown'
struct Members { int a; float a; }; // note 8-14: 'Members' is declared here // note 31: struct 'Members' has two members named 'a'
struct Holder { Later inside; }; // note 8-13: 'Holder' is declared here // note 23-28: struct 'Later' is declared but not defined
enum class Color { RED }; // note 12-16: 'Color' is declared here // note 1-4: scoped enums are not supported yet

__device__ void unknown(flaot x, Foo y) {} // error 25-29: unknown type name 'flaot' // help: did you mean 'float'?
__device__ Vector unknown_result(int a) { return a; } // error 12-17: unknown type name 'Vector'

__global__ void kernel(float *out, int n, Later *later) {
    flaot a; // error 5-9: unknown type name 'flaot' // help: did you mean 'float'?
    wchar_t v; // error 5-11: 'wchar_t' is not supported yet // help: use 'unsigned int'
    dim3 d = "xy"; // error 14-17: strings are not supported in device code
    long double ld; // error 5-8: 'long double' does not exist in device code // help: use double
    __int128 wide; // error 5-12: '__int128' is not supported // help: use two 64-bit integers
    Twice t; // error 5-9: 'Twice' cannot be used in device code // help: make it a member
    Host h; // error 5-8: 'Host' is a class: device code cannot use it // help: use a struct without methods
    Methods m; // error 5-11: 'Methods' cannot be used in device code // help: write a `__device__` function that takes a pointer to the struct
    Constructor c; // error 5-15: 'Constructor' cannot be used in device code // help: assign the members where it is created
    Derived e; // error 5-11: 'Derived' cannot be used in device code // help: make it a member
    Defaults f; // error 5-12: 'Defaults' cannot be used in device code // help: assign the member where the struct is created
    Bits b; // error 5-8: 'Bits' cannot be used in device code
    Static sm; // error 5-10: 'Static' cannot be used in device code // help: declare it outside the struct
    Volatile vo; // error 5-12: 'Volatile' cannot be used in device code // help: leave out 'volatile'
    Either u; // error 5-10: 'Either' cannot be used in device code
    Mixed mi; // error 5-9: 'Mixed' cannot be used in device code
    Pointing po; // error 5-12: 'Pointing' cannot be used in device code
    Total su; // error 5-9: 'Total' cannot be used in device code
    Pointer pu; // error 5-11: 'Pointer' cannot be used in device code
    Members mm; // error 5-11: 'Members' cannot be used in device code
    Holder hh; // error 5-10: 'Holder' cannot be used in device code
    Later l; // error 11: struct 'Later' is declared but not defined
    float vla[n]; // error 15: the size of an array must be an integer constant // help: use a macro or a `const int`
    int none[]; // error 9-12: the array has no size // help: write it between the brackets
    int negative[-1]; // error 18-19: the size of an array must be positive, not -1
    int fraction[2.5f]; // error 18-21: the size of an array must be an integer constant // help: use a macro or a `const int`
    void nothing; // error 10-16: variable 'nothing' cannot have type void
    unsigned float odd; // error 5-12: 'unsigned float' is not a type
    int (*callback)(int); // error 11-18: function pointers are not supported yet // help: call the functions by name
    out[0] = sizeof(void); // error 14-25: void has no size
    out[1] = sizeof(Later) + later->x; // error 14-26: struct 'Later' is declared but not defined // error 30-34: struct 'Later' is declared but not defined
    out[2] = *later; // error 14-19: struct 'Later' is declared but not defined
    std::vector<int> list; // error 5-7: 'std::' is not supported in device code yet
    Color color; // error 5-9: 'Color' cannot be used in device code // help: leave out the 'class'
    half2 hf; // error 5-9: 'half2' is not supported yet // help: use float
}
