// Kernels that run over the ends of device memory, one kind for each word of the command line. Prints the code that the
// host gets when it waits, then what else there is to see.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void put(int *x, long at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[at + i] = i;
}
__global__ void strided(int *x, int step) { x[(blockIdx.x * blockDim.x + threadIdx.x) * step] = 1; }
__global__ void heap_put(int **kept) {
    *kept = (int *)malloc(64);
    (*kept)[1 << 27] = 1;
}
__global__ void harmless() {}

static const char *wait() { return cudaGetErrorName(cudaDeviceSynchronize()); }
static int *device(size_t bytes) {
    int *x = nullptr;
    if (cudaMalloc(&x, bytes) != cudaSuccess || (uintptr_t)x % 256 != 0)
        printf("no memory\n");
    return x;
}

int main(int argc, char **argv) {
    const char *kind = argv[1];
    auto is = [&](const char *name) { return strcmp(kind, name) == 0; };
    std::vector<int> host(1000, 7);
    int *x = nullptr, *other = device(1000);
    std::vector<int> beside(1000, 7);
    if (is("small"))
        put<<<4, 64>>>(x = device(400), 0, 256);
    if (is("strided"))
        strided<<<800, 64>>>(x = device(400), 64);
    if (is("wide")) // an index as large as an int can be
        put<<<1, 32>>>(x = device(400), INT32_MAX, 1);
    if (is("before"))
        put<<<1, 32>>>(x = device(100000), -1100, 1);
    if (is("large"))
        put<<<1, 64>>>(x = device(3 << 20), (3 << 18) + 1024, 64);
    if (is("behind"))
        put<<<4, 256>>>(x = device(4000), 0, 1001);
    if (is("just-before"))
        put<<<1, 1>>>(x = device(300), -1, 1);
    if (is("large-behind"))
        put<<<1, 1>>>(x = device(300000), 75000, 1);
    if (is("managed")) {
        cudaMallocManaged(&x, 100);
        put<<<1, 32>>>(x, 0, 26);
    }
    if (is("pinned")) {
        cudaMallocHost(&x, 100);
        x[30] = 3; // a host that writes behind its buffer is no fault of a kernel
        harmless<<<1, 1>>>();
        printf("%s ", wait());
        put<<<1, 1>>>(x, 1024, 1);
    }
    if (is("pitch")) {
        size_t pitch;
        cudaMallocPitch(&x, &pitch, 100, 10);
        put<<<1, 1>>>(x, pitch * 10 / 4, 1);
    }
    if (is("pool")) {
        cudaMallocAsync(&x, 5000, 0);
        put<<<1, 1>>>(x, 1250, 1);
    }
    if (is("heap")) {
        int **kept = (int **)device(8);
        heap_put<<<1, 1>>>(kept);
    }
    if (is("freed")) {
        cudaFree(x = device(4000));
        put<<<4, 256>>>(x, 0, 1000);
    }
    if (is("freed-large")) {
        cudaFree(x = device(64 << 20));
        put<<<4, 256>>>(x, 1 << 20, 1000);
    }
    std::vector<int *> many;
    if (is("slab") || is("freed-slab")) { // more than have pages of their own
        for (int i = 0; i < 3000; i++)
            many.push_back(device(100 + i % 7 * 100));
        x = many[2222];
        if (is("slab"))
            put<<<1, 1>>>(x, (100 + 2222 % 7 * 100) / 4, 1);
        else {
            cudaFree(x);
            harmless<<<1, 1>>>();
            put<<<1, 1>>>(x, 0, 1);
        }
    }
    if (is("freeing")) { // whoever frees learns of it
        x = device(4000);
        put<<<4, 256>>>(x, 0, 1001);
        printf("%s\n", cudaGetErrorName(cudaFree(x)));
    }
    if (is("end")) {
        put<<<4, 256>>>(x = device(4000), 0, 1001);
        printf("not asked\n");
        return 0;
    }
    if (is("copying")) {
        put<<<4, 256>>>(x = device(4000), 0, 1001);
        printf("%s\n", cudaGetErrorName(cudaMemcpy(host.data(), x, 4000, cudaMemcpyDeviceToHost)));
    }
    if (is("two")) {
        harmless<<<1, 1>>>();
        put<<<4, 256>>>(x = device(4000), 0, 1001);
    }
    if (is("stream")) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        put<<<4, 256, 0, stream>>>(x = device(4000), 0, 1001);
        printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    }
    if (is("right")) { // all bytes of all sizes are the program's, also after others were freed
        bool right = true;
        for (int round = 0; round < 3; round++) {
            std::vector<std::pair<int *, int>> all;
            for (int n = 1; n < 40000; n += 1 + n / 9) {
                all.push_back({device(4 * n), n});
                put<<<(n + 255) / 256, 256>>>(all.back().first, 0, n);
            }
            right = right && cudaDeviceSynchronize() == cudaSuccess;
            for (auto [memory, n] : all) {
                for (int i = 0; i < n; i++)
                    right = right && memory[i] == i;
                right = right && cudaFree(memory) == cudaSuccess;
            }
        }
        printf("%s\n", right ? "right" : "wrong");
    }
    if (is("threads")) {
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; t++)
            threads.emplace_back([] {
                for (int i = 0; i < 300; i++) {
                    int *y = device(4 + i * 40);
                    put<<<1, 32>>>(y, 0, 1);
                    cudaFree(y);
                }
            });
        for (auto &thread : threads)
            thread.join();
    }
    if (is("fork")) {
        put<<<1, 1>>>(x = device(400), 0, 1);
        cudaDeviceSynchronize();
        if (fork() == 0) {
            put<<<4, 256>>>(device(4000), 0, 1001);
            printf("child: %s\n", wait());
            fflush(stdout);
            _exit(0);
        }
        ::wait(nullptr);
        put<<<1, 1>>>(device(5000), 0, 1000);
    }
    printf("%s\n", wait());
    if (is("behind")) { // a reset device has nothing of it
        cudaDeviceReset();
        put<<<1, 1>>>(other, 0, 1);
        printf("%s\n", wait());
    }
    for (int i = 0; i < 1000; i++)
        if (beside[i] != 7 || (host[i] != 7 && !is("copying")))
            printf("the host's memory was overwritten\n");
}
