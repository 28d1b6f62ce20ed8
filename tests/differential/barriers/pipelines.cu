// Several barriers in one turn, live locals across them, local arrays and structs across them, nested calls.
typedef struct {
    int id, seen[4];
} State;

__device__ void publish(int *board, const State *s)
{
    board[threadIdx.x] = s->id * 10 + s->seen[s->id & 3];
    __syncthreads();
}

__device__ void collect(const int *board, State *s, int round)
{
    int from = (threadIdx.x * 3 + round) % blockDim.x;
    s->seen[round & 3] += board[from];
    if (board[from] & 1)
        s->id += round;
    __syncthreads();
}

__device__ void play(int *board, State *s, int rounds)
{
    if (rounds == 0)
        return;
    publish(board, s);
    collect(board, s, rounds);
    play(board, s, rounds - 1);   // recursion with barriers, the same depth for all
    s->id += s->seen[rounds & 3] & 3;
}

__global__ void games(const int *in, int *out, int n, int rounds)
{
    __shared__ int board[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    State s = {i < n ? in[i] : 0, {1, 2, 3, 4}};
    play(board, &s, rounds);
    if (i < n)
        out[i] = s.id * 1000 + (s.seen[0] + s.seen[1] * 3 + s.seen[2] * 5 + s.seen[3] * 7) % 1000;
}

__global__ void odd_even_sort(int *data, int n)
{
    // One block sorts all; every thread looks after a pair.
    __shared__ int changed;
    int t = threadIdx.x;
    do {
        __syncthreads();
        if (t == 0)
            changed = 0;
        __syncthreads();
        for (int phase = 0; phase < 2; phase++) {
            for (int k = 2 * t + phase; k + 1 < n; k += 2 * blockDim.x)
                if (data[k] > data[k + 1]) {
                    int swap = data[k];
                    data[k] = data[k + 1];
                    data[k + 1] = swap;
                    changed = 1;
                }
            __syncthreads();
        }
    } while (changed);
}
