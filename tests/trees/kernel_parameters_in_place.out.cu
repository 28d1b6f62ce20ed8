struct Row;
struct Table;
struct Small;

struct Row {
    short cells[5];
    bool on;
};

struct Table {
    int n;
    Row rows[60];
};

struct Small {
    int cells[3];
};

__device__ int deep(const Small *small, int i);
__device__ int whole(const Small *const small, int i);

__global__ void k(int *out, Small read, Small written, const Table table, Table own) {
    Table own_2;
    own_2.n = own.n;
    for (int element = 0; element < 60; element += 1) {
        for (int element_2 = 0; element_2 < 5; element_2 += 1) {
            own_2.rows[element].cells[element_2] = own.rows[element].cells[element_2];
        }
        own_2.rows[element].on = own.rows[element].on;
    }
    written.cells[threadIdx.x % 3u] += read.cells[1];
    own_2.rows[threadIdx.x].on = table.rows[own_2.n].on;
    out[threadIdx.x] = written.cells[0] + own_2.rows[1].cells[4] + own_2.rows[1].on;
}

__device__ int deep(const Small *small, int i) {
    return i > 9 ? small->cells[i % 3] : deep(small, i + 1);
}

__device__ int whole(const Small *const small, int i) {
    return i > 9 ? small->cells[i % 3] : whole(small, i + 2) + deep(small, i);
}

__global__ void addresses(int *out, Small one, Small other, Small own) {
    const Small *some = threadIdx.x % 2u ? &one : &other;
    own.cells[1] = 7;
    out[threadIdx.x] = deep(some, threadIdx.x) + whole(&one, threadIdx.x) + deep(&own, threadIdx.x);
}
