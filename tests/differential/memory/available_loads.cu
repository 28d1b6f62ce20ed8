// Objects that are read part by part, under masks that get narrower, and what may be written between.

struct Record {
    float x, y, z, range;
    int tag;
    short low, high;
    unsigned char bytes[4];
};

struct Light {
    float x, y, z, range, red, green, blue;
};

union Bits {
    float f;
    unsigned u;
};

struct Either {
    Bits bits;
    int tag;
};

__device__ bool beyond(float across, float along, float range, float edge)
{
    return 2.0f * across - edge * along < -range * (1.0f + edge * edge);
}

__device__ bool reaches(const Light &light, float edge, float near, float far)
{
    if (light.z + light.range < near || light.z - light.range > far)
        return false;
    return !beyond(light.x, light.z, light.range, edge) && !beyond(-light.x, light.z, light.range, -edge) &&
           !beyond(light.y, light.z, light.range, edge) && !beyond(-light.y, light.z, light.range, -edge);
}

// Lanes that are off have no record; the first test leaves few.
__global__ void culled(const Light *lights, const int *order, int *out, int n)
{
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        int found = reaches(lights[j], 0.25f * blockIdx.x, 1.0f, 3.0f);
        if (reaches(lights[order[j]], 0.5f, 0.5f, 2.0f))
            found += lights[order[j]].red > 1.0f ? 2 : 4;
        if (blockIdx.x == j % gridDim.x)
            out[j] = found;
    }
}

// The same, from the last record to the first, by a pointer, and with parts of all sizes.
__global__ void parts(const Record *records, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Record *r = records + (n - 1 - i);
    int sum = 0;
    if (r->x > 0.0f) {
        sum = r->low * 3 - r->high;
        if (r->bytes[1] > 90) {
            sum += r->bytes[3] + r->bytes[i & 3];
            const Record whole = *r;
            sum ^= whole.tag + whole.bytes[2];
        }
    } else if (r->tag & 1) {
        sum = r->y > 0.0f ? (int)(r->z * 100.0f) : r->bytes[0];
    }
    switch (r->tag & 3) {
    case 0: sum += r->low;
    case 1: sum += r->high; break;
    default: sum -= r->tag;
    }
    out[i] = sum;
}

__device__ void set(Record *record, float x) { record->x = x; }

__device__ int doubled(const Record &record) { return 2 * record.tag; }

// What is written between two reads is read.
__global__ void written(Record *records, int *at, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *words = (float *)records;
    float sum = 0.0f;
    int tags = 0;
    if (records[i].x > 0.0f) {
        words[i * 7] = 5.0f;
        sum += records[i].x;
        if (records[i].y > 0.0f) {
            records[i].y = sum;
            sum += records[i].y + records[i].x;
        }
        set(&records[i], 2.5f);
        sum += records[i].x;
    }
    tags += records[i].tag + doubled(records[i]);
    if (tags & 1) {
        atomicAdd(&records[i].tag, 7);
        tags += records[i].tag;
        records[i].tag++;
        tags ^= records[i].tag;
    }
    records[i].x = 3.0f;
    sum += records[i].x > 2.0f && (records[i].z = 1.0f) > 0.0f && records[i].z == 1.0f ? 9.0f : 1.0f;
    int k = at[i];
    sum += records[i].range;
    if (k > n / 2) {
        at[i] = i;
        sum += (float)at[i];
    }
    out[i] = (int)(sum * 16.0f) + 100000 * tags;
}

// The index, the pointer, or what it was read from, changes between two reads, in a round or from round to round.
__global__ void moved(const Record *records, int *at, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = i, sum = 0;
    if (records[j].x > 0.0f) {
        sum += records[j].tag;
        j = (j + 1) % n;
        sum += records[j].tag;
    }
    sum += records[j].tag;
    const Record *r = records + j;
    if (r->y > 0.0f) {
        r = records + i;
        sum ^= (int)(r->y * 64.0f);
    }
    sum += (int)(r->y * 16.0f) + (records[at[i] % n].tag & 15);
    at[i] = (at[i] + 3) % n;
    sum += records[at[i] % n].tag & 15;
    for (int k = i; records[k].x < 0.5f && k < n - 1; k++) {
        if (records[k].tag & 1)
            continue;
        sum += records[k].tag;
        if (records[k].tag % 5 == 0)
            break;
        sum ^= (int)(records[k].x * 8.0f);
    }
    j = i;
    int rounds = 0;
    do {
        sum += records[j].low;
        j = records[j].high % n;
        j = j < 0 ? -j : j;
        sum += records[j].high;
    } while (records[j].tag % 3 && (sum & 7) && ++rounds < 9);
    out[i] = sum + records[j].low;
}

// What all lanes know before a loop, they know in it, each its own.
__global__ void around(const Record *records, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = records[i].tag;
    for (int k = 0; k < (records[i].tag & 7); k++) {
        if ((k ^ i) & 1)
            continue;
        sum += records[i].tag + records[(i + k) % n].tag;
        if (records[(i + k) % n].x > 0.0f)
            sum -= (int)(records[(i + k) % n].x * 32.0f) + (int)(records[i].x * 4.0f);
    }
    int k = i;
    while (records[k].tag % 4 != 0 && k + 1 < n)
        k++;
    out[i] = sum * 3 + records[k].tag;
}

// Two names of the same bytes; a volatile object; writes to what `const __restrict__` cannot lead to.
__global__ void named(Either *either, volatile Record *loud, const Record *__restrict__ calm, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    if (either[i].tag & 1) {
        sum += (int)either[i].bits.f;
        either[i].bits.u ^= 0x80000000u;
        sum += (int)either[i].bits.f * 3 + (int)(either[i].bits.u >> 28);
    }
    if (loud[i].tag & 1) {
        loud[i].tag = sum;
        sum += loud[i].tag + loud[i].low;
    }
    if (calm[i].tag & 2) {
        out[i] = calm[i].low;
        sum += calm[i].tag + out[i];
        int before = i;
        i = n - 1 - i;
        sum += calm[i].tag;
        i = before;
    }
    out[i] = sum + calm[i].high;
}

// Others write between two barriers; each record is read by two threads.
__global__ void handed_on(const int *in, int *out, int n)
{
    __shared__ Record s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int x = i < n ? in[i] : 0;
    s[t].tag = x;
    s[t].low = (short)(x * 3);
    __syncthreads();
    int other = t ^ 1;
    other = other < (int)blockDim.x ? other : t;
    int sum = s[other].tag;
    if (sum & 1)
        sum += s[other].low + s[t / 2].tag;
    __syncthreads();
    s[t].tag = sum;
    __syncthreads();
    sum += s[other].tag;
    if (sum & 2)
        sum += s[t / 2].tag - s[t / 2].low;
    if (i < n)
        out[i] = sum;
}

// Where the whole block reaches a barrier in an arm, or not, the gangs run one after the other up to there.
__global__ void divided(const Record *records, const int *order, int *out, int n)
{
    __shared__ int cells[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int own = i < n ? i : n - 1, other = order[own];
    int sum = records[own].tag + 3 * records[other].low;
    if (blockIdx.x & 1) {
        sum += 5 * records[own].low + 7 * records[other].tag;
        cells[t] = sum;
        __syncthreads();
        sum += cells[(t * 7 + 3) % blockDim.x] + 11 * records[own].high + 13 * records[other].high;
        if (n & 1) {
            sum += 17 * records[own].tag + 19 * records[other].low + 23 * records[own].high;
            __syncthreads();
            cells[t] = sum + records[own].low;
            __syncthreads();
        }
        sum += cells[(t + 1) % blockDim.x] + records[other].high;
    }
    else {
        sum -= records[own].high + records[other].tag;
    }
    sum += 29 * records[own].low + 31 * records[other].high;
    if (i < n)
        out[i] = sum;
}

// The first few threads may run iterations on their own, whatever gangs came last before.
__global__ void down_to_one(const Record *records, int *out, int n, int rounds)
{
    __shared__ int cells[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, own = i < n ? i : n - 1;
    cells[t] = records[own].tag;
    __syncthreads();
    int sum = records[own].low;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        int weight = records[own].high;
        if (t < step)
            cells[t] += cells[t + step] * (weight + records[own].tag);
        if (rounds > 1) {
            if (t < step)
                sum += records[own].tag + weight;
            __syncthreads();
            if (t < step)
                cells[t] += sum;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = cells[t] + sum + records[own].high;
}

// A function that calls itself reads more of its node behind the call.
struct Node {
    int left, right, value, weight;
};

__device__ int walk(const Node *nodes, int at, int depth)
{
    if (nodes[at].value % 7 == 0 || depth > 3)
        return nodes[at].weight;
    int sum = nodes[at].value;
    if (nodes[at].left >= 0)
        sum += walk(nodes, nodes[at].left, depth + 1);
    if (nodes[at].right >= 0 && nodes[at].weight & 1)
        sum += walk(nodes, nodes[at].right, depth + 1) ^ nodes[at].weight;
    return sum + nodes[at].weight;
}

__global__ void walked(const Node *nodes, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = walk(nodes, i, 0);
}
