// Types that do not exist, are incomplete, or are outside the subset.
struct Later; // note 8-12: 'Later' is declared here
struct Twice { int a; };
struct Twice { int b; }; // note 8-12: 'Twice' is declared here // note 8-12: struct 'Twice' is defined twice
struct Bits { unsigned a : 33; }; // note 8-11: 'Bits' is declared here // note 28-29: a bit-field of type 'unsigned int' has 1 to 32 bits, not 33
struct Static { static int n; int x; }; // note 28: 'Static::n' is declared here // note 28: 'n' is declared here
struct Volatile { volatile int x; };
union Either { int i; float i; }; // note 7-12: 'Either' is declared here // note 29: union 'Either' has two members named 'i'
struct Mixed { union { int i; float f; }; int f; }; // note 8-12: 'Mixed' is declared here // note 47: struct 'Mixed' has two members named 'f'
struct Pointing { union Missing *e; };
typedef cub::Sum<int> Total; // note 23-27: 'Total' is declared here // note 9-21: 'cub' is not declared
typedef Unknown *Pointer; // note 18-24: 'Pointer' is declared here // note 9-15: unknown type name 'Unknown'
struct Members { int a; float a; }; // note 8-14: 'Members' is declared here // note 31: struct 'Members' has two members named 'a'
struct Holder { Later inside; }; // note 8-13: 'Holder' is declared here // note 23-28: struct 'Later' is declared but not defined

__device__ void unknown(flaot x, Foo y) {} // error 25-29: unknown type name 'flaot' // help: did you mean 'float'?
__device__ Vector unknown_result(int a) { return a; } // error 12-17: unknown type name 'Vector'

__global__ void kernel(float *out, int n, Later *later) {
    flaot a; // error 5-9: unknown type name 'flaot' // help: did you mean 'float'?
    char16_t v;
    dim3 d = "xy"; // error 14-17: cannot convert 'const char *' to 'dim3' in the initialiser of 'd'
    __int128 wide; printf("%d", wide); // error 33-36: 'printf' cannot print a '__int128' // help: print its halves
    Twice t; // error 5-9: 'Twice' cannot be used in device code
    Bits b; // error 5-8: 'Bits' cannot be used in device code
    Static sm; out[3] = Static::n + sm.n; // error 25-33: 'Static::n' is a variable of the host: device code cannot use it // help: make it `constexpr`, or pass its value to the kernel as an argument // error 37-40: 'n' is a variable of the host: device code cannot use it // help: make it `constexpr`, or pass its value to the kernel as an argument
    Volatile vo;
    Either u; // error 5-10: 'Either' cannot be used in device code
    Mixed mi; // error 5-9: 'Mixed' cannot be used in device code
    Pointing po;
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
    int (*callback)(float) = out; // error 30-32: cannot convert 'float *' to 'int (*)(float)' in the initialiser of 'callback' // help: write the cast: '(int (*)(float))'
    out[0] = sizeof(void); // error 14-25: void has no size
    out[1] = sizeof(Later) + later->x; // error 14-26: struct 'Later' is declared but not defined // error 30-34: struct 'Later' is declared but not defined
    out[2] = *later; // error 14-19: struct 'Later' is declared but not defined
    half hf = out; // error 15-17: cannot convert 'float *' to '__half' in the initialiser of 'hf'
}
