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
