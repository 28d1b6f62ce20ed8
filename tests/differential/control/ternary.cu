// The conditional operator: only the chosen arm runs, with its side effects; nested; mixed types.
__global__ void ternary(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], a = 0, b = 100;
        int r = x > 50 ? (a += x, a * 2) : (b -= x, b + 1);
        r += x & 1 ? x & 2 ? a++ : ++a : x & 4 ? b-- : --b;
        int *chosen = x % 3 ? &a : &b;
        *chosen = *chosen * 3 + r;
        r = r < 0 ? -r : r;
        out[i] = r * 1000 + a * 10 + b;
    }
}

__global__ void guarded(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = i > 0 ? in[i - 1] : -1;
        int right = i + 1 < n ? in[i + 1] : -1;
        int q = in[i] % 7 ? 1000 / (in[i] % 7) : 0;
        out[i] = left * 1000 + right * 10 + q;
    }
}

__global__ void types(const int *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        char c = in[i];
        unsigned u = in[i];
        double d = in[i] & 1 ? c : 2.5f;        // float
        d += in[i] & 2 ? -1 : u;                // unsigned: -1 becomes 4294967295
        d += (in[i] & 4 ? c : (short)-3) * 0.5; // int
        out[i] = d;
    }
}
