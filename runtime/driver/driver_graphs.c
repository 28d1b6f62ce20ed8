/* The driver API: graphs. */
#include "driver/driver.h"

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags) {
	return IN_CONTEXT(cudaGraphCreate(graph, flags));
}

CUresult cuGraphDestroy(CUgraph graph) {
	return IN_CONTEXT(cudaGraphDestroy(graph));
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph) {
	return IN_CONTEXT(cudaGraphClone(clone, graph));
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count) {
	return IN_CONTEXT(cudaGraphAddEmptyNode(node, graph, after, count));
}

CUresult cuGraphAddHostNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, const CUDA_HOST_NODE_PARAMS *params) {
	return IN_CONTEXT(cudaGraphAddHostNode(node, graph, after, count, params));
}

CUresult cuGraphAddChildGraphNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, CUgraph child) {
	return IN_CONTEXT(cudaGraphAddChildGraphNode(node, graph, after, count, child));
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
	return IN_CONTEXT(cudaGraphGetNodes(graph, nodes, count));
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
	return IN_CONTEXT(cudaGraphGetRootNodes(graph, nodes, count));
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
	return IN_CONTEXT(cudaGraphNodeGetType(node, type));
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
	return IN_CONTEXT(cudaGraphDestroyNode(node));
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
	return IN_CONTEXT(cudaGraphInstantiateWithFlags(exec, graph, flags));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
	return IN_CONTEXT(cudaGraphUpload(exec, stream));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
	return IN_CONTEXT(cudaGraphLaunch(exec, stream));
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
	return IN_CONTEXT(cudaGraphExecDestroy(exec));
}

CUresult cuGraphAddKernelNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, const CUDA_KERNEL_NODE_PARAMS *params) {
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	void *function = params->func ? (void *)params->func : (void *)params->kern;
	if (!s2s_kernel_of_handle(function))
		return CUDA_ERROR_INVALID_HANDLE;
	const struct cudaKernelNodeParams made = {.func = function,
		.gridDim = {params->gridDimX, params->gridDimY, params->gridDimZ},
		.blockDim = {params->blockDimX, params->blockDimY, params->blockDimZ},
		.sharedMemBytes = params->sharedMemBytes,
		.kernelParams = params->kernelParams,
		.extra = params->extra};
	return IN_CONTEXT(cudaGraphAddKernelNode(node, graph, after, count, &made));
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id, const CUkernelNodeAttrValue *value) {
	return IN_CONTEXT(cudaGraphKernelNodeSetAttribute(node, id, value));
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue *value) {
	return IN_CONTEXT(cudaGraphKernelNodeGetAttribute(node, id, value));
}
