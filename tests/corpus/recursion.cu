// Direct and mutual recursion, prototypes, values returned from several places, nested loops and switches.
__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { if (n == 0) return false; return is_even(n - 1); }
__device__ int ackermann(int m, int n)
{
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__host__ __device__ static inline unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
struct Item { int key; Item *next; };
__device__ int length(const Item *list) { return list ? 1 + length(list->next) : 0; }
__noinline__ __device__ void permute(int *items, int k, int n, int *out)
{
    if (k == n) { ++*out; return; }
    for (int i = k; i < n; i++) {
        int t = items[k]; items[k] = items[i]; items[i] = t;
        permute(items, k + 1, n, out);
        t = items[k], items[k] = items[i], items[i] = t;
    }
}
__global__ void recursion(int *out, Item *list)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, items[4] = {0, 1, 2, 3}, n = 0;
    out[i] = is_even(i) ? ackermann(2, i % 4) : (int)gcd(i, 12);
    out[i] += length(list);
    permute(items, 0, i % 5, &n);
    for (int a = 0; a < 3; a++) {
        int b = 0;
        while (true) {
            if (b++ > a) break;
            switch (b) {
            case 1: continue;
            case 2: { int a = 7; out[i] += a; }
            default: n += b; if (n > 100) return;
            }
        }
    }
    for (;;) { if (n-- <= 0) break; out[i]++; }
    out[i] += n;
}
