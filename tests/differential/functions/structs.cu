// Structs: by value, by pointer, returned, nested, holding arrays, copied whole.
typedef struct {
    float x, y;
} Point;

typedef struct {
    Point low, high;
    int tag[3];
    char kind;
} Box;

__device__ Point make_point(float x, float y)
{
    Point p;
    p.x = x;
    p.y = y;
    return p;
}

__device__ Point middle(Point a, Point b)
{
    a.x = (a.x + b.x) * 0.5f;  // the caller's copy stays
    a.y = (a.y + b.y) * 0.5f;
    return a;
}

__device__ float area(const Box *b)
{
    if (b->high.x < b->low.x)
        return -1.0f;
    return (b->high.x - b->low.x) * (b->high.y - b->low.y);
}

__device__ void grow(Box *b, Point p)
{
    if (p.x < b->low.x)
        b->low.x = p.x;
    if (p.y < b->low.y)
        b->low.y = p.y;
    if (p.x > b->high.x)
        b->high.x = p.x;
    if (p.y > b->high.y)
        b->high.y = p.y;
    b->tag[1]++;
}

__global__ void boxes(const Point *points, Box *out, float *areas, Box first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Box b = first, *p = &b;
        for (int k = 0; k <= i % 5; k++)
            grow(p, points[(i + k) % n]);
        Point m = middle(b.low, points[i]);
        if (i & 1) {
            b.low = m;
            p->tag[i % 3] = 40 + i;
        }
        p->kind = 'a' + i % 26;
        Box copy = *p;
        copy.tag[2] -= 3;
        out[i] = copy;
        areas[i] = area(&b) + middle(b.low, make_point(1.0f, 2.0f)).y;
    }
}

struct Node {
    int value;
    struct Node *next;
};

__global__ void chain(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        struct Node a = {in[i], 0}, b = {2}, c;
        c.value = 3;
        c.next = &a;
        b.next = in[i] & 1 ? &c : &a;
        int sum = 0;
        for (const struct Node *p = &b; p; p = p->next)
            sum = sum * 100 + p->value;
        b.next->value = 77;
        out[i] = sum + a.value + c.value;
    }
}
