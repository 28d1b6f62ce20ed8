struct Pair;
struct Stack;
struct Plain;

struct Pair {
    int low;
    int high[2];
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
    int x;
    int y;
};

__device__ int top(const Stack *s);

__device__ int top(const Stack *s) {
    return s->top;
}

__global__ void k(int *out, float *p, int n) {
    int s_data[8] = {n, 2};
    int s_top = n + 1;
    float *s_where = p;
    int s_pair_low = 0;
    int s_pair_high[2] = {};
    bool s_on = false;
    double s_sum = 0.0;
    s_data[s_top++] = n;
    s_pair_high[s_top & 1] += s_pair_low++;
    s_sum += *s_where;
    Stack whole = {};
    Stack copy = whole;
    int plain_x = 1;
    int plain_y = 2;
    {
        int q_low = 3;
        int q_high[2] = {};
        for (; q_low < n; q_low++) {
            q_high[0] = q_low;
            out[q_low] += q_high[n & 1] + s_data[n & 7] + copy.data[n & 7] + top(&copy);
        }
    }
    switch (n) {
    case 1:
        int r_low;
        int r_high[2];
        r_low = 2;
        r_high[0] = r_low;
        out[n] = r_high[n & 1];
    }
    out[plain_x] = plain_y + s_on;
}

__global__ void copies(int *out, Plain all, int n) {
    Plain a = all;
    Plain b = {n, 3};
    {
        int c_x = b.x;
        int c_y = b.y;
        for (; c_x < n; c_x++) {
            const Plain old = a;
            a = b;
            b = old;
            out[c_x] = a.x + b.y;
        }
    }
    Plain array[2] = {};
    Plain d = array[n & 1];
    int e_x = a.x;
    int e_y = a.y;
    d = b;
    array[n & 1] = d;
    out[n] = array[0].x + e_y;
}
