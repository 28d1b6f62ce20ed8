// Operands in which the threads of a warp wait separately: what is beside them is done once by each thread, and by none
// that is elsewhere.
__device__ __noinline__ int meet(int x)
{
    if (x % 3 == 0)
        __syncthreads();
    else {
        __syncthreads();
        x += 1000;
    }
    return x;
}

__device__ __noinline__ int one(int x)
{
    __syncthreads();
    return x + 1;
}

__device__ __noinline__ int *half(int *p, int x)
{
    if (x & 1)
        __syncthreads();
    else
        __syncthreads();
    return p + (x & 1);
}

__device__ __noinline__ int three(int a, int b, int c)
{
    return a * 3 + b * 5 + c;
}

__global__ void operands(int *out)
{
    int i = threadIdx.x, *own = out + 16 * i;
    own[0] = meet(i) + own[1]++;
    own[2] = three(meet(i), own[1]++, atomicAdd(&own[3], 1));
    own[4] = min(meet(i), own[5]++ + 7);
    half(own, i)[6 + (own[7]++ & 0)] += 3;
    int *place = half(own, i) + 8 + (own[9]++ & 0);
    own[10] = place - &own[own[11]++ & 7];
    own[12] = atomicMax(half(own, i) + 13, own[15]++);
}

__global__ void rounds(int *out)
{
    int i = threadIdx.x, *own = out + 16 * i, j;
    for (j = 0, meet(i); j < 3; j++)
        own[0]++;
    for (int k = meet(i) & 3; k < one(i) + own[1]++ && k < 4; k++, one(k))
        own[2] += one(k) + own[3]++;
    do
        own[4] += meet(j) + own[5]++;
    while (one(i) + own[6]++ < i + 4 - i % 3);
}

// The places are the same for all threads; a part of the gang that has none of these must not touch them.
__global__ void shared_places(int *out, int *missing)
{
    int i = threadIdx.x;
    if (i == 3)
        out[0] = one(i) + out[1]++;
    else if (i == 4)
        out[2] = one(one(i)) + atomicAdd(&out[3], 1) * 0;
    else if (i == 5)
        out[4] = i % 2 && one(i) + atomicAdd(&out[5], 1) > 3 ? meet(i) + out[6]++ : out[7]--;
    if (i == 1000)
        out[8] = one(i) + *missing;
    if (i & 1) {
        int large[200] = {one(i), atomicAdd(&out[9], 1) * 0 + 5, one(7), atomicAdd(&out[10], 1) * 0 + 8};
        out[64 + i] = large[i & 3];
    } else {
        int small[4] = {one(i), atomicAdd(&out[11], 1) * 0 + 5, one(i)};
        out[64 + i] = small[i & 3];
    }
    switch (one(i) % 3 + atomicAdd(&out[12], 1) * 0) {
    case 1:
        out[128 + i] = one(i) + atomicAdd(&out[13], 1) * 0;
        break;
    case 2:
        out[128 + i] = 2;
        return;
    }
    out[192 + i] = atomicAdd(&out[14], one(i)) * 0 + 1;
}
