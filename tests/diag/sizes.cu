// What is too large.
struct Large { int counts[2000]; char text[3000]; }; // note 8-12: 'Large' is declared here
__device__ const short table[2147483648][3] = {{1}}; // error 24-28: the constant 'table' takes 12884901888 bytes: at most 32 MiB are supported // help: allocate it with cudaMalloc and pass a pointer
__device__ int by_value(Large large) { return large.counts[0]; } // error 31-35: struct 'Large' is too large to be copied or passed by value: it has 5000 scalars, at most 4096 are supported // help: pass a pointer to it, or copy the elements of its arrays in a loop
__device__ Large result(Large *p) { return p[1]; } // error 18-23: struct 'Large' is too large to be copied or passed by value: it has 5000 scalars, at most 4096 are supported // help: pass a pointer to it, or copy the elements of its arrays in a loop

__global__ void copies(Large *p, const Large *q) {
    p[threadIdx.x] = *q; // error 22-23: struct 'Large' is too large to be copied or passed by value: it has 5000 scalars, at most 4096 are supported // help: pass a pointer to it, or copy the elements of its arrays in a loop
    p->counts[1] = q->counts[0];
    p[1] = {{1, 2, 3}}; // error 12-22: struct 'Large' is too large to be copied or passed by value: it has 5000 scalars, at most 4096 are supported // help: pass a pointer to it, or copy the elements of its arrays in a loop
}
