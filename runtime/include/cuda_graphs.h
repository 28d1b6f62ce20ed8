/* Graphs of work: made node by node or by capturing streams, instantiated and launched. cuda_runtime.h includes this.
 * A launch runs the nodes one after the other, each after those on which it depends. */
#ifndef S2S_CUDA_GRAPHS_H
#define S2S_CUDA_GRAPHS_H

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphDeviceUpdatableNode_st *cudaGraphDeviceNode_t;
typedef unsigned long long cudaGraphConditionalHandle;

enum cudaGraphNodeType {
	cudaGraphNodeTypeKernel = 0,
	cudaGraphNodeTypeMemcpy = 1,
	cudaGraphNodeTypeMemset = 2,
	cudaGraphNodeTypeHost = 3,
	cudaGraphNodeTypeGraph = 4,
	cudaGraphNodeTypeEmpty = 5,
	cudaGraphNodeTypeWaitEvent = 6,
	cudaGraphNodeTypeEventRecord = 7,
	cudaGraphNodeTypeExtSemaphoreSignal = 8,
	cudaGraphNodeTypeExtSemaphoreWait = 9,
	cudaGraphNodeTypeMemAlloc = 10,
	cudaGraphNodeTypeMemFree = 11,
	cudaGraphNodeTypeConditional = 13,
	cudaGraphNodeTypeCount = 14
};

struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra; /* null: parameters in one buffer are refused */
};
typedef struct cudaKernelNodeParams cudaKernelNodeParams;

struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize; /* 1, 2 or 4 bytes */
	size_t width, height;            /* elements, rows */
};
typedef struct cudaMemsetParams cudaMemsetParams;

struct cudaHostNodeParams {
	cudaHostFn_t fn;
	void *userData;
};
typedef struct cudaHostNodeParams cudaHostNodeParams;

struct cudaMemAllocNodeParams {
	struct cudaMemPoolProps poolProps;
	const struct cudaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr; /* the result */
};
typedef struct cudaMemAllocNodeParams cudaMemAllocNodeParams;

enum cudaGraphExecUpdateResult {
	cudaGraphExecUpdateSuccess = 0,
	cudaGraphExecUpdateError = 1,
	cudaGraphExecUpdateErrorTopologyChanged = 2,
	cudaGraphExecUpdateErrorNodeTypeChanged = 3,
	cudaGraphExecUpdateErrorFunctionChanged = 4,
	cudaGraphExecUpdateErrorParametersChanged = 5,
	cudaGraphExecUpdateErrorNotSupported = 6,
	cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
	cudaGraphExecUpdateErrorAttributesChanged = 8
};
typedef struct cudaGraphExecUpdateResultInfo_st {
	enum cudaGraphExecUpdateResult result;
	cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

typedef struct cudaGraphEdgeData_st {
	unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

/* What a node does, for nodes of any type. */
struct cudaKernelNodeParamsV2 {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams, **extra;
};
struct cudaMemcpyNodeParams {
	int flags, reserved[3];
	struct cudaMemcpy3DParms copyParams;
};
struct cudaMemsetParamsV2 {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};
struct cudaHostNodeParamsV2 {
	cudaHostFn_t fn;
	void *userData;
};
struct cudaChildGraphNodeParams {
	cudaGraph_t graph;
};
struct cudaEventWaitNodeParams {
	cudaEvent_t event;
};
struct cudaEventRecordNodeParams {
	cudaEvent_t event;
};
struct cudaMemAllocNodeParamsV2 {
	struct cudaMemPoolProps poolProps;
	const struct cudaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;
};
struct cudaMemFreeNodeParams {
	void *dptr;
};
enum cudaGraphChildGraphNodeOwnership { cudaGraphChildGraphOwnershipClone = 0, cudaGraphChildGraphOwnershipMove = 1 };
enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf = 0, cudaGraphCondTypeWhile = 1, cudaGraphCondTypeSwitch = 2 };
struct cudaConditionalNodeParams {
	cudaGraphConditionalHandle handle;
	enum cudaGraphConditionalNodeType type;
	unsigned int size;
	cudaGraph_t *phGraph_out;
};
enum cudaGraphKernelNodeField {
	cudaGraphKernelNodeFieldInvalid = 0,
	cudaGraphKernelNodeFieldGridDim = 1,
	cudaGraphKernelNodeFieldParam = 2,
	cudaGraphKernelNodeFieldEnabled = 3
};
struct cudaGraphKernelNodeUpdate {
	cudaGraphDeviceNode_t node;
	enum cudaGraphKernelNodeField field;
	union {
		dim3 gridDim;
		struct {
			const void *pValue;
			size_t offset, size;
		} param;
		unsigned int isEnabled;
	} updateData;
};
struct cudaGraphNodeParams {
	enum cudaGraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		struct cudaKernelNodeParamsV2 kernel;
		struct cudaMemcpyNodeParams memcpy;
		struct cudaMemsetParamsV2 memset;
		struct cudaHostNodeParamsV2 host;
		struct cudaChildGraphNodeParams graph;
		struct cudaEventWaitNodeParams eventWait;
		struct cudaEventRecordNodeParams eventRecord;
		struct cudaMemAllocNodeParamsV2 alloc;
		struct cudaMemFreeNodeParams free;
		struct cudaConditionalNodeParams conditional;
	};
	long long reserved2;
};
typedef struct cudaGraphNodeParams cudaGraphNodeParams;

typedef enum cudaGraphInstantiateResult {
	cudaGraphInstantiateSuccess = 0,
	cudaGraphInstantiateError = 1,
	cudaGraphInstantiateInvalidStructure = 2,
	cudaGraphInstantiateNodeOperationNotSupported = 3,
	cudaGraphInstantiateMultipleDevicesNotSupported = 4,
	cudaGraphInstantiateConditionalHandleUnused = 5
} cudaGraphInstantiateResult;
typedef struct cudaGraphInstantiateParams_st {
	unsigned long long flags;
	cudaStream_t uploadStream;
	cudaGraphNode_t errNode_out;
	cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;

/* Something of the program's that lives as long as graphs need it. */
typedef struct CUuserObject_st *cudaUserObject_t;
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

enum cudaGraphMemAttributeType {
	cudaGraphMemAttrUsedMemCurrent = 0,
	cudaGraphMemAttrUsedMemHigh = 1,
	cudaGraphMemAttrReservedMemCurrent = 2,
	cudaGraphMemAttrReservedMemHigh = 3
};
enum cudaGraphDebugDotFlags {
	cudaGraphDebugDotFlagsVerbose = 1,
	cudaGraphDebugDotFlagsKernelNodeParams = 4,
	cudaGraphDebugDotFlagsMemcpyNodeParams = 8,
	cudaGraphDebugDotFlagsMemsetNodeParams = 16,
	cudaGraphDebugDotFlagsHostNodeParams = 32,
	cudaGraphDebugDotFlagsEventNodeParams = 64,
	cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
	cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
	cudaGraphDebugDotFlagsKernelNodeAttributes = 512,
	cudaGraphDebugDotFlagsHandles = 1024,
	cudaGraphDebugDotFlagsConditionalNodeParams = 32768
};
enum cudaStreamUpdateCaptureDependenciesFlags {
	cudaStreamAddCaptureDependencies = 0,
	cudaStreamSetCaptureDependencies = 1
};

enum cudaStreamCaptureStatus {
	cudaStreamCaptureStatusNone = 0,
	cudaStreamCaptureStatusActive = 1,
	cudaStreamCaptureStatusInvalidated = 2
};
enum cudaStreamCaptureMode {
	cudaStreamCaptureModeGlobal = 0,
	cudaStreamCaptureModeThreadLocal = 1,
	cudaStreamCaptureModeRelaxed = 2
};

#define cudaGraphInstantiateFlagAutoFreeOnLaunch 1
#define cudaGraphInstantiateFlagUpload 2
#define cudaGraphInstantiateFlagDeviceLaunch 4
#define cudaGraphInstantiateFlagUseNodePriority 8

#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2

typedef enum cudaGraphDependencyType_enum {
	cudaGraphDependencyTypeDefault = 0,
	cudaGraphDependencyTypeProgrammatic = 1
} cudaGraphDependencyType;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGraphCreate(cudaGraph_t *__graph, unsigned int __flags);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
cudaError_t cudaGraphClone(cudaGraph_t *__clone, cudaGraph_t __graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *__found, cudaGraphNode_t __node, cudaGraph_t __clone);

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, const struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, const struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, const struct cudaMemsetParams *__params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, const struct cudaHostNodeParams *__params);
cudaError_t cudaGraphAddChildGraphNode(
	cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after, size_t __count, cudaGraph_t __child);
cudaError_t cudaGraphAddEmptyNode(
	cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after, size_t __count);
cudaError_t cudaGraphAddEventRecordNode(
	cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after, size_t __count, cudaEvent_t __event);
cudaError_t cudaGraphAddEventWaitNode(
	cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after, size_t __count, cudaEvent_t __event);
/* The memory is there from then on, until a node or cudaFree frees it. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, struct cudaMemAllocNodeParams *__params);
cudaError_t cudaGraphAddMemFreeNode(
	cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after, size_t __count, void *__pointer);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t __node);

cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from, const cudaGraphNode_t *__to,
	const cudaGraphEdgeData *__edges, size_t __count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from, const cudaGraphNode_t *__to,
	const cudaGraphEdgeData *__edges, size_t __count);
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphGetEdges(
	cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to, cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t __node, enum cudaGraphNodeType *__type);
cudaError_t cudaGraphNodeGetDependencies(
	cudaGraphNode_t __node, cudaGraphNode_t *__nodes, cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphNodeGetDependentNodes(
	cudaGraphNode_t __node, cudaGraphNode_t *__nodes, cudaGraphEdgeData *__edges, size_t *__count);

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t __node, struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t __node, const struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t __node, struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t __node, const struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(
	cudaGraphNode_t __node, void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t __node, struct cudaMemsetParams *__params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t __node, const struct cudaMemsetParams *__params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t __node, struct cudaHostNodeParams *__params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t __node, const struct cudaHostNodeParams *__params);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t __node, cudaGraph_t *__graph);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t __node, struct cudaMemAllocNodeParams *__params);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t __node, void *__pointer);

/* `flags` are taken: what graphs allocate stays until it is freed. */
cudaError_t cudaGraphInstantiate(
	cudaGraphExec_t *__exec, cudaGraph_t __graph, unsigned long long __flags S2S_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(
	cudaGraphExec_t *__exec, cudaGraph_t __graph, unsigned long long __flags S2S_DEFAULT(0));
cudaError_t cudaGraphUpload(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph, cudaGraphExecUpdateResultInfo *__result);
cudaError_t cudaGraphExecKernelNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, const struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, const struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t __exec, cudaGraphNode_t __node, void *__to,
	const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, const struct cudaMemsetParams *__params);
cudaError_t cudaGraphExecHostNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, const struct cudaHostNodeParams *__params);

/* What a stream is asked to do while it captures becomes nodes, and is not done. Streams that wait for an event of one
 * that captures capture too; they have to be waited for before the end. */
cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t *__graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *__mode);

/* The same into a graph that there is, after nodes of it. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t __stream, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	const cudaGraphEdgeData *__edges, size_t __count, enum cudaStreamCaptureMode __mode);

/* What a stream captures into, and after what its next node will come: until the next call for the stream. */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status,
	unsigned long long *__id S2S_DEFAULT(0), cudaGraph_t *__graph S2S_DEFAULT(0),
	const cudaGraphNode_t **__after S2S_DEFAULT(0), const cudaGraphEdgeData **__edges S2S_DEFAULT(0),
	size_t *__count S2S_DEFAULT(0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t *__after,
	const cudaGraphEdgeData *__edges, size_t __count, unsigned int __flags S2S_DEFAULT(0));

/* Nodes of any type. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	const cudaGraphEdgeData *__edges, size_t __count, struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t __node, struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphExecNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node, cudaGraph_t __child);

/* Copies to and from variables at file scope. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, const void *__symbol, const void *__from, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
	const cudaGraphNode_t *__after, size_t __count, void *__to, const void *__symbol, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t __node, const void *__symbol, const void *__from,
	size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t __node, void *__to, const void *__symbol,
	size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
	const void *__symbol, const void *__from, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node, void *__to,
	const void *__symbol, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind);

/* A kernel, a copy or a fill that is not enabled is not done. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node, unsigned int __is_enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node, unsigned int *__is_enabled);
cudaError_t cudaGraphInstantiateWithParams(
	cudaGraphExec_t *__exec, cudaGraph_t __graph, cudaGraphInstantiateParams *__params);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t __exec, unsigned long long *__flags);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t __graph, const char *__path, unsigned int __flags);
/* Conditional nodes: cudaErrorNotSupported. */
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *__handle, cudaGraph_t __graph,
	unsigned int __value S2S_DEFAULT(0), unsigned int __flags S2S_DEFAULT(0));

cudaError_t cudaUserObjectCreate(
	cudaUserObject_t *__object, void *__data, cudaHostFn_t __destroy, unsigned int __count, unsigned int __flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t __object, unsigned int __count S2S_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t __object, unsigned int __count S2S_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
	unsigned int __count S2S_DEFAULT(1), unsigned int __flags S2S_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(
	cudaGraph_t __graph, cudaUserObject_t __object, unsigned int __count S2S_DEFAULT(1));

/* The memory of nodes that allocate. It is reserved as long as it is used. */
cudaError_t cudaDeviceGetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr, void *__value);
cudaError_t cudaDeviceSetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr, void *__value);
cudaError_t cudaDeviceGraphMemTrim(int __device);

#ifdef __cplusplus
} /* extern "C" */

/* As programs for CUDA before 13 and before 12 write it. */
static inline cudaError_t cudaGraphAddDependencies(
	cudaGraph_t __graph, const cudaGraphNode_t *__from, const cudaGraphNode_t *__to, size_t __count) {
	return cudaGraphAddDependencies(__graph, __from, __to, 0, __count);
}
static inline cudaError_t cudaGraphRemoveDependencies(
	cudaGraph_t __graph, const cudaGraphNode_t *__from, const cudaGraphNode_t *__to, size_t __count) {
	return cudaGraphRemoveDependencies(__graph, __from, __to, 0, __count);
}
static inline cudaError_t cudaGraphGetEdges(
	cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to, size_t *__count) {
	return cudaGraphGetEdges(__graph, __from, __to, 0, __count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(
	cudaGraphNode_t __node, cudaGraphNode_t *__nodes, size_t *__count) {
	return cudaGraphNodeGetDependencies(__node, __nodes, 0, __count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(
	cudaGraphNode_t __node, cudaGraphNode_t *__nodes, size_t *__count) {
	return cudaGraphNodeGetDependentNodes(__node, __nodes, 0, __count);
}
static inline cudaError_t cudaGraphInstantiate(
	cudaGraphExec_t *__exec, cudaGraph_t __graph, cudaGraphNode_t *__fault, char *__text, size_t __size) {
	if (__fault)
		*__fault = 0;
	if (__text && __size)
		*__text = 0;
	return cudaGraphInstantiate(__exec, __graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(
	cudaGraphExec_t __exec, cudaGraph_t __graph, cudaGraphNode_t *__fault, enum cudaGraphExecUpdateResult *__result) {
	cudaGraphExecUpdateResultInfo __info;
	cudaError_t __code = cudaGraphExecUpdate(__exec, __graph, &__info);
	if (__fault)
		*__fault = __info.errorNode;
	if (__result)
		*__result = __info.result;
	return __code;
}
template <class __T>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
	const cudaGraphNode_t *__after, size_t __count, __T &__symbol, const void *__from, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind) {
	return cudaGraphAddMemcpyNodeToSymbol(
		__node, __graph, __after, __count, s2s_symbol(__symbol), __from, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
	const cudaGraphNode_t *__after, size_t __count, void *__to, __T &__symbol, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind) {
	return cudaGraphAddMemcpyNodeFromSymbol(
		__node, __graph, __after, __count, __to, s2s_symbol(__symbol), __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t __node, __T &__symbol,
	const void *__from, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind) {
	return cudaGraphMemcpyNodeSetParamsToSymbol(__node, s2s_symbol(__symbol), __from, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
	cudaGraphNode_t __node, void *__to, __T &__symbol, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind) {
	return cudaGraphMemcpyNodeSetParamsFromSymbol(__node, __to, s2s_symbol(__symbol), __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
	__T &__symbol, const void *__from, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind) {
	return cudaGraphExecMemcpyNodeSetParamsToSymbol(
		__exec, __node, s2s_symbol(__symbol), __from, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
	void *__to, __T &__symbol, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind) {
	return cudaGraphExecMemcpyNodeSetParamsFromSymbol(
		__exec, __node, __to, s2s_symbol(__symbol), __bytes, __offset, __kind);
}
/* As programs for CUDA 12 write it. */
static inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status,
	unsigned long long *__id = 0, cudaGraph_t *__graph = 0, const cudaGraphNode_t **__after = 0, size_t *__count = 0) {
	return cudaStreamGetCaptureInfo(__stream, __status, __id, __graph, __after, 0, __count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(
	cudaStream_t __stream, cudaGraphNode_t *__after, size_t __count, unsigned int __flags = 0) {
	return cudaStreamUpdateCaptureDependencies(__stream, __after, 0, __count, __flags);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__after,
	size_t __count, struct cudaGraphNodeParams *__params) {
	return cudaGraphAddNode(__node, __graph, __after, 0, __count, __params);
}
#endif

#endif
