// Types that do not exist, are incomplete, or are outside the subset.
struct Later; // note 8-12: 'Later' is declared here
struct Twice { int a; };
struct Twice { int b; }; // note 8-12: 'Twice' is declared here // note 8-12: struct 'Twice' is defined twice
struct Bits { unsigned a : 3; }; // note 8-11: 'Bits' is declared here // note 24: bit-fields are not supported
struct Static { static const int n = 3; int x; }; // note 8-13: 'Static' is declared here // note 17-22: static members are not supported yet
struct Volatile { volatile int x; };
union Either { int i; float f; }; // note 7-12: 'Either' is declared here // note 7-12: unions are not supported yet
struct Mixed { union { int i; float f; }; int kind; }; // note 8-12: 'Mixed' is declared here // note 16-20: unions are not supported yet
struct Pointing { union Either *e; }; // note 8-15: 'Pointing' is declared here // note 25-30: unions are not supported yet
typedef cub::Sum<int> Total; // note 23-27: 'Total' is declared here // note 9-21: this type is not supported: Name
typedef Unknown *Pointer; // note 18-24: 'Pointer' is declared here // note 9-15: unknown type name 'Unknown'
struct Members { int a; float a; }; // note 8-14: 'Members' is declared here // note 31: struct 'Members' has two members named 'a'
struct Holder { Later inside; }; // note 8-13: 'Holder' is declared here // note 23-28: struct 'Later' is declared but not defined

__device__ void unknown(flaot x, Foo y) {} // error 25-29: unknown type name 'flaot' // help: did you mean 'float'?
__device__ Vector unknown_result(int a) { return a; } // error 12-17: unknown type name 'Vector'

__global__ void kernel(float *out, int n, Later *later) {
    flaot a; // error 5-9: unknown type name 'flaot' // help: did you mean 'float'?
    wchar_t v; // error 5-11: 'wchar_t' is not supported yet // help: use 'unsigned int'
    dim3 d = "xy"; // error 14-17: strings are not supported in device code
    long double ld; // error 5-8: 'long double' does not exist in device code // help: use double
    __int128 wide; // error 5-12: '__int128' is not supported // help: use two 64-bit integers
    Twice t; // error 5-9: 'Twice' cannot be used in device code
    Bits b; // error 5-8: 'Bits' cannot be used in device code // help: use shifts and masks
    Static sm; // error 5-10: 'Static' cannot be used in device code // help: declare it outside the struct
    Volatile vo;
    Either u; // error 5-10: 'Either' cannot be used in device code // help: use `__float_as_int` and its kin to reinterpret
    Mixed mi; // error 5-9: 'Mixed' cannot be used in device code // help: make its members members of the struct, or reinterpret with `__float_as_int` and its kin
    Pointing po; // error 5-12: 'Pointing' cannot be used in device code // help: make its members members of the struct, or reinterpret with `__float_as_int` and its kin
    Total su; // error 5-9: 'Total' cannot be used in device code
    Pointer pu; // error 5-11: 'Pointer' cannot be used in device code
    Members mm; // error 5-11: 'Members' cannot be used in device code
    Holder hh; // error 5-10: 'Holder' cannot be used in device code
    Later l; // error 11: struct 'Later' is declared but not defined
    float vla[n]; // error 15: the size of an array must be an integer constant: 'n' is known only at run time // help: use a macro or a `const int`
    int none[]; // error 9-12: the array has no size // help: write it between the brackets
    int negative[-1]; // error 18-19: the size of an array must be positive, not -1
    int fraction[2.5f]; // error 18-21: the size of an array must be an integer constant // help: use a macro or a `const int`
    void nothing; // error 10-16: variable 'nothing' cannot have type void
    unsigned float odd; // error 5-12: 'unsigned float' is not a type
    int (*callback)(int); // error 11-18: function pointers are not supported yet // help: call the functions by name
    out[0] = sizeof(void); // error 14-25: void has no size
    out[1] = sizeof(Later) + later->x; // error 14-26: struct 'Later' is declared but not defined // error 30-34: struct 'Later' is declared but not defined
    out[2] = *later; // error 14-19: struct 'Later' is declared but not defined
    half hf; // error 5-8: 'half' is not supported yet // help: use float
}
