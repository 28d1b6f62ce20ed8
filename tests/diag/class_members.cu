// Classes: abstract ones, members without values, functions that are missing.
struct Abstract {
    __device__ virtual int area() = 0; // note 28-31: 'Abstract::area' is declared here
    __device__ virtual ~Abstract() {}
};
struct StillAbstract : Abstract {
    __device__ int perimeter() { return 1; }
};
struct Wrong : Abstract {
    __device__ int area(int scale) override { return scale; }
};
struct Calls : Abstract {
    __device__ int area() override { return Abstract::area(); } // error 45-60: 'Abstract::area' is pure: there is nothing to call
};
struct Undefined; // note 8-16: 'Undefined' is declared here
struct ReferenceMember {
    int &r; // note 10: 'r' is declared here
};
struct ConstMember {
    const int c; // note 15: 'c' is declared here
};
struct LeavesOut {
    int &r; // note 10: 'r' is declared here
    __device__ LeavesOut(int &a) {} // error 34: a constructor of 'LeavesOut' leaves out a member: 'r' is a reference
};
struct NoDefault {
    __device__ NoDefault(int a) {} // note 16-24: 'NoDefault::NoDefault' is declared here
};
struct Holds {
    NoDefault member;
    __device__ Holds() {} // error 24: too few arguments to 'NoDefault::NoDefault': 0 given, 1 expected
};
struct Initialises {
    int a;
    __device__ Initialises() : b(1), a(2) {} // error 32: unknown type name 'b'
};
enum class Color { Red, Green };
enum Plain { One, Two };
namespace geo {
__device__ int area(int a) { return a; }
struct Box { // note 8-10: 'Box' is declared here
    int w;
};
namespace inner {
__device__ int deep() { return 1; }
}
}

__global__ void kernel(int *out, int n, Undefined *u, Abstract *a) {
    Abstract ab; // error 14-15: 'Abstract' is abstract: nothing defines its function 'area'
    StillAbstract sa; // error 19-20: 'StillAbstract' is abstract: nothing defines its function 'area'
    out[0] = Abstract().area(); // error 14-23: 'Abstract' is abstract: nothing defines its function 'area'
    a = new StillAbstract; // error 9-25: 'StillAbstract' is abstract: nothing defines its function 'area'
    Undefined un; // error 15-16: struct 'Undefined' is declared but not defined
    u->x = 1; // error 5: struct 'Undefined' is declared but not defined
    u++; // error 5-7: struct 'Undefined' is declared but not defined
    new Undefined; // error 5-17: struct 'Undefined' is declared but not defined
    ReferenceMember rm; // error 21-22: the members of 'ReferenceMember' need values: 'r' is a reference
    ReferenceMember fine{n};
    ConstMember cm; // error 17-18: the members of 'ConstMember' need values: 'c' is const
    LeavesOut lo(n);
    Holds h;
    Color col = 1; // error 17: cannot convert 'int' to 'Color' in the initialiser of 'col' // help: write the cast: 'static_cast<Color>(...)'
    int number = Color::Red; // error 18-27: cannot convert 'Color' to 'int' in the initialiser of 'number' // help: write the cast: 'static_cast<int>(...)'
    col = Color::Blue; // error 11-21: 'Color' has no member 'Blue'
    Plain plain = 1; // error 19: cannot convert 'int' to 'Plain' in the initialiser of 'plain' // help: write the cast: 'static_cast<Plain>(...)'
    int &reference; // error 10-18: the reference 'reference' has no initialiser
    int narrow{1.5}, narrow2{300000000000}, fits{1}; // error 16-18: '1.5' of type 'double' does not fit 'int' in braces // help: write the cast: '(int)' // error 30-41: '300000000000' of type 'long' does not fit 'int' in braces // help: write the cast: '(int)'
    unsigned char small[] = {1, 300}; // error 33-35: '300' of type 'int' does not fit 'unsigned char' in braces // help: write the cast: '(unsigned char)'
    float rounded{0.1}, infinite{1e300}; // error 34-38: '1e+300' of type 'double' does not fit 'float' in braces // help: write the cast: '(float)'
    geo::are(1); // error 5-12: 'geo' has no member 'are' // help: did you mean 'area'?
    geo::inner::dep(); // error 5-19: 'geo::inner' has no member 'dep' // help: did you mean 'deep'?
    geo::Bx bx; // error 5-11: 'geo' has no member 'Bx'
    geo::Box box = {1, 2}; // error 24: too many values for 'geo::Box'
    geo::Box box2{.h = 1}; // error 20: 'Box' has no member 'h'
    goe::area(1); // error 5-13: 'goe' is not declared
    geo::Box::nothing(); // error 5-21: 'geo::Box' has no member 'nothing'
    nullptr->x; // error 5-11: 'std::nullptr_t' is not a struct: it has no member 'x'
    *nullptr; // error 5-12: a void pointer cannot be dereferenced // help: cast it to a pointer to a type first
    delete n; // error 5-12: 'delete' needs a pointer, not 'int'
    for (auto v : n) { // error 19: 'int' is no range: it has no 'begin'
    }
    for (auto v : out) { // error 19-21: 'int *' is no range: it has no 'begin'
    }
    auto [b1, b2] = n; // error 10: 'int' has no parts: 2 names are given
    auto [b3, b4] = box; // error 10: 'geo::Box' has 1 part: 2 names are given
    out[1] = b1 + b3;
    auto [e1, e2] = undeclared_value; // error 21-36: 'undeclared_value' is not declared
    out[2] = e1 + e2;
    decltype(undeclared) d; // error 14-23: 'undeclared' is not declared // help: did you mean 'undeclared_value'?
    using nowhere::x; // error 11-20: 'nowhere' is not declared
    int initialised(1), initialised(2); // error 25-35: 'initialised' is declared twice in the same scope // note 9-19: 'initialised' is first declared here
}
