__device__ bool seen(int *p);
__device__ int apply_5(int a, int b);
__device__ int apply_4(int a, int b);
__device__ int apply_3(int a, int b);
__device__ int apply_2(int a, int b);
__device__ int apply_1(int a, int b);
__device__ int apply_0(int a, int b);
__device__ void level_512_true(int *p, volatile int *flag, int t);
__device__ void level_64_false(int *p, volatile int *flag, int t);

__device__ bool seen(int *p) {
    *p += 1;
    return true;
}

__global__ void k(int *p, volatile int *flag) {
    level_64_false(p, flag, threadIdx.x);
    level_512_true(p, flag, threadIdx.x);
}

__global__ void switches(int *a, int b) {
    a[0] = apply_0(a[0], b);
    a[1] = apply_1(a[1], b);
    a[2] = apply_2(a[2], b);
    a[3] = apply_3(a[3], b);
    a[4] = apply_4(a[4], b);
    a[5] = apply_5(a[5], b);
}

__global__ void declared_above(int *a) {
    switch (1) {
    case 0:
        int x;
        x = a[1];
        a[2] = x;
        break;
    case 1:
        x = a[0];
        a[3] = x;
    }
}

__device__ int apply_5(int a, int b) {
    a = 7;
    return a;
}

__device__ int apply_4(int a, int b) {
    for (int i = 0; i < b; i++) {
        if (i == a) {
            break;
        }
        a += i;
    }
    return a;
}

__device__ int apply_3(int a, int b) {
    switch (3) {
    case 0:
        return a + b;
    case 1:
        {
            int twice = 2 * a;
            if (twice < b) {
                return twice;
            }
            b++;
        }
    case 2:
        a -= b;
        break;
    case 3:
        if (a < b) {
            break;
        }
        a = b;
        break;
    case 4:
        for (int i = 0; i < b; i++) {
            if (i == a) {
                break;
            }
            a += i;
        }
        break;
    default:
        a = 7;
    }
    return a;
}

__device__ int apply_2(int a, int b) {
    a -= b;
    return a;
}

__device__ int apply_1(int a, int b) {
    {
        int twice = 2 * a;
        if (twice < b) {
            return twice;
        }
        b++;
    }
    a -= b;
    return a;
}

__device__ int apply_0(int a, int b) {
    return a + b;
}

__device__ void level_512_true(int *p, volatile int *flag, int t) {
    p[t] = 1;
    if (t < 256) {
        p[t] += p[t + 256];
    }
    if (t < 32) {
        p[t] += p[t + 32];
    }
    int own = p[t];
    p[t + 1] = own;
    if (seen(p)) {
        p[t] = 3;
    }
    if (*flag) {
        p[t] = 4;
    }
    for (int k_2 = 0; k_2 < t; k_2++) {
        if (p[k_2] == 7) {
            continue;
        }
        p[k_2] = 8;
        break;
    }
    switch (t) {
    case 0:
        break;
        p[t] = 10;
    case 1:
        p[t] = 11;
    }
    p[t] = 12;
}

__device__ void level_64_false(int *p, volatile int *flag, int t) {
    p[t] = 2;
    if (t < 32) {
        p[t] += p[t + 32];
    }
    int own = p[t];
    p[t + 1] = own;
    if (seen(p) && false) {
        p[t] = 3;
    }
    if (*flag || true) {
        p[t] = 4;
    }
    for (int k_2 = 0; k_2 < t; k_2++) {
        if (p[k_2] == 7) {
            continue;
        }
        p[k_2] = 8;
        break;
    }
    switch (t) {
    case 0:
        break;
        p[t] = 10;
    case 1:
        p[t] = 11;
    }
    return;
}
