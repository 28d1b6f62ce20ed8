// Streams: what runs beside what, what waits for what, and what is reported to the host meanwhile.
#include <cstdio>
#include <cuda_runtime.h>

#define MUST(call)                                                                                                     \
	do {                                                                                                               \
		cudaError_t code_ = (call);                                                                                    \
		if (code_ != cudaSuccess)                                                                                      \
			printf("line %d: %s\n", __LINE__, cudaGetErrorName(code_));                                                \
	} while (0)

__global__ void wait_for(volatile int *flag, int *out, int value) {
	while (*flag == 0)
		;
	*out = value;
}

__global__ void set(volatile int *flag) {
	*flag = 1;
}

__global__ void set_late(volatile int *flag, int *x, int rounds) {
	unsigned v = x[0];
	for (int i = 0; i < rounds; i++)
		v = v * 1664525u + 1013904223u;
	x[0] = (int)v;
	*flag = 1;
}

__global__ void add(int *x, int n, int value) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] += value;
}

__global__ void twice(int *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] *= 2;
}

static const char *state_of(cudaStream_t stream) {
	cudaError_t code = cudaStreamQuery(stream);
	cudaGetLastError();
	return code == cudaSuccess ? "done" : code == cudaErrorNotReady ? "not ready" : cudaGetErrorName(code);
}

static const char *state_of(cudaEvent_t event) {
	cudaError_t code = cudaEventQuery(event);
	cudaGetLastError();
	return code == cudaSuccess ? "done" : code == cudaErrorNotReady ? "not ready" : cudaGetErrorName(code);
}

static volatile int *flag;
static int *out, *x, *h;
static const int N = 1 << 18;

static void count(void *data) {
	*(int *)data += 1;
}

static void on_status(cudaStream_t, cudaError_t status, void *data) {
	*(int *)data += status == cudaSuccess ? 10 : 0;
}

/* The host continues while a kernel waits for it. */
static void the_host_continues(cudaStream_t a) {
	cudaEvent_t event;
	MUST(cudaEventCreate(&event));
	printf("an event that was never recorded: %s\n", state_of(event));
	int called = 0;
	*flag = *out = 0;
	wait_for<<<1, 1, 0, a>>>(flag, out, 1);
	MUST(cudaLaunchHostFunc(a, count, &called));
	MUST(cudaStreamAddCallback(a, on_status, &called, 0));
	MUST(cudaEventRecord(event, a));
	printf("meanwhile: %s, %s, %d\n", state_of(a), state_of(event), called);
	*flag = 1;
	MUST(cudaEventSynchronize(event));
	MUST(cudaStreamSynchronize(a));
	printf("then: %s, %s, %d, %d\n", state_of(a), state_of(event), called, *out);
	MUST(cudaEventDestroy(event));
}

/* A kernel waits for one of another stream. */
static void two_streams(cudaStream_t a, cudaStream_t b) {
	*flag = *out = 0;
	wait_for<<<1, 1, 0, a>>>(flag, out, 2);
	set<<<1, 1, 0, b>>>((volatile int *)flag);
	MUST(cudaDeviceSynchronize());
	printf("two streams: %d\n", *out);
}

/* Blocks that wait together, while another kernel computes. */
static void several_blocks(cudaStream_t a, cudaStream_t b) {
	for (int blocks = 2; blocks <= 20; blocks += 9) {
		*flag = *out = 0;
		wait_for<<<blocks, 64, 0, a>>>(flag, out, blocks);
		set_late<<<1, 1, 0, b>>>(flag, x, 10000000);
		MUST(cudaDeviceSynchronize());
		printf("blocks: %d\n", *out);
	}
}

/* Copies of one stream beside a kernel of another. */
static void copies(cudaStream_t a, cudaStream_t b) {
	*flag = *out = 0;
	for (int i = 0; i < N; i++)
		h[i] = i;
	wait_for<<<1, 1, 0, a>>>(flag, out, 3);
	MUST(cudaMemcpyAsync(x, h, N * sizeof(int), cudaMemcpyHostToDevice, b));
	add<<<N / 256, 256, 0, b>>>(x, N, 5);
	MUST(cudaMemcpyAsync(h, x, N * sizeof(int), cudaMemcpyDeviceToHost, b));
	MUST(cudaStreamSynchronize(b));
	int wrong = 0;
	for (int i = 0; i < N; i++)
		wrong += h[i] != i + 5;
	printf("copies: %d wrong, the other stream: %s\n", wrong, state_of(a));
	*flag = 1;
	MUST(cudaStreamSynchronize(a));
}

/* In order within a stream, and behind events of others. */
static void order(cudaStream_t a, cudaStream_t b) {
	cudaEvent_t first, second;
	MUST(cudaEventCreateWithFlags(&first, cudaEventDisableTiming));
	MUST(cudaEventCreateWithFlags(&second, cudaEventDisableTiming));
	MUST(cudaMemset(x, 0, N * sizeof(int)));
	int value = 0;
	for (int round = 0; round < 10; round++) {
		add<<<N / 256, 256, 0, a>>>(x, N, round);
		MUST(cudaEventRecord(first, a));
		MUST(cudaStreamWaitEvent(b, first, 0));
		twice<<<N / 256, 256, 0, b>>>(x, N);
		MUST(cudaEventRecord(second, b));
		MUST(cudaStreamWaitEvent(a, second, 0));
		value = (value + round) * 2;
	}
	MUST(cudaMemcpyAsync(h, x, N * sizeof(int), cudaMemcpyDeviceToHost, b));
	MUST(cudaStreamSynchronize(b));
	int wrong = 0;
	for (int i = 0; i < N; i++)
		wrong += h[i] != value;
	printf("order: %d wrong\n", wrong);
	MUST(cudaEventDestroy(first));
	MUST(cudaEventDestroy(second));
}

/* The default stream waits for blocking streams, and these for it; a non-blocking one does not. */
static void default_stream(cudaStream_t a, cudaStream_t nonblocking) {
	MUST(cudaMemset(x, 0, N * sizeof(int)));
	for (int i = 0; i < 20; i++)
		add<<<N / 256, 256, 0, a>>>(x, N, 1);
	twice<<<N / 256, 256>>>(x, N);
	add<<<N / 256, 256, 0, a>>>(x, N, 100);
	MUST(cudaMemcpy(h, x, N * sizeof(int), cudaMemcpyDeviceToHost));
	int wrong = 0;
	for (int i = 0; i < N; i++)
		wrong += h[i] != 140;
	*flag = *out = 0;
	wait_for<<<1, 1, 0, nonblocking>>>(flag, out, 4);
	add<<<N / 256, 256>>>(x, N, 1);
	MUST(cudaStreamSynchronize(0));
	printf("default stream: %d wrong, the non-blocking one: %s\n", wrong, state_of(nonblocking));
	*flag = 1;
	MUST(cudaStreamSynchronize(nonblocking));
	printf("then: %d\n", *out);
}

/* A stream that is destroyed does what it has to do. */
static void destroyed() {
	cudaStream_t stream;
	MUST(cudaStreamCreate(&stream));
	*flag = *out = 0;
	wait_for<<<1, 1, 0, stream>>>(flag, out, 5);
	MUST(cudaStreamDestroy(stream));
	*flag = 1;
	MUST(cudaDeviceSynchronize());
	printf("destroyed: %d\n", *out);
}

/* Memory in the order of a stream. */
static void memory(cudaStream_t a) {
	int *y;
	*flag = *out = 0;
	MUST(cudaMallocAsync((void **)&y, N * sizeof(int), a));
	wait_for<<<1, 1, 0, a>>>(flag, out, 6);
	MUST(cudaMemsetAsync(y, 0, N * sizeof(int), a));
	add<<<N / 256, 256, 0, a>>>(y, N, 6);
	MUST(cudaMemcpyAsync(h, y, N * sizeof(int), cudaMemcpyDeviceToHost, a));
	MUST(cudaFreeAsync(y, a));
	*flag = 1;
	MUST(cudaStreamSynchronize(a));
	printf("memory: %d %d\n", h[0], h[N - 1]);
}

/* A graph is launched like other work: its launches follow each other, in all streams. */
static void graphs(cudaStream_t a, cudaStream_t b) {
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	int called = 0;
	cudaEvent_t done;
	MUST(cudaEventCreate(&done));
	MUST(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
	MUST(cudaMemsetAsync(x, 0, N * sizeof(int), a));
	wait_for<<<1, 1, 0, a>>>(flag, out, 7);
	add<<<N / 256, 256, 0, a>>>(x, N, 7);
	MUST(cudaMemcpyAsync(h, x, N * sizeof(int), cudaMemcpyDeviceToHost, a));
	MUST(cudaLaunchHostFunc(a, count, &called));
	MUST(cudaEventRecordWithFlags(done, a, cudaEventRecordExternal));
	MUST(cudaStreamEndCapture(a, &graph));
	MUST(cudaGraphInstantiate(&exec, graph, 0));
	*flag = *out = 0;
	MUST(cudaGraphLaunch(exec, a));
	MUST(cudaGraphLaunch(exec, b));
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));
	printf("graphs: %s, %s, %s, %d\n", state_of(a), state_of(b), state_of(done), called);
	*flag = 1;
	MUST(cudaStreamSynchronize(b));
	printf("then: %s, %s, %d %d, %d\n", state_of(a), state_of(done), h[0], h[N - 1], called);
	MUST(cudaEventDestroy(done));
}

/* What cannot begin is reported at once; what fails while it runs, when the host waits. */
static void failures(cudaStream_t a) {
	add<<<1, 2048, 0, a>>>(x, N, 1);
	printf("a block that is too large: %s\n", cudaGetErrorName(cudaGetLastError()));
	printf("a copy to nowhere: %s\n",
		cudaGetErrorName(cudaMemcpyAsync(x, h, (size_t)1 << 60, cudaMemcpyHostToDevice, a)));
	cudaGetLastError();
	printf("the stream: %s\n", cudaGetErrorName(cudaStreamSynchronize(a)));
}

int main() {
	cudaStream_t a, b, nonblocking;
	MUST(cudaStreamCreate(&a));
	MUST(cudaStreamCreate(&b));
	MUST(cudaStreamCreateWithFlags(&nonblocking, cudaStreamNonBlocking));
	int *mapped;
	MUST(cudaHostAlloc(&mapped, 2 * sizeof(int), cudaHostAllocMapped));
	flag = mapped;
	out = mapped + 1;
	MUST(cudaMalloc(&x, N * sizeof(int)));
	MUST(cudaMallocHost(&h, N * sizeof(int)));
	set<<<1, 1>>>(flag); /* kernels may be loaded when they are first launched, which waits for all others */
	wait_for<<<1, 1>>>(flag, out, 0);
	add<<<1, 1>>>(x, 0, 0);
	twice<<<1, 1>>>(x, 0);
	set_late<<<1, 1>>>(flag, x, 1);
	MUST(cudaDeviceSynchronize());
	the_host_continues(a);
	two_streams(a, b);
	several_blocks(a, b);
	copies(a, b);
	order(a, b);
	default_stream(a, nonblocking);
	destroyed();
	memory(a);
	graphs(a, b);
	failures(a);
	return 0;
}

// It prints:
// an event that was never recorded: done
// meanwhile: not ready, not ready, 0
// then: done, done, 11, 1
// two streams: 2
// blocks: 2
// blocks: 11
// blocks: 20
// copies: 0 wrong, the other stream: not ready
// order: 0 wrong
// default stream: 0 wrong, the non-blocking one: not ready
// then: 4
// destroyed: 5
// memory: 6 6
// graphs: not ready, not ready, not ready, 0
// then: done, done, 7 7, 2
// a block that is too large: cudaErrorInvalidValue
// a copy to nowhere: cudaErrorInvalidValue
// the stream: cudaSuccess
