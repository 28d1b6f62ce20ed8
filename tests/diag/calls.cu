// Calls: argument counts and types, overloads, kernels, missing definitions.
struct Node { Node *left; };
struct Other { int x; };
__device__ void visit(const Node *node, float radius, int depth);
__device__ void visit(const Node *node, float radius, int depth) { // note 17-21: 'visit' is declared here // note 35-38: parameter 'node' is declared here // note 47-52: parameter 'radius' is declared here
    visit(node->left, radius); // error 5-29: too few arguments to 'visit': 2 given, 3 expected
    visit(node->left, radius, depth, 1); // error 5-39: too many arguments to 'visit': 4 given, 3 expected
    visit(&node, radius, depth); // error 11-15: cannot convert 'const Node **' to 'const Node *' in argument 1 of 'visit'
    visit(radius, node, depth); // error 11-16: cannot convert 'float' to 'const Node *' in argument 1 of 'visit' // error 19-22: cannot convert 'const Node *' to 'float' in argument 2 of 'visit'
}
__device__ float with_default(float a, float b = 1, float c = 2) { return a + b + c; } // note 18-29: 'with_default' is declared here
__device__ float bad_default(float a = 1, float b) { return a; } // error 49: parameter 'b' needs a default argument: the one before has one
__device__ int overloaded(int a) { return a; }
__device__ int overloaded(float a) { return overloaded((int)a); }
__device__ int result(int a); // note 16-21: the first declaration is here
__device__ float result(int a) { return a; } // error 18-23: 'result' is declared with result type 'int' and 'float'
__device__ int twice(int a) { return a; } // note 16-20: the first definition is here
__device__ int twice(int a) { return a + 1; } // error 16-20: 'twice' is defined twice
__device__ void modify(int *p) { *p = 1; } // note 29: parameter 'p' is declared here
__device__ Other make() { Other o = {1}; return o; }
__global__ void launch_me(int n) {} // note 17-25: 'launch_me' is declared here

__global__ void kernel(float *out, const int *in, unsigned long ul, int i) {
    launch_me(3); // error 5-16: kernel 'launch_me' cannot be called as a function // help: launch it with 'launch_me<<<grid, block>>>(...)', or make it a `__device__` function
    out[0] = with_default(); // error 14-27: too few arguments to 'with_default': 0 given, 1 to 3 expected
    out[1] = with_default(1, 2, 3, 4); // error 14-37: too many arguments to 'with_default': 4 given, 1 to 3 expected
    out[2] = sqrtf(1, 2); // error 14-24: too many arguments to 'sqrtf': 2 given, 1 expected
    out[3] = powf(out[0]); // error 14-25: too few arguments to 'powf': 1 given, 2 expected
    out[4] = sqrtf(out); // error 20-22: cannot convert 'float *' to 'float' in argument 1 of 'sqrtf'
    out[5] = max(i, out[0]); // error 14-27: the call 'max(int, float)' is ambiguous: 'max(float, float)' and 'max(int, int)' fit equally // help: cast an argument
    out[6] = max(i, ul); // error 14-23: the call 'max(int, unsigned long)' is ambiguous: 'max(int, int)' and 'max(unsigned long, unsigned long)' fit equally // help: cast an argument
    out[7] = abs(ul); // error 14-20: the call 'abs(unsigned long)' is ambiguous: 'abs(double)' and 'abs(float)' fit equally // help: cast an argument
    out[8] = __syncthreads(); // error 14-28: a value is needed in an assignment, but the expression has type void
    out[9] = modify(&i); // error 14-23: a value is needed in an assignment, but the expression has type void
    modify(in); // error 12-13: cannot convert 'const int *' to 'int *' in argument 1 of 'modify' // help: 'const' would be lost: declare the target 'const int *'
    out[10] = make(); // error 15-20: cannot convert 'Other' to 'float' in an assignment
    make().x = 3; // error 5-12: cannot assign to a part of a function's result // help: store the result in a variable first
    (&i)(3); // error 5-8: only a function can be called
    sincosf(out[0], out, in); // error 26-27: cannot convert 'const int *' to 'float *' in argument 3 of 'sincosf'
    later(1); // error 5-9: 'later' is called before its declaration // help: declare it above
    float x = visit(0, 1, 2) + 1; // error 15-32: invalid operands of '+': 'void' and 'int'
}
__device__ void later(int x) {} // note 17-21: 'later' is declared here
