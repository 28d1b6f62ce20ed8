struct s2s_grid;

struct s2s_grid {
    unsigned long long id;
    unsigned long long work;
    unsigned long long count;
    unsigned int arrived;
};

__device__ unsigned long long s2s_pool_state;
__device__ __align__(256) unsigned char s2s_pool[67108864];
__device__ s2s_grid s2s_grids[4096];

static __device__ void s2s_leave_pool(unsigned long long what);
static __device__ unsigned char *s2s_take_buffer(unsigned long long bytes);
static __device__ void s2s_give_buffer(unsigned char *buffer);
static __device__ void s2s_finish_block(unsigned char *buffer);
static __device__ unsigned int s2s_find_item(const unsigned int *firsts, unsigned int items, unsigned int unit);
static __device__ s2s_grid *s2s_grid_place(unsigned int site, unsigned long long id, unsigned int i);
static __device__ s2s_grid *s2s_join_grid(unsigned int site, unsigned long long bytes);
static __device__ unsigned char *s2s_grid_work(s2s_grid *grid);
static __device__ bool s2s_all_arrived(unsigned int site, s2s_grid *grid);
static __device__ s2s_grid *s2s_close_grid(unsigned int site, unsigned int i);
static __device__ void s2s_free_grid(s2s_grid *grid);
__global__ void add_row(int node, int *sums, const int *row);
__global__ void mark(int *at, float by);
__global__ void visit(const int *child, int node, int depth, int *count);
__global__ void reduce(const float *x, int begin, int end, float *sum);
__global__ void add_row_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total, int *sums, const int *row);
__global__ void mark_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total);
__global__ void visit_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total, const int *child, int depth, int *count);
__global__ void reduce_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total, const float *x);

static __device__ void s2s_leave_pool(unsigned long long what) {
    unsigned long long left = atomicAdd(&s2s_pool_state, 0ull - what) - what;
    if (left != 0ull && left >> 40 == 0ull) {
        atomicCAS(&s2s_pool_state, left, 0ull);
    }
}

static __device__ unsigned char *s2s_take_buffer(unsigned long long bytes) {
    unsigned long long units = (bytes + 255ull) / 256ull;
    unsigned long long what = units + 1099511627776ull;
    unsigned long long first = atomicAdd(&s2s_pool_state, what) & 1099511627775ull;
    if (first + units > 262144ull) {
        s2s_leave_pool(what);
        return nullptr;
    }
    unsigned char *buffer = s2s_pool + first * 256ull;
    *(unsigned int *)buffer = 0u;
    return buffer;
}

static __device__ void s2s_give_buffer(unsigned char *buffer) {
    s2s_leave_pool(1099511627776ull);
}

static __device__ void s2s_finish_block(unsigned char *buffer) {
    __threadfence();
    if (atomicAdd((unsigned int *)buffer, 1u) == gridDim.x - 1u) {
        s2s_give_buffer(buffer);
    }
}

static __device__ unsigned int s2s_find_item(const unsigned int *firsts, unsigned int items, unsigned int unit) {
    unsigned int low = 0u;
    while (items > 1u) {
        unsigned int half = items / 2u;
        low += firsts[low + half] <= unit ? half : 0u;
        items -= half;
    }
    return low;
}

static __device__ s2s_grid *s2s_grid_place(unsigned int site, unsigned long long id, unsigned int i) {
    unsigned int first = (unsigned int)((id * 11400714819323198485ull) >> 52);
    return &s2s_grids[site * 4096u + (first + i) % 4096u];
}

static __device__ s2s_grid *s2s_join_grid(unsigned int site, unsigned long long bytes) {
    unsigned long long id = __s2s_grid_id() + 1ull;
    s2s_grid *grid = nullptr;
    for (unsigned int i = 0u; i < 32u && grid == nullptr; i++) {
        s2s_grid *place = s2s_grid_place(site, id, i);
        if (atomicAdd(&place->id, 0ull) == id) {
            grid = place;
        }
    }
    for (unsigned int i = 0u; i < 32u && grid == nullptr; i++) {
        s2s_grid *place = s2s_grid_place(site, id, i);
        unsigned long long found = atomicCAS(&place->id, 0ull, id);
        if (found == 0ull) {
            unsigned char *work = s2s_take_buffer(bytes);
            atomicExch(&place->work, work == nullptr ? 1ull : (unsigned long long)work);
        }
        if (found == 0ull || found == id) {
            grid = place;
        }
    }
    if (grid == nullptr) {
        __trap();
    }
    unsigned long long work = 0ull;
    for (unsigned int i = 0u; i < 256u && work == 0ull; i++) {
        for (unsigned int j = 0u; j < 256u && work == 0ull; j++) {
            work = atomicAdd(&grid->work, 0ull);
        }
    }
    return grid;
}

static __device__ unsigned char *s2s_grid_work(s2s_grid *grid) {
    unsigned long long work = atomicAdd(&grid->work, 0ull);
    return work <= 1ull ? nullptr : (unsigned char *)work;
}

static __device__ bool s2s_all_arrived(unsigned int site, s2s_grid *grid) {
    unsigned long long id = __s2s_grid_id() + 1ull;
    unsigned int all = gridDim.x * gridDim.y * gridDim.z;
    __threadfence();
    unsigned int arrived = atomicAdd(&grid->arrived, 1u) + 1u;
    if (arrived != all) {
        arrived = 0u;
        for (unsigned int i = 0u; i < 32u; i++) {
            s2s_grid *place = s2s_grid_place(site, id, i);
            if (*(volatile unsigned long long *)&place->id == id) {
                arrived += *(volatile unsigned int *)&place->arrived;
            }
        }
    }
    return arrived == all;
}

static __device__ s2s_grid *s2s_close_grid(unsigned int site, unsigned int i) {
    unsigned long long id = __s2s_grid_id() + 1ull;
    s2s_grid *place = s2s_grid_place(site, id, i);
    if (*(volatile unsigned long long *)&place->id != id || atomicCAS(&place->id, id, 18446744073709551615ull) != id) {
        return nullptr;
    }
    __threadfence();
    return place;
}

static __device__ void s2s_free_grid(s2s_grid *grid) {
    grid->work = 0ull;
    grid->count = 0ull;
    grid->arrived = 0u;
    __threadfence();
    atomicExch(&grid->id, 0ull);
}

__global__ void add_row(int node, int *sums, const int *row) {
    int e = row[node] + blockIdx.x * blockDim.x + threadIdx.x;
    if (e < row[node + 1]) {
        atomicAdd(&sums[e], gridDim.x);
    }
}

__global__ void rows(int n, int *sums, const int *row) {
    __shared__ unsigned char *buffer;
    __shared__ unsigned long long count;
    const unsigned long wanted = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int room = ((unsigned int)(wanted < 1398096ul ? wanted : 1398096ul) + 15u) / 16u * 16u;
    const unsigned int most_blocks = 2147483648u / room;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        buffer = s2s_take_buffer(room * 12ull + 16ull);
        count = 0ull;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
    } else {
        int degree = row[i + 1] - row[i];
        if (degree > 32) {
            {
                const int node = i;
                const unsigned int blocks_x = (degree + 63) / 64;
                unsigned long long before = room;
                if (buffer != nullptr && blocks_x - 1u < most_blocks) {
                    before = atomicAdd(&count, ((unsigned long long)blocks_x << 32u) + 1ull);
                }
                const unsigned int slot = before;
                if (slot < room) {
                    ((int *)(buffer + 16ul))[slot] = node;
                    ((unsigned int *)(buffer + (16ul + room * 4ul)))[slot] = before >> 32u;
                    ((unsigned int *)(buffer + (16ul + room * 8ul)))[slot] = blocks_x;
                } else {
                    add_row<<<blocks_x, 64u>>>(node, sums, row);
                }
            }
        } else {
            for (int e = row[i]; e < row[i + 1]; e++) {
                sums[e]++;
            }
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        if (buffer != nullptr) {
            const unsigned long long counted = count;
            const unsigned int items = (unsigned int)counted < room ? (unsigned int)counted : room;
            const unsigned int total = counted >> 32u;
            if (items != 0u) {
                add_row_consolidated<<<min(total, 264u), 64u>>>(buffer, items, room, total, sums, row);
            } else {
                s2s_give_buffer(buffer);
            }
        }
    }
}

__global__ void mark(int *at, float by) {
    if (*at < 0) {
        return;
    }
    *at += (int)by;
}

__global__ void marks(int *at, const float *by, int n, int limit) {
    const unsigned int warp = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32u;
    __shared__ unsigned char *buffer[32];
    __shared__ unsigned long long count[32];
    const unsigned long wanted = limit;
    const unsigned int room = ((unsigned int)(wanted < 1398096ul ? wanted : 1398096ul) + 15u) / 16u * 16u;
    if (((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32u == 0u) {
        buffer[warp] = s2s_take_buffer(room * 12ull + 16ull);
        count[warp] = 0ull;
    }
    __syncwarp();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        {
            int *const at_2 = at + i;
            const float by_2 = by[i];
            unsigned long long before = room;
            if (buffer[warp] != nullptr) {
                before = atomicAdd(&count[warp], 1ull);
            }
            const unsigned int slot = before;
            if (slot < room) {
                ((int **)(buffer[warp] + 16ul))[slot] = at_2;
                ((float *)(buffer[warp] + (16ul + room * 8ul)))[slot] = by_2;
            } else {
                mark<<<1u, 1u, 0, cudaStreamFireAndForget>>>(at_2, by_2);
            }
        }
    }
    __syncwarp();
    if (((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32u == 0u) {
        if (buffer[warp] != nullptr) {
            const unsigned long long counted = count[warp];
            const unsigned int items = (unsigned int)counted < room ? (unsigned int)counted : room;
            const unsigned int total = counted >> 32u;
            if (items != 0u) {
                mark_consolidated<<<min((items + 31u) / 32u, 264u), 32u, 0, cudaStreamFireAndForget>>>(buffer[warp], items, room, total);
            } else {
                s2s_give_buffer(buffer[warp]);
            }
        }
    }
}

__global__ void visit(const int *child, int node, int depth, int *count) {
    __shared__ s2s_grid *grid;
    __shared__ unsigned char *buffer;
    const unsigned long wanted = gridDim.x * (unsigned long)gridDim.y * gridDim.z * (blockDim.x * blockDim.y * blockDim.z);
    const unsigned int room = ((unsigned int)(wanted < 2097152ul ? wanted : 2097152ul) + 15u) / 16u * 16u;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        grid = s2s_join_grid(0u, room * 8ull + 16ull);
        buffer = s2s_grid_work(grid);
    }
    __syncthreads();
    int at = child[node] + threadIdx.x;
    if (atomicAdd(&count[depth], 1) < 0) {
    } else {
        int below = child[at + 1] - child[at];
        if (below > 0) {
            {
                const int node_2 = at;
                const unsigned int threads = below;
                unsigned long long before = room;
                if (buffer != nullptr && threads - 1u < 1024u) {
                    before = atomicAdd(&grid->count, ((unsigned long long)threads << 32u) + 1ull);
                }
                const unsigned int slot = before;
                if (slot < room) {
                    ((int *)(buffer + 16ul))[slot] = node_2;
                    ((unsigned int *)(buffer + (16ul + room * 4ul)))[slot] = threads;
                } else {
                    visit<<<1u, threads>>>(child, node_2, depth + 1, count);
                }
            }
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u && s2s_all_arrived(0u, grid)) {
        for (unsigned int i = 0u; i < 32u; i += 1u) {
            s2s_grid *const place = s2s_close_grid(0u, i);
            if (place != nullptr) {
                unsigned char *const work = s2s_grid_work(place);
                if (work != nullptr) {
                    const unsigned long long counted = place->count;
                    const unsigned int items = (unsigned int)counted < room ? (unsigned int)counted : room;
                    const unsigned int total = counted >> 32u;
                    if (items != 0u) {
                        visit_consolidated<<<min(items, 4224u), 64u>>>(work, items, room, total, child, depth + 1, count);
                    } else {
                        s2s_give_buffer(work);
                    }
                }
                s2s_free_grid(place);
            }
        }
    }
}

__global__ void reduce(const float *x, int begin, int end, float *sum) {
    __shared__ float part[128];
    float own = 0.0f;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        own += x[i];
    }
    part[threadIdx.x] = own;
    for (int half = blockDim.x / 2u; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0u) {
        *sum = part[0];
    }
}

__global__ void reductions(const float *x, const int *row, int n, float *sums) {
    __shared__ unsigned char *buffer;
    __shared__ unsigned long long count;
    const unsigned long wanted = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int room = ((unsigned int)(wanted < 1048576ul ? wanted : 1048576ul) + 15u) / 16u * 16u;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        buffer = s2s_take_buffer(room * 16ull + 16ull);
        count = 0ull;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        {
            const int begin = row[i];
            const int end = row[i + 1];
            float *const sum = sums + i;
            unsigned long long before = room;
            if (buffer != nullptr) {
                before = atomicAdd(&count, 1ull);
            }
            const unsigned int slot = before;
            if (slot < room) {
                ((int *)(buffer + (16ul + room * 8ul)))[slot] = begin;
                ((int *)(buffer + (16ul + room * 12ul)))[slot] = end;
                ((float **)(buffer + 16ul))[slot] = sum;
            } else {
                reduce<<<1u, 128u>>>(x, begin, end, sum);
            }
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        if (buffer != nullptr) {
            const unsigned long long counted = count;
            const unsigned int items = (unsigned int)counted < room ? (unsigned int)counted : room;
            const unsigned int total = counted >> 32u;
            if (items != 0u) {
                reduce_consolidated<<<items, 128u>>>(buffer, items, room, total, x);
            } else {
                s2s_give_buffer(buffer);
            }
        }
    }
}

__global__ void add_row_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total, int *sums, const int *row) {
    {
        const unsigned int units = ((unsigned int *)(work + (16ul + capacity * 4ul)))[items - 1u] + ((unsigned int *)(work + (16ul + capacity * 8ul)))[items - 1u];
        const unsigned int share = (units + gridDim.x - 1u) / gridDim.x;
        const unsigned int begin = blockIdx.x * share;
        const unsigned int end = min(begin + share, units);
        unsigned int item = s2s_find_item((unsigned int *)(work + (16ul + capacity * 4ul)), items, begin);
        for (unsigned int unit = begin; unit < end; unit += 1u) {
            if (unit - ((unsigned int *)(work + (16ul + capacity * 4ul)))[item] == ((unsigned int *)(work + (16ul + capacity * 8ul)))[item]) {
                item += 1u;
            }
            const unsigned int block = unit - ((unsigned int *)(work + (16ul + capacity * 4ul)))[item];
            const unsigned int blockIdx_x = block;
            const unsigned int gridDim_x = ((unsigned int *)(work + (16ul + capacity * 8ul)))[item];
            int node = ((int *)(work + 16ul))[item];
            int e = row[node] + blockIdx_x * blockDim.x + threadIdx.x;
            if (e < row[node + 1]) {
                atomicAdd(&sums[e], gridDim_x);
            }
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        s2s_finish_block(work);
    }
}

__global__ void mark_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total) {
    for (unsigned int item = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x); item < items; item += gridDim.x * (blockDim.x * blockDim.y * blockDim.z)) {
        int *at = ((int **)(work + 16ul))[item];
        float by = ((float *)(work + (16ul + capacity * 8ul)))[item];
        if (*at < 0) {
        } else {
            *at += (int)by;
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        s2s_finish_block(work);
    }
}

__global__ void visit_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total, const int *child, int depth, int *count) {
    __shared__ s2s_grid *grid;
    __shared__ unsigned char *buffer;
    const unsigned long wanted = total;
    const unsigned int room = ((unsigned int)(wanted < 2097152ul ? wanted : 2097152ul) + 15u) / 16u * 16u;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        grid = s2s_join_grid(0u, room * 8ull + 16ull);
        buffer = s2s_grid_work(grid);
    }
    __syncthreads();
    for (unsigned int item = blockIdx.x; item < items; item += gridDim.x) {
        int node = ((int *)(work + 16ul))[item];
        const unsigned int blockDim_x = ((unsigned int *)(work + (16ul + capacity * 4ul)))[item];
        for (unsigned int threadIdx_x = threadIdx.x; threadIdx_x < blockDim_x; threadIdx_x += blockDim.x) {
            int at = child[node] + threadIdx_x;
            if (atomicAdd(&count[depth], 1) < 0) {
            } else {
                int below = child[at + 1] - child[at];
                if (below > 0) {
                    {
                        const int node_2 = at;
                        const unsigned int threads = below;
                        unsigned long long before = room;
                        if (buffer != nullptr && threads - 1u < 1024u) {
                            before = atomicAdd(&grid->count, ((unsigned long long)threads << 32u) + 1ull);
                        }
                        const unsigned int slot = before;
                        if (slot < room) {
                            ((int *)(buffer + 16ul))[slot] = node_2;
                            ((unsigned int *)(buffer + (16ul + room * 4ul)))[slot] = threads;
                        } else {
                            visit<<<1u, threads>>>(child, node_2, depth + 1, count);
                        }
                    }
                }
            }
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u && s2s_all_arrived(0u, grid)) {
        for (unsigned int i = 0u; i < 32u; i += 1u) {
            s2s_grid *const place = s2s_close_grid(0u, i);
            if (place != nullptr) {
                unsigned char *const work_2 = s2s_grid_work(place);
                if (work_2 != nullptr) {
                    const unsigned long long counted = place->count;
                    const unsigned int items_2 = (unsigned int)counted < room ? (unsigned int)counted : room;
                    const unsigned int total_2 = counted >> 32u;
                    if (items_2 != 0u) {
                        visit_consolidated<<<min(items_2, 4224u), 64u>>>(work_2, items_2, room, total_2, child, depth + 1, count);
                    } else {
                        s2s_give_buffer(work_2);
                    }
                }
                s2s_free_grid(place);
            }
        }
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        s2s_finish_block(work);
    }
}

__global__ void reduce_consolidated(unsigned char *work, unsigned int items, unsigned int capacity, unsigned int total, const float *x) {
    __shared__ float part[128];
    for (unsigned int item = blockIdx.x; item < items; item += gridDim.x) {
        int begin = ((int *)(work + (16ul + capacity * 8ul)))[item];
        int end = ((int *)(work + (16ul + capacity * 12ul)))[item];
        float *sum = ((float **)(work + 16ul))[item];
        float own = 0.0f;
        for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
            own += x[i];
        }
        part[threadIdx.x] = own;
        for (int half = blockDim.x / 2u; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half) {
                part[threadIdx.x] += part[threadIdx.x + half];
            }
        }
        if (threadIdx.x == 0u) {
            *sum = part[0];
        }
        __syncthreads();
    }
    __syncthreads();
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0u) {
        s2s_finish_block(work);
    }
}
