// Variables at file scope: of every storage and type, by name and through pointers, in kernels and functions.
struct Pair { short low; double high; };
struct Row { int cells[3]; Pair pair; const int *next; };

__device__ int total = 7;
static __device__ float scale = 1.5f;
__device__ bool odd;
__device__ signed char small[5] = {-1, 2, -3};
__constant__ float weights[4] = {0.5f, 1, 2, 4};
__constant__ long offset = -3;
__managed__ double managed = 2.25;
__device__ Pair pair = {1, 2.5};
__device__ Row rows[3] = {{{1, 2, 3}, {4, 5.5}, &total}, {{4, 5}, {}, nullptr}};
__constant__ Row still = {{7, 8, 9}, {10, 11.5}, &rows[1].cells[1]};
__device__ int *where = &rows[0].cells[2];
__device__ const int *const both[] = {&total, rows[1].cells + 1};
__constant__ const int fixed[4] = {3, 1, 4, 1};
__device__ int counts[64], *head;
__device__ unsigned long long sums[2];
volatile __device__ int flag;
extern __device__ int later;

__device__ int *cell(int i) { return &rows[i % 3].cells[i % 3]; }

__device__ void change(Pair *p, int by) { p->high += by; }

__global__ void reads(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair copy = pair;
    out[i] = total + scale * weights[in[i] & 3] + odd + small[i % 5] + offset + managed + copy.low + copy.high;
    out[i] += rows[i % 3].cells[in[i] % 3] + still.cells[i % 3] + *still.next + *where + *both[i & 1] + later;
    out[i] += *rows[0].next + (rows[1].next == nullptr) + fixed[i & 3] + *cell(in[i]) + (head == 0);
}

__global__ void writes(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        total = in[0];
        scale *= 2;
        odd = !odd;
        small[3]++;
        managed -= 1;
        pair.low = 9;
        change(&pair, 3);
        rows[2] = rows[0];
        rows[2].cells[1] = 100;
        where = &counts[5];
        head = where + 2;
        flag = 3;
        flag = flag + 1;
        later--;
    }
    if (i < n)
        out[i] = fixed[i & 3] + (int)sizeof(rows) + *(const int *)((const char *)fixed + 4);
}

__global__ void atomics(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&total, in[i]);
    atomicAdd(&counts[in[i] & 63], 1);
    atomicMax(cell(1), in[i]);
    atomicAdd(sums + (i & 1), (unsigned long long)in[i] << 33);
    out[i] = i;
}

__global__ void scattered(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 64)
        counts[63 - i] = in[i % n];
    if (i < n) {
        int *p = i & 1 ? counts : out;
        out[i] = p == counts ? 1 : weights[in[i] & 3] * 2;
    }
}

__device__ int later = 11;
