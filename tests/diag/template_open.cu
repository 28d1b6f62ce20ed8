// A template without a declaration behind it.
__device__ int known(int a) { return missing; } // error 38-44: 'missing' is not declared
template <typename T, int N> // error 28: expected a declaration after '>'
