// Pointers in a thread's own structs become the places that they lead to.
struct Closure {
    int *sum;
    const float *factor;
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
    *self->inner->sum += (int)(x * *self->inner->factor) + self->by;
}

__global__ void k(int *out, float factor, int n)
{
    int sum = 0, other = 1;
    Closure inner;
    inner.sum = &sum;
    inner.factor = &factor;
    inner.calls = 0;
    Outer outer = {&inner, 3};
    Outer copy = outer;
    for (int i = 0; i < n; i++)
        call(&copy, i);
    // Such a pointer may lead elsewhere: it stays one.
    Two moves = {&sum};
    if (n > 2)
        moves.p = &other;
    *moves.p += 1;
    // So does that of a struct that is used as a whole.
    Two whole = {&sum};
    Two array[2];
    array[n & 1] = whole;
    *array[n & 1].p += 2;
    // One of two variables.
    const int *least = sum < other ? &sum : &other;
    sum = 5;
    out[threadIdx.x] = *least + inner.calls;
}
