// switch: fall-through, shared labels, default in the middle, no match, break in divergent positions.
__global__ void fall(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i] % 12, r = 1;
        switch (x) {
        case 0:
            r = 100;
            break;
        case 1:
        case 2:
            r += 10;  // falls through
        case 3:
            r *= 2;
            if (in[i] > 40)
                break;
            r += 5;
        default:
            r += 1000;
            break;
        case 7:
            r = -7;
        case 8:
            r -= 1;
        case -1:
            r -= in[i];
        }
        out[i] = r;
    }
}

__global__ void nested(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = 0;
        switch (in[i] & 3) {
        case 0: {
            switch (in[i] >> 2 & 3) {
            case 1:
                r = 1;
                break;
            case 2:
                r = 2;
            default:
                r += 4;
            }
            r *= 10;
        }
        case 1:
            r++;
            break;
        case 2:
            if (in[i] & 16)
                switch (in[i] & 32) {
                case 32:
                    r = 300;
                }
            else
                break;
            r += 3;
        }
        out[i] = r;
    }
}

__global__ void scopes(const int *in, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long r = in[i];
    switch (r * 0x100000001ull) {  // 64-bit labels
    case 0x500000005ull:
        int y;
        y = 3;
        r += y;
        break;
    case 0x600000006ull:
        y = 4;
        r *= y;
        break;
    case 7:
        r = 0;
    }
    switch ((char)in[i]) {
        int z;
    case 'a':
        z = 1;
        r += z;
    case 'b':
        z = 2;
        r <<= z;
    }
    out[i] = r;
}

// All threads choose the same section, and some leave it: sections with several labels, or `default` and others.
__global__ void chosen_alike(const int *in, int *out, int n, int u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 1;
    switch (u) {
    case 1:
        if (i & 1)
            break;
        r = 2;
    case 3:
    case 7:
        r += 30;
        if (i < n && in[i] > 50)
            break;
    default:
    case 9:
    case -1:
        r *= 3;
    case 4:
    case 5:
    case 6:
        if (i == 0)
            return;
        r += 1000;
    }
    for (int k = 0; k < 3; k++) {
        switch (u + k) {
        case 2:
            if (i % 3 == k)
                continue;
            r ^= 64;
        case 5:
        case 4:
            break;
        case 8:
        case 0:
            if (i & 2)
                return;
            else
                break;
        case 6:
        default:
            r += k;
        }
        r += 7;
    }
    if (i < n)
        out[i] = r;
}

// The same between barriers.
__global__ void chosen_by_block(const int *in, int *out, int n, int u)
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 3;
    __syncthreads();
    int other = blockDim.x - 1 - threadIdx.x, r = s[other];
    for (int k = 0; k < 3; k++) {
        switch (u + k) {
        case 1:
            s[threadIdx.x] += k;
            __syncthreads();
        case 3:
        case 7:
            if (s[threadIdx.x] & 1)
                r += s[other];
            break;
        default:
        case 4:
        case 5:
            __syncthreads();
            s[threadIdx.x] = r;
            __syncthreads();
        case 0:
        case 2:
            r ^= s[other];
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = r;
}
