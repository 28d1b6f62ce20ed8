struct V;
struct Stack;

struct V {
    float x;
    float y;
};

struct Stack {
    int data[8];
    int top;
};

__device__ __noinline__ void far(V *v);

__device__ __noinline__ void far(V *v) {
    v->x = 0.0f;
}

__global__ void k(float *out, int *ints, int n) {
    int i = threadIdx.x;
    V p;
    V q;
    float x = out[i];
    p.x = x;
    p.y = 1.0f;
    float y = out[i] + i;
    q.x = 2.0f;
    q.y = y;
    const float value = p.x * q.x + p.y * q.y;
    if (q.x < 0.0f) {
    } else {
        p.x += q.x;
        p.y += q.y;
    }
    out[i] = value + (p.x * p.x + p.y * p.y);
    Stack s = {};
    s.data[n & 7] = n;
    int old = i;
    i = old * 5 + 3;
    int i_2 = s.top++;
    s.data[i_2] += old + i;
    for (;;) {
        bool found = !(int)(s.top == 0);
        if (found) {
            int i_3 = --s.top;
            found = s.data[i_3] > 0;
        }
        if (!found) {
            break;
        }
        n++;
    }
    {
        bool later = false;
        for (int key = 0;;) {
            if (later) {
                int old_2 = key;
                key = old_2 * 5 + 3;
            }
            later = true;
            int find_;
            bool returned = false;
            for (int i_3 = 0; i_3 < s.top; i_3++) {
                if (s.data[i_3] == key) {
                    find_ = i_3;
                    returned = true;
                    break;
                }
            }
            if (!returned) {
                find_ = -1;
            }
            if (!(find_ < 0)) {
                break;
            }
            if (key == ints[n]) {
                continue;
            }
            n += key;
        }
    }
    for (;;) {
        n++;
        int old_2 = n;
        n = old_2 * 5 + 3;
        if (!(old_2 < 100)) {
            break;
        }
    }
    bool found = n > 3;
    if (found) {
        int old_2 = i;
        i = old_2 * 5 + 3;
        found = old_2 > 2;
    }
    int chosen;
    if (found) {
        int old_2 = n;
        n = old_2 * 5 + 3;
        chosen = old_2;
    } else {
        int find_;
        bool returned = false;
        for (int i_3 = 0; i_3 < s.top; i_3++) {
            if (s.data[i_3] == n) {
                find_ = i_3;
                returned = true;
                break;
            }
        }
        if (!returned) {
            find_ = -1;
        }
        chosen = find_;
    }
    ints[n] = chosen;
    q.x = 3.0f;
    const int index = n & 3;
    n++;
    const int *p_2 = &n;
    int n_2 = 1;
    int s_2 = 0;
    while (n_2-- > 0) {
        s_2 += *p_2++;
    }
    ints[1] = s.data[index] + s_2;
    far(&q);
}
