// Methods, references and functors, as functions that get addresses of a thread's own variables.
struct V {
    float x, y;
};

struct Stack {
    int data[8];
    int top;
};

struct Range {
    int at, end, step;
};

struct Times {
    int by, calls;
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

__device__ V turned(const V *self)
{
    V r;
    make(&r, -self->y, self->x);
    if (r.x > 10) {
        r.x = 10;
        return r;
    }
    r.y += 1;
    return r;
}

__device__ int *at(Stack *self, int i)
{
    return &self->data[i & 7];
}

__device__ bool empty(const Stack *self)
{
    return self->top == 0;
}

__device__ void push(Stack *self, int value)
{
    if (self->top == 8)
        return;
    self->data[self->top++] = value;
}

__device__ int pop(Stack *self)
{
    return *at(self, --self->top);
}

__device__ int find(const Stack *self, int key)
{
    for (int i = 0; i < self->top; i++) {
        if (self->data[i] < 0)
            continue;
        if (self->data[i] == key)
            return i;
    }
    return -1;
}

__device__ bool advance(Range *self)
{
    self->at += self->step;
    return self->at < self->end;
}

__device__ int next(int *state)
{
    int old = *state;
    *state = (old * 5 + 3) & 63;
    return old;
}

__device__ int apply(Times *self, int x)
{
    self->calls++;
    if (self->by == 0)
        return 7;
    switch (x & 3) {
    case 0:
        return x;
    case 1:
        x += 2;
        break;
    default:
        while (x > self->by) {
            x -= 3;
            if (x == 11)
                return x * self->by;
        }
    }
    return x + self->by;
}

__device__ int each(Times f, const int *in, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++)
        s += apply(&f, in[k]);
    return s * 100 + f.calls;
}

__device__ int after(int *p, int by, int *q)
{
    *p += by;
    by *= 2;
    *q += by;
    return *p - *q;
}

__device__ int last(const int *p, int n)
{
    while (n-- > 1)
        p++;
    return *p;
}

__device__ const int *larger(const int *a, const int *b)
{
    return *a < *b ? b : a;
}

__global__ void values(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V p, q = {1, 2};
    make(&p, in[i], in[n - 1 - i] - 50);
    if (in[i] & 1)
        make(&q, dot(&p, &p), 3);
    else
        q = turned(&p);
    V *both[2] = {&p, &q};
    V r = *add(add(&p, &q), both[in[i] & 1]);
    out[i] = (int)(dot(&p, &q) + turned(&r).x + turned(&p).y * 3) & 0xffff;
}

__global__ void stacks(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Stack s = {};
    for (int k = i; k < n; k += 3 + (in[k] & 7)) {
        push(&s, in[k] & 15);
        if (in[k] % 5 == 0 && !empty(&s))
            pop(&s);
    }
    int sum = find(&s, 3) * 10;
    for (int k = 0; k < 4; k++) {
        *at(&s, k + s.top) += 1;
        *at(&s, sum) = k;
    }
    while (!empty(&s) && pop(&s) != 9)
        sum += s.top;
    if (i < n)
        out[i] = sum * 100 + *at(&s, 1) * 10 + s.top;
}

__global__ void conditions(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int state = in[i], sum = 0;
    Range r = {-1, in[i] % 7, 1};
    while (advance(&r)) {
        if (r.at == 3)
            continue;
        sum += r.at;
    }
    for (int key = in[i] & 15; next(&key) < 40; next(&key)) {
        if (key & 1)
            continue;
        if (sum > 500)
            break;
        sum += key;
    }
    int rounds = 0;
    do {
        if (rounds++ == in[i] % 3)
            continue;
        sum ^= state;
    } while (next(&state) & 4 && rounds < 20);
    do
        sum++;
    while (next(&state) > 30 && ++rounds < 30);
    sum += in[i] > 30 && next(&state) > 20 ? next(&state) : next(&rounds);
    out[i] = sum + rounds;
}

__global__ void functors(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Times f;
    f.by = in[i] & 7;
    f.calls = 0;
    int s = 0;
    for (int k = 0; k < (in[i] & 3) + 1; k++)
        s += apply(&f, in[(i + k) % n]);
    out[i] = s + f.calls * 1000 + each(f, in, n < 5 ? n : 5);
}

__global__ void orders(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = in[i], b = 3, v[4] = {1, 2, 3, 4};
    int s = a + after(&a, b, &a) * 2 + a;
    s += after(&v[a & 3], a++, &v[a & 3]);
    s = s * 3 + (a > 20 ? after(&a, a, &b) : b) - b;
    v[next(&b) & 3] += next(&b) + b;
    v[b & 3] = after(v, s & 7, v + 2), s += v[1];
    int *p = &v[b & 3], *q = v;
    b++;
    *p += 5;
    q[2] -= 3;
    s += last(v, (s & 3) + 1) + *larger(&a, &b) + *larger(v, p);
    const int *const first = &v[0];
    bool same = p == first, both = same || next(&a) > 3;
    out[i] = (s + a * 3 + b * 5 + v[0] + v[1] * 2 + v[2] * 3 + v[3] * 4 + same * 100 + both * 200) & 0xfffff;
}
