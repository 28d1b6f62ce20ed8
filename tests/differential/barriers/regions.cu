// Barriers in block-uniform control flow: values of the block and of its threads across them, and every way out.
typedef struct {
    int count;
    double weight;
    char tag;
} Mixed;

__device__ int pick(const int *values, int k)
{
    return values[(threadIdx.x * 3 + threadIdx.y + k) % blockDim.x];
}

__device__ int steps(int n)
{
    return n <= 1 ? 0 : 1 + steps(n % 2 ? 3 * n + 1 : n / 2);
}

// A declaration changes another variable of the block, which a statement before it reads.
__global__ void counts_in_a_declaration(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    __syncthreads();
    int sum = i < n ? in[i] : 3;
    sum = sum * 33 + count;
    const int old = count++ + 5;
    sum = sum * 33 + count;
    const int next = (count += 2) * 7;
    __syncthreads();
    if (i < n)
        out[i] = sum + old + 1000 * next;
}

// The block's variables change in the middle of regions, in loops and ifs, and are read before and after.
__global__ void block_values(const int *in, int *out, int n)
{
    __shared__ int first[1024], second[1024];
    int *from = first, *to = second;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, width = blockDim.x, rounds = 0, sum = 0;
    from[t] = i < n ? in[i] : 3;
    __syncthreads();
    while (width > 0) {
        int old = width;
        to[t] = from[(t + width) % blockDim.x] + rounds;
        width = width / 2;
        sum += old - width + from[t];
        int *swap = from;
        from = to;
        to = swap;
        if (width % 3 == 1)
            rounds += 2;
        for (int k = 0; k < 3; k++)
            rounds += k & width;
        __syncthreads();
        rounds++;
    }
    if (i < n)
        out[i] = from[t] * 7 + sum + rounds * 1000;
}

// Threads return at different times, also all of a gang, while the block's variables change behind them.
__global__ void returns(const int *in, int *out, int n, int limit)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, round = 0, mine = 0;
    if (i >= n)
        return;
    board[t] = in[i];
    __syncthreads();
    while (round < limit) {
        if (in[i] % 7 == round || t / 16 == round) {
            out[i] = mine * 100 + round;
            return;
        }
        round = round + 1;
        mine += board[t] + round;
        __syncthreads();
        board[t] = mine % 50;
        __syncthreads();
    }
    out[i] = -mine;
}

// No thread is left, and the loop must end: its own condition never does that.
__global__ void all_return(const int *in, int *out, int n)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = t;
    for (int k = 0;; k++) {
        board[t] = value;
        __syncthreads();
        value = board[t] + k;
        if (i >= n)
            return;
        if (k > in[i] % 5) {
            out[i] = value;
            return;
        }
        __syncthreads();
    }
}

// Local arrays, structs, pointers to them, bools and doubles live across barriers, for each thread its own.
__global__ void locals(const int *in, int *out, int n)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, one = 5;
    int history[4];
    Mixed mixed = {t, t * 0.5, (char)t}, *where = &mixed;
    int *address = &one;
    const int *mine = i < n ? in + i : in;
    bool odd = t & 1;
    double half = t * 0.5;
    for (int k = 0; k < 4; k++) {
        board[t] = *mine + k;
        __syncthreads();
        history[k] = board[(t + k) % blockDim.x];
        where->count += history[k];
        where->tag++;
        __syncthreads();
        *address += history[k / 2] & 3;
        if (odd)
            half += where->weight;
        mine = in + (*mine % n);
        odd = !odd;
    }
    __syncthreads();
    if (i < n)
        out[i] = history[t % 4] + mixed.count * 3 + mixed.tag + one * 10 + (int)(half * 2.0) + (odd ? 1 : 0);
}

// Parameters that differ between threads, one by assignment, one by its address.
__global__ void parameters(const int *in, int *out, int n, int a, int b)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int *address = &b;
    for (int k = 0; k < 2; k++) {
        board[t] = a + b;
        __syncthreads();
        a += board[(t + 1) % blockDim.x];
        *address += t;
        __syncthreads();
    }
    if (i < n)
        out[i] = a * 3 + b + in[i];
}

// break, continue and return of the whole block; do, nested loops, barriers at odd places.
__global__ void jumps(const int *in, int *out, int n, int mode)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = i < n ? in[i] : 1, k = 0;
    if (mode == 9)
        return;
    if (blockDim.x > 32) {
        board[t] = value;
        __syncthreads();
        value += board[t ^ 1 ? (t + 1) % blockDim.x : 0];
    }
    do {
        __syncthreads();
        board[t] = value;
        if (k == mode) {
            k += 2;
            continue;
        }
        __syncthreads();
        for (int m = 0; m < 3; m++) {
            if (m == mode - 1)
                break;
            for (int j = k; j > m; j -= 2) {
                value += board[(t + j) % blockDim.x] & 15;
                __syncthreads();
                board[t] = value;
                __syncthreads();
            }
            if (m + k == 5)
                continue;
            value++;
        }
        if (k == 4 && mode == 3) {
            if (i < n)
                out[i] = value;
            return;
        }
        k++;
    } while (k < 6);
    if (i < n)
        out[i] = value * 10 + k;
}

__global__ void cases(const int *in, int *out, int n, int mode)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = i < n ? in[i] : 2;
    for (int k = 0; k < 5; k++) {
        switch (k + mode) {
        case 1:
            board[t] = value;
            __syncthreads();
            value += board[(t + 2) % blockDim.x];
        case 2:
            value += k;
            __syncthreads();
            break;
        case 3:
            if (mode == 1)
                continue;
            board[t] = value * 2;
            __syncthreads();
            value = board[blockDim.x - 1 - t];
            break;
        default:
            value -= 3;
        case 7:
            __syncthreads();
        }
        value ^= k;
        __syncthreads();
    }
    if (i < n)
        out[i] = value;
}

// Calls within regions, with loops and recursion of their own; divergent loops and ifs between barriers.
__global__ void calls(const int *in, int *out, int n)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = i < n ? in[i] : 7, total = 0;
    for (int k = 0; k < 3; k++) {
        board[t] = steps(value % 30 + k);
        __syncthreads();
        int found = pick(board, k);
        while (found > 5) {
            found -= 3;
            if (found == 7)
                break;
            total += found & 1;
        }
        for (int j = t % 3; j < 3; j++)
            value += found * j;
        __syncthreads();
    }
    if (i < n)
        out[i] = value + total * 100;
}

// Several dimensions; the indices and what follows from them are there in every region.
__global__ void dimensions(const int *in, int *out, int nx, int ny)
{
    __shared__ int tile[1024];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int flat = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int threads = blockDim.x * blockDim.y * blockDim.z, value = x + y * 2 + threadIdx.z * 3;
    bool inside = x < nx && y < ny;
    for (int k = 1; k < 4; k++) {
        tile[flat] = value;
        __syncthreads();
        if (inside)
            value += tile[(flat + k) % threads] + in[y * nx + x];
        __syncthreads();
    }
    if (inside && threadIdx.z == 0)
        out[y * nx + x] = value;
}

// What is the same in every iteration is computed before the loop, with a divisor that may be 0 and not in all threads.
__global__ void same_every_round(const int *in, int *out, int n, int divisor)
{
    __shared__ int board[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = i < n ? in[i] : 1;
    for (int k = 0; k < n % 7; k++) {
        board[t] = value;
        __syncthreads();
        if (divisor != 0)
            value += board[(t * 3 + 1) % blockDim.x] + (t + 7) / divisor % 5;
        __syncthreads();
        for (int j = 0; j < 2; j++) {
            board[t] = value * 2;
            __syncthreads();
            value = board[(t + k % 3) % blockDim.x] % 1000;
            __syncthreads();
        }
    }
    if (i < n)
        out[i] = value;
}
