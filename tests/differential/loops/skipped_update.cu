// continue and break skip what follows in the turn: updates must not happen for the threads that left it.
__global__ void skips(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = 0, b = 0, c = 0, x = in[i];
        for (int k = 0; k < 12; k++, c++) {
            if ((x + k) % 3 == 0)
                continue;
            a++;
            if ((x * k) % 4 == 1) {
                if (k > 8)
                    break;
                continue;
            }
            b += k;
        }
        out[i] = a * 10000 + b * 100 + c;
    }
}

__global__ void nested_skips(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned h = 17;
    int x = in[i];
    for (int a = 0; a < 5; a++) {
        if (a == x % 6)
            continue;
        int seen = 0;
        for (int b = 0; b < 5; b++) {
            if (b == x % 5)
                continue;
            if (a + b == x % 9)
                break;
            seen++;
            h = h * 33 + a * 5 + b;
            if (h % 97 == 5)
                break;
        }
        if (seen < 2)
            continue;
        h += seen;
        if (h % 31 == 7)
            break;
    }
    out[i] = h & 0xffffff;
}

__global__ void else_continues(const int *in, int *out, int n)
{
    // The threads that said `continue` or `break` still have the old value when the others assign.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int last = 0, sum = 0, before = 7;
        for (int k = 0; k < 8; k++) {
            if (in[i] >> k & 1)
                last = k + 1;
            else
                continue;
            sum += last;
            if (sum < 9)
                before = k;
            else
                break;
            sum++;
        }
        out[i] = last * 10000 + before * 100 + sum;
    }
}

__global__ void next_round_only(const int *in, int *out, int n)
{
    // `last` dies with the loop, but the next iteration reads it: also in threads that said `continue`.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int last = 0, sum = 0, other = 0;
        for (int k = 0; k < 7; k++) {
            sum = sum * 3 + last + other;
            if (in[i] >> k & 1)
                last = k + 1;
            else
                continue;
            other = k;
            if (in[i] % 3 == 0)
                continue;
            other = 2 * k;
        }
        int state = 0, turns = 0;
        do {
            turns += state;
            if ((in[i] + turns) % 3)
                state = 5;
            else
                continue;
            state = 6 - state;
        } while (turns++ < 6);
        out[i] = sum * 100 + turns;
    }
}
