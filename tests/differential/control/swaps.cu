/* Assignments under a condition that run without a branch, while other lanes wait elsewhere or have left. */
__device__ void swapped(float &a, float &b) {
    float t = a;
    a = b;
    b = t;
}

/* What lanes hold that take no part must survive: in a loop that they have left, at an else-arm, and in arrays. */
__global__ void waiting(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = in[i], b = in[(i + 1) % n], c = in[(i * 7 + 3) % n];
    for (int k = 0; k < i % 6; k++) { /* lanes leave one by one and keep a, b, c */
        if (a > b)
            swapped(a, b);
        if (b > c)
            swapped(b, c);
        if (k == 4)
            break;
        a = c + k;
    }
    if (i % 3 == 0) {
        if (c < a)
            swapped(a, c);
    } else if (i % 3 == 1) {
        float d = b - a, e = c; /* born here: no lane waits for these */
        if (d > e) {
            float t = d;
            d = e;
            e = t;
        } else {
            d = d + 1;
        }
        b = d - e;
        a = e;
    }
    int count = 0;
    while (true) { /* lanes leave by `continue` and `break` in the middle of an iteration */
        count++;
        if (count > i % 5)
            break;
        if (count % 2)
            continue;
        if (a > b) {
            swapped(a, b);
            c = c + 1;
        }
    }
    out[i] = a * 3 + b * 5 + c * 7 + count;
}

/* The median of nine, in an array of the thread's own; edges do without. */
__global__ void median(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[9];
    for (int k = 0; k < 9; k++)
        v[k] = in[(i + k) % n];
    if (i > 3 && i < n - 4) {
        for (int k = 0; k < 5; k++)
            for (int j = 0; j < 8 - k; j++)
                if (v[j] > v[j + 1]) {
                    float t = v[j];
                    v[j] = v[j + 1];
                    v[j + 1] = t;
                }
    } else if (v[i % 9] > v[4]) {
        v[4] = v[i % 9];
    }
    out[i] = v[4];
}

/* The index changes between what the condition reads and what is written, or leads out of the array where no lane goes. */
__global__ void indices(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[6];
    for (int k = 0; k < 6; k++)
        v[k] = in[(i * 5 + k) % n];
    int j = 0, end = i % 6;
    for (int k = 0; k < 5; k++) {
        if (v[k] < v[k + 1]) {
            v[k] = v[k + 1];
            j = k;
        }
        if (k < end && v[k + 1] > 50) {
            v[k + 1] = 1;
        }
        if (k < end && i > n + 7)
            v[k + 600] = 3;
    }
    float s = j;
    for (int k = 0; k < 6; k++)
        s = s * 3 + v[k];
    out[i] = s;
}
