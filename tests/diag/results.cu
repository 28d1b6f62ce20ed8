// The type of a function's result, where it is `auto`, and what has no parameters.
__device__ auto first(int a) {
    if (a) return 1;
    return 2.5; // error 12-14: 'first' returns 'double' here and 'int' before // help: write the type of its result, or cast what it returns
}
template <typename T> __device__ auto second(T a) { // note 39-44: in 'second<int>' asked for here
    if (a > 1) return a;
    return 2.5; // error 12-14: 'second<int>' returns 'double' here and 'int' before // help: write the type of its result, or cast what it returns
}
__device__ auto same(int a) {
    if (a) return 1.5;
    return 2.5;
}
struct Number { // note 8-13: 'Number' is declared here
    int x;
    __device__ operator int(int a) { return x + a; } // note 33: a conversion operator has no parameters
};

__global__ void kernel(double *out, int n) {
    out[0] = first(n) + second(n) + second(2.5) + same(n);
    Number number; // error 5-10: 'Number' cannot be used in device code
    for (auto i = 0, end = 1.5; i < n; i++) out[i] = end; // error 22-24: 'auto' is 'int' in this declaration: it cannot be 'double' too
}
