struct Query;

struct Query {
    float x;
    int count;
};

__device__ void visit(const float *keys, int n, Query *q);
__device__ void visit_near(const float *keys, int n, Query *q);
__device__ __forceinline__ unsigned int visit_round_near(const float *keys, int n, Query *q, int call, int *n_0, int *n_1);

__device__ void visit(const float *keys, int n, Query *q) {
    int call = 0;
    int n_stack[256];
    int call_stack[256];
    int depth = 0;
    bool more = true;
    while (more || depth > 0) {
        if (!more) {
            --depth;
            n = n_stack[depth];
            call = call_stack[depth];
        }
        more = false;
        if (call == 1) {
            if (!(keys[n] > q->x - 1.0f)) {
                continue;
            }
            n = 2 * n + 2;
        }
        if (n >= 1023) {
            continue;
        }
        if (keys[n] > q->x) {
            q->count++;
        }
        const bool chosen = keys[n] < q->x + 1.0f;
        if (depth == 256) {
            __trap();
        }
        n_stack[depth] = n;
        call_stack[depth] = 1;
        ++depth;
        if (chosen) {
            {
                int n_next = 2 * n + 1;
                int call_next = 0;
                n = n_next;
                call = call_next;
            }
            more = true;
        }
    }
}

__global__ void k(const float *keys, const float *x, int count, int *found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    visit(keys, 0, &q);
    found[i] = q.count;
}

__global__ void together(const float *keys, int *found) {
    __shared__ int count;
    if (threadIdx.x == 0u) {
        count = 0;
    }
    __syncthreads();
    Query q = {(float)atomicAdd(&count, 1), 0};
    visit(keys, 0, &q);
    found[threadIdx.x] = q.count;
}

__global__ void k_coordinates(const float *keys, const float *x, int count, int *found, float *coordinates, unsigned int count_2) {
    float *where = coordinates + (((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) + ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x));
    where[0u * count_2] = nanf("");
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    where[0u * count_2] = q.x;
    return;
}

__global__ void k_in_order(const float *keys, const float *x, int count, int *found, const unsigned int *order) {
    const unsigned int thread = order[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) + ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)];
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int block = thread / threads;
    const unsigned int thread_of_block = thread % threads;
    const unsigned int gridDim_x = gridDim.x;
    const unsigned int blockIdx_x = block % gridDim_x;
    const unsigned int blockIdx_rest = block / gridDim_x;
    const unsigned int gridDim_y = gridDim.y;
    const unsigned int blockIdx_y = blockIdx_rest % gridDim_y;
    const unsigned int blockIdx_rest_2 = blockIdx_rest / gridDim_y;
    const unsigned int blockDim_x = blockDim.x;
    const unsigned int threadIdx_x = thread_of_block % blockDim_x;
    const unsigned int threadIdx_rest = thread_of_block / blockDim_x;
    const unsigned int blockDim_y = blockDim.y;
    const unsigned int threadIdx_y = threadIdx_rest % blockDim_y;
    const unsigned int threadIdx_rest_2 = threadIdx_rest / blockDim_y;
    const int i = blockIdx_x * blockDim.x + threadIdx_x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    visit(keys, 0, &q);
    found[i] = q.count;
}

__global__ void k_near(const float *keys, const float *x, int count, int *found, const int *s2s_near) {
    if (*s2s_near == 0) {
        return;
    }
    {
        extern __shared__ unsigned long long s2s_stacks[];
        const unsigned int s2s_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        if (s2s_thread % 32u == 0u) {
            s2s_stacks[s2s_thread / 32u * 49u] = 0ull;
        }
        __syncwarp();
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    visit_near(keys, 0, &q);
    found[i] = q.count;
}

__global__ void k_in_order_near(const float *keys, const float *x, int count, int *found, const unsigned int *order, const int *s2s_near) {
    if (*s2s_near == 0) {
        return;
    }
    {
        extern __shared__ unsigned long long s2s_stacks[];
        const unsigned int s2s_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        if (s2s_thread % 32u == 0u) {
            s2s_stacks[s2s_thread / 32u * 49u] = 0ull;
        }
        __syncwarp();
    }
    const unsigned int thread = order[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) + ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)];
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int block = thread / threads;
    const unsigned int thread_of_block = thread % threads;
    const unsigned int gridDim_x = gridDim.x;
    const unsigned int blockIdx_x = block % gridDim_x;
    const unsigned int blockIdx_rest = block / gridDim_x;
    const unsigned int gridDim_y = gridDim.y;
    const unsigned int blockIdx_y = blockIdx_rest % gridDim_y;
    const unsigned int blockIdx_rest_2 = blockIdx_rest / gridDim_y;
    const unsigned int blockDim_x = blockDim.x;
    const unsigned int threadIdx_x = thread_of_block % blockDim_x;
    const unsigned int threadIdx_rest = thread_of_block / blockDim_x;
    const unsigned int blockDim_y = blockDim.y;
    const unsigned int threadIdx_y = threadIdx_rest % blockDim_y;
    const unsigned int threadIdx_rest_2 = threadIdx_rest / blockDim_y;
    const int i = blockIdx_x * blockDim.x + threadIdx_x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    visit_near(keys, 0, &q);
    found[i] = q.count;
}

__device__ void visit_near(const float *keys, int n, Query *q) {
    int call = 0;
    extern __shared__ unsigned long long s2s_stacks[];
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned int lane = thread % 32u;
    const unsigned int here = __activemask();
    unsigned long long *const stack = s2s_stacks + thread / 32u * 49u;
    unsigned int *const in_use = (unsigned int *)stack;
    int *const n_stack = (int *)(stack + 1);
    int *const call_stack = (int *)(stack + 17);
    unsigned int *const lanes_stack = (unsigned int *)(stack + 33);
    int n_deep[224];
    int call_deep[224];
    unsigned int lanes_deep[224];
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
        int n_1;
        if (((lanes >> lane) & 1u) != 0u) {
            calls = visit_round_near(keys, n, q, call, &n_0, &n_1);
        }
        const unsigned int going_1 = __ballot_sync(here, (calls & 2u) != 0u);
        if (going_1 != 0u) {
            if (depth < 32) {
                if (lane == __ffs(going_1) - 1) {
                    n_stack[depth] = n_1;
                    call_stack[depth] = 1;
                    lanes_stack[depth] = going_1;
                }
            } else {
                if (depth == 256) {
                    __trap();
                }
                n_deep[depth - 32] = __shfl_sync(here, n_1, __ffs(going_1) - 1);
                call_deep[depth - 32] = 1;
                lanes_deep[depth - 32] = going_1;
            }
            ++depth;
        }
        const unsigned int going_0 = __ballot_sync(here, (calls & 1u) != 0u);
        if (going_0 != 0u) {
            n = __shfl_sync(here, n_0, __ffs(going_0) - 1);
            call = 0;
            lanes = going_0;
            continue;
        }
        if (depth == 0) {
            break;
        }
        --depth;
        __syncwarp(here);
        if (depth < 32) {
            n = n_stack[depth];
            call = call_stack[depth];
            lanes = lanes_stack[depth];
        } else {
            n = n_deep[depth - 32];
            call = call_deep[depth - 32];
            lanes = lanes_deep[depth - 32];
        }
        __syncwarp(here);
    }
    __syncwarp(here);
    if (lane == __ffs(here) - 1) {
        __threadfence_block();
        atomicExch(in_use, 0u);
    }
}

__device__ __forceinline__ unsigned int visit_round_near(const float *keys, int n, Query *q, int call, int *n_0, int *n_1) {
    unsigned int made = 0u;
    if (call == 1) {
        if (!(keys[n] > q->x - 1.0f)) {
            return made;
        }
        n = 2 * n + 2;
    }
    if (n >= 1023) {
        return made;
    }
    if (keys[n] > q->x) {
        q->count++;
    }
    const bool chosen = keys[n] < q->x + 1.0f;
    if (chosen) {
        {
            *n_0 = 2 * n + 1;
            made |= 1u;
        }
    }
    {
        *n_1 = n;
        made |= 2u;
    }
    return made;
}

__global__ void k_far(const float *keys, const float *x, int count, int *found, const int *s2s_near) {
    if (*s2s_near != 0) {
        return;
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    visit(keys, 0, &q);
    found[i] = q.count;
}

__global__ void k_in_order_far(const float *keys, const float *x, int count, int *found, const unsigned int *order, const int *s2s_near) {
    if (*s2s_near != 0) {
        return;
    }
    const unsigned int thread = order[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) + ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)];
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int block = thread / threads;
    const unsigned int thread_of_block = thread % threads;
    const unsigned int gridDim_x = gridDim.x;
    const unsigned int blockIdx_x = block % gridDim_x;
    const unsigned int blockIdx_rest = block / gridDim_x;
    const unsigned int gridDim_y = gridDim.y;
    const unsigned int blockIdx_y = blockIdx_rest % gridDim_y;
    const unsigned int blockIdx_rest_2 = blockIdx_rest / gridDim_y;
    const unsigned int blockDim_x = blockDim.x;
    const unsigned int threadIdx_x = thread_of_block % blockDim_x;
    const unsigned int threadIdx_rest = thread_of_block / blockDim_x;
    const unsigned int blockDim_y = blockDim.y;
    const unsigned int threadIdx_y = threadIdx_rest % blockDim_y;
    const unsigned int threadIdx_rest_2 = threadIdx_rest / blockDim_y;
    const int i = blockIdx_x * blockDim.x + threadIdx_x;
    if (i >= count) {
        return;
    }
    Query q = {x[i], 0};
    visit(keys, 0, &q);
    found[i] = q.count;
}
