// Switches of all threads alike or not, with sections that are empty, that all leave or that no thread reaches.
__global__ void odd(const int *in, int *out, int n, int u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    int x = i < n ? in[i] : 5;
    for (int pass = 0; pass < 2; pass++) {
        int v = pass ? x & 7 : u;
        switch (v) {}
        switch (v) {
        default:;
        }
        switch (v) {
        case 3:
            r++;
        }
        switch (v) {
        case 1:
        case 2:
        case 3:
        default:
            r += 2;
        case 4:
        case 5:;
        }
        switch (v) {
            r = 1000;
        case 6:
            for (int k = 0; k < 3; k++) {
                if (k == (x & 3))
                    continue;
                if (x & 8)
                    break;
                r += 3;
            }
            if (x & 16)
                break;
        case 7:
        case 1:
            if (x & 32)
                continue;
            r += 5;
            break;
        case 0:
        case 2:
            if (x & 1)
                r += 7;
            else
                break;
        default:
        case 9:
            if (x & 2)
                break;
            else
                continue;
        case 5:
            r += 100;
        }
        r += 11;
    }
    if (i < n)
        out[i] = r;
    switch (u) {
    case 3:
        if (x & 1)
            return;
    case 1:
    case 2:
        return;
    case 4:
    case 5:
        if (x & 4)
            return;
        else
            break;
    default:
        if (x & 2)
            break;
    case 6:
    case 7:
        if (x & 1)
            break;
        return;
    }
    if (i < n)
        out[i] += 1000;
}

__global__ void types(const int *in, int *out, int n, int u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    if (i >= n)
        return;
    for (int pass = 0; pass < 2; pass++) {
        int v = pass ? in[i] & 7 : u;
        if (v == 6)
            continue;
        switch (v > 3) {
        case true:
            if (i & 1)
                break;
            r = 1;
        case false:
            r += 2;
        }
        switch ((unsigned char)(v - 3)) {
        case 255:
        case 254:
            if (i & 2)
                break;
            r += 4;
        case 0:
        case 253:
            r *= 3;
        }
        switch ((unsigned)v - 2) {
        case 0xffffffff:
        case -2:
            if (i & 1)
                break;
            r += 5;
        case 1:
        case 2:
            r *= 5;
        }
        switch ((long long)v << 40) {
        case 1ll << 40:
        case 2ll << 40:
            if (i & 4)
                break;
            r += 6;
        case 3ll << 40:
        case 4ll << 40:
            r *= 7;
        }
    }
    out[i] = r;
}
