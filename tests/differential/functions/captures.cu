// Addresses of a thread's own variables in structs, and of one of two; a kernel's loop in a function.
struct Closure {
    int *sum;
    const int *factor;
    int calls;
};

struct Outer {
    Closure *inner;
    int by;
};

struct Two {
    int *p;
};

__device__ void call(const Outer *self, int x)
{
    self->inner->calls++;
    *self->inner->sum += x * *self->inner->factor + self->by;
}

__device__ const int *smaller(const int *a, const int *b)
{
    return *b < *a ? b : a;
}

__global__ void closures(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0, other = 1, factor = in[i] & 7;
    Closure inner;
    inner.sum = &sum;
    inner.factor = &factor;
    inner.calls = 0;
    Outer outer = {&inner, 3};
    Outer copy = outer;
    for (int k = 0; k < factor; k++) {
        int own = in[k] & 3;
        Closure again = inner;
        if (k == 4)
            again.sum = &other;
        again.factor = &own;
        Outer nested = {&again, k};
        call(&nested, factor);
        call(&copy, own);
        factor -= own == 2;
    }
    Two moves = {&sum};
    if (in[i] & 1)
        moves.p = &other;
    *moves.p += 1;
    out[i] = sum * 100 + other * 10 + inner.calls;
}

__global__ void choices(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0, low = in[i] & 15;
    for (int k = in[i] & 3; k < n && k < 40; k += 3) {
        int x = in[k] & 31;
        const int *least = smaller(&x, &low);
        x += 7;
        sum += *least + *smaller(&in[k], smaller(&low, &x));
        int *changed = sum & 1 ? &x : &low;
        sum++;
        *changed -= 2;
        sum ^= x;
    }
    out[i] = sum * 100 + low;
}

__device__ int total(const int *in, int n, int step)
{
    int sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        if (in[k] == 13)
            return sum;
        sum += in[k] ^ k;
        k += step;
    }
    return -sum;
}

__global__ void steps(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = total(in, n, in[i] & 1);
    if (sum & 2 && total(in, 5, 0) > -9)
        sum += 1000 * total(in, n, 2);
    out[i] = sum;
}
