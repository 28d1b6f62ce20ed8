int a;
  #frobnicate 3 // error 4-13: unknown directive '#frobnicate'
__global__ void kernel(int *out) {}
