/* What the files that implement cuda_graphs.h share: graphs, and how the calls that streams capture become nodes. */
#ifndef S2S_GRAPH_H
#define S2S_GRAPH_H

#include "cudart/cudart.h"
#include "s2s.h"

/* A launch, with the kernel's parameters as launches pack them. */
typedef struct {
	const s2s_kernel *kernel;
	void *function; /* the host's; null if the launch was captured */
	dim3 grid, block;
	size_t shared_bytes;
	bool cooperative;
	char *packed;
	void **addresses; /* of the parameters in `packed` */
} s2s_kernel_work;

/* Memory that a graph allocates: it stays at its address for as long as a graph can launch that uses it. */
typedef struct {
	void *pointer;
	size_t bytes;
	unsigned int users; /* nodes that allocate it */
	bool is_freed;      /* by a node too, so that the program does not */
} s2s_graph_memory;

struct CUgraphNode_st {
	enum cudaGraphNodeType type;
	struct CUgraph_st *graph;
	size_t number;                 /* in its graph */
	struct CUgraphNode_st *origin; /* the node of which it is a copy */
	struct CUgraphNode_st **after; /* what has to be done before it */
	size_t nafter;
	unsigned long long visit; /* the last search that came by */
	bool is_disabled;         /* in a graph that can be launched */
	union {
		s2s_kernel_work kernel;
		struct cudaMemcpy3DParms copy;
		struct cudaMemsetParams fill;
		struct cudaHostNodeParams host;
		struct CUgraph_st *child;
		cudaEvent_t event;
		struct {
			struct cudaMemAllocNodeParams params;
			s2s_graph_memory *memory;
		} allocation;
		void *freed;
	} work;
};
typedef struct CUgraphNode_st s2s_node;

struct CUuserObject_st {
	void *data;
	cudaHostFn_t destroy;
	unsigned int count;
};

/* What a graph holds of an object. */
typedef struct s2s_holding {
	cudaUserObject_t object;
	unsigned int count;
	struct s2s_holding *next;
} s2s_holding;

struct CUgraph_st {
	s2s_node **nodes;
	size_t count;
	s2s_holding *holdings;
};

/* Let a graph hold what another one holds; false if there is no memory. */
bool s2s_hold_objects(cudaGraph_t graph, const s2s_holding *holdings);
void s2s_release_objects(cudaGraph_t graph);

bool s2s_is_graph(cudaGraph_t graph);
bool s2s_is_node(cudaGraphNode_t node);

/* Whether node b is done before node a, or is it. */
bool s2s_comes_after(s2s_node *a, const s2s_node *b);

/* Add a node without work to do; null if there is no memory. */
s2s_node *s2s_add_node(cudaGraph_t graph, enum cudaGraphNodeType type, s2s_node *const *after, size_t count);
void s2s_remove_node(s2s_node *node);

/* Let `target`, of the same type, do what `source` does. False: no memory, and nothing is changed. */
bool s2s_copy_work(s2s_node *target, const s2s_node *source);
void s2s_free_work(s2s_node *node);

/* Set what a kernel's node does. `packed` is copied. */
bool s2s_set_kernel(s2s_node *node, const s2s_kernel *kernel, const char *packed);

/* A copy of a graph, whose nodes know those that they are copies of. */
cudaGraph_t s2s_clone(cudaGraph_t graph);
void s2s_free_graph(cudaGraph_t graph);

/* The bytes that nodes have allocated, now and at most. */
void s2s_graph_memory_bytes(size_t *now, size_t *most, bool forget);

struct cudaMemcpy3DParms s2s_copy_of_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind);

/* ---- kernels.c ---- */

const s2s_kernel *s2s_kernel_of(const void *function);
void s2s_pack(const s2s_kernel *kernel, void **args, char *packed);
/* `cooperative`: the threads may wait at the barrier of the grid. */
cudaError_t s2s_launch_packed(
	const s2s_kernel *kernel, bool cooperative, dim3 grid, dim3 block, size_t shared_bytes, const char *packed);

/* The same in a stream, whose capture or queue may get the launch instead. */
cudaError_t s2s_launch_in(cudaStream_t stream, const s2s_kernel *kernel, bool cooperative, dim3 grid, dim3 block,
	size_t shared_bytes, const char *packed);

/* The same at once, at the same time as others if it is small. */
cudaError_t s2s_launch_beside_others(const s2s_kernel_work *work);

/* ---- graph_launch.c ---- */

/* Fill with elements, at once when the stream has reached that. */
cudaError_t s2s_fill_in(cudaStream_t stream, const struct cudaMemsetParams *params);

/* The node of a graph to launch that was made from one of this type; null if there is none. */
s2s_node *s2s_made_from(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type);

/* Do at once what a kernel's, copy's, fill's or host function's node does. */
cudaError_t s2s_run_node(const s2s_node *node);

/* ---- memcpy.c ---- */

cudaError_t s2s_fill_now(const struct cudaMemsetParams *params);

/* ---- capture.c ---- */

/* Whether the calls for a stream become nodes. The functions below are for streams that capture. */
bool s2s_captures(cudaStream_t stream);

/* Append a node that does what `work` does, which is copied. */
cudaError_t s2s_capture_work(cudaStream_t stream, const s2s_node *work);
cudaError_t s2s_capture_allocation(cudaStream_t stream, void **pointer, size_t bytes);
cudaError_t s2s_capture_free(cudaStream_t stream, void *pointer);

/* Remember as an event's what a stream has captured so far; or forget it, if the stream captures not. */
cudaError_t s2s_capture_record(cudaEvent_t event, cudaStream_t stream);

/* Whether an event is one of captured work; then s2s_capture_wait makes the stream wait for it, and capture. */
bool s2s_is_captured(cudaEvent_t event);
cudaError_t s2s_capture_wait(cudaStream_t stream, cudaEvent_t event);

/* Why work cannot be done at once in the default stream: a stream captures for which it would have to wait. That
 * capture is spoilt. cudaSuccess for other streams. */
cudaError_t s2s_fault_of_waiting(cudaStream_t stream);

/* The same for calls that CUDA holds for unsafe, which the modes of captures and threads forbid; and for calls that
 * wait for all streams. */
cudaError_t s2s_fault_of_unsafe_call(void);
cudaError_t s2s_fault_of_waiting_for_all(void);

/* What a call returns that a stream cannot capture: the capture is spoilt. */
cudaError_t s2s_spoil_capture(cudaStream_t stream);

/* The same for a call that asks how far an event of captured work is. */
cudaError_t s2s_spoil_captured(cudaEvent_t event);

#endif
