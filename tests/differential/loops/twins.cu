// Loops that change what waiting lanes hold: arms, nested loops, counters read behind the loop.

__global__ void arms(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i], steps = 0;
    float f = x * 0.5f;
    const int *p = in;
    switch (x % 5) {
    case 0:
        for (int j = 0; j < 9; j++) {
            x = x * 3 + j;
            f = f * 0.5f + 1.0f;
        }
    case 1:
        while (x > 3) {
            x >>= 1;
            steps++;
        }
        break;
    case 2:
        for (int j = 0; j < x % 7; j++) {
            if (j == 4)
                continue;
            x += *p++;
            steps += 2;
            if (x > 200)
                break;
        }
        break;
    default:
        if (x & 1) {
            do {
                x -= 7;
                steps--;
            } while (x > 0);
        } else {
            for (steps = 10; steps > 0; steps -= 3)
                x ^= steps;
        }
    }
    out[i] = x * 1000 + steps * 10 + (int)(p - in) + (int)f;
}

__device__ int first_divisor(int v, int from)
{
    for (; from * from <= v; from++)
        if (v % from == 0)
            return from;
    return v + from;
}

__global__ void nested(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, total = 0, rounds = 0, last = -1;
    if (i < n) {
        int x = in[i];
        while (x > 0) {
            int inner;
            for (inner = 0; inner < x; inner++) {
                total += inner;
                if (total % 11 == 3)
                    break;
            }
            last = inner;
            unsigned char small = 250;
            for (int j = 0; j < 4; j++)
                small += x;
            total += small;
            x -= inner + 1;
            rounds++;
        }
        out[i] = total + 10000 * rounds + 7 * last + first_divisor(in[i], 2);
    }
    if (i < n)
        for (total = 3; total < in[i]; total++, last--)
            if (total == 40)
                return;
    if (i < n)
        out[i] += total - last;
}

// The counter begins with the thread, or with what the data say; it changes twice a round.
__global__ void starts(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = i, m;
    for (m = in[i]; m < 60 && in[m % n] != 3; m += 2)
        k++;
    while (k < 3 * n && in[k % n] < 90) {
        k++;
        if (in[k % n] == 50)
            break;
        k += 2;
    }
    int same = 0;
    {
        same = 5;
    }
    while (in[(i + same) % n] > 30)
        same++;
    out[i] = k * 100 + m + same;
}
