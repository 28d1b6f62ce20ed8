// Literals whose operators want the text of a number.
template <char... C> __device__ constexpr int operator""_n() { return sizeof...(C); } // note 47-54: 'operator""_n' is declared here
__device__ int operator""_raw(const char *s) { return 1; } // note 16-23: 'operator""_raw' is declared here
__global__ void kernel(int *out) {
    out[0] = 12_n; // error 14-17: a literal operator that is a template is not supported
    out[1] = 1.5_raw; // error 14-20: a literal operator that takes the text of a number is not supported
}
