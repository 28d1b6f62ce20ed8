// Recursive calls from loops and switches, left in the middle by return, break and continue.
__device__ int paths(int x, int y, unsigned walls)
{
    if (x == 3 && y == 3)
        return 1;
    int total = 0;
    for (int step = 0; step < 2; step++) {
        int nx = x + (step == 0), ny = y + (step == 1);
        if (nx > 3 || ny > 3)
            continue;
        if (walls >> (ny * 4 + nx) & 1)
            continue;
        total += paths(nx, ny, walls);
        if (total > 8)
            break;
    }
    return total;
}

__device__ bool colour(int at, int colours, unsigned links, int *assigned)
{
    if (at == 5)
        return true;
    for (int c = 0; c < colours; c++) {
        bool clash = false;
        for (int other = 0; other < at && !clash; other++)
            clash = (links >> (at * 5 + other) & 1) && assigned[other] == c;
        if (clash)
            continue;
        assigned[at] = c;
        if (colour(at + 1, colours, links, assigned))
            return true;
    }
    return false;
}

__device__ int rewrite(int x, int depth)
{
    while (depth < 6) {
        switch (x & 3) {
        case 0:
            return rewrite(x / 2 + 1, depth + 1) + 1;
        case 1:
            x = x * 3 + rewrite(x >> 2, depth + 2);
            break;
        case 2:
            if (x > 60)
                return x;
            x += 7;
        default:
            depth++;
            if (x % 5 == 0)
                continue;
        }
        x ^= depth;
    }
    return x;
}

__global__ void searches(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned bits = in[i] * 2654435761u;
        int assigned[5] = {0};
        int r = paths(0, 0, bits >> 7 & bits) * 100;
        if (colour(0, 2 + (in[i] & 1), bits, assigned))
            r += 10 + assigned[4] + assigned[3] * 2;
        out[i] = r * 1000 + rewrite(in[i], 0) % 1000;
    }
}
