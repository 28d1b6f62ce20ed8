/* Kernels as host code knows them: launches, and what can be asked about a kernel. */
#define _GNU_SOURCE
#include "cudart/handles.h"
#include "device/guards.h"
#include "nested/nested.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PENDING = 12 };

typedef struct {
	dim3 grid, block;
	size_t shared_bytes;
	cudaStream_t stream;
} configuration;

/* Before any constructor of the program's may launch. */
__attribute__((constructor(101))) static void set_hooks(void) {
	s2s_hooks = (s2s_hook_table){
		.lock_queues = s2s_lock_queues,
		.unlock_queues = s2s_unlock_queues,
		.forget_queues = s2s_forget_queues,
		.call_helpers = s2s_call_helpers,
		.tasks_are_ready = s2s_tasks_are_ready,
		.lock_guards = s2s_lock_guards,
		.unlock_guards = s2s_unlock_guards,
		.run_family = s2s_run_family,
		.begin_parent = s2s_begin_parent,
		.end_parent = s2s_end_parent,
		.do_a_duty = s2s_do_a_duty,
	};
}

/* The launches that wait for their arguments to be evaluated, innermost last: `k<<<1, 1>>>(f())`, where f launches
 * too. A launch whose arguments threw an exception stays; when the room is full the oldest is forgotten. */
typedef struct {
	uint32_t count;
	configuration waiting[MAX_PENDING];
} launches;
static _Thread_local void *pending; /* launches; null if there never was one */

/* While the thread only asks which kernel a host function launches: where the answer goes. */
static _Thread_local const s2s_kernel **asked;

bool s2s_is_hidden_by(const void *nvidias, const void *cuda_malloc) {
	Dl_info other, asked;
	return cuda_malloc && dladdr(nvidias, &other) && dladdr(cuda_malloc, &asked) && other.dli_fbase == asked.dli_fbase;
}

int s2s_push_call(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
	launches *now = s2s_own_memory(&pending, sizeof *now);
	if (!now)
		return (int)s2s_note(cudaErrorMemoryAllocation);
	if (now->count == MAX_PENDING)
		memmove(now->waiting, now->waiting + 1, --now->count * sizeof *now->waiting);
	now->waiting[now->count++] = (configuration){grid, block, shared_bytes, stream};
	return 0;
}

/* Most arguments are numbers and pointers, for which a call of memcpy takes longer than the copy. */
static inline void copy_argument(char *to, const void *from, uint32_t bytes) {
	if (bytes == 8)
		memcpy(to, from, 8);
	else if (bytes == 4)
		memcpy(to, from, 4);
	else
		memcpy(to, from, bytes);
}

void s2s_pack(const s2s_kernel *kernel, void **args, char *packed) {
	for (uint32_t i = 0; i < kernel->nparams; i++)
		copy_argument(packed + kernel->param_offset[i], args[i], kernel->param_size[i]);
}

static cudaError_t launch(const s2s_kernel *kernel, const configuration *now, void **args, bool cooperative) {
	if (kernel->args_bytes > S2S_MAX_ARGS_BYTES)
		return s2s_note(cudaErrorInvalidValue);
	_Alignas(64) char packed[S2S_MAX_ARGS_BYTES];
	s2s_pack(kernel, args, packed);
	if (s2s_is_plain(now->stream))
		return s2s_launch_packed(kernel, cooperative, now->grid, now->block, now->shared_bytes, packed);
	return s2s_launch_in(now->stream, kernel, cooperative, now->grid, now->block, now->shared_bytes, packed);
}

static uint64_t blocks_of(dim3 grid) {
	return (uint64_t)grid.x * grid.y * grid.z;
}

/* Report, and note, that a launch failed. */
__attribute__((cold)) static cudaError_t failed(cudaError_t code) {
	bool is_reported = code == cudaErrorAssert; /* by those threads that failed */
	if (code != cudaErrorInvalidValue && code != cudaErrorCooperativeLaunchTooLarge && !is_reported)
		fprintf(stderr, "simt2simd: %s\n", s2s_last_message());
	s2s_note_launch(code);
	return code;
}

static inline cudaError_t report(int result) {
	return result == S2S_SUCCESS ? cudaSuccess : failed((cudaError_t)result);
}

static s2s_dim3 dim(dim3 size) {
	return (s2s_dim3){size.x, size.y, size.z};
}

cudaError_t s2s_launch_packed(
	const s2s_kernel *kernel, bool cooperative, dim3 grid, dim3 block, size_t shared_bytes, const char *packed) {
	if (s2s_device_fault() != cudaSuccess)
		return s2s_device_fault();
	s2s_flush_output();
	s2s_before_kernel(kernel);
	return report(cooperative ? s2s_launch_cooperative(kernel, dim(grid), dim(block), shared_bytes, packed)
							  : s2s_launch_kernel(kernel, dim(grid), dim(block), shared_bytes, packed));
}

cudaError_t s2s_launch_beside_others(const s2s_kernel_work *work) {
	if (s2s_device_fault() != cudaSuccess)
		return s2s_device_fault();
	s2s_before_kernel(work->kernel);
	if (work->cooperative)
		return report(
			s2s_launch_cooperative(work->kernel, dim(work->grid), dim(work->block), work->shared_bytes, work->packed));
	return report(s2s_launch_beside(work->kernel, dim(work->grid), dim(work->block), work->shared_bytes, work->packed));
}

/* Give a launch to the capture or the queue of a stream. */
static cudaError_t give(cudaError_t (*take)(cudaStream_t, const s2s_node *), cudaStream_t stream,
	const s2s_kernel *kernel, bool cooperative, dim3 grid, dim3 block, size_t shared_bytes, const char *packed) {
	s2s_node work = {.type = cudaGraphNodeTypeKernel};
	if (!s2s_set_kernel(&work, kernel, packed))
		return s2s_note(cudaErrorMemoryAllocation);
	work.work.kernel.cooperative = cooperative;
	work.work.kernel.grid = grid;
	work.work.kernel.block = block;
	work.work.kernel.shared_bytes = shared_bytes;
	cudaError_t code = take(stream, &work);
	s2s_free_work(&work);
	return code;
}

cudaError_t s2s_launch_in(cudaStream_t handle, const s2s_kernel *kernel, bool cooperative, dim3 grid, dim3 block,
	size_t shared_bytes, const char *packed) {
	if (s2s_captures(handle))
		return give(s2s_capture_work, handle, kernel, cooperative, grid, block, shared_bytes, packed);
	if (!s2s_is_stream(handle))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaError_t implicit = s2s_fault_of_waiting(handle);
	if (implicit != cudaSuccess)
		return s2s_note(implicit);
	cudaStream_t stream = s2s_stream_of(handle);
	bool idle = !s2s_has_work(NULL);
	if (!stream || s2s_does_task() || (idle && !cooperative && s2s_is_short_launch(kernel, blocks_of(grid)))) {
		s2s_wait_before(handle);
		return s2s_launch_packed(kernel, cooperative, grid, block, shared_bytes, packed);
	}
	if (s2s_device_fault() != cudaSuccess)
		return s2s_device_fault();
	int fault = s2s_check_launch(kernel, dim(grid), dim(block), shared_bytes);
	if (fault != S2S_SUCCESS)
		return report(fault);
	return give(s2s_queue_work, stream, kernel, cooperative, grid, block, shared_bytes, packed);
}

void s2s_launch_pushed(const struct s2s_kernel *kernel, void **args) {
	if (asked) {
		*asked = kernel;
		return;
	}
	launches *now = pending;
	if (!now || now->count == 0) {
		s2s_note(cudaErrorMissingConfiguration);
		return;
	}
	launch(kernel, &now->waiting[--now->count], args, false);
}

/* ---- kernels with several forms ---- */

static const s2s_kernel *find(const s2s_instances *list, const char *place, const char *arguments) {
	for (uint64_t i = 0; i < list->count; i++) {
		const s2s_instance *instance = &list->items[i];
		if (strcmp(instance->arguments, arguments) == 0 && strcmp(instance->place, place) == 0)
			return instance->kernel;
	}
	return NULL;
}

void s2s_launch_instance(struct s2s_reference *reference, void **args) {
	const s2s_kernel *kernel = __atomic_load_n(&reference->kernel, __ATOMIC_ACQUIRE);
	if (!kernel) {
		kernel = find(reference->instances, reference->place, reference->arguments);
		__atomic_store_n(&reference->kernel, kernel, __ATOMIC_RELEASE);
	}
	if (kernel) {
		s2s_launch_pushed(kernel, args);
		return;
	}
	launches *now = pending;
	if (!asked && now && now->count > 0)
		now->count--;
	s2s_note(cudaErrorInvalidDeviceFunction);
}

void s2s_not_on_host(const char *function) {
	fflush(stdout);
	fprintf(stderr, "simt2simd: host code called '%s', a __device__ function\n", function);
	abort();
}

/* ---- what can be asked ---- */

/* The kernel that a host function launches, or a handle denotes; null if there is none. The function is called for
 * that, with whatever is in the registers: the host function of a kernel only takes the addresses of its parameters. */
const s2s_kernel *s2s_kernel_of(const void *function) {
	const s2s_kernel *found = s2s_kernel_of_handle(function);
	if (function && !found) {
		void (*host)(void);
		memcpy(&host, &function, sizeof host);
		asked = &found;
		host();
		asked = NULL;
	}
	return found;
}

static cudaError_t launch_function(const void *function, const configuration *now, void **args, bool cooperative) {
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	if (kernel->nparams > 0 && !args)
		return s2s_note(cudaErrorInvalidValue);
	return launch(kernel, now, args, cooperative);
}

cudaError_t cudaLaunchKernel(
	const void *function, dim3 grid, dim3 block, void **args, size_t shared_bytes, cudaStream_t stream) {
	return launch_function(function, &(configuration){grid, block, shared_bytes, stream}, args, false);
}

cudaError_t cudaLaunchCooperativeKernel(
	const void *function, dim3 grid, dim3 block, void **args, size_t shared_bytes, cudaStream_t stream) {
	return launch_function(function, &(configuration){grid, block, shared_bytes, stream}, args, true);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
	if (!attributes)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	*attributes = (struct cudaFuncAttributes){
		.sharedSizeBytes = kernel->shared_bytes,
		.maxThreadsPerBlock = (int)kernel->max_threads,
		.numRegs = 255,
		.ptxVersion = 90,
		.binaryVersion = 90,
		.maxDynamicSharedSizeBytes = (int)s2s_dynamic_limit(kernel),
		.preferredShmemCarveout = -1,
	};
	return s2s_note(cudaSuccess);
}

/* A CPU's caches cannot be divided, so a carveout changes nothing. */
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value) {
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	switch (attribute) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		return s2s_note(value < 0 ? cudaErrorInvalidValue : (cudaError_t)s2s_set_dynamic_limit(kernel, (size_t)value));
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		return s2s_note(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
	case cudaFuncAttributeRequiredClusterWidth:
	case cudaFuncAttributeRequiredClusterHeight:
	case cudaFuncAttributeRequiredClusterDepth:
		return s2s_note(value == 1 || value == 0 ? cudaSuccess : cudaErrorNotSupported);
	case cudaFuncAttributeNonPortableClusterSizeAllowed:
		return s2s_note(value == 0 ? cudaSuccess : cudaErrorNotSupported);
	case cudaFuncAttributeClusterSchedulingPolicyPreference:
		return s2s_note(value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue);
	case cudaFuncAttributeClusterDimMustBeSet: /* can only be read */
	case cudaFuncAttributeMax:
		break;
	}
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
	(void)config;
	return s2s_note(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
	(void)config;
	return s2s_note(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, const void *function, int block_threads, size_t shared_bytes) {
	if (!blocks || block_threads <= 0)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	bool fits = kernel->shared_bytes <= S2S_STATIC_SHARED_BYTES && shared_bytes <= s2s_dynamic_limit(kernel);
	fits = fits && (uint32_t)block_threads <= kernel->max_threads;
	*blocks = fits ? (int)s2s_resident_blocks(kernel, (uint32_t)block_threads) : 0;
	return s2s_note(cudaSuccess);
}

/* One block at a time has all of a multiprocessor's. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *shared_bytes, const void *function, int blocks, int block_threads) {
	if (!shared_bytes || blocks != 1 || block_threads <= 0)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	if ((uint32_t)block_threads > kernel->max_threads)
		return s2s_note(cudaErrorInvalidValue);
	*shared_bytes = s2s_dynamic_limit(kernel);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, const void *function, int block_threads, size_t shared_bytes, unsigned int flags) {
	(void)flags;
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, shared_bytes);
}

/* ---- launches with attributes ---- */

/* Why an attribute cannot be had. What only allows or advises the device something is taken. */
static cudaError_t fault_of_attribute(const cudaLaunchAttribute *attribute) {
	const cudaLaunchAttributeValue *value = &attribute->val;
	switch (attribute->id) {
	case cudaLaunchAttributeIgnore:
	case cudaLaunchAttributeAccessPolicyWindow:
	case cudaLaunchAttributeCooperative:
	case cudaLaunchAttributeSynchronizationPolicy:
	case cudaLaunchAttributeClusterSchedulingPolicyPreference:
	case cudaLaunchAttributeProgrammaticStreamSerialization:
	case cudaLaunchAttributePriority:
	case cudaLaunchAttributeMemSyncDomainMap:
	case cudaLaunchAttributeMemSyncDomain:
	case cudaLaunchAttributePreferredSharedMemoryCarveout:
	case cudaLaunchAttributeNvlinkUtilCentricScheduling:
		return cudaSuccess;
	case cudaLaunchAttributeClusterDimension:
	case cudaLaunchAttributePreferredClusterDimension:
		if (value->clusterDim.x == 0 || value->clusterDim.y == 0 || value->clusterDim.z == 0)
			return cudaErrorInvalidValue;
		return value->clusterDim.x * value->clusterDim.y * value->clusterDim.z == 1 ? cudaSuccess
																					: cudaErrorNotSupported;
	case cudaLaunchAttributeProgrammaticEvent:
	case cudaLaunchAttributeLaunchCompletionEvent:
	case cudaLaunchAttributeDeviceUpdatableKernelNode:
		return cudaErrorNotSupported;
	}
	return cudaErrorInvalidValue;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
	if (!config || (config->numAttrs > 0 && !config->attrs))
		return s2s_note(cudaErrorInvalidValue);
	bool cooperative = false;
	for (unsigned int i = 0; i < config->numAttrs; i++) {
		cudaError_t fault = fault_of_attribute(&config->attrs[i]);
		if (fault != cudaSuccess)
			return s2s_note(fault);
		if (config->attrs[i].id == cudaLaunchAttributeCooperative)
			cooperative = config->attrs[i].val.cooperative != 0;
	}
	const configuration now = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream};
	return launch_function(function, &now, args, cooperative);
}

/* What is the largest cluster, or how many of the wanted size run at once. */
static cudaError_t clusters(int *result, const void *function, const cudaLaunchConfig_t *config, bool count) {
	if (!result || !config || (config->numAttrs > 0 && !config->attrs))
		return s2s_note(cudaErrorInvalidValue);
	for (unsigned int i = 0; i < config->numAttrs; i++) {
		cudaError_t fault = fault_of_attribute(&config->attrs[i]);
		if (fault != cudaSuccess)
			return s2s_note(fault);
	}
	int blocks, processors;
	int threads = (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z);
	cudaError_t code =
		cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, config->dynamicSmemBytes);
	if (code == cudaSuccess)
		code = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
	if (code == cudaSuccess)
		*result = count ? blocks * processors : 1;
	return code;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *count, const void *function, const cudaLaunchConfig_t *config) {
	return clusters(count, function, config, true);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *config) {
	return clusters(size, function, config, false);
}
