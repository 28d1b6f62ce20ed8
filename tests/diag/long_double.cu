// `long double`: 80 bits in host code, computed with as double in device code.
struct Pair { long double first, second; };
struct Tree { Tree *left, *right; Pair *pairs; };
__device__ long double shared_value; // error 24-35: 'shared_value' is or leads to a 'long double', which has 80 bits in host code, and is a double in device code // help: use double
__constant__ Pair pairs[2]; // error 19-23: 'pairs' is or leads to a 'long double', which has 80 bits in host code, and is a double in device code // help: use double
__global__ void by_value(long double x) {} // error 38: 'x' is or leads to a 'long double', which has 80 bits in host code, and is a double in device code // help: use double
__global__ void by_pointer(const long double *values) {} // error 47-52: 'values' is or leads to a 'long double', which has 80 bits in host code, and is a double in device code // help: use double
__global__ void deep(Tree tree) {} // error 27-30: 'tree' is or leads to a 'long double', which has 80 bits in host code, and is a double in device code // help: use double
__global__ void inside(float *out) { Pair pair{1.0L, 2}; out[0] = pair.first; }
