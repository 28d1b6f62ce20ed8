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
