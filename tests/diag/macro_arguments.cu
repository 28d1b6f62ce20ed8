#define TWO(a, b) a + b // note 9-11: 'TWO' is defined here
__global__ void kernel(int *out) {
    out[0] = TWO(1); // error 14-16: macro 'TWO' takes 2 arguments: 1 given
}
