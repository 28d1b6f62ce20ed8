// Pointers of each lane's own into one array: moved, compared, subtracted, given to functions, kept while others change.
struct Link {
    int value, next, other;
};

__device__ int follow(const Link *links, const Link *from, int rounds)
{
    int sum = 0;
    for (const Link *link = &links[from->next]; rounds-- > 0;
         link = link->value % 2 ? &links[link->next] : links + link->other)
        sum = sum * 3 + link->value;
    return sum;
}

__global__ void lists(const Link *links, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Link *link = &links[links[i].other], *before = link, *best = nullptr;
    int sum = 0, rounds = 0;
    while (link->value > 20) {
        before = link;
        link = &links[link->next];
        if (link == before || ++rounds > 20)
            break;
        sum += link->value * (int)(link - before);
    }
    for (int k = 0; k < 3; k++) {
        const Link *now = k == 1 ? link : before;
        if (!best || now->value > best->value)
            best = now;
        if (now->value % 3 == 0)
            continue;
        before = links + now->other;
    }
    out[i] = sum + best->value + follow(links, before, links[i].value % 7) + (before < link) + (int)(&links[n - 1] - link);
}

__global__ void rows(const int *ends, const int *values, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int *value = values + (i ? ends[i - 1] : 0);
    const int *const end = &values[ends[i]];
    int *mine = out + ends[i] % n, sum = 0;
    mine += i - ends[i] % n;
    for (; value < end; ++value) {
        if (*value == 13)
            continue;
        sum += *value * (int)(end - value);
        if (value + 1 != end && value[1] == 7)
            value++;
    }
    value -= 1;
    *mine = value >= values ? sum + *value : sum;
    mine[0] += *(value = &values[ends[0] % n]);
    (*mine)++;
}

__global__ void unsigned_and_long(const unsigned *at, const long *far, const double *values, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *one = &values[at[i]], *two = values + far[i], *three = two - far[i] + at[n - 1 - i];
    unsigned short step = (unsigned short)at[i];
    const double *four = &one[-(long)at[i]] + step;
    out[i] = *one + 2 * *two + 3 * *three + 4 * *four + (three - one);
}
