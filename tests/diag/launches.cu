// Launches of kernels in device code.
struct Shape { int width, height; };
__global__ void child(int *out, int n) { out[n] = n; } // note 17-21: 'child' is declared here // note 28-30: parameter 'out' is declared here
template <class T> __global__ void typed(T *out) { *out = T(); }
__device__ int helper(int n) { return n; } // note 16-21: 'helper' is declared here
__device__ int result[64];

__global__ void parent(int *out, Shape shape, float *numbers) {
    int mine[4] = {0, 1, 2, 3};
    __shared__ int ours[4];
    child<<<1, 32>>>(out, 1);
    child<<<dim3(2, 2), dim3(8, 4), 64, cudaStreamFireAndForget>>>(result, 1);
    child<<<1, 32>>>(out); // error 5-25: too few arguments to 'child': 1 given, 2 expected
    child<<<1>>>(out, 1); // error 5-24: an execution configuration has 2 to 4 parts, not 1 // help: kernel<<<grid, block>>>(...) or kernel<<<grid, block, shared_bytes, stream>>>(...)
    child<<<shape, 32>>>(out, 1); // error 13-17: cannot convert 'Shape' to 'dim3' in the grid of a launch
    child<<<1, 32, 0, out>>>(out, 1); // error 23-25: cannot convert 'int *' to 'CUstream_st *' in the stream of a launch // help: write the cast: '(CUstream_st *)'
    child<<<1, 32>>>(numbers, 1); // error 22-28: cannot convert 'float *' to 'int *' in argument 1 of 'child' // help: write the cast: '(int *)'
    child<<<1, 32>>>(mine, 1); // error 22-25: 'mine' in argument 1 is a variable of its own of the parent: its child cannot see that // help: let it lie in global memory: a `__device__` variable, or memory of 'malloc' or 'cudaMalloc'
    child<<<1, 32>>>(&mine[2], 1); // error 22-29: 'mine' in argument 1 is a variable of its own of the parent: its child cannot see that // help: let it lie in global memory: a `__device__` variable, or memory of 'malloc' or 'cudaMalloc'
    child<<<1, 32>>>(ours + 1, 1); // error 22-29: 'ours' in argument 1 is shared memory of the parent: its child cannot see that // help: let it lie in global memory: a `__device__` variable, or memory of 'malloc' or 'cudaMalloc'
    helper<<<1, 32>>>(1); // error 5-24: 'helper' is no kernel: only a `__global__` function can be launched // help: mark it `__global__`, or call it without '<<<...>>>'
    typed<float><<<1, 1>>>(numbers);
    typed<<<1, 1>>>(out);
    void (*pointer)(int *, int) = child; // error 35-39: device code cannot take the address of a kernel: 'child'
    int (*function)(int) = helper;
    function<<<1, 32>>>(1); // error 5-26: device code can launch a kernel only by its name // help: name the kernel, and choose among several by 'if' or 'switch'
    const int *memory;
    cudaMalloc(&memory, 4);
    cudaMalloc(numbers, 4); // error 16-22: cannot convert 'float *' to 'void **' in argument 1 of 'cudaMalloc'
    cudaLaunchDevice(nullptr, nullptr, dim3(1), dim3(1), 0, 0); // error 5-20: 'cudaLaunchDevice' is not supported yet // help: launch with 'kernel<<<grid, block>>>(...)'
    cudaStreamSynchronize(0); // error 5-25: 'cudaStreamSynchronize' is a function of the host: device code cannot call it
}
