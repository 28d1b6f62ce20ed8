struct Closure;
struct Outer;
struct Two;

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

__global__ void k(int *out, float factor, int n) {
    int sum = 0;
    int other = 1;
    int inner_calls;
    inner_calls = 0;
    int outer_by = 3;
    int copy_by = outer_by;
    for (int i = 0; i < n; i++) {
        inner_calls++;
        sum += (int)(i * factor) + copy_by;
    }
    int *moves_p = &sum;
    if (n > 2) {
        moves_p = &other;
    }
    *moves_p += 1;
    Two whole = {&sum};
    Two array[2];
    array[n & 1] = whole;
    *array[n & 1].p += 2;
    const bool first = sum < other;
    sum = 5;
    out[threadIdx.x] = (first ? sum : other) + inner_calls;
}
