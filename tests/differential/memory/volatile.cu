// Volatile variables, members and pointers: each access happens, and gives what is there.
struct Cell { volatile int value; int other; };

volatile __device__ int flags[4] = {1, 2};
__device__ Cell cells[3];

__device__ int twice(volatile int *p) { return *p + *p; }

__global__ void volatile_values(const int *in, int *out, int n)
{
    volatile __shared__ int last;
    volatile int own = 3, list[3] = {1, 2, 3};
    Cell cell;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    last = 5;
    own += in[i < n ? i : 0];
    cell.value = own;
    cell.value++;
    cell.other = cell.value;
    list[own % 3]--;
    if (i == 0) {
        flags[2] = flags[0] + flags[1];
        flags[2] += 1;
        cells[1].value = flags[2]++;
        cells[2].other = cells[1].value;
    }
    volatile int *p = &own;
    *p = *p + 1;
    if (i < n)
        out[i] = own + cell.value + cell.other + list[0] + list[1] + last + twice(&own);
}
