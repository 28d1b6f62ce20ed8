// Missing files: all of them are reported.
#include <not_on_this_system.h>
#include "cuda_runtime.h"
#include "missing_one.h" // error 10-24: file 'missing_one.h' not found // help: looked in '.'; add a folder with -I
  #include "folder/missing_two.cuh" // error 12-35: file 'folder/missing_two.cuh' not found // help: looked in '.'; add a folder with -I
__global__ void kernel(int *out) { out[0] = undeclared; }
