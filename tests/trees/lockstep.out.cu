struct Node;

struct Node {
    float x;
    int child[3];
};

__device__ void visit(const Node *nodes, int n, float reach, int *count);
__device__ __forceinline__ unsigned int visit_round(const Node *nodes, int n, float reach, int *count, int *n_0, float *reach_0, int *n_1, float *reach_1, int *n_2, float *reach_2);

__device__ void visit(const Node *nodes, int n, float reach, int *count) {
    extern __shared__ unsigned long long s2s_stacks[];
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned int lane = thread % 32u;
    const unsigned int here = __activemask();
    unsigned long long *const stack = s2s_stacks + thread / 32u * 65u;
    unsigned int *const in_use = (unsigned int *)stack;
    int *const n_stack = (int *)(stack + 1);
    unsigned int *const lanes_stack = (unsigned int *)(stack + 33);
    int n_deep[448];
    unsigned int lanes_deep[448];
    float reach_stack[512];
    unsigned int lanes = here;
    int depth = 0;
    if (lane == __ffs(here) - 1) {
        while (atomicExch(in_use, 1u) != 0u) {
        }
        __threadfence_block();
    }
    __syncwarp(here);
    for (;;) {
        unsigned int calls = 0u;
        int n_0;
        float reach_0;
        int n_1;
        float reach_1;
        int n_2;
        float reach_2;
        if (((lanes >> lane) & 1u) != 0u) {
            calls = visit_round(nodes, n, reach, count, &n_0, &reach_0, &n_1, &reach_1, &n_2, &reach_2);
        }
        const unsigned int going_0 = __ballot_sync(here, (calls & 7u) != 0u);
        if (going_0 != 0u) {
            const unsigned int chosen_0 = __shfl_sync(here, calls, __ffs(going_0) - 1);
            if ((chosen_0 & 4u) != 0u) {
                if (depth < 64) {
                    if (lane == __ffs(going_0) - 1) {
                        n_stack[depth] = n_2;
                        lanes_stack[depth] = going_0;
                    }
                } else {
                    if (depth == 512) {
                        __trap();
                    }
                    n_deep[depth - 64] = __shfl_sync(here, n_2, __ffs(going_0) - 1);
                    lanes_deep[depth - 64] = going_0;
                }
                reach_stack[depth] = reach_2;
                ++depth;
            }
            if ((chosen_0 & 2u) != 0u) {
                if (depth < 64) {
                    if (lane == __ffs(going_0) - 1) {
                        n_stack[depth] = n_1;
                        lanes_stack[depth] = going_0;
                    }
                } else {
                    if (depth == 512) {
                        __trap();
                    }
                    n_deep[depth - 64] = __shfl_sync(here, n_1, __ffs(going_0) - 1);
                    lanes_deep[depth - 64] = going_0;
                }
                reach_stack[depth] = reach_1;
                ++depth;
            }
            if ((chosen_0 & 1u) != 0u) {
                if (depth < 64) {
                    if (lane == __ffs(going_0) - 1) {
                        n_stack[depth] = n_0;
                        lanes_stack[depth] = going_0;
                    }
                } else {
                    if (depth == 512) {
                        __trap();
                    }
                    n_deep[depth - 64] = __shfl_sync(here, n_0, __ffs(going_0) - 1);
                    lanes_deep[depth - 64] = going_0;
                }
                reach_stack[depth] = reach_0;
                ++depth;
            }
        }
        if (depth == 0) {
            break;
        }
        --depth;
        __syncwarp(here);
        if (depth < 64) {
            n = n_stack[depth];
            lanes = lanes_stack[depth];
        } else {
            n = n_deep[depth - 64];
            lanes = lanes_deep[depth - 64];
        }
        reach = reach_stack[depth];
        __syncwarp(here);
    }
    __syncwarp(here);
    if (lane == __ffs(here) - 1) {
        __threadfence_block();
        atomicExch(in_use, 0u);
    }
}

__global__ void k(const Node *nodes, const float *reach, int *counts, int n) {
    {
        extern __shared__ unsigned long long s2s_stacks[];
        const unsigned int s2s_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        if (s2s_thread % 32u == 0u) {
            s2s_stacks[s2s_thread / 32u * 65u] = 0ull;
        }
        __syncwarp();
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int count = 0;
    visit(nodes, 0, reach[i], &count);
    counts[i] = count;
}

__device__ __forceinline__ unsigned int visit_round(const Node *nodes, int n, float reach, int *count, int *n_0, float *reach_0, int *n_1, float *reach_1, int *n_2, float *reach_2) {
    unsigned int made = 0u;
    const float distance = fabsf(nodes[n].x - reach);
    if (distance > 3.0f) {
        return made;
    }
    ++*count;
    if (nodes[n].child[0] >= 0) {
        {
            *n_0 = nodes[n].child[0];
            *reach_0 = reach * 0.5f + distance;
            made |= 1u;
        }
    }
    if (nodes[n].child[1] >= 0) {
        {
            *n_1 = nodes[n].child[1];
            *reach_1 = reach * 0.5f + distance;
            made |= 2u;
        }
    }
    if (nodes[n].child[2] >= 0) {
        {
            *n_2 = nodes[n].child[2];
            *reach_2 = reach * 0.5f + distance;
            made |= 4u;
        }
    }
    return made;
}
