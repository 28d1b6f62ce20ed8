// Temporal divergence: inside the loop a value is the same in all threads that still run, but the threads
// leave in different turns, so after the loop it differs.
__global__ void counters(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = 0, square = 0, before = -1;
        float f = 1.0f;
        while (k < 40) {
            if (in[i] <= k * 3)
                break;
            before = k;
            k++;
            square = k * k;
            f = f * 0.5f;
        }
        out[i] = k + square * 100 + before;
        if (f < 0.01f)
            out[i] = -out[i];
    }
}

__global__ void two_exits(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k, state = 0;
        for (k = 0; k < 20; k++) {
            state = 3 * k;
            if (in[i] == k)
                break;
            state += 1;
            if (in[i] % 17 == k)
                break;
            state += 1;
        }
        out[i] = k * 1000 + state;
    }
}

__global__ void address_after(const int *in, int *out, int n)
{
    // The load after the loop uses the counter as its index.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = 0;
        while (k < n - 1 && in[k] < in[i])
            k++;
        int *p = out + i;
        *p = in[k];
        const int *q = in;
        for (int turn = 0; turn < in[i] % 4 && q < in + n - 1; turn++)
            q++;
        *p = *p * 1000 + *q;
    }
}

__global__ void inner_exit(const int *in, int *out, int n)
{
    // The inner loop's counter is reset by the outer one, and read when both are over.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a, b = 0, product = 0;
        for (a = 0; a < 5; a++) {
            for (b = 0; b < 5; b++) {
                product = a * b;
                if (a * 5 + b == in[i] % 31)
                    break;
            }
            if (b < 5)
                break;
        }
        out[i] = a * 10000 + b * 100 + product;
    }
}

__global__ void carried(const int *in, int *out, int n)
{
    // `now` and `last` follow each other: the value of the turn before survives in the threads that left.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned last = 0, now = 1, turn = 0;
        do {
            unsigned next = last + now;
            last = now;
            now = next;
            turn++;
        } while (now < (unsigned)in[i] * 5);
        out[i] = last * 10000 + now + turn;
    }
}

__global__ void flags(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bool late = false, odd = false;
        int k = 0;
        for (; !(k == in[i] % 23); k++) {
            late = k > 9;
            odd = !odd;
        }
        out[i] = late * 2 + odd;
    }
}
