// What a kernel reaches of shared memory must fit a block's 48 KiB; what nothing names takes no place.
__shared__ float table[4096]; // note 18-22: 'table' takes 16384 bytes

__device__ float read(int i)
{
    return table[i];
}

__global__ void large(float *a) {
    __shared__ float s[20000]; // error 22: kernel 'large' uses 80000 bytes of shared memory: a block has 49152
    s[threadIdx.x] = a[0];
    a[1] = s[2];
}

__global__ void by_a_call(float *a) {
    __shared__ float s[8192]; // error 22: kernel 'by_a_call' uses 49156 bytes of shared memory: a block has 49152
    __shared__ int count; // note 20-24: 'count' takes 4 bytes
    s[count] = a[0];
    a[1] = s[2] + read(3);
}

__global__ void fits(float *a) {
    __shared__ float s[12288], unused[12288];
    s[threadIdx.x] = a[0];
    a[1] = s[2];
}
