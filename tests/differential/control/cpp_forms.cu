// Expressions of C++ and of GNU C that look like something else, or that C lacks.
typedef float Real;
struct Pair {
    int a, b;
};

__global__ void conversions(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        float sum = (float(1) + x) * (Real(2) - x) + (float{3} * x) + (float(-x)) + (float(in[i]));
        sum += *(float(*))&x + (Pair{in[i], 2}).a + (Pair{1, in[i]}.b) + sizeof(double(1)) + (int() + 1);
        out[i] = (int(sum) & 0xffff) + (unsigned(in[i])) % 7;
    }
}
