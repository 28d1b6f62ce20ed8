#if __CUDA_ARCH__ >= 200
#error this program needs an older device // error 2-6: #error this program needs an older device
#endif
__global__ void kernel(int *out) {}
