// A string that is never closed may have taken the brace behind it.
__global__ void kernel(int *out) { printf("never closed); } // error 43-59: this string is never closed
