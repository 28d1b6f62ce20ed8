int a;
#ifdef // error 2-6: #ifdef needs an operand
#endif
__global__ void kernel(int *out) {}
