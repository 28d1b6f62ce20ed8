/* Graphs that can be launched: copies of graphs with an order in which their nodes are done. */
#define _GNU_SOURCE
#include "cudart/queue.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct CUgraphExec_st {
	cudaGraph_t graph;
	unsigned long long flags;
	s2s_point *launched; /* after the last launch that went to a queue; may be null */
};

static s2s_ranges execs = S2S_NO_RANGES;

static bool is_exec(cudaGraphExec_t exec) {
	return exec && s2s_ranges_find(&execs, exec, sizeof *exec).begin == exec;
}

/* ---- nodes in streams ---- */

cudaError_t s2s_run_node(const s2s_node *node) {
	const s2s_kernel_work *launch = &node->work.kernel;
	switch (node->type) {
	case cudaGraphNodeTypeKernel:
		return s2s_launch_beside_others(launch);
	case cudaGraphNodeTypeMemcpy:
		return cudaMemcpy3D(&node->work.copy);
	case cudaGraphNodeTypeMemset:
		return s2s_fill_now(&node->work.fill);
	case cudaGraphNodeTypeHost:
		node->work.host.fn(node->work.host.userData);
		return cudaSuccess;
	default: /* never in a queue */
		return cudaErrorInvalidValue;
	}
}

/* Do a copy, a fill or a host function in a stream, where it touches so many bytes. */
static cudaError_t do_in(cudaStream_t stream, const s2s_node *node, size_t bytes) {
	if (s2s_goes_later(stream, bytes))
		return s2s_queue_work(s2s_stream_of(stream), node);
	s2s_wait_before(stream);
	return s2s_run_node(node);
}

cudaError_t s2s_fill_in(cudaStream_t stream, const struct cudaMemsetParams *params) {
	size_t width, bytes;
	if (__builtin_mul_overflow(params->width, params->elementSize, &width) ||
		__builtin_mul_overflow(width, params->height, &bytes) || (uintptr_t)params->dst % params->elementSize != 0)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_node work = {.type = cudaGraphNodeTypeMemset, .work.fill = *params};
	if (s2s_captures(stream))
		return s2s_capture_work(stream, &work);
	cudaError_t fault = s2s_check_stream(stream);
	if (fault == cudaSuccess)
		fault = s2s_note(s2s_fault_of_waiting(stream));
	return fault == cudaSuccess ? do_in(stream, &work, bytes) : fault;
}

/* Memory is allocated when its node is made, and stays until no graph can use it: it only has to be there still. */
static cudaError_t check_memory(const void *pointer) {
	return s2s_note(s2s_device_memory_at(pointer, 1, true).begin == pointer ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t launch_graph(cudaGraph_t graph, cudaStream_t stream);

static cudaError_t launch_node(const s2s_node *node, cudaStream_t stream) {
	const s2s_kernel_work *launch = &node->work.kernel;
	switch (node->type) {
	case cudaGraphNodeTypeKernel:
		return s2s_launch_in(stream, launch->kernel, launch->cooperative, launch->grid, launch->block,
			launch->shared_bytes, launch->packed);
	case cudaGraphNodeTypeMemcpy:
	case cudaGraphNodeTypeHost:
		return do_in(stream, node, SIZE_MAX);
	case cudaGraphNodeTypeMemset:
		return s2s_fill_in(stream, &node->work.fill);
	case cudaGraphNodeTypeGraph:
		return launch_graph(node->work.child, stream);
	case cudaGraphNodeTypeWaitEvent:
		return cudaStreamWaitEvent(stream, node->work.event, 0);
	case cudaGraphNodeTypeEventRecord:
		return cudaEventRecord(node->work.event, stream);
	case cudaGraphNodeTypeMemAlloc:
		return check_memory(node->work.allocation.memory->pointer);
	case cudaGraphNodeTypeMemFree:
		return check_memory(node->work.freed);
	default: /* nodes without work; no others are made */
		break;
	}
	return cudaSuccess;
}

static cudaError_t launch_graph(cudaGraph_t graph, cudaStream_t stream) {
	cudaError_t code = cudaSuccess;
	for (size_t i = 0; code == cudaSuccess && i < graph->count; i++)
		if (!graph->nodes[i]->is_disabled)
			code = launch_node(graph->nodes[i], stream);
	return code;
}

/* ---- the order of nodes ---- */

/* Put the nodes of a graph into `order`, each after those that it depends on; false if there is a circle. */
static bool find_order(cudaGraph_t graph, s2s_node **order, bool *taken) {
	size_t made = 0, before;
	do {
		before = made;
		for (size_t i = 0; i < graph->count; i++) {
			const s2s_node *node = graph->nodes[i];
			bool ready = !taken[i];
			for (size_t k = 0; ready && k < node->nafter; k++)
				ready = taken[node->after[k]->number];
			if (ready) {
				order[made++] = graph->nodes[i];
				taken[i] = true;
			}
		}
	} while (made > before);
	return made == graph->count;
}

/* Put the nodes of a graph, and of those in it, into an order in which they can be done. */
static cudaError_t sort(cudaGraph_t graph) {
	s2s_node **order = malloc((graph->count + 1) * sizeof *order);
	bool *taken = calloc(graph->count + 1, 1);
	cudaError_t fault = !order || !taken                  ? cudaErrorMemoryAllocation
						: find_order(graph, order, taken) ? cudaSuccess
														  : cudaErrorInvalidValue;
	free(taken);
	if (fault != cudaSuccess) {
		free(order);
		return fault;
	}
	free(graph->nodes);
	graph->nodes = order;
	for (size_t i = 0; i < graph->count; i++) {
		order[i]->number = i;
		if (fault == cudaSuccess && order[i]->type == cudaGraphNodeTypeGraph)
			fault = sort(order[i]->work.child);
	}
	return fault;
}

/* ---- the functions ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
	unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
	if (!exec || !s2s_is_graph(graph) || flags & ~known)
		return s2s_note(cudaErrorInvalidValue);
	cudaGraphExec_t made = calloc(1, sizeof *made);
	if (made)
		made->graph = s2s_clone(graph);
	cudaError_t fault = made && made->graph ? sort(made->graph) : cudaErrorMemoryAllocation;
	if (fault == cudaSuccess && !s2s_ranges_add(&execs, made, sizeof *made))
		fault = cudaErrorMemoryAllocation;
	if (fault != cudaSuccess) {
		if (made && made->graph)
			s2s_free_graph(made->graph);
		free(made);
		return s2s_note(fault);
	}
	made->flags = flags;
	*exec = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphInstantiateWithParams(
	cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *params) {
	if (!params)
		return s2s_note(cudaErrorInvalidValue);
	params->errNode_out = NULL;
	cudaError_t code =
		cudaGraphInstantiate(exec, graph, params->flags & ~(unsigned long long)cudaGraphInstantiateFlagUpload);
	params->result_out = code == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
	return code;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
	if (!is_exec(exec) || !flags)
		return s2s_note(cudaErrorInvalidValue);
	*flags = exec->flags;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
	return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
	if (!is_exec(exec))
		return s2s_note(cudaErrorInvalidValue);
	s2s_ranges_remove(&execs, exec);
	if (exec->launched && exec->graph->holdings) /* host functions may use what the graph holds */
		s2s_await_point(exec->launched);
	if (exec->launched)
		s2s_release_point(exec->launched);
	s2s_free_graph(exec->graph);
	free(exec);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
	return is_exec(exec) ? s2s_check_stream(stream) : s2s_note(cudaErrorInvalidValue);
}

/* Launches of one graph follow each other, in whatever streams. */
static cudaError_t wait_for_last_launch(cudaGraphExec_t exec, cudaStream_t stream) {
	s2s_point *last = exec->launched;
	cudaError_t code = cudaSuccess;
	exec->launched = NULL;
	if (last && s2s_goes_later(stream, SIZE_MAX))
		code = s2s_queue_wait(s2s_stream_of(stream), last);
	else if (last)
		s2s_await_point(last);
	if (last)
		s2s_release_point(last);
	return code;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
	if (!is_exec(exec))
		return s2s_note(cudaErrorInvalidValue);
	if (s2s_captures(stream))
		return s2s_note(s2s_spoil_capture(stream));
	cudaError_t code = s2s_check_stream(stream);
	if (code == cudaSuccess)
		code = s2s_note(s2s_fault_of_waiting(stream));
	if (code == cudaSuccess)
		code = wait_for_last_launch(exec, stream);
	if (code == cudaSuccess)
		code = launch_graph(exec->graph, stream);
	if (s2s_goes_later(stream, 0)) {
		exec->launched = s2s_queue_point(s2s_stream_of(stream));
		code = exec->launched ? code : s2s_note(cudaErrorMemoryAllocation);
	}
	return code;
}

/* ---- changes ---- */

s2s_node *s2s_made_from(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type) {
	for (size_t i = 0; is_exec(exec) && i < exec->graph->count; i++)
		if (exec->graph->nodes[i]->origin == node && node && exec->graph->nodes[i]->type == type)
			return exec->graph->nodes[i];
	return NULL;
}

cudaError_t cudaGraphExecKernelNodeSetParams(
	cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
	return cudaGraphKernelNodeSetParams(s2s_made_from(exec, node, cudaGraphNodeTypeKernel), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(
	cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *params) {
	return cudaGraphMemcpyNodeSetParams(s2s_made_from(exec, node, cudaGraphNodeTypeMemcpy), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(
	cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	return cudaGraphMemcpyNodeSetParams1D(s2s_made_from(exec, node, cudaGraphNodeTypeMemcpy), to, from, bytes, kind);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(
	cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemsetParams *params) {
	return cudaGraphMemsetNodeSetParams(s2s_made_from(exec, node, cudaGraphNodeTypeMemset), params);
}

cudaError_t cudaGraphExecHostNodeSetParams(
	cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaHostNodeParams *params) {
	return cudaGraphHostNodeSetParams(s2s_made_from(exec, node, cudaGraphNodeTypeHost), params);
}

static bool same_edges(const s2s_node *a, const s2s_node *b) {
	bool same = a->nafter == b->nafter;
	for (size_t i = 0; same && i < a->nafter; i++)
		same = a->after[i]->number == b->after[i]->number;
	return same;
}

/* What keeps `exec` from becoming a launch of `graph`, whose nodes are in an order too. */
static cudaGraphExecUpdateResultInfo difference(cudaGraph_t exec, cudaGraph_t graph) {
	cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateSuccess, NULL, NULL};
	if (exec->count != graph->count)
		info.result = cudaGraphExecUpdateErrorTopologyChanged;
	for (size_t i = 0; info.result == cudaGraphExecUpdateSuccess && i < graph->count; i++) {
		s2s_node *now = exec->nodes[i], *then = graph->nodes[i];
		info.errorNode = then->origin;
		if (!same_edges(now, then))
			info.result = cudaGraphExecUpdateErrorTopologyChanged;
		else if (now->type != then->type)
			info.result = cudaGraphExecUpdateErrorNodeTypeChanged;
		else if (now->type == cudaGraphNodeTypeMemAlloc || now->type == cudaGraphNodeTypeMemFree)
			info.result = cudaGraphExecUpdateErrorNotSupported;
		else if (now->type == cudaGraphNodeTypeGraph)
			info.result = difference(now->work.child, then->work.child).result;
	}
	if (info.result == cudaGraphExecUpdateSuccess)
		info.errorNode = NULL;
	return info;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *result) {
	if (!is_exec(exec) || !s2s_is_graph(graph) || !result)
		return s2s_note(cudaErrorInvalidValue);
	cudaGraph_t sorted = s2s_clone(graph);
	cudaError_t fault = sorted ? sort(sorted) : cudaErrorMemoryAllocation;
	if (fault != cudaSuccess) {
		if (sorted)
			s2s_free_graph(sorted);
		return s2s_note(fault);
	}
	*result = difference(exec->graph, sorted);
	bool fits = result->result == cudaGraphExecUpdateSuccess;
	bool done = fits;
	for (size_t i = 0; done && i < sorted->count; i++) {
		done = s2s_copy_work(exec->graph->nodes[i], sorted->nodes[i]);
		exec->graph->nodes[i]->origin = sorted->nodes[i]->origin;
	}
	s2s_free_graph(sorted);
	if (!fits)
		return s2s_note(cudaErrorGraphExecUpdateFailure);
	return s2s_note(done ? cudaSuccess : cudaErrorMemoryAllocation);
}
