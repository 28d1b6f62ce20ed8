__device__ bool seen(int *p);
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
