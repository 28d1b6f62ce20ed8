struct Query;

struct Query {
    float x;
    float y;
    int id;
    int found;
};

__device__ void visit(const float *keys, int n, Query *q);
__device__ int search(const float *keys, float x, int id);
__device__ void search_coordinates(const float *keys, float x, int id, float *where, unsigned int count);

__device__ void visit(const float *keys, int n, Query *q) {
    if (n >= 127 || keys[n] > q->x + q->y) {
        return;
    }
    q->found += q->id;
    visit(keys, 2 * n + 1, q);
    visit(keys, 2 * n + 2, q);
}

__device__ int search(const float *keys, float x, int id) {
    if (id < 0) {
        return -1;
    }
    Query q;
    q.x = x;
    q.y = 0.5f;
    q.id = id;
    q.found = 0;
    visit(keys, 0, &q);
    return q.found;
}

__global__ void k(const float *keys, const float *x, int *found, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        found[i] = search(keys, x[i], i);
    }
}

__global__ void counted(const float *keys, const float *x, int *sum) {
    atomicAdd(sum, search(keys, x[threadIdx.x], 1));
}

__device__ void search_coordinates(const float *keys, float x, int id, float *where, unsigned int count) {
    if (id < 0) {
        return;
    }
    Query q = {};
    q.x = x;
    q.y = 0.5f;
    q.id = id;
    q.found = 0;
    where[0u * count] = q.x;
    where[1u * count] = q.y;
    return;
}

__global__ void k_coordinates(const float *keys, const float *x, int *found, int n, float *coordinates, unsigned int count) {
    float *where = coordinates + (((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) + ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x));
    where[0u * count] = nanf("");
    where[1u * count] = nanf("");
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        search_coordinates(keys, x[i], i, where, count);
        return;
    }
}

__global__ void k_in_order(const float *keys, const float *x, int *found, int n, const unsigned int *order) {
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
    int i = blockIdx_x * blockDim.x + threadIdx_x;
    if (i < n) {
        found[i] = search(keys, x[i], i);
    }
}
