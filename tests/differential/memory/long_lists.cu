// Large variables with braced lists: numbers side by side and alone, computed ones, zeros, every type.
struct Pair { short first; float second; };
struct Record { bool marks[40]; double weights[3][50]; Pair pairs[20]; };

__device__ int twice(int *calls, int x)
{
    *calls += 1;
    return x * 2;
}

__global__ void lists(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, calls = 0;
    int x = i < n ? in[i] : 0, sum = 0;
    for (int round = 0; round < (x & 3); round++) {
        int zeros[300] = {0};
        short numbers[200] = {
#define TEN(v) v, v + 1, v - 2, 3 * (v), -(v), (v) ^ 5, 7, 8, 0, (v) & 3
            TEN(1), TEN(20), TEN(300), twice(&calls, x), TEN(4), x, [100] = TEN(5), TEN(-6), [3] = -9, round};
        double weights[150] = {-0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16.5, 1e300, x, 0.1};
        signed char bytes[5][40] = {{TEN(1), TEN(2)}, {x}, {TEN(7), TEN(8), TEN(9)}};
        bool flags[140] = {1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, x > 50, true};
        Record record = {{true, false, true}, {{1, 2, 3}, {x, 5}}, {{1, 2.5f}, {3}, {(short)x, 4.5f}}};
        unsigned long long large[130] = {0xffffffffffffffff, [129] = 1ull << 63};
        if (x & 4)
            continue;
        int at = x * 7 % 150;
        sum = sum * 3 + zeros[at] + zeros[299] + numbers[at] + numbers[3] + numbers[199] * 3 + (int)weights[at % 17];
        sum += (1 / weights[at & 0] < 0) * 1000 + (weights[17] > 1e299) + (int)(weights[19] * 10) + (int)weights[149];
        sum += bytes[x % 5][at % 40] * 5 + flags[at % 140] * 11 + flags[19] + flags[139] * 2;
        sum += record.marks[at % 40] + (int)record.weights[at % 3][at % 50] * 7 + record.pairs[at % 20].first;
        sum += (int)(record.pairs[2].second * 2) + (int)(large[at % 130] >> 60) + (int)(large[129] >> 61);
        zeros[at] = numbers[at] = 5;
        weights[at % 17] = sum;
    }
    if (i < n)
        out[i] = sum + calls;
}
