// Recursion whose result lies behind pointers: counters, a path, a board, a list of finds.
typedef struct {
    int moves, deepest;
    int pegs[3];
} Hanoi;

__device__ void hanoi(Hanoi *h, int disks, int from, int to, int depth)
{
    if (depth > h->deepest)
        h->deepest = depth;
    if (disks == 0)
        return;
    hanoi(h, disks - 1, from, 3 - from - to, depth + 1);
    h->pegs[from]--;
    h->pegs[to]++;
    h->moves++;
    hanoi(h, disks - 1, 3 - from - to, to, depth + 1);
}

__global__ void towers(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Hanoi h = {0, 0, {0, 0, 0}};
        h.pegs[0] = in[i] % 5;
        hanoi(&h, in[i] % 5, 0, 1 + (i & 1), 0);
        out[i] = h.moves * 10000 + h.deepest * 1000 + h.pegs[0] * 100 + h.pegs[1] * 10 + h.pegs[2];
    }
}

__device__ void queens(int size, int row, int *columns, int *found)
{
    if (row == size) {
        ++*found;
        return;
    }
    for (int c = 0; c < size; c++) {
        bool free = true;
        for (int r = 0; r < row; r++)
            if (columns[r] == c || columns[r] - c == row - r || c - columns[r] == row - r) {
                free = false;
                break;
            }
        if (!free)
            continue;
        columns[row] = c;
        queens(size, row + 1, columns, found);
    }
}

__global__ void boards(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int columns[5], found = 0;
        queens(in[i] % 5 + 1, 0, columns, &found);
        out[i] = found;
    }
}

__device__ bool subset(const int *items, int count, int target, int *steps)
{
    ++*steps;
    if (target == 0)
        return true;
    if (count == 0 || target < 0)
        return false;
    return subset(items + 1, count - 1, target - *items, steps) || subset(items + 1, count - 1, target, steps);
}

__global__ void subsets(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int steps = 0;
        int count = n - i < 6 ? n - i : 6;
        bool yes = subset(in + i, count, in[i / 2] + 9, &steps);
        out[i] = steps * 2 + yes;
    }
}
