// Pointers to members that cannot be.
struct S {
    int v;
    int &r;
    int b : 3;
    __device__ int a(int n) { return n; }
    __device__ int o(int n) { return n; } // note 20: 'o' is declared here
    __device__ int o(float n) { return n; }
};
struct D : S {
    int w;
};
struct Q {
    int w;
};
__device__ void make() {
    auto x1 = &S::o; // error 10-11: 'o' names several functions // help: cast it to a pointer of the type meant
    auto x2 = &S::r; // error 15-19: 'r' is no member that a pointer can point to
    auto x3 = &S::b; // error 15-19: 'b' is no member that a pointer can point to
    int S::*x4 = &D::w; // error 18-22: cannot convert 'int D::*' to 'int S::*' in the initialiser of 'x4'
    int x5 = S::a; // error 14-17: 'S::a' is a method: it must be called // help: write '&S::a'
    int Q::*x6 = &S::v; // error 18-22: cannot convert 'int S::*' to 'int Q::*' in the initialiser of 'x6'
    int S::*x7 = 5; // error 18: cannot convert 'int' to 'int S::*' in the initialiser of 'x7'
    float S::*x8 = &S::v; // error 20-24: cannot convert 'int S::*' to 'float S::*' in the initialiser of 'x8'
    const int S::*x9 = &S::v;
    int S::*x10 = x9; // error 19-20: cannot convert 'const int S::*' to 'int S::*' in the initialiser of 'x10'
    int (S::*p1)(float) = &S::a; // error 27-31: cannot convert 'int (S::*)(int)' to 'int (S::*)(float)' in the initialiser of 'p1'
    int &S::*x12; // error 10-13: a pointer to a member that is a reference is not possible
}
__device__ int use(S &s, const S &c, Q &q, int S::*p, int (S::*m)(int)) {
    int n = q.*p; // error 13-16: an object of type 'Q' has no members of 'S'
    n += (s.*m)(); // error 10-17: too few arguments: 0 given, 1 expected
    n += (c.*m)(1); // error 10-18: the object is const: it has no use for a 'int (S::*)(int)'
    n += s.*m; // error 10-13: a method by its pointer must be called // help: write '(object.*pointer)(...)'
    n += p; // error 5-10: invalid operands of '+': 'int' and 'int S::*'
    n += p < p; // error 10-14: invalid operands of '<': 'int S::*' and 'int S::*'
    n += (int)p; // error 10-15: cannot convert 'int S::*' to 'int' in a cast
    c.*p = 5; // error 5-8: cannot assign to what a pointer to const points to
    n += s->*p; // error 10: '->*' needs a pointer to an object, not 'S'
    n += s.*n; // error 13: '.*' needs a pointer to a member, not 'int'
    return n;
}
__global__ void take_method(int *out, int (S::*p)(int)) {} // error 48: a parameter of a kernel cannot be a pointer to a method: 'p' // help: make it an argument of a template: `template <auto F>`
__global__ void take_data(int *out, int S::*p) {}
struct Qualified {
    __device__ int lvalue() & { return 1; }
    __device__ int rvalue() && { return 2; }
    __device__ int any() const & { return 3; }
};
__device__ int use_qualified(Qualified q, volatile Qualified &v) {
    int (Qualified::*l)() & = &Qualified::lvalue;
    int (Qualified::*r)() && = &Qualified::rvalue;
    int (Qualified::*a)() const & = &Qualified::any;
    int n = (Qualified{}.*l)(); // error 13-30: the object is no lvalue: it has no use for a 'int (Qualified::*)() &'
    n += (q.*r)(); // error 10-17: the object is an lvalue: it has no use for a 'int (Qualified::*)() &&'
    n += (v.*l)(); // error 10-17: the object is volatile: it has no use for a 'int (Qualified::*)() &'
    int (Qualified::*m)() = l; // error 29: cannot convert 'int (Qualified::*)() &' to 'int (Qualified::*)()' in the initialiser of 'm'
    return n + (Qualified{}.*a)();
}
