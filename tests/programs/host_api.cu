// What the host may ask: pools, launches with attributes, handles, advice, batches, captures, errors.
#include <cstdio>
#include <cuda_runtime.h>

#define SAY(call)                                                                                                      \
	do {                                                                                                               \
		cudaError_t code_ = (call);                                                                                    \
		printf("%s: %s\n", #call, cudaGetErrorName(code_));                                                            \
		cudaGetLastError();                                                                                            \
	} while (0)
#define MUST(call)                                                                                                     \
	do {                                                                                                               \
		cudaError_t code_ = (call);                                                                                    \
		if (code_ != cudaSuccess)                                                                                      \
			printf("line %d: %s\n", __LINE__, cudaGetErrorName(code_));                                                \
	} while (0)

__global__ void add(int *x, int n, int value) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] += value;
}

__constant__ int table[4];

static int sum(const int *device, int n) {
	static int host[1024];
	int all = 0;
	MUST(cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		all += host[i];
	return all;
}

static void pools(cudaStream_t stream) {
	cudaMemPoolProps properties = {};
	properties.allocType = cudaMemAllocationTypePinned;
	properties.location.type = cudaMemLocationTypeDevice;
	cudaMemPool_t pool, other;
	MUST(cudaMemPoolCreate(&pool, &properties));
	unsigned long long threshold = 1 << 20, used = 1;
	MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
	threshold = 0;
	MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
	int *x;
	MUST(cudaMallocFromPoolAsync(&x, 1024 * sizeof(int), pool, stream));
	MUST(cudaMemsetAsync(x, 0, 1024 * sizeof(int), stream));
	add<<<4, 256, 0, stream>>>(x, 1024, 3);
	MUST(cudaStreamSynchronize(stream));
	printf("pool: %llu %d\n", threshold, sum(x, 1024));
	MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
	printf("used: %d\n", used >= 4096);
	MUST(cudaFreeAsync(x, stream));
	MUST(cudaStreamSynchronize(stream));
	MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
	printf("used: %llu\n", used);
	MUST(cudaDeviceSetMemPool(0, pool));
	MUST(cudaDeviceGetMemPool(&other, 0));
	printf("same pool: %d\n", pool == other);
	MUST(cudaMemPoolTrimTo(pool, 0));
	cudaMemAccessFlags flags;
	MUST(cudaMemPoolGetAccess(&flags, pool, &properties.location));
	printf("access: %d\n", (int)flags);
	MUST(cudaMemPoolDestroy(pool));
	SAY(cudaMemPoolDestroy(nullptr));
	MUST(cudaDeviceGetMemPool(&other, 0));
	MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
	printf("default again: %d\n", pool == other);
}

static void launches(cudaStream_t stream) {
	int *x;
	MUST(cudaMalloc(&x, 256 * sizeof(int)));
	MUST(cudaMemset(x, 0, 256 * sizeof(int)));
	cudaLaunchAttribute attributes[2] = {};
	attributes[0].id = cudaLaunchAttributePriority;
	attributes[1].id = cudaLaunchAttributeCooperative;
	cudaLaunchConfig_t config = {};
	config.gridDim = 2;
	config.blockDim = 128;
	config.stream = stream;
	config.attrs = attributes;
	config.numAttrs = 1;
	MUST(cudaLaunchKernelEx(&config, add, x, 256, (short)5));
	int n = 256, value = 2;
	void *args[] = {&x, &n, &value};
	config.numAttrs = 2;
	attributes[1].val.cooperative = 1;
	MUST(cudaLaunchKernelExC(&config, (const void *)add, args));
	MUST(cudaStreamSynchronize(stream));
	printf("launches: %d\n", sum(x, 256));
	cudaFunction_t function;
	cudaKernel_t kernel;
	const char *name = nullptr;
	size_t offset = 0, bytes = 0;
	MUST(cudaGetFuncBySymbol(&function, (const void *)add));
	MUST(cudaGetKernel(&kernel, add));
	MUST(cudaLaunchKernel(kernel, dim3(2), dim3(128), args, 0, stream));
	MUST(cudaFuncGetName(&name, (const void *)add));
	MUST(cudaFuncGetParamInfo((const void *)add, 2, &offset, &bytes));
	MUST(cudaStreamSynchronize(stream));
	printf("handle: %d, parameter: %zu %zu\n", sum(x, 256), offset, bytes);
	SAY(cudaFuncGetParamInfo((const void *)add, 3, &offset, &bytes));
	config.blockDim = 2048;
	config.numAttrs = 0;
	SAY(cudaLaunchKernelEx(&config, add, x, 256, 1));
	MUST(cudaFree(x));
}

static void places(cudaStream_t stream) {
	int *x, read_mostly = 7, where = 7;
	MUST(cudaMallocManaged(&x, 4096));
	cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
	MUST(cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, x, 4096));
	MUST(cudaMemRangeGetAttribute(&where, sizeof(int), cudaMemRangeAttributePreferredLocation, x, 4096));
	printf("advice: %d %d\n", read_mostly, where);
	MUST(cudaMemAdvise(x, 4096, cudaMemAdviseSetReadMostly, device));
	MUST(cudaMemAdvise(x, 4096, cudaMemAdviseSetPreferredLocation, host));
	MUST(cudaMemAdvise(x, 4096, cudaMemAdviseSetAccessedBy, device));
	int by[3] = {7, 7, 7};
	void *data[] = {&read_mostly, &where, by};
	size_t sizes[] = {sizeof(int), sizeof(int), sizeof by};
	cudaMemRangeAttribute asked[] = {
		cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy};
	MUST(cudaMemRangeGetAttributes(data, sizes, asked, 3, x, 4096));
	printf("advice: %d %d %d %d %d\n", read_mostly, where, by[0], by[1], by[2]);
	MUST(cudaMemPrefetchAsync(x, 4096, device, 0, stream));
	MUST(cudaStreamSynchronize(stream));
	MUST(cudaMemRangeGetAttribute(&where, sizeof(int), cudaMemRangeAttributeLastPrefetchLocation, x, 4096));
	printf("prefetched to: %d\n", where);
	SAY(cudaMemRangeGetAttribute(&where, 3, cudaMemRangeAttributeLastPrefetchLocation, x, 4096));
	int *plain;
	MUST(cudaMalloc(&plain, 4096));
	SAY(cudaMemAdvise(plain, 4096, cudaMemAdviseSetReadMostly, device));
	SAY(cudaMemPrefetchAsync(plain, 4096, device, 0, stream));
	MUST(cudaFree(plain));
	MUST(cudaFree(x));
}

static void batches(cudaStream_t stream) {
	int *a, *b, *h;
	MUST(cudaMalloc(&a, 1024));
	MUST(cudaMalloc(&b, 1024));
	MUST(cudaMallocHost(&h, 2048));
	for (int i = 0; i < 512; i++)
		h[i] = i;
	void *to[] = {a, b};
	const void *from[] = {h, h + 256};
	size_t bytes[] = {1024, 1024}, first = 0;
	cudaMemcpyAttributes how = {};
	how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
	MUST(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, &first, 1, stream));
	MUST(cudaStreamSynchronize(stream));
	printf("batch: %d %d\n", sum(a, 256), sum(b, 256));
	cudaMemcpy3DPeerParms peer = {};
	peer.srcPtr = make_cudaPitchedPtr(a, 64, 64, 16);
	peer.dstPtr = make_cudaPitchedPtr(b, 64, 64, 16);
	peer.extent = make_cudaExtent(32, 16, 1);
	MUST(cudaMemcpy3DPeer(&peer));
	printf("peer: %d\n", sum(b, 256));
	peer.dstDevice = 1000;
	SAY(cudaMemcpy3DPeer(&peer));
	unsigned int flags = 77;
	SAY(cudaHostGetFlags(&flags, a));
	MUST(cudaFreeHost(h));
	MUST(cudaFree(a));
	MUST(cudaFree(b));
}

static void captures(cudaStream_t stream) {
	int *x;
	MUST(cudaMalloc(&x, 1024));
	MUST(cudaMemset(x, 0, 1024));
	cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	cudaArray_t array;
	MUST(cudaMallocArray(&array, &format, 16, 16));
	MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	add<<<1, 256, 0, stream>>>(x, 256, 4);
	MUST(cudaMemcpy2DToArrayAsync(array, 0, 0, x, 64, 64, 16, cudaMemcpyDeviceToDevice, stream));
	MUST(cudaMemsetAsync(x, 0, 1024, stream));
	MUST(cudaMemcpy2DFromArrayAsync(x, 64, array, 0, 0, 32, 16, cudaMemcpyDeviceToDevice, stream));
	cudaStreamCaptureStatus status;
	cudaGraph_t graph, same = nullptr;
	size_t count = 7;
	unsigned long long id = 0;
	MUST(cudaStreamGetCaptureInfo(stream, &status, &id, &same, nullptr, nullptr, &count));
	MUST(cudaStreamEndCapture(stream, &graph));
	printf("capture: %d %d %zu\n", (int)status, same == graph, count);
	cudaGraphExec_t exec;
	MUST(cudaGraphInstantiate(&exec, graph, 0));
	MUST(cudaGraphLaunch(exec, stream));
	MUST(cudaStreamSynchronize(stream));
	printf("graph: %d\n", sum(x, 256));
	cudaGraphNode_t nodes[8];
	size_t all = 8;
	MUST(cudaGraphGetNodes(graph, nodes, &all));
	cudaGraphNodeType type;
	for (size_t i = 0; i < all; i++) {
		MUST(cudaGraphNodeGetType(nodes[i], &type));
		if (type == cudaGraphNodeTypeMemset)
			MUST(cudaGraphNodeSetEnabled(exec, nodes[i], 0));
	}
	MUST(cudaMemset(x, 0, 1024));
	MUST(cudaGraphLaunch(exec, stream));
	MUST(cudaStreamSynchronize(stream));
	printf("without the fill: %d\n", sum(x, 256));
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));

	MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	SAY(cudaStreamQuery(stream));
	MUST(cudaStreamIsCapturing(stream, &status));
	printf("status: %d\n", (int)status);
	SAY(cudaStreamEndCapture(stream, &graph));

	MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	add<<<1, 256>>>(x, 256, 1);
	printf("a launch in the default stream: %s\n", cudaGetErrorName(cudaGetLastError()));
	SAY(cudaStreamEndCapture(stream, &graph));
	MUST(cudaFreeArray(array));
	MUST(cudaFree(x));
}

static void released(void *data) {
	*(int *)data += 1;
}

static void nodes() {
	int *x, count = 0;
	MUST(cudaMalloc(&x, 1024));
	cudaGraph_t graph;
	cudaGraphNode_t fill, launch;
	MUST(cudaGraphCreate(&graph, 0));
	cudaGraphNodeParams params = {};
	params.type = cudaGraphNodeTypeMemset;
	params.memset.dst = x;
	params.memset.value = 9;
	params.memset.elementSize = 4;
	params.memset.width = 256;
	params.memset.height = 1;
	MUST(cudaGraphAddNode(&fill, graph, nullptr, nullptr, 0, &params));
	int n = 256, value = 1;
	void *args[] = {&x, &n, &value};
	cudaGraphNodeParams work = {};
	work.type = cudaGraphNodeTypeKernel;
	work.kernel.func = (void *)add;
	work.kernel.gridDim = 1;
	work.kernel.blockDim = 256;
	work.kernel.kernelParams = args;
	MUST(cudaGraphAddNode(&launch, graph, &fill, nullptr, 1, &work));
	cudaUserObject_t object;
	MUST(cudaUserObjectCreate(&object, &count, released, 1, cudaUserObjectNoDestructorSync));
	MUST(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
	cudaGraphInstantiateParams how = {};
	cudaGraphExec_t exec;
	MUST(cudaGraphInstantiateWithParams(&exec, graph, &how));
	MUST(cudaGraphLaunch(exec, 0));
	printf("nodes: %d %d\n", sum(x, 256), (int)how.result_out);
	value = 100;
	MUST(cudaGraphExecNodeSetParams(exec, launch, &work));
	MUST(cudaGraphLaunch(exec, 0));
	printf("nodes: %d\n", sum(x, 256));
	int numbers[4] = {1, 2, 3, 4}, back[4] = {};
	cudaGraphNode_t to, from;
	cudaGraph_t copies;
	MUST(cudaGraphCreate(&copies, 0));
	MUST(cudaGraphAddMemcpyNodeToSymbol(&to, copies, nullptr, 0, table, numbers, 16, 0, cudaMemcpyHostToDevice));
	MUST(cudaGraphAddMemcpyNodeFromSymbol(&from, copies, &to, 1, back, table, 8, 8, cudaMemcpyDeviceToHost));
	cudaGraphExec_t again;
	MUST(cudaGraphInstantiate(&again, copies, 0));
	MUST(cudaGraphLaunch(again, 0));
	MUST(cudaDeviceSynchronize());
	printf("symbols: %d %d %d %d\n", back[0], back[1], back[2], back[3]);
	MUST(cudaGraphExecDestroy(again));
	MUST(cudaGraphDestroy(copies));
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));
	MUST(cudaFree(x));
}

static void answers(cudaStream_t stream) {
	int value = 7, least = 7, greatest = 7, device = 7;
	unsigned int flags = 7;
	unsigned long long id = 0, other = 0;
	cudaStream_t second;
	MUST(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
	MUST(cudaStreamGetFlags(second, &flags));
	MUST(cudaStreamGetId(stream, &id));
	MUST(cudaStreamGetId(second, &other));
	MUST(cudaStreamGetDevice(second, &device));
	printf("streams: %u %d %d\n", flags, id != other, device);
	cudaStreamAttrValue policy = {};
	policy.syncPolicy = cudaSyncPolicyYield;
	MUST(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &policy));
	MUST(cudaStreamCopyAttributes(second, stream));
	policy.syncPolicy = cudaSyncPolicyAuto;
	MUST(cudaStreamGetAttribute(second, cudaStreamAttributeSynchronizationPolicy, &policy));
	printf("policy: %d\n", (int)policy.syncPolicy);
	MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	printf("priorities: %d %d\n", least, greatest <= least);
	MUST(cudaStreamDestroy(second));
	SAY(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
	SAY(cudaDeviceCanAccessPeer(&value, 0, 1000));
	SAY(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
	SAY(cudaInitDevice(0, 0, 0));
	SAY(cudaDeviceGetByPCIBusId(&value, "nonsense"));
	cudaEvent_t event;
	SAY(cudaEventCreateWithFlags(&event, cudaEventInterprocess));
	SAY(cudaStreamWaitEvent(stream, nullptr, 0));
	SAY(cudaEventRecordWithFlags(nullptr, stream, 8));
	SAY(cudaHostRegister(nullptr, 8, 0));
	SAY(cudaMemcpyAsync(nullptr, &value, 4, cudaMemcpyHostToDevice, stream));
	SAY(cudaGraphicsUnregisterResource(nullptr));
	void *entry = &value;
	cudaDriverEntryPointQueryResult result;
	MUST(cudaGetDriverEntryPointByVersion("cuStreamQuery", &entry, 12000, cudaEnableDefault, &result));
	printf("entry: %d %d\n", entry != nullptr, (int)result);
	MUST(cudaGetDriverEntryPointByVersion("cuNothing", &entry, 12000, cudaEnableDefault, &result));
	printf("entry: %d %d\n", entry != nullptr, (int)result);
}

int main() {
	cudaStream_t stream;
	MUST(cudaStreamCreate(&stream));
	pools(stream);
	launches(stream);
	places(stream);
	batches(stream);
	captures(stream);
	nodes();
	answers(stream);
	MUST(cudaStreamDestroy(stream));
	SAY(cudaStreamSynchronize(nullptr));
	SAY(cudaDeviceSynchronize());
	return 0;
}

// It prints:
// pool: 1048576 3072
// used: 1
// used: 0
// same pool: 1
// access: 3
// cudaMemPoolDestroy(nullptr): cudaErrorInvalidValue
// default again: 1
// launches: 1792
// handle: 2304, parameter: 12 4
// cudaFuncGetParamInfo((const void *)add, 3, &offset, &bytes): cudaErrorInvalidValue
// cudaLaunchKernelEx(&config, add, x, 256, 1): cudaErrorInvalidValue
// advice: 0 -2
// advice: 1 -1 0 -2 -2
// prefetched to: 0
// cudaMemRangeGetAttribute(&where, 3, cudaMemRangeAttributeLastPrefetchLocation, x, 4096): cudaErrorInvalidValue
// cudaMemAdvise(plain, 4096, cudaMemAdviseSetReadMostly, device): cudaErrorInvalidValue
// cudaMemPrefetchAsync(plain, 4096, device, 0, stream): cudaErrorInvalidValue
// batch: 32640 98176
// peer: 65408
// cudaMemcpy3DPeer(&peer): cudaErrorInvalidDevice
// cudaHostGetFlags(&flags, a): cudaErrorInvalidValue
// capture: 1 1 1
// graph: 512
// without the fill: 1024
// cudaStreamQuery(stream): cudaErrorStreamCaptureUnsupported
// status: 2
// cudaStreamEndCapture(stream, &graph): cudaErrorStreamCaptureInvalidated
// a launch in the default stream: cudaErrorStreamCaptureImplicit
// cudaStreamEndCapture(stream, &graph): cudaErrorStreamCaptureInvalidated
// nodes: 2560 0
// nodes: 27904
// symbols: 3 4 0 0
// streams: 1 1 0
// policy: 3
// priorities: 0 1
// cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0): cudaErrorInvalidDevice
// cudaDeviceCanAccessPeer(&value, 0, 1000): cudaErrorInvalidDevice
// cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield): cudaErrorInvalidValue
// cudaInitDevice(0, 0, 0): cudaSuccess
// cudaDeviceGetByPCIBusId(&value, "nonsense"): cudaErrorInvalidValue
// cudaEventCreateWithFlags(&event, cudaEventInterprocess): cudaErrorInvalidValue
// cudaStreamWaitEvent(stream, nullptr, 0): cudaErrorInvalidResourceHandle
// cudaEventRecordWithFlags(nullptr, stream, 8): cudaErrorInvalidResourceHandle
// cudaHostRegister(nullptr, 8, 0): cudaErrorInvalidValue
// cudaMemcpyAsync(nullptr, &value, 4, cudaMemcpyHostToDevice, stream): cudaErrorInvalidValue
// cudaGraphicsUnregisterResource(nullptr): cudaErrorInvalidResourceHandle
// entry: 1 0
// entry: 0 1
// cudaStreamSynchronize(nullptr): cudaSuccess
// cudaDeviceSynchronize(): cudaSuccess
