__global__ void carried(int *out, int n, int kind) {
    int x = threadIdx.x;
    if (x % 3 == kind) {
        {
            int x_here = x;
            for (int j = 0; j < n; j++) {
                x_here = x_here * 5 + 1;
            }
            x = x_here;
        }
    }
    out[threadIdx.x] = x;
}

__global__ void counted(const float *in, int *out, int limit) {
    int steps_twin = 0;
    int steps = steps_twin;
    float z = in[threadIdx.x];
    while (steps_twin < limit && z < 4.0f) {
        z = z * z;
        steps_twin++;
        steps++;
    }
    out[threadIdx.x] = steps;
}

__global__ void kept(int *out, int n) {
    int x = 1;
    int y = 2;
    int z = 3;
    int *p = &x;
    if (threadIdx.x < 7u) {
        {
            int y_here = y;
            while (y_here < n) {
                x++;
                y_here += x + *p;
            }
            y = y_here;
        }
        while (z < n) {
            z *= 3;
        }
    }
    out[threadIdx.x] = x + y;
}
