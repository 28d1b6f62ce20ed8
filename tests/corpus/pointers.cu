// Pointers of every kind: to pointers, to arrays, differences, comparisons, casts, walking, null.
struct Matrix { float **rows; int n; float (*tile)[4]; };
__device__ float sum_row(const float *const *rows, int r, int n)
{
    float s = 0;
    for (const float *p = rows[r], *end = p + n; p != end;) s += *p++;
    return s;
}
__device__ int *find(int *begin, int *end, int value)
{
    while (begin < end && *begin != value) ++begin;
    return begin == end ? nullptr : begin;
}
__device__ void swap(float *a, float *b) { float t = *a; *a = *b; *b = t; }
__device__ long count(const int (*table)[3], int n)
{
    long total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) total += table[i][j] != 0;
    return total;
}

__global__ void pointers(Matrix m, int *ints, int n, void *raw, char *bytes)
{
    int i = threadIdx.x;
    float local[2][4] = {{1, 2}, {.5}}, *lp = local[0], (*ap)[4] = local;
    m.rows[i][0] = sum_row(m.rows, i, m.n) + ap[1][2] + 2[lp] + *(*(m.tile + 1) + 2);
    int *hit = find(ints, ints + n, i);
    if (hit) *hit = int(hit - ints);
    if (hit != NULL && ints <= hit && !(hit == 0)) bytes[i] = 'x';
    float *f = (float *)raw + i;
    *f = *reinterpret_cast<const float *>(bytes) + f[-1];
    size_t address = (size_t)f;
    swap(&m.rows[0][i], f++);
    f -= 2; f += i; --f;
    unsigned long long bits = *(unsigned long long *)&bytes[8 * i] ^ address;
    double **dp = (double **)raw, *d = *dp;
    (*d)++; *d++ = bits; d[0] = (double)count((const int (*)[3])ints, n / 3);
    const char *const names[] = {bytes, bytes + 1, nullptr};
    *bytes = names[i % 2][0] ? *names[0] : (names[2] ? 1 : 2);
    (void)address;
}
