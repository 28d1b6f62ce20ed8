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

#define MIN(x, y) ({ __typeof__(x) _x = (x); const __typeof__(y) _y = (y); _x < _y ? _x : _y; })
#define SWAP(a, b) ({ typeof(a) kept = a; a = b; b = kept; })

__global__ void blocks(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i], y = MIN(MIN(x, 40), MIN(i, 60)), calls = 0;
    if (x & 1)
        SWAP(x, y);
    for (int k = 0; k < MIN(x & 7, 5); k++)
        y += ({ int t[3] = {k, 2, x}; calls++; t[k % 3]; });
    bool both = x > 20 && ({ Pair p = {x, 1}; p.a += p.b; calls += 10; p; }).a > y;
    out[i] = both * 100000 + calls * 1000 + y % 100 + ({ ({ x % 10; }) * 10; });
}

__global__ void chosen(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int p = 1, q = 2, r = 3;
    Pair a = {4, 5}, b = {6, 7};
    (in[i] & 1 ? p : q) = 77;
    (in[i] & 2 ? p : in[i] & 4 ? q : r) += in[i];
    (in[i] > 50 ? out[i] : r) = 5;
    (n > 20 ? a : b) = Pair{in[i], 9};
    (in[i] & 1 ? a.b : b.a)++;
    out[i] = p + q * 100 + r * 10000 + a.a + a.b + b.a + b.b;
}
