// Arrays that come as arguments stay where the launch has put them; large ones that change get a copy by loops.
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

__global__ void k(int *out, Small read, Small written, const Table table, Table own)
{
    written.cells[threadIdx.x % 3] += read.cells[1];
    own.rows[threadIdx.x].on = table.rows[own.n].on;
    out[threadIdx.x] = written.cells[0] + own.rows[1].cells[4] + own.rows[1].on;
}

// What lies at these addresses never changes. What is passed by value is passed by address then.
__device__ int deep(const Small &small, int i)
{
    return i > 9 ? small.cells[i % 3] : deep(small, i + 1);
}

__device__ int whole(const Small small, int i)
{
    return i > 9 ? small.cells[i % 3] : whole(small, i + 2) + deep(small, i);
}

__global__ void addresses(int *out, Small one, Small other, Small own)
{
    const Small *some = threadIdx.x % 2 ? &one : &other;
    own.cells[1] = 7;
    out[threadIdx.x] = deep(*some, threadIdx.x) + whole(one, threadIdx.x) + deep(own, threadIdx.x);
}
