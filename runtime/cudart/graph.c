/* Graphs of work as data: nodes, edges, what nodes do, copies of graphs. */
#define _GNU_SOURCE
#include "cudart/graph.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static s2s_ranges graphs = S2S_NO_RANGES, nodes = S2S_NO_RANGES;

bool s2s_is_graph(cudaGraph_t graph) {
	return graph && s2s_ranges_find(&graphs, graph, sizeof *graph).begin == graph;
}

bool s2s_is_node(cudaGraphNode_t node) {
	return node && s2s_ranges_find(&nodes, node, sizeof *node).begin == node;
}

static bool are_nodes(cudaGraph_t graph, s2s_node *const *list, size_t count) {
	for (size_t i = 0; i < count; i++)
		if (!list || !s2s_is_node(list[i]) || list[i]->graph != graph)
			return false;
	return true;
}

/* ---- what nodes do ---- */

bool s2s_set_kernel(s2s_node *node, const s2s_kernel *kernel, const char *packed) {
	char *copy = malloc(kernel->args_bytes + 1);
	void **addresses = calloc(kernel->nparams + 1, sizeof *addresses);
	if (!copy || !addresses) {
		free(copy);
		free(addresses);
		return false;
	}
	memcpy(copy, packed, kernel->args_bytes);
	for (uint32_t i = 0; i < kernel->nparams; i++)
		addresses[i] = copy + kernel->param_offset[i];
	free(node->work.kernel.packed);
	free(node->work.kernel.addresses);
	node->work.kernel.kernel = kernel;
	node->work.kernel.packed = copy;
	node->work.kernel.addresses = addresses;
	return true;
}

static atomic_size_t bytes_now, bytes_most; /* allocated by nodes */

void s2s_graph_memory_bytes(size_t *now, size_t *most, bool forget) {
	if (forget)
		atomic_store(&bytes_most, atomic_load(&bytes_now));
	*now = atomic_load(&bytes_now);
	*most = atomic_load(&bytes_most);
}

static void count_memory(s2s_graph_memory *memory, size_t bytes) {
	memory->bytes = bytes;
	size_t now = atomic_fetch_add(&bytes_now, bytes) + bytes;
	if (now > atomic_load(&bytes_most))
		atomic_store(&bytes_most, now);
}

static void release(s2s_graph_memory *memory) {
	if (--memory->users > 0)
		return;
	if (memory->is_freed)
		s2s_free_memory(memory->pointer);
	atomic_fetch_sub(&bytes_now, memory->bytes);
	free(memory);
}

void s2s_free_work(s2s_node *node) {
	if (node->type == cudaGraphNodeTypeKernel) {
		free(node->work.kernel.packed);
		free(node->work.kernel.addresses);
	} else if (node->type == cudaGraphNodeTypeGraph && node->work.child) {
		s2s_free_graph(node->work.child);
	} else if (node->type == cudaGraphNodeTypeMemAlloc && node->work.allocation.memory) {
		release(node->work.allocation.memory);
	}
	memset(&node->work, 0, sizeof node->work);
}

bool s2s_copy_work(s2s_node *target, const s2s_node *source) {
	s2s_node made = {.type = source->type, .work = source->work};
	switch (source->type) {
	case cudaGraphNodeTypeKernel:
		made.work.kernel.packed = NULL;
		made.work.kernel.addresses = NULL;
		if (!s2s_set_kernel(&made, source->work.kernel.kernel, source->work.kernel.packed))
			return false;
		break;
	case cudaGraphNodeTypeGraph:
		made.work.child = s2s_clone(source->work.child);
		if (!made.work.child)
			return false;
		break;
	case cudaGraphNodeTypeMemAlloc:
		made.work.allocation.memory->users++;
		break;
	default:
		break;
	}
	s2s_free_work(target);
	target->work = made.work;
	return true;
}

struct cudaMemcpy3DParms s2s_copy_of_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind) {
	return (struct cudaMemcpy3DParms){
		.srcPtr = make_cudaPitchedPtr((void *)from, from_pitch, width_bytes, height),
		.dstPtr = make_cudaPitchedPtr(to, to_pitch, width_bytes, height),
		.extent = make_cudaExtent(width_bytes, height, 1),
		.kind = kind,
	};
}

/* ---- nodes and edges ---- */

static bool depends(const s2s_node *node, const s2s_node *on) {
	for (size_t i = 0; i < node->nafter; i++)
		if (node->after[i] == on)
			return true;
	return false;
}

static bool add_edge(s2s_node *node, s2s_node *on) {
	s2s_node **list = realloc(node->after, (node->nafter + 1) * sizeof *list);
	if (!list)
		return false;
	list[node->nafter++] = on;
	node->after = list;
	return true;
}

static void remove_edge(s2s_node *node, const s2s_node *on) {
	size_t kept = 0;
	for (size_t i = 0; i < node->nafter; i++)
		if (node->after[i] != on)
			node->after[kept++] = node->after[i];
	node->nafter = kept;
}

/* Search back from a, by nodes where this search has not been: there may be very many ways to the same node. */
static bool search(s2s_node *a, const s2s_node *b, unsigned long long visit) {
	if (a == b)
		return true;
	a->visit = visit;
	for (size_t i = 0; i < a->nafter; i++)
		if (a->after[i]->visit != visit && search(a->after[i], b, visit))
			return true;
	return false;
}

bool s2s_comes_after(s2s_node *a, const s2s_node *b) {
	static atomic_ullong visits;
	return search(a, b, atomic_fetch_add(&visits, 1) + 1);
}

static void free_node(s2s_node *node) {
	s2s_ranges_remove(&nodes, node);
	s2s_free_work(node);
	free(node->after);
	free(node);
}

s2s_node *s2s_add_node(cudaGraph_t graph, enum cudaGraphNodeType type, s2s_node *const *after, size_t count) {
	s2s_node **list = realloc(graph->nodes, (graph->count + 1) * sizeof *list);
	if (!list)
		return NULL;
	graph->nodes = list;
	s2s_node *made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&nodes, made, sizeof *made)) {
		free(made);
		return NULL;
	}
	made->type = type;
	made->graph = graph;
	made->number = graph->count;
	for (size_t i = 0; i < count; i++)
		if (!depends(made, after[i]) && !add_edge(made, after[i])) {
			free_node(made);
			return NULL;
		}
	list[graph->count++] = made;
	return made;
}

void s2s_remove_node(s2s_node *node) {
	cudaGraph_t graph = node->graph;
	for (size_t i = 0; i < graph->count; i++)
		remove_edge(graph->nodes[i], node);
	graph->count--;
	for (size_t i = node->number; i < graph->count; i++) {
		graph->nodes[i] = graph->nodes[i + 1];
		graph->nodes[i]->number = i;
	}
	free_node(node);
}

void s2s_free_graph(cudaGraph_t graph) {
	s2s_ranges_remove(&graphs, graph);
	for (size_t i = 0; i < graph->count; i++)
		free_node(graph->nodes[i]);
	free(graph->nodes);
	s2s_release_objects(graph);
	free(graph);
}

static cudaGraph_t make_graph(void) {
	cudaGraph_t made = calloc(1, sizeof *made);
	if (made && s2s_ranges_add(&graphs, made, sizeof *made))
		return made;
	free(made);
	return NULL;
}

cudaGraph_t s2s_clone(cudaGraph_t graph) {
	cudaGraph_t made = make_graph();
	bool done = made && s2s_hold_objects(made, graph->holdings);
	for (size_t i = 0; done && i < graph->count; i++) {
		s2s_node *node = s2s_add_node(made, graph->nodes[i]->type, NULL, 0);
		done = node && s2s_copy_work(node, graph->nodes[i]);
		if (done)
			node->origin = graph->nodes[i];
	}
	for (size_t i = 0; done && i < graph->count; i++) /* an edge may lead to a later node */
		for (size_t k = 0; done && k < graph->nodes[i]->nafter; k++)
			done = add_edge(made->nodes[i], made->nodes[graph->nodes[i]->after[k]->number]);
	if (done)
		return made;
	if (made)
		s2s_free_graph(made);
	return NULL;
}

/* ---- the functions for graphs ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
	if (!graph || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaGraph_t made = make_graph();
	if (!made)
		return s2s_note(cudaErrorMemoryAllocation);
	*graph = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
	if (!s2s_is_graph(graph))
		return s2s_note(cudaErrorInvalidValue);
	s2s_free_graph(graph);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
	if (!clone || !s2s_is_graph(graph))
		return s2s_note(cudaErrorInvalidValue);
	cudaGraph_t made = s2s_clone(graph);
	if (!made)
		return s2s_note(cudaErrorMemoryAllocation);
	*clone = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone) {
	if (!found || !s2s_is_graph(clone))
		return s2s_note(cudaErrorInvalidValue);
	for (size_t i = 0; i < clone->count; i++)
		if (clone->nodes[i]->origin == node) {
			*found = clone->nodes[i];
			return s2s_note(cudaSuccess);
		}
	return s2s_note(cudaErrorInvalidValue);
}

/* Why the edges cannot be: they connect nodes of this graph, two of which may be the same. */
static cudaError_t fault_of_edges(cudaGraph_t graph, s2s_node *const *from, s2s_node *const *to, size_t count) {
	bool right = s2s_is_graph(graph) && are_nodes(graph, from, count) && are_nodes(graph, to, count);
	for (size_t i = 0; right && i < count; i++)
		right = from[i] != to[i];
	return right ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
	const cudaGraphEdgeData *edges, size_t count) {
	cudaError_t fault = fault_of_edges(graph, from, to, count);
	if (edges)
		fault = cudaErrorNotSupported;
	for (size_t i = 0; fault == cudaSuccess && i < count; i++)
		if (depends(to[i], from[i]))
			fault = cudaErrorInvalidValue;
		else if (!add_edge(to[i], from[i]))
			fault = cudaErrorMemoryAllocation;
	return s2s_note(fault);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
	const cudaGraphEdgeData *edges, size_t count) {
	cudaError_t fault = fault_of_edges(graph, from, to, count);
	if (edges)
		fault = cudaErrorNotSupported;
	for (size_t i = 0; fault == cudaSuccess && i < count; i++)
		if (depends(to[i], from[i]))
			remove_edge(to[i], from[i]);
		else
			fault = cudaErrorInvalidValue;
	return s2s_note(fault);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
	if (!s2s_is_node(node))
		return s2s_note(cudaErrorInvalidValue);
	s2s_remove_node(node);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
	if (!s2s_is_node(node) || !type)
		return s2s_note(cudaErrorInvalidValue);
	*type = node->type;
	return s2s_note(cudaSuccess);
}

/* Lists go to arrays with room for *room; without an array only their length is returned. What there is more room for
 * becomes null. */
typedef struct {
	s2s_node **array;
	size_t room, count;
} list;

static void put(list *to, s2s_node *node) {
	if (to->array && to->count < to->room)
		to->array[to->count] = node;
	to->count++;
}

static cudaError_t finish(const list *made, size_t *count) {
	for (size_t i = made->count; made->array && i < made->room; i++)
		made->array[i] = NULL;
	*count = made->array && made->count > made->room ? made->room : made->count;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *array, size_t *count) {
	if (!s2s_is_graph(graph) || !count)
		return s2s_note(cudaErrorInvalidValue);
	list made = {array, *count, 0};
	for (size_t i = 0; i < graph->count; i++)
		put(&made, graph->nodes[i]);
	return finish(&made, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *array, size_t *count) {
	if (!s2s_is_graph(graph) || !count)
		return s2s_note(cudaErrorInvalidValue);
	list made = {array, *count, 0};
	for (size_t i = 0; i < graph->count; i++)
		if (graph->nodes[i]->nafter == 0)
			put(&made, graph->nodes[i]);
	return finish(&made, count);
}

cudaError_t cudaGraphGetEdges(
	cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count) {
	if (!s2s_is_graph(graph) || !count || !from != !to)
		return s2s_note(cudaErrorInvalidValue);
	list begins = {from, *count, 0}, ends = {to, *count, 0};
	for (size_t i = 0; i < graph->count; i++)
		for (size_t k = 0; k < graph->nodes[i]->nafter; k++) {
			put(&begins, graph->nodes[i]->after[k]);
			put(&ends, graph->nodes[i]);
		}
	if (edges && from)
		memset(edges, 0, *count * sizeof *edges);
	size_t same = *count;
	finish(&begins, &same);
	return finish(&ends, count);
}

cudaError_t cudaGraphNodeGetDependencies(
	cudaGraphNode_t node, cudaGraphNode_t *array, cudaGraphEdgeData *edges, size_t *count) {
	if (!s2s_is_node(node) || !count)
		return s2s_note(cudaErrorInvalidValue);
	if (edges && array)
		memset(edges, 0, *count * sizeof *edges);
	list made = {array, *count, 0};
	for (size_t i = 0; i < node->nafter; i++)
		put(&made, node->after[i]);
	return finish(&made, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(
	cudaGraphNode_t node, cudaGraphNode_t *array, cudaGraphEdgeData *edges, size_t *count) {
	if (!s2s_is_node(node) || !count)
		return s2s_note(cudaErrorInvalidValue);
	if (edges && array)
		memset(edges, 0, *count * sizeof *edges);
	list made = {array, *count, 0};
	for (size_t i = 0; i < node->graph->count; i++)
		if (depends(node->graph->nodes[i], node))
			put(&made, node->graph->nodes[i]);
	return finish(&made, count);
}

/* ---- the functions for nodes of each kind ---- */

/* Add a node that does what `work` does, which has to be freed then. */
static cudaError_t add(
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, const s2s_node *work) {
	if (!node || !s2s_is_graph(graph) || !are_nodes(graph, after, count))
		return s2s_note(cudaErrorInvalidValue);
	s2s_node *made = s2s_add_node(graph, work->type, after, count);
	if (!made)
		return s2s_note(cudaErrorMemoryAllocation);
	if (!s2s_copy_work(made, work)) {
		s2s_remove_node(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	*node = made;
	return s2s_note(cudaSuccess);
}

static cudaError_t change(cudaGraphNode_t node, const s2s_node *work) {
	if (!s2s_is_node(node) || node->type != work->type)
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(s2s_copy_work(node, work) ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* Read a kernel's parameters. Of a node that exists, `before`, the kernel may stay what it is. */
static cudaError_t kernel_work(s2s_node *work, const struct cudaKernelNodeParams *params, const s2s_node *before) {
	*work = (s2s_node){.type = cudaGraphNodeTypeKernel};
	if (!params)
		return cudaErrorInvalidValue;
	bool stays = before && !params->func;
	const s2s_kernel *kernel = stays ? before->work.kernel.kernel : s2s_kernel_of(params->func);
	if (!kernel)
		return cudaErrorInvalidDeviceFunction;
	if (params->extra || (kernel->nparams > 0 && !params->kernelParams))
		return params->extra ? cudaErrorNotSupported : cudaErrorInvalidValue;
	if (kernel->args_bytes > S2S_MAX_ARGS_BYTES)
		return cudaErrorInvalidValue;
	_Alignas(64) char packed[S2S_MAX_ARGS_BYTES];
	s2s_pack(kernel, params->kernelParams, packed);
	if (!s2s_set_kernel(work, kernel, packed))
		return cudaErrorMemoryAllocation;
	work->work.kernel.function = params->func;
	work->work.kernel.grid = params->gridDim;
	work->work.kernel.block = params->blockDim;
	work->work.kernel.shared_bytes = params->sharedMemBytes;
	work->work.kernel.cooperative = stays && before->work.kernel.cooperative;
	return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
	const struct cudaKernelNodeParams *params) {
	s2s_node work;
	cudaError_t code = kernel_work(&work, params, NULL);
	code = code == cudaSuccess ? add(node, graph, after, count, &work) : s2s_note(code);
	s2s_free_work(&work);
	return code;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeKernel)
		return s2s_note(cudaErrorInvalidValue);
	s2s_node work;
	cudaError_t code = kernel_work(&work, params, node);
	code = code == cudaSuccess ? change(node, &work) : s2s_note(code);
	s2s_free_work(&work);
	return code;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeKernel || !params)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_kernel_work *work = &node->work.kernel;
	*params = (struct cudaKernelNodeParams){
		work->function, work->grid, work->block, (unsigned int)work->shared_bytes, work->addresses, NULL};
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
	const struct cudaMemcpy3DParms *params) {
	if (!params)
		return s2s_note(cudaErrorInvalidValue);
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeMemcpy, .work.copy = *params});
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
	size_t count, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	struct cudaMemcpy3DParms params = s2s_copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
	return cudaGraphAddMemcpyNode(node, graph, after, count, &params);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params) {
	if (!params)
		return s2s_note(cudaErrorInvalidValue);
	return change(node, &(s2s_node){.type = cudaGraphNodeTypeMemcpy, .work.copy = *params});
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(
	cudaGraphNode_t node, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	struct cudaMemcpy3DParms params = s2s_copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
	return cudaGraphMemcpyNodeSetParams(node, &params);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeMemcpy || !params)
		return s2s_note(cudaErrorInvalidValue);
	*params = node->work.copy;
	return s2s_note(cudaSuccess);
}

static bool is_fill(const struct cudaMemsetParams *params) {
	return params && (params->elementSize == 1 || params->elementSize == 2 || params->elementSize == 4);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
	const struct cudaMemsetParams *params) {
	if (!is_fill(params))
		return s2s_note(cudaErrorInvalidValue);
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeMemset, .work.fill = *params});
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params) {
	if (!is_fill(params))
		return s2s_note(cudaErrorInvalidValue);
	return change(node, &(s2s_node){.type = cudaGraphNodeTypeMemset, .work.fill = *params});
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeMemset || !params)
		return s2s_note(cudaErrorInvalidValue);
	*params = node->work.fill;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
	const struct cudaHostNodeParams *params) {
	if (!params || !params->fn)
		return s2s_note(cudaErrorInvalidValue);
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeHost, .work.host = *params});
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params) {
	if (!params || !params->fn)
		return s2s_note(cudaErrorInvalidValue);
	return change(node, &(s2s_node){.type = cudaGraphNodeTypeHost, .work.host = *params});
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeHost || !params)
		return s2s_note(cudaErrorInvalidValue);
	*params = node->work.host;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphAddChildGraphNode(
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, cudaGraph_t child) {
	if (!s2s_is_graph(child) || child == graph)
		return s2s_note(cudaErrorInvalidValue);
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeGraph, .work.child = child});
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeGraph || !graph)
		return s2s_note(cudaErrorInvalidValue);
	*graph = node->work.child;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count) {
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeEmpty});
}

cudaError_t cudaGraphAddEventRecordNode(
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, cudaEvent_t event) {
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeEventRecord, .work.event = event});
}

cudaError_t cudaGraphAddEventWaitNode(
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, cudaEvent_t event) {
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeWaitEvent, .work.event = event});
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
	size_t count, struct cudaMemAllocNodeParams *params) {
	if (!params || params->bytesize == 0)
		return s2s_note(cudaErrorInvalidValue);
	s2s_graph_memory *memory = calloc(1, sizeof *memory);
	cudaError_t code = memory ? s2s_allocate_memory(&memory->pointer, params->bytesize) : cudaErrorMemoryAllocation;
	if (code != cudaSuccess) {
		free(memory);
		return s2s_note(code);
	}
	count_memory(memory, params->bytesize);
	params->dptr = memory->pointer;
	s2s_node work = {.type = cudaGraphNodeTypeMemAlloc};
	work.work.allocation.params = *params;
	work.work.allocation.memory = memory;
	memory->users = 1;
	code = add(node, graph, after, count, &work);
	memory->is_freed = code != cudaSuccess;
	release(memory);
	return code;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeMemAlloc || !params)
		return s2s_note(cudaErrorInvalidValue);
	*params = node->work.allocation.params;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphAddMemFreeNode(
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, void *pointer) {
	if (!pointer || !s2s_is_graph(graph))
		return s2s_note(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->count; i++) {
		s2s_node *other = graph->nodes[i];
		if (other->type == cudaGraphNodeTypeMemAlloc && other->work.allocation.memory->pointer == pointer)
			other->work.allocation.memory->is_freed = true;
	}
	return add(node, graph, after, count, &(s2s_node){.type = cudaGraphNodeTypeMemFree, .work.freed = pointer});
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeMemFree || !pointer)
		return s2s_note(cudaErrorInvalidValue);
	*(void **)pointer = node->work.freed;
	return s2s_note(cudaSuccess);
}
