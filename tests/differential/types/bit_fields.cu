// Bit-fields: reads, writes and updates under divergence, in memory, registers and shared memory.

struct Packet {
    unsigned kind : 3, length : 13;
    int delta : 7;
    bool last : 1;
    unsigned long long id : 40;
};

union Color {
    unsigned all;
    struct { unsigned r : 8, g : 8, b : 8, a : 8; };
};

__global__ void packets(Packet *data, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Packet p = data[i];
    int old = p.length++;
    if (i % 3) p.delta -= 5;
    else if (p.last) p.kind = p.delta;
    for (int k = 0; k < (i & 3); k++) {
        p.id = p.id * 3 + p.kind--;
        if (p.delta < 0) break;
        p.last = !p.last;
    }
    out[i] = old + (p.kind - 8 < 0) + p.delta + (int)p.id;
    data[i] = p;
}

__global__ void through_pointers(Packet *data, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    __shared__ Packet shared[256];
    shared[t] = i < n ? data[i] : Packet{1, 2, -3, true, 5};
    __syncthreads();
    Packet *next = &shared[blockDim.x - 1 - t];
    int k = t, seen = next->delta + next->length;
    __syncthreads();
    shared[k++].length += k;
    if (i < n) {
        if (i & 1) data[i].last ^= 1;
        (data + i)->id |= 1ull << 35;
        out[i] = seen + shared[t].length + (shared[t].delta = i);
    }
}

__global__ void colors(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Color c = {in[i]}, grey;
    unsigned mean = (c.r + c.g + c.b) / 3;
    grey.all = 0;
    grey.r = grey.g = grey.b = mean;
    if (c.a > 127) c.g += c.r;
    else c = grey;
    out[i] = c.all;
}
