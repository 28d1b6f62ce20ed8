// Arms that read again what their condition has read; the lanes that are off hold indices far out of bounds.

#define MIN(a, b) ((a) < (b) ? (a) : (b))

__global__ void read_once(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = i < n ? in[i] % n : 1 << 28;
    if (i >= n)
        return;
    int least = 50, where = -1, sum = 0;
    if (in[k] < least) {
        least = in[k];
        where = k;
    }
    if (in[k] > 20 && in[i] > 30) {
        sum += in[k];
    } else {
        k = (k + 1) % n;
        sum -= in[k];
    }
    if (in[k] & 1) {
        k = i;
        sum += in[k];
    } else {
        k = 0;
    }
    if (in[k] > in[0])
        sum ^= in[k] - in[0];
    else
        sum += in[0] * 3;
    if (in[where < 0 ? 0 : where] > 10)
        where += in[where < 0 ? 0 : where];
    int third = MIN(MIN(in[i], in[k]), in[n - 1 - i]);
    int fourth = in[i] > 60 ? in[i] : in[k] > 60 ? in[k] : -in[n - 1 - i];
    out[i] = least + 100 * where + 10000 * third + fourth + sum;
}

// Values that are cheap to compute for nothing, and such that are not.
__global__ void cheap_arms(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i], y = 3;
    float f = x;
    if (x > 30)
        y = max(x, 40) + __popc(x);
    if (x & 1)
        f = fminf(f, 20.0f) / 3.0f;
    else
        f = fabsf(f - 50.0f);
    if (x % 3 == 0)
        y += x / (x % 5 + 1) - 100 % (x + 1);
    if (x < 10)
        f = sqrtf(f) + rsqrtf(f + 1.0f) * 0.0f;
    out[i] = y * 1000 + (int)f;
}
