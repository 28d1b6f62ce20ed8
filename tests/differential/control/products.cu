// Expressions that look like casts or declarations.
typedef int Number;

__global__ void products(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], y = 3, *p = &y;
        int r = (x * *p) & 1;
        r += (x) * *p + (x)-y + (y) - (x & y) + (Number)*p + (Number)-x;
        x * y;
        Number * q = &x;
        r += (x < y > (1)) + (*q * *p) * **&q;
        {
            int Number = 7;  // hides the type
            Number *= (Number) - 1;
            r += Number * y;
        }
        out[i] = r - sizeof(Number) * y - (int)sizeof y * *p - sizeof(int) * x;
    }
}
