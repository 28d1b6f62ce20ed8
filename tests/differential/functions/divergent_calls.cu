// Calls from loops, branches and arguments of other calls, by threads that disagree.
__device__ int gcd(int a, int b)
{
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

__device__ int power(int base, int exponent, int modulus)
{
    int r = 1 % modulus;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            r = r * base % modulus;
        base = base * base % modulus;
    }
    return r;
}

__device__ int first_factor(int x)
{
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0)
            return d;
    return x;
}

__device__ int totient(int x)
{
    int r = x;
    while (x > 1) {
        int d = first_factor(x);
        r -= r / d;
        while (x % d == 0)
            x /= d;
    }
    return r;
}

__global__ void calls(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i], sum = 0;
    for (int k = 1; k < 6; k++) {
        if (x % k == 0) {
            sum += gcd(x, k * 12);
            continue;
        }
        int t = x & 1 ? totient(x + k) : power(x + 2, gcd(x, 18) + k, 101);
        if (t == 4)
            break;
        sum += power(t + 1, k, gcd(x + 1, k) + 50);
    }
    out[i] = sum;
}
