/* Graphs, the rest: nodes of any type, copies to variables, attributes, objects that graphs hold, text of graphs. */
#define _GNU_SOURCE
#include "cudart/queue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes of any type ---- */

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
	const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params) {
	if (!params)
		return s2s_note(cudaErrorInvalidValue);
	if (edges)
		return s2s_note(cudaErrorNotSupported);
	switch (params->type) {
	case cudaGraphNodeTypeKernel:
		return cudaGraphAddKernelNode(node, graph, after, count, (const struct cudaKernelNodeParams *)&params->kernel);
	case cudaGraphNodeTypeMemcpy:
		return cudaGraphAddMemcpyNode(node, graph, after, count, &params->memcpy.copyParams);
	case cudaGraphNodeTypeMemset:
		return cudaGraphAddMemsetNode(node, graph, after, count, (const struct cudaMemsetParams *)&params->memset);
	case cudaGraphNodeTypeHost:
		return cudaGraphAddHostNode(node, graph, after, count, (const struct cudaHostNodeParams *)&params->host);
	case cudaGraphNodeTypeGraph:
		return cudaGraphAddChildGraphNode(node, graph, after, count, params->graph.graph);
	case cudaGraphNodeTypeEmpty:
		return cudaGraphAddEmptyNode(node, graph, after, count);
	case cudaGraphNodeTypeWaitEvent:
		return cudaGraphAddEventWaitNode(node, graph, after, count, params->eventWait.event);
	case cudaGraphNodeTypeEventRecord:
		return cudaGraphAddEventRecordNode(node, graph, after, count, params->eventRecord.event);
	case cudaGraphNodeTypeMemAlloc:
		return cudaGraphAddMemAllocNode(node, graph, after, count, (struct cudaMemAllocNodeParams *)&params->alloc);
	case cudaGraphNodeTypeMemFree:
		return cudaGraphAddMemFreeNode(node, graph, after, count, params->free.dptr);
	default:
		break;
	}
	return s2s_note(cudaErrorNotSupported);
}

static cudaError_t set_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t event) {
	if (!s2s_is_node(node) || node->type != type)
		return s2s_note(cudaErrorInvalidValue);
	if (!s2s_is_event(event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	node->work.event = event;
	return s2s_note(cudaSuccess);
}

static cudaError_t get_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *event) {
	if (!s2s_is_node(node) || node->type != type || !event)
		return s2s_note(cudaErrorInvalidValue);
	*event = node->work.event;
	return s2s_note(cudaSuccess);
}

static cudaError_t set_child(cudaGraphNode_t node, cudaGraph_t child) {
	if (!s2s_is_node(node) || node->type != cudaGraphNodeTypeGraph || !s2s_is_graph(child))
		return s2s_note(cudaErrorInvalidValue);
	s2s_node work = {.type = cudaGraphNodeTypeGraph, .work.child = child};
	return s2s_note(s2s_copy_work(node, &work) ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
	if (!s2s_is_node(node) || !params || node->type != params->type)
		return s2s_note(cudaErrorInvalidValue);
	switch (params->type) {
	case cudaGraphNodeTypeKernel:
		return cudaGraphKernelNodeSetParams(node, (const struct cudaKernelNodeParams *)&params->kernel);
	case cudaGraphNodeTypeMemcpy:
		return cudaGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
	case cudaGraphNodeTypeMemset:
		return cudaGraphMemsetNodeSetParams(node, (const struct cudaMemsetParams *)&params->memset);
	case cudaGraphNodeTypeHost:
		return cudaGraphHostNodeSetParams(node, (const struct cudaHostNodeParams *)&params->host);
	case cudaGraphNodeTypeGraph:
		return set_child(node, params->graph.graph);
	case cudaGraphNodeTypeWaitEvent:
		return set_event(node, cudaGraphNodeTypeWaitEvent, params->eventWait.event);
	case cudaGraphNodeTypeEventRecord:
		return set_event(node, cudaGraphNodeTypeEventRecord, params->eventRecord.event);
	default:
		break;
	}
	return s2s_note(cudaErrorNotSupported);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
	if (!params)
		return s2s_note(cudaErrorInvalidValue);
	return cudaGraphNodeSetParams(s2s_made_from(exec, node, params->type), params);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
	return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
	return set_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
	return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
	return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
	s2s_node *made = s2s_made_from(exec, node, cudaGraphNodeTypeEventRecord);
	return set_event(made, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
	s2s_node *made = s2s_made_from(exec, node, cudaGraphNodeTypeWaitEvent);
	return set_event(made, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
	return set_child(s2s_made_from(exec, node, cudaGraphNodeTypeGraph), child);
}

/* ---- copies to and from variables ---- */

/* Where the bytes of a variable begin that a copy is about; an error if they are not all of it. */
static cudaError_t place_in(const void *symbol, size_t bytes, size_t offset, char **place) {
	void *address;
	size_t size;
	cudaError_t code = cudaGetSymbolAddress(&address, symbol);
	if (code == cudaSuccess)
		code = cudaGetSymbolSize(&size, symbol);
	if (code == cudaSuccess && (offset > size || bytes > size - offset))
		code = s2s_note(cudaErrorInvalidValue);
	if (code == cudaSuccess)
		*place = (char *)address + offset;
	return code;
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
	size_t count, const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	char *to;
	cudaError_t code = place_in(symbol, bytes, offset, &to);
	return code == cudaSuccess ? cudaGraphAddMemcpyNode1D(node, graph, after, count, to, from, bytes, kind) : code;
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
	size_t count, void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	char *from;
	cudaError_t code = place_in(symbol, bytes, offset, &from);
	return code == cudaSuccess ? cudaGraphAddMemcpyNode1D(node, graph, after, count, to, from, bytes, kind) : code;
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(
	cudaGraphNode_t node, const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	char *to;
	cudaError_t code = place_in(symbol, bytes, offset, &to);
	return code == cudaSuccess ? cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind) : code;
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
	cudaGraphNode_t node, void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	char *from;
	cudaError_t code = place_in(symbol, bytes, offset, &from);
	return code == cudaSuccess ? cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind) : code;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
	const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	char *to;
	cudaError_t code = place_in(symbol, bytes, offset, &to);
	return code == cudaSuccess ? cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind) : code;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
	const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	char *from;
	cudaError_t code = place_in(symbol, bytes, offset, &from);
	return code == cudaSuccess ? cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind) : code;
}

/* ---- attributes ---- */

static bool is_kernel_node(cudaGraphNode_t node) {
	return s2s_is_node(node) && node->type == cudaGraphNodeTypeKernel;
}

cudaError_t cudaGraphKernelNodeSetAttribute(
	cudaGraphNode_t node, cudaKernelNodeAttrID id, const cudaKernelNodeAttrValue *value) {
	if (!is_kernel_node(node) || !value)
		return s2s_note(cudaErrorInvalidValue);
	switch (id) {
	case cudaLaunchAttributeCooperative:
		node->work.kernel.cooperative = value->cooperative != 0;
		return s2s_note(cudaSuccess);
	case cudaLaunchAttributePriority: /* there is one */
		return s2s_note(cudaSuccess);
	default:
		return s2s_note(cudaErrorNotSupported);
	}
}

cudaError_t cudaGraphKernelNodeGetAttribute(
	cudaGraphNode_t node, cudaKernelNodeAttrID id, cudaKernelNodeAttrValue *value) {
	if (!is_kernel_node(node) || !value)
		return s2s_note(cudaErrorInvalidValue);
	switch (id) {
	case cudaLaunchAttributeCooperative:
		value->cooperative = node->work.kernel.cooperative;
		return s2s_note(cudaSuccess);
	case cudaLaunchAttributePriority:
		value->priority = 0;
		return s2s_note(cudaSuccess);
	default:
		return s2s_note(cudaErrorNotSupported);
	}
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
	if (!is_kernel_node(to) || !is_kernel_node(from))
		return s2s_note(cudaErrorInvalidValue);
	to->work.kernel.cooperative = from->work.kernel.cooperative;
	return s2s_note(cudaSuccess);
}

/* The node of `exec` made from one that can be switched off; null if there is none. */
static s2s_node *switchable(cudaGraphExec_t exec, cudaGraphNode_t node) {
	s2s_node *found = s2s_made_from(exec, node, cudaGraphNodeTypeKernel);
	if (!found)
		found = s2s_made_from(exec, node, cudaGraphNodeTypeMemcpy);
	return found ? found : s2s_made_from(exec, node, cudaGraphNodeTypeMemset);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int is_enabled) {
	s2s_node *found = switchable(exec, node);
	if (!found)
		return s2s_note(cudaErrorInvalidValue);
	found->is_disabled = !is_enabled;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *is_enabled) {
	const s2s_node *found = switchable(exec, node);
	if (!found || !is_enabled)
		return s2s_note(cudaErrorInvalidValue);
	*is_enabled = !found->is_disabled;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphConditionalHandleCreate(
	cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned int value, unsigned int flags) {
	(void)value, (void)flags;
	return s2s_note(handle && s2s_is_graph(graph) ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

/* ---- text ---- */

static const char *label_of(const s2s_node *node) {
	switch (node->type) {
	case cudaGraphNodeTypeKernel:
		return node->work.kernel.kernel->name;
	case cudaGraphNodeTypeMemcpy:
		return "MEMCPY";
	case cudaGraphNodeTypeMemset:
		return "MEMSET";
	case cudaGraphNodeTypeHost:
		return "HOST";
	case cudaGraphNodeTypeGraph:
		return "GRAPH";
	case cudaGraphNodeTypeEmpty:
		return "EMPTY";
	case cudaGraphNodeTypeWaitEvent:
		return "EVENT_WAIT";
	case cudaGraphNodeTypeEventRecord:
		return "EVENT_RECORD";
	case cudaGraphNodeTypeMemAlloc:
		return "MEM_ALLOC";
	case cudaGraphNodeTypeMemFree:
		return "MEM_FREE";
	default:
		return "";
	}
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) {
	(void)flags; /* how much is printed of nodes */
	if (!s2s_is_graph(graph) || !path)
		return s2s_note(cudaErrorInvalidValue);
	FILE *file = fopen(path, "w");
	if (!file)
		return s2s_note(cudaErrorOperatingSystem);
	fprintf(file, "digraph graph_1 {\n");
	for (size_t i = 0; i < graph->count; i++) {
		const s2s_node *node = graph->nodes[i];
		fprintf(file, "\tnode_%zu [label=\"%zu: %s\"];\n", i, i, label_of(node));
		for (size_t k = 0; k < node->nafter; k++)
			fprintf(file, "\tnode_%zu -> node_%zu;\n", node->after[k]->number, i);
	}
	fprintf(file, "}\n");
	return s2s_note(fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}

/* ---- objects that graphs hold ---- */

static s2s_ranges objects = S2S_NO_RANGES;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all counts */

static bool is_object(cudaUserObject_t object) {
	return object && s2s_ranges_find(&objects, object, sizeof *object).begin == object;
}

static bool add_references(cudaUserObject_t object, unsigned int count) {
	pthread_mutex_lock(&lock);
	bool fits = object->count <= INT_MAX - count;
	object->count += fits ? count : 0;
	pthread_mutex_unlock(&lock);
	return fits;
}

static void drop_references(cudaUserObject_t object, unsigned int count) {
	pthread_mutex_lock(&lock);
	object->count -= count < object->count ? count : object->count;
	bool is_last = object->count == 0;
	pthread_mutex_unlock(&lock);
	if (!is_last)
		return;
	s2s_ranges_remove(&objects, object);
	object->destroy(object->data);
	free(object);
}

cudaError_t cudaUserObjectCreate(
	cudaUserObject_t *object, void *data, cudaHostFn_t destroy, unsigned int count, unsigned int flags) {
	if (!object || !destroy || count == 0 || count > INT_MAX || flags != cudaUserObjectNoDestructorSync)
		return s2s_note(cudaErrorInvalidValue);
	cudaUserObject_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&objects, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	*made = (struct CUuserObject_st){data, destroy, count};
	*object = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
	if (!is_object(object) || count == 0 || count > INT_MAX || !add_references(object, count))
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
	if (!is_object(object) || count == 0 || count > INT_MAX)
		return s2s_note(cudaErrorInvalidValue);
	drop_references(object, count);
	return s2s_note(cudaSuccess);
}

static s2s_holding *holding_of(cudaGraph_t graph, cudaUserObject_t object) {
	s2s_holding *found = graph->holdings;
	while (found && found->object != object)
		found = found->next;
	return found;
}

/* Count references of a graph's that the object has already counted. */
static bool hold(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
	s2s_holding *found = holding_of(graph, object);
	if (!found && (found = calloc(1, sizeof *found))) {
		*found = (s2s_holding){object, 0, graph->holdings};
		graph->holdings = found;
	}
	if (found)
		found->count += count;
	return found;
}

bool s2s_hold_objects(cudaGraph_t graph, const s2s_holding *holdings) {
	for (; holdings; holdings = holdings->next)
		if (!add_references(holdings->object, holdings->count) || !hold(graph, holdings->object, holdings->count))
			return false;
	return true;
}

void s2s_release_objects(cudaGraph_t graph) {
	while (graph->holdings) {
		s2s_holding *first = graph->holdings;
		graph->holdings = first->next;
		if (first->count > 0)
			drop_references(first->object, first->count);
		free(first);
	}
}

cudaError_t cudaGraphRetainUserObject(
	cudaGraph_t graph, cudaUserObject_t object, unsigned int count, unsigned int flags) {
	if (!s2s_is_graph(graph) || !is_object(object) || count == 0 || count > INT_MAX || flags > cudaGraphUserObjectMove)
		return s2s_note(cudaErrorInvalidValue);
	if (flags != cudaGraphUserObjectMove && !add_references(object, count))
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(hold(graph, object, count) ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
	s2s_holding *found = s2s_is_graph(graph) && is_object(object) ? holding_of(graph, object) : NULL;
	if (!found || count == 0 || count > found->count)
		return s2s_note(cudaErrorInvalidValue);
	found->count -= count;
	drop_references(object, count);
	return s2s_note(cudaSuccess);
}

/* ---- memory ---- */

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value) {
	size_t now, most;
	if (!value || (unsigned int)attribute > cudaGraphMemAttrReservedMemHigh)
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	s2s_graph_memory_bytes(&now, &most, false);
	bool is_most = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
	*(unsigned long long *)value = is_most ? most : now;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value) {
	bool is_most = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
	if (!value || !is_most || *(unsigned long long *)value != 0)
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	size_t now, most;
	s2s_graph_memory_bytes(&now, &most, true);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
	return s2s_note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); /* nothing is kept that is not in use */
}
