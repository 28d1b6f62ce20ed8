// Graphs of work, made node by node and by capturing streams.
#include <cstdio>
#include <cstdlib>
#include <thread>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    printf("%d: %s: %s\n", __LINE__, #call, cudaGetErrorName(e_)); exit(1); } } while (0)

const int N = 256;
__device__ int total;
__global__ void scale(float *x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
__global__ void add(float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += y[i];
}
template <class T> __global__ void count(const T *x, T least, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] >= least) atomicAdd(&total, 1);
}
struct Log { int calls; float first; const float *watched; };
static void note(void *data) {
    Log *log = (Log *)data;
    log->calls++;
    log->first = log->watched[0];
}
static float first_of(const float *device) {
    float x;
    CHECK(cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost));
    return x;
}
static const char *name(cudaGraphNodeType type) {
    switch (type) {
    case cudaGraphNodeTypeKernel: return "kernel";
    case cudaGraphNodeTypeMemcpy: return "copy";
    case cudaGraphNodeTypeMemset: return "fill";
    case cudaGraphNodeTypeHost: return "host";
    case cudaGraphNodeTypeGraph: return "graph";
    default: return "other";
    }
}
static void show(cudaGraph_t graph) {
    size_t count = 0, roots = 0, edges = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    cudaGraphNode_t nodes[16];
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    printf("%zu nodes, %zu roots, %zu edges:", count, roots, edges);
    for (size_t i = 0; i < count; i++) {
        cudaGraphNodeType type;
        CHECK(cudaGraphNodeGetType(nodes[i], &type));
        printf(" %s", name(type));
    }
    printf("\n");
}

static void a_circle() {
    cudaGraph_t graph;
    cudaGraphNode_t one, other;
    cudaGraphExec_t never;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&one, graph, nullptr, 0));
    CHECK(cudaGraphAddEmptyNode(&other, graph, &one, 1));
    CHECK(cudaGraphAddDependencies(graph, &other, &one, nullptr, 1));
    printf("a circle: %s\n", cudaGetErrorName(cudaGraphInstantiate(&never, graph, 0)));
    cudaGetLastError();
    CHECK(cudaGraphDestroy(graph));
}

static void explicit_nodes(float *x, float *y, float *host) {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t copy, clear, twice, sum, back;
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, x, host, N * sizeof(float), cudaMemcpyHostToDevice));
    cudaMemsetParams fill = {};
    fill.dst = y;
    fill.value = 0x40400000;  // 3.f
    fill.elementSize = 4;
    fill.width = N;
    fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
    float by = 2;
    int n = N;
    void *args[] = {&x, &by, &n}, *sum_args[] = {&x, &y, &n};
    cudaKernelNodeParams params = {};
    params.func = (void *)scale;
    params.gridDim = dim3(2);
    params.blockDim = dim3(128);
    params.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&twice, graph, &copy, 1, &params));
    by = 77;  // what the node has is a copy
    params.func = (void *)add;
    params.kernelParams = sum_args;
    CHECK(cudaGraphAddKernelNode(&sum, graph, nullptr, 0, &params));
    cudaGraphNode_t from[] = {twice, clear}, to[] = {sum, sum};
    CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 2));
    a_circle();
    Log log = {0, 0, x};
    cudaHostNodeParams on_host = {note, &log};
    CHECK(cudaGraphAddHostNode(&back, graph, &sum, 1, &on_host));
    show(graph);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d calls, first %g\n", log.calls, log.first);  // 1 * 2 + 3
    by = 10;
    params.func = (void *)scale;
    params.kernelParams = args;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, twice, &params));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d calls, first %g\n", log.calls, log.first);  // 1 * 10 + 3
    cudaGraph_t outer;
    cudaGraphNode_t child, last, in_clone;
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    CHECK(cudaGraphAddKernelNode(&last, outer, &child, 1, &params));
    CHECK(cudaGraphClone(&graph, outer));
    CHECK(cudaGraphNodeFindInClone(&in_clone, last, graph));
    CHECK(cudaGraphDestroy(outer));
    show(graph);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d calls, then %g\n", log.calls, first_of(x));  // (1 * 2 + 3) * 10
    CHECK(cudaGraphExecDestroy(exec));
}

/* Begin a capture, do a call, and show what it returns and what becomes of the capture. */
template <class Call> static void during(cudaStream_t stream, cudaStreamCaptureMode mode, Call call) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, mode));
    cudaError_t code = call();
    printf("%d then %d; ", code, cudaStreamEndCapture(stream, &graph));
    if (graph) CHECK(cudaGraphDestroy(graph));
    cudaGetLastError();
}
static cudaGraph_t captured(cudaStream_t a, cudaStream_t b, float *x, float *y, float *host, float by, Log *log) {
    cudaEvent_t fork, join;
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(x, host, N * sizeof(float), cudaMemcpyHostToDevice, a));
    CHECK(cudaEventRecord(fork, a));
    CHECK(cudaStreamWaitEvent(b, fork, 0));
    CHECK(cudaMemsetAsync(y, 0, N * sizeof(float), b));
    scale<<<2, 128, 0, a>>>(x, by, N);
    add<<<2, 128, 0, b>>>(y, host, N);
    CHECK(cudaEventRecord(join, b));
    CHECK(cudaStreamWaitEvent(a, join, 0));
    add<<<2, 128, 0, a>>>(x, y, N);
    count<<<2, 128, 0, a>>>(x, 300.f, N);
    CHECK(cudaLaunchHostFunc(a, note, log));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(b, &status));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(a, &graph));
    printf("capturing %d, ", status == cudaStreamCaptureStatusActive);
    CHECK(cudaStreamIsCapturing(a, &status));
    printf("then %d; ", status == cudaStreamCaptureStatusActive);
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    return graph;
}

static void capture(float *x, float *y, float *host) {
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    Log log = {0, 0, x};
    CHECK(cudaMemset(x, 0, N * sizeof(float)));
    cudaGraph_t graph = captured(a, b, x, y, host, 2, &log);
    printf("untouched %g, no calls %d\n", first_of(x), log.calls);
    show(graph);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaStreamSynchronize(a));
    int counted = 0;
    CHECK(cudaMemcpyFromSymbol(&counted, total, sizeof counted));
    printf("%d calls, first %g, counted %d\n", log.calls, log.first, counted);  // 1 * 2 + 1, twice 157
    cudaGraph_t other = captured(a, b, x, y, host, 4, &log);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, other, &info));
    CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaStreamSynchronize(a));
    printf("%d calls, first %g\n", log.calls, log.first);  // 1 * 4 + 1
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphCreate(&graph, 0));
    cudaError_t code = cudaGraphExecUpdate(exec, graph, &info);
    printf("%s %d\n", cudaGetErrorName(code), info.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();

    during(a, cudaStreamCaptureModeRelaxed, [=] { return cudaGraphLaunch(exec, a); });
    printf("\n");
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    code = cudaStreamSynchronize(a);
    cudaGetLastError();
    printf("%s", cudaGetErrorName(code));
    code = cudaStreamEndCapture(a, &graph);
    printf(", %s\n", cudaGetErrorName(code));
    cudaGetLastError();
    CHECK(cudaGraphDestroy(other));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

__global__ void bump(int *counter, int *out) {
    *counter += 1;
    *out += *counter + 10;
}

static void memory() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int *out, *inside, got;
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMemset(out, 0, sizeof *out));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync((void **)&inside, sizeof *inside, stream));
    CHECK(cudaMemsetAsync(inside, 0, sizeof *inside, stream));
    bump<<<1, 1, 0, stream>>>(inside, out);
    CHECK(cudaFreeAsync(inside, stream));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    show(graph);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    printf("%d\n", got);  // twice 1 + 10
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaFree(out));
    CHECK(cudaStreamDestroy(stream));
}

/* Each of many layers comes after both nodes of the one before: there are 2^60 ways through. */
static void many_ways() {
    cudaGraph_t graph;
    cudaGraphNode_t layer[2] = {}, next[2], separate;
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 2; k++) CHECK(cudaGraphAddEmptyNode(&next[k], graph, layer, i == 0 ? 0 : 2));
        layer[0] = next[0];
        layer[1] = next[1];
    }
    CHECK(cudaGraphAddEmptyNode(&separate, graph, nullptr, 0));
    CHECK(cudaGraphAddDependencies(graph, layer, &separate, nullptr, 1));
    size_t edges = 0;
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    printf("%zu edges\n", edges);
    CHECK(cudaGraphDestroy(graph));
}

template <class Call> static cudaError_t in_thread(Call call) {
    cudaError_t code;
    std::thread([&] { code = call(); }).join();
    return code;
}
static cudaError_t allocate() {
    void *memory;
    cudaError_t code = cudaMalloc(&memory, 16);
    if (code == cudaSuccess) CHECK(cudaFree(memory));
    return code;
}

/* What the modes of captures, and of threads, forbid. */
static void modes() {
    cudaStream_t stream, other;
    cudaEvent_t event;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventRecord(event, other));
    const cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal, local = cudaStreamCaptureModeThreadLocal,
                                relaxed = cudaStreamCaptureModeRelaxed;
    for (auto mode : {global, local, relaxed}) {
        during(stream, mode, allocate);
        during(stream, mode, [] { return in_thread(allocate); });
        during(stream, mode, [=] { return cudaEventQuery(event); });
        during(stream, mode, cudaDeviceSynchronize);
        during(stream, mode, [=] { cudaGraph_t graph; return in_thread([&] { return cudaStreamEndCapture(stream, &graph); }); });
        printf("\n");
    }
    cudaStreamCaptureMode mine = relaxed;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mine));
    during(stream, global, allocate);
    CHECK(cudaThreadExchangeStreamCaptureMode(&mine));
    during(stream, relaxed, [=] { CHECK(cudaEventRecord(event, stream)); return cudaEventQuery(event); });
    printf("\n");
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
}

int main() {
    float *host, *x, *y;
    CHECK(cudaMallocHost(&host, N * sizeof *host));
    for (int i = 0; i < N; i++) host[i] = i + 1;
    CHECK(cudaMallocManaged(&x, N * sizeof *x));  // host functions read it
    CHECK(cudaMalloc(&y, N * sizeof *y));
    explicit_nodes(x, y, host);
    capture(x, y, host);
    memory();
    many_ways();
    modes();
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFreeHost(host));
}
// It prints:
// a circle: cudaErrorInvalidValue
// 5 nodes, 2 roots, 4 edges: copy fill kernel kernel host
// 3 calls, first 5
// 4 calls, first 13
// 2 nodes, 1 roots, 1 edges: graph kernel
// 5 calls, then 50
// capturing 1, then 0; untouched 0, no calls 0
// 7 nodes, 1 roots, 7 edges: copy fill kernel kernel kernel kernel host
// 2 calls, first 3, counted 314
// capturing 1, then 0; 3 calls, first 5
// cudaErrorGraphExecUpdateFailure 1
// 900 then 901;
// cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated
// 4 nodes, 1 roots, 3 edges: other fill kernel other
// 22
// 237 edges
// 900 then 901; 900 then 901; 900 then 901; 900 then 901; 908 then 401;
// 900 then 901; 0 then 0; 900 then 901; 900 then 901; 908 then 401;
// 0 then 0; 0 then 0; 0 then 0; 900 then 901; 0 then 401;
// 0 then 0; 907 then 901;
