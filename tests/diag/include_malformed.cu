#include stdio.h // error 2-8: expected "FILE" or <FILE> after #include
__global__ void kernel(int *out) {}
