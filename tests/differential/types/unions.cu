// Unions: members of one place, read as another one than was written; by name, through pointers, in shared memory.

union Bits {
    float f;
    unsigned u;
    int i;
};

__global__ void bit_cast(const float *in, unsigned *out, float *back, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Bits bits;
    bits.f = in[i];
    unsigned exponent = bits.u >> 23 & 255;
    if (exponent > 127) bits.u ^= 0x80000000u;
    else bits.i -= 1 << 22;
    out[i] = bits.u + exponent;
    back[i] = bits.f;
}

// The counter is affine as an integer and nothing as a float.
__global__ void counted(const int *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    union { int i; float f; } place;
    place.i = i;
    float sum = 0;
    for (; place.i < n; place.i += in[i] % 5 + 1) {
        if (place.i % 3 == 0) continue;
        sum += place.f * 1e30f;
        if (place.i % 7 == 6) break;
    }
    out[i] = sum + place.f;
}

struct Shape {
    int kind;
    union {
        float radius;
        struct { short width, height; };
        unsigned char bytes[4];
    };
    int id;
};

__global__ void tagged(Shape *shapes, float *area, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Shape s = shapes[i];
    switch (s.kind) {
    case 0: area[i] = s.radius * s.radius; break;
    case 1: area[i] = s.width * s.height; s.width = s.height; break;
    default:
        for (int k = 0; k < 4; k++) area[i] += s.bytes[k];
        s.bytes[s.id & 3] = 7;
    }
    s.id++;
    shapes[i] = s;
}

struct Node {
    int leaf;
    union {
        int count;
        float split;
    };
    union Payload { float values[2]; int numbers[2]; } payload;
};

__device__ Node changed(Node node, float by) {
    if (node.leaf) node.count += 3;
    else node.split *= by;
    node.payload.numbers[1] ^= 0x3f800000;
    return node;
}

__device__ Bits flipped(Bits bits) {
    bits.u = ~bits.u;
    return bits;
}

__global__ void passed(Node *nodes, int *out, Bits by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    nodes[i] = changed(nodes[i], by.f);
    out[i] = flipped(by).i + changed(nodes[i], 2.0f).count;
}

// Members of several sizes: a part of one is a part of another.
union Word {
    unsigned long long all;
    unsigned halves[2];
    unsigned short quarters[4];
    struct { unsigned char low; double ignored; } odd;
};

__device__ Word made(unsigned long long all) {
    Word w = {all};
    w.quarters[2] += 1;
    return w;
}

__global__ void mixed(const unsigned long long *in, unsigned *out, Word *words, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Word w = made(in[i]), zero = {};
    w.odd.low = 1;
    if (i % 3) w.halves[0] += i;
    words[i] = w;
    out[i] = w.halves[1] + made(in[i]).quarters[2] + zero.halves[0];
}

__global__ void shared(const float *in, unsigned *out, int n) {
    __shared__ Bits tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    tile[t].f = i < n ? in[i] : 0.0f;
    __syncthreads();
    Bits other = tile[blockDim.x - 1 - t];
    __syncthreads();
    tile[t].u ^= other.u;
    __syncthreads();
    if (i < n) out[i] = tile[(t + 1) % blockDim.x].u;
}

// Through pointers to the members, and a pointer beside an integer.
union Address {
    const float *p;
    unsigned long long u;
};

__device__ void negate(unsigned *u) { *u ^= 0x80000000u; }

__global__ void addressed(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Address a;
    a.p = in;
    a.u += (i * 7 % n) * sizeof(float);
    Bits b = {*a.p};
    if (i & 1) negate(&b.u);
    Bits several[3] = {{1.0f}, b, {}};
    several[i % 3].u += 1;
    Bits chosen = i % 5 ? several[1] : Bits{-2.0f};
    out[i] = several[0].f + chosen.f + several[2].f;
}

// Written in one loop iteration, read as another type in the next.
__global__ void carried(const float *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Bits a = {}, b;
    b.u = 0x3f800000;
    for (int k = 0; k < (i & 7); k++) {
        if (k & 1) { a.f = in[(i + k) % n]; b = a; }
        else { b.i += a.u >> 20; a.u = b.u; }
    }
    out[i] = a.i ^ b.u;
}
