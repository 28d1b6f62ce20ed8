int a;
#if 1 // error: unterminated #if 1
__global__ void kernel(int *out) {}
