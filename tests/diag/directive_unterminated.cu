int a;
#if 1 // error 1-3: unterminated #if 1
__global__ void kernel(int *out) {}
