/* Conditions that constants decide, beside effects that must stay. */
template <int SIZE, bool EVEN> __device__ int level(const int *in, int *out, int t, int n) {
    int sum = 0;
    if (EVEN)
        sum += in[t];
    else
        sum -= 2 * in[t];
    if ((SIZE >= 512) && (t < n / 2))
        sum += in[t + n / 2];
    if (t < n / 4 && SIZE >= 64)
        sum += 3 * in[t + n / 4];
    if (out[t]++ >= 0 && SIZE < 64)
        sum = 77;
    if (out[t]++ >= 0 || SIZE < 64)
        sum ^= 5;
    for (int k = 0; k < (EVEN ? 4 : 0); k++) {
        if (sum & 1)
            continue;
        if (SIZE > 100) {
            sum += k + 1;
            break;
        }
        sum += 9;
    }
    switch (in[t] & 3) {
    case 0:
        int own;
        if (SIZE > 100)
            break;
        sum++;
    case 1:
        own = 6;
        sum += own;
        break;
        sum = -1;
    default:
        if (EVEN)
            return sum * 2;
    }
    return sum;
    return -1;
}

__global__ void decided(const int *in, int *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    int small = level<16, false>(in, out, t, n);
    int large = level<512, true>(in, out, t, n);
    out[t] += small + 1000 * large;
}
