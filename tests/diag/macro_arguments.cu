#define TWO(a, b) a + b
__global__ void kernel(int *out) {
    out[0] = TWO(1); // error: macro TWO requires 2 arguments but was passed 1
}
