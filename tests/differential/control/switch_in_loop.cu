// switch inside loops: break leaves the switch, continue the turn, return the kernel.
__global__ void steps(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i], r = 0;
    for (int k = 0; k < 10; k++) {
        switch ((x + k) % 7) {
        case 0:
            continue;
        case 1:
            r += 1;
        case 2:
            r += 10;
            break;
        case 3:
            if (r > 60)
                break;
            r *= 2;
            continue;
        case 4:
            if (r > 200) {
                out[i] = -r;
                return;
            }
        default:
            r += k;
        }
        r += 1000;
    }
    out[i] = r;
}

__global__ void machine(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int state = in[i] & 3, turns = 0, r = 0;
    bool done = false;
    do {
        switch (state) {
        case 0:
            r += 3;
            state = r & 4 ? 1 : 2;
            break;
        case 1:
            while (r % 5) {
                if (r > 100)
                    break;
                r++;
                switch (r & 7) {
                case 3:
                    continue;
                case 5:
                    r += 2;
                }
                turns++;
            }
            state = 3;
            continue;  // to the test
        case 2:
            state = r > 40 ? 9 : 0;
            r += 11;
            break;
        case 3:
            state = turns > 15 ? 9 : 0;
            break;
        default:
            done = true;
        }
        turns++;
    } while (!done && turns < 40);
    out[i] = r * 100 + turns;
}
