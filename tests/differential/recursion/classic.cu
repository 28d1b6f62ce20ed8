// Direct recursion on values that differ: Fibonacci, Ackermann, greatest common divisor, binomials, powers.
__device__ int fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

__device__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

__device__ int binomial(int n, int k)
{
    return k == 0 || k == n ? 1 : binomial(n - 1, k - 1) + binomial(n - 1, k);
}

__device__ double power(double x, int n)
{
    if (n == 0)
        return 1.0;
    double half = power(x, n / 2);
    if (n % 2)
        return half * half * x;
    return half * half;
}

__global__ void numbers(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], r = fib(x % 8);
        if (x & 1)
            r = r * 100 + ackermann(x % 3, x % 4);
        else
            r = r * 100 - gcd(x * 6, 84);
        out[i] = r * 100 + binomial(x % 7, x % 7 / 2);
    }
}

__global__ void powers(const int *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = power(1.0 + in[i] * 0.125, in[i] % 20);
}
