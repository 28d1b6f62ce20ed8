// Tasks of one thread each: steps of Collatz's rule for the numbers of an array, by children, or flat.
#include "common.h"

__device__ int steps(unsigned v, int limit) {
    int n = 0;
    while (n < limit && v != 1) v = v % 2 ? 3 * v + 1 : v / 2, n++;
    return n;
}

__global__ void task(unsigned v, int limit, int *to) { *to = steps(v, limit); }

__global__ void tasks(int count, int flat, const unsigned *in, int limit, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    if (!flat && in[i] % 4) {
#pragma dp consolidate(LEVEL) kc(KC)
        task<<<1, 1, 0, cudaStreamFireAndForget>>>(in[i], limit, out + i);
    } else {
        out[i] = steps(in[i], limit);
    }
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1000, limit = 60;
    bool flat = argc > 3 && atoi(argv[3]) > count;
    int times = argc > 4 ? atoi(argv[4]) : 1, threads = argc > 5 ? atoi(argv[5]) : 256;
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1 << 18);
    std::vector<unsigned> numbers(count);
    std::vector<int> expected(count);
    unsigned state = 11;
    for (int i = 0; i < count; i++) {
        numbers[i] = next_number(state) % 100000 + 1;
        for (unsigned v = numbers[i]; expected[i] < limit && v != 1; expected[i]++) v = v % 2 ? 3 * v + 1 : v / 2;
    }
    unsigned *in = on_device(numbers);
    int *out = on_device(std::vector<int>(count));
    double ms = shortest_ms(
        times, [&] { cudaMemset(out, 0xff, count * sizeof(int)); },
        [&] { tasks<<<(count + threads - 1) / threads, threads>>>(count, flat, in, limit, out); });
    std::vector<int> found = from_device(out, count);
    long wrong = 0;
    for (int i = 0; i < count; i++) wrong += found[i] != expected[i];
    return report("tasks", flat ? "flat" : TEXT(LEVEL), ms, wrong);
}
