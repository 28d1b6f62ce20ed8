struct Node;
struct Query;

struct Node {
    int key;
    int left;
    int right;
};

struct Query {
    int x;
    int sum;
    int first[2];
};

__device__ void visit(const Node *nodes, int dim, int n, Query *q);
__device__ int sum_of(const Node *nodes, int dim, Query *q);
__device__ int find(const Node *nodes, int n, int key);

__device__ void visit(const Node *nodes, int dim, int n, Query *q) {
    const Node *const leaf = nodes + n;
    q->sum += nodes[n].key * dim;
    if (!nodes[n].left) {
        for (int i = 0; i < leaf->right; i++) {
            if (q->sum < 0) {
                return;
            }
            q->sum += i;
        }
        return;
    }
    if (q->x < nodes[n].key && nodes[n].left) {
        visit(nodes, dim, nodes[n].left, q);
    }
    if (nodes[n].right) {
        visit(nodes, dim, nodes[n].right, q);
    }
}

__device__ int sum_of(const Node *nodes, int dim, Query *q) {
    if (q->x < 0) {
        return -1;
    }
    switch (dim) {
    case 2:
        visit(nodes, 2, 0, q);
        break;
    default:
        visit(nodes, dim, 0, q);
    }
    return q->sum;
}

__global__ void sums(const Node *nodes, const int *x, int dim, int count, int *out) {
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned int rounds = blocks / 256u < 1u ? 1u : blocks / 256u > 32u ? 32u : blocks / 256u;
    if (blockIdx.x % rounds != 0u) {
        return;
    }
    __shared__ unsigned int next;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        next = 0u;
    }
    __syncthreads();
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int left = gridDim.x - blockIdx.x;
    const unsigned int count_2 = (left < rounds ? left : rounds) * threads;
    const float block_share = 1.0f / threads;
    const float row_share = 1.0f / blockDim.x;
    int n_stack[256];
    if (dim == 2) {
        int i;
        Query q;
        int sum_of_;
        const Node *leaf;
        int n;
        bool more = false;
        int depth = 0;
        int call = 0;
        for (;;) {
            bool over = false;
            for (;;) {
                if (!(more || depth > 0)) {
                    if (call != 0) {
                        call = 0;
                        sum_of_ = q.sum;
                        out[i] = sum_of_;
                        out[i] += q.first[1];
                    }
                    const unsigned int taken = atomicAdd(&next, 1u);
                    if (taken >= count_2) {
                        over = true;
                        break;
                    }
                    const unsigned int block = (taken + 0.5f) * block_share;
                    const unsigned int blockIdx_x = blockIdx.x + block;
                    const unsigned int thread = taken - block * threads;
                    const unsigned int row = (thread + 0.5f) * row_share;
                    const unsigned int threadIdx_x = thread - row * blockDim.x;
                    i = blockIdx_x * blockDim.x + threadIdx_x;
                    if (i >= count) {
                        continue;
                    }
                    const Query q_first = {x[i], 0, {i, 2}};
                    q = q_first;
                    {
                        if (q.x < 0) {
                            sum_of_ = -1;
                        } else {
                            {
                                {
                                    n = 0;
                                    call = 1;
                                    more = true;
                                }
                            }
                        }
                    }
                    if (!more) {
                        out[i] = sum_of_;
                        out[i] += q.first[1];
                    }
                    if (!more) {
                        continue;
                    }
                }
                if (!more) {
                    --depth;
                    n = n_stack[depth];
                }
                more = false;
                leaf = nodes + n;
                q.sum += nodes[n].key * 2;
                if (!nodes[n].left) {
                    break;
                }
                const bool chosen = q.x < nodes[n].key && nodes[n].left;
                if (nodes[n].right) {
                    if (depth == 256) {
                        __trap();
                    }
                    n_stack[depth] = nodes[n].right;
                    ++depth;
                }
                if (chosen) {
                    n = nodes[n].left;
                    more = true;
                }
            }
            if (over) {
                break;
            }
            bool returned = false;
            for (int i_2 = 0; i_2 < leaf->right; i_2++) {
                if (q.sum < 0) {
                    returned = true;
                    break;
                }
                q.sum += i_2;
            }
            if (returned) {
                continue;
            }
        }
    } else {
        int i;
        Query q;
        int sum_of_;
        const Node *leaf;
        int n;
        bool more = false;
        int depth = 0;
        int call = 0;
        for (;;) {
            bool over = false;
            for (;;) {
                if (!(more || depth > 0)) {
                    if (call != 0) {
                        call = 0;
                        sum_of_ = q.sum;
                        out[i] = sum_of_;
                        out[i] += q.first[1];
                    }
                    const unsigned int taken = atomicAdd(&next, 1u);
                    if (taken >= count_2) {
                        over = true;
                        break;
                    }
                    const unsigned int block = (taken + 0.5f) * block_share;
                    const unsigned int blockIdx_x = blockIdx.x + block;
                    const unsigned int thread = taken - block * threads;
                    const unsigned int row = (thread + 0.5f) * row_share;
                    const unsigned int threadIdx_x = thread - row * blockDim.x;
                    i = blockIdx_x * blockDim.x + threadIdx_x;
                    if (i >= count) {
                        continue;
                    }
                    const Query q_first = {x[i], 0, {i, 2}};
                    q = q_first;
                    {
                        if (q.x < 0) {
                            sum_of_ = -1;
                        } else {
                            {
                                {
                                    n = 0;
                                    call = 1;
                                    more = true;
                                }
                            }
                        }
                    }
                    if (!more) {
                        out[i] = sum_of_;
                        out[i] += q.first[1];
                    }
                    if (!more) {
                        continue;
                    }
                }
                if (!more) {
                    --depth;
                    n = n_stack[depth];
                }
                more = false;
                leaf = nodes + n;
                q.sum += nodes[n].key * dim;
                if (!nodes[n].left) {
                    break;
                }
                const bool chosen = q.x < nodes[n].key && nodes[n].left;
                if (nodes[n].right) {
                    if (depth == 256) {
                        __trap();
                    }
                    n_stack[depth] = nodes[n].right;
                    ++depth;
                }
                if (chosen) {
                    n = nodes[n].left;
                    more = true;
                }
            }
            if (over) {
                break;
            }
            bool returned = false;
            for (int i_2 = 0; i_2 < leaf->right; i_2++) {
                if (q.sum < 0) {
                    returned = true;
                    break;
                }
                q.sum += i_2;
            }
            if (returned) {
                continue;
            }
        }
    }
}

__device__ int find(const Node *nodes, int n, int key) {
    if (!n || key == nodes[n].key) {
        return n;
    }
    return find(nodes, key < nodes[n].key ? nodes[n].left : nodes[n].right, key);
}

__global__ void finds(const Node *nodes, const int *keys, int *out) {
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned int rounds = blocks / 256u < 1u ? 1u : blocks / 256u > 32u ? 32u : blocks / 256u;
    if (blockIdx.x % rounds != 0u) {
        return;
    }
    __shared__ unsigned int next;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        next = 0u;
    }
    __syncthreads();
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int left = gridDim.x - blockIdx.x;
    const unsigned int count = (left < rounds ? left : rounds) * threads;
    const float block_share = 1.0f / threads;
    const float row_share = 1.0f / blockDim.x;
    const float slice_share = 1.0f / blockDim.y;
    int i;
    int odd[2];
    int n;
    int key;
    bool more = false;
    int result;
    int call = 0;
    for (;;) {
        if (!more) {
            if (call != 0) {
                const int ended = call;
                call = 0;
                if (ended <= 1) {
                    odd[1] = result;
                    out[i] = odd[0];
                } else {
                    odd[0] = result;
                }
                out[i] += odd[0] + odd[1];
            }
            const unsigned int taken = atomicAdd(&next, 1u);
            if (taken >= count) {
                break;
            }
            const unsigned int block = (taken + 0.5f) * block_share;
            const unsigned int thread = taken - block * threads;
            const unsigned int row = (thread + 0.5f) * row_share;
            const unsigned int threadIdx_z = (row + 0.5f) * slice_share;
            const unsigned int threadIdx_y = row - threadIdx_z * blockDim.y;
            i = (blockIdx.y * blockDim.z + threadIdx_z) * blockDim.y + threadIdx_y;
            const int next_2 = keys[i];
            const int odd_first[2] = {next_2, 0};
            for (int i_2 = 0; i_2 < 2; i_2 += 1) {
                odd[i_2] = odd_first[i_2];
            }
            if (next_2 & 1) {
                n = odd[0] & 7;
                key = next_2;
                call = 1;
                more = true;
            } else {
                const int key_2 = next_2 + 1;
                n = 1;
                key = key_2;
                call = 2;
                more = true;
            }
            if (!more) {
                continue;
            }
        }
        more = false;
        if (!n || key == nodes[n].key) {
            result = n;
            continue;
        }
        n = key < nodes[n].key ? nodes[n].left : nodes[n].right;
        more = true;
        continue;
    }
}

__global__ void total(const Node *nodes, int key, int *out) {
    atomicAdd(out, find(nodes, threadIdx.x, key));
}
