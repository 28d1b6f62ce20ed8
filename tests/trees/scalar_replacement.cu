// Structs with arrays become variables of their own, as far as they are used member by member.
struct Pair {
    int low, high[2];
};

struct Stack {
    int data[8];
    int top;
    float *where;
    Pair pair;
    bool on;
    double sum;
};

struct Plain {
    int x, y;
};

__device__ int top(const Stack *s)
{
    return s->top;
}

__global__ void k(int *out, float *p, int n)
{
    Stack s = {{n, 2}, n + 1, p};
    s.data[s.top++] = n;
    s.pair.high[s.top & 1] += s.pair.low++;
    s.sum += *s.where;
    Stack whole = {};
    Stack copy = whole;
    Plain plain = {1, 2};
    for (Pair q = {3}; q.low < n; q.low++) {
        q.high[0] = q.low;
        out[q.low] += q.high[n & 1] + s.data[n & 7] + copy.data[n & 7] + top(&copy);
    }
    switch (n) {
    case 1:
        Pair r;
        r.low = 2;
        r.high[0] = r.low;
        out[n] = r.high[n & 1];
    }
    out[plain.x] = plain.y + s.on;
}

// Copies of structs are copies of their members, also of those that stay structs.
__global__ void copies(int *out, Plain all, int n)
{
    Plain a = all, b = {n, 3};
    for (Plain c = b; c.x < n; c.x++) {
        const Plain old = a;
        a = b;
        b = old;
        out[c.x] = a.x + b.y;
    }
    Plain array[2] = {}, d = array[n & 1], e = a;
    d = b;
    array[n & 1] = d;
    out[n] = array[0].x + e.y;
}
