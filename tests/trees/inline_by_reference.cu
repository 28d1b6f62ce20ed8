// Functions in place of calls with addresses of a thread's own variables; the pointers become the places.
struct V {
    float x, y;
};

struct Stack {
    int data[8];
    int top;
};

__device__ float dot(const V *a, const V *b)
{
    return a->x * b->x + a->y * b->y;
}

__device__ void make(V *self, float x, float y)
{
    self->x = x;
    self->y = y;
}

__device__ V *add(V *self, const V *b)
{
    if (b->x < 0)
        return self;
    self->x += b->x;
    self->y += b->y;
    return self;
}

__device__ int *at(Stack *self, int i)
{
    return &self->data[i];
}

__device__ int empty(const Stack *self)
{
    return self->top == 0;
}

__device__ int pop(Stack *self)
{
    return *at(self, --self->top);
}

__device__ int find(const Stack *self, int key)
{
    for (int i = 0; i < self->top; i++)
        if (self->data[i] == key)
            return i;
    return -1;
}

__device__ int next(int *state)
{
    int old = *state;
    *state = old * 5 + 3;
    return old;
}

// The pointer moves: it stays one.
__device__ int sum(const int *p, int n)
{
    int s = 0;
    while (n-- > 0)
        s += *p++;
    return s;
}

__device__ __noinline__ void far(V *v)
{
    v->x = 0;
}

__global__ void k(float *out, int *ints, int n)
{
    int i = threadIdx.x;
    V p, q;
    make(&p, out[i], 1);
    make(&q, 2, out[i] + i);
    out[i] = dot(&p, &q) + dot(add(&p, &q), &p);

    Stack s = {};
    *at(&s, n & 7) = n;
    *at(&s, s.top++) += next(&i) + i;
    while (!empty(&s) && pop(&s) > 0)
        n++;
    for (int key = 0; find(&s, key) < 0; next(&key)) {
        if (key == ints[n])
            continue;
        n += key;
    }
    do
        n++;
    while (next(&n) < 100);
    ints[n] = n > 3 && next(&i) > 2 ? next(&n) : find(&s, n);

    V *m = &q;
    m->x = 3;
    int *d = &s.data[n & 3];
    n++;
    ints[1] = *d + sum(&n, 1);
    far(m);
}
