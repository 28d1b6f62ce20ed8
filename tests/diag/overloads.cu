// Which function a call means: none, several, one that cannot be called.
struct P { // note 8: 'P' is declared here
    int x;
    __device__ explicit P(int a) : x(a) {} // note 25: 'P::P' is declared here
    __device__ int get() const { return x; }
    __device__ void set(int a) { x = a; } // note 21-23: candidate: 'P::set(int)': the object is const, the method is not
    __device__ P &operator=(const P &) = delete; // note 19-26: 'P::operator=' is declared here
};
struct Q {
    __device__ Q() : x(0) {}
    __device__ Q(const Q &) = delete; // note 16: 'Q::Q' is declared here
    int x;
private:
    int hidden;
    __device__ int secret() { return hidden; }
};
__device__ int over(int a, float b) { return 1; } // note 16-19: candidate: 'over(int, float)' // note 16-19: candidate: 'over(int, float)': it takes 2 arguments // note 16-19: candidate: 'over(int, float)': argument 1, 'int *', does not become 'int' // note 16-19: 'over' is declared here
__device__ int over(float a, int b) { return 2; } // note 16-19: candidate: 'over(float, int)' // note 16-19: candidate: 'over(float, int)': it takes 2 arguments // note 16-19: candidate: 'over(float, int)': argument 1, 'int *', does not become 'float'
__device__ int over(const char *a, int b) { return 3; } // note 16-19: candidate: 'over(const char *, int)': it takes 2 arguments // note 16-19: candidate: 'over(const char *, int)': argument 1, 'int *', does not become 'const char *' // note 16-19: candidate: 'over(const char *, int)'
__device__ void by_reference(int &a) { a = 1; } // note 35: parameter 'a' is declared here
__device__ void by_rvalue(int &&a) { a = 1; } // note 33: parameter 'a' is declared here
__device__ void object(P p) {} // note 26: parameter 'p' is declared here
__device__ int same(int a = 1) { return a; } // note 16-19: candidate: 'same(int)'
__device__ int same(float a = 1) { return 2; } // note 16-19: candidate: 'same(float)'

__global__ void kernel(int *out, float *f, int n, const P *cp) { // note 41: 'f' is declared here
    over(1, 2); // error 5-14: the call 'over(int, int)' is ambiguous // help: cast an argument
    over("x"); // error 5-13: no 'over' takes (char [2])
    over(out, 1); // error 5-16: no 'over' takes (int *, int)
    over({}, 2); // error 5-15: the call 'over({...}, int)' is ambiguous // help: cast an argument
    by_reference(1); // error 18: a reference to 'int' in argument 1 of 'by_reference' needs a variable, not a value // help: store it in a variable first, or make the parameter a 'const' reference
    by_reference(n + 1); // error 18-22: a reference to 'int' in argument 1 of 'by_reference' needs a variable, not a value // help: store it in a variable first, or make the parameter a 'const' reference
    by_reference(f[0]); // error 18-21: a reference to 'int' in argument 1 of 'by_reference' needs a variable, not 'float' // help: store it in a variable first, or make the parameter a 'const' reference
    const int c = 3;
    by_reference(c); // error 18: 'int &' cannot be another name of this: it is const
    by_reference(*&c); // error 18-20: 'int &' cannot be another name of this: it is const
    by_rvalue(n); // error 15: 'int &&' in argument 1 of 'by_rvalue' takes a value, not a variable // help: write 'static_cast<int &&>(...)' if it may be changed
    object(3); // error 12: cannot convert 'int' to 'P' in argument 1 of 'object'
    same(); // error 5-10: the call 'same()' is ambiguous // help: cast an argument
    int (*pointer)(char) = over; // error 28-31: no 'over' has the type 'int (*)(char)'
    auto several = over; // error 10-16: 'over' names several functions // help: cast it to a pointer of the type meant
    P p(1), p2; // error 13-14: too few arguments to 'P::P': 0 given, 1 expected
    p = p; // error 5-9: 'P::operator=' is deleted
    p2.x = 3;
    Q q, q2(q); // error 10-11: 'Q::Q' is deleted
    q.hidden = q.secret();
    p.missing = 1; // error 7-13: 'P' has no member 'missing'
    p.gett(); // error 7-10: 'P' has no member 'gett' // help: did you mean 'get'?
    p.get = 3; // error 5-9: 'get' is a method: it must be called // help: write 'get(...)'
    cp->set(1); // error 5-14: no 'set' takes (int)
    cp->x = 3; // error 5-9: cannot assign to what a pointer to const points to
    p(); // error 5: an object of 'P' cannot be called: it has no 'operator()'
    p + p; // error 5-9: invalid operands of '+': 'P' and 'P'
    -p; // error 5-6: '-' cannot be applied to 'P'
    p++; // error 5-7: '++' cannot be applied to 'P'
    p[1]; // error 5-8: only an array or a pointer can be indexed, not 'P'
    *p; // error 5-6: '*' needs a pointer, not 'P'
    p->get(); // error 5: '->' needs a pointer to a struct, not 'P'
    if (p) { // error 9: a condition must be a number or a pointer, not 'P'
    }
    p < 3; // error 5-9: invalid operands of '<': 'P' and 'int'
    int x = this->y; // error 13-16: 'this' exists only in methods
    unknown_type v = p.get(); // error 5-16: unknown type name 'unknown_type'
    out[0] = v + v.w + f(v); // error 24: 'f' is a variable, not a function
}

namespace left {
__device__ int twice(int a) { return 2 * a; } // note 16-20: candidate: 'left::twice(int)'
}
namespace right {
__device__ int twice(int a) { return a + a; } // note 16-20: candidate: 'right::twice(int)'
}
using namespace left;
using namespace right;
__global__ void of_two_namespaces(int *out) {
    out[0] = twice(1); // error 14-21: the call 'twice(int)' is ambiguous // help: cast an argument
    out[1] = left::twice(1) + right::twice(2);
}
