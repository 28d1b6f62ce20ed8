/* What the files behind cuda_runtime.h share. */
#ifndef S2S_HOST_H
#define S2S_HOST_H

#include "cuda_runtime.h"
#include "base/address_ranges.h"

enum { BLOCK_THREADS = 1024, BLOCK_SHARED_BYTES = 48 << 10 }; /* at most */

/* What a call with the result `code` returns: the device's fault if there is one, else `code`, which also becomes the
 * calling thread's last error unless it is cudaSuccess. */
cudaError_t s2s_note(cudaError_t code);

/* Remember why a launch failed. A kernel that ended in the middle of its work is the device's fault. */
void s2s_note_launch(cudaError_t code);

/* Why the device can do nothing any more, until s2s_forget_errors; else cudaSuccess. */
cudaError_t s2s_device_fault(void);
void s2s_forget_errors(void);

/* The number in the first line of a file that begins with `label`, in kB if the label is not empty; SIZE_MAX if there
 * is none. */
size_t s2s_read_size(const char *path, const char *label);

/* The machine's memory in bytes, or what a container has of it. */
size_t s2s_memory_bytes(void);

/* cudaMalloc and cudaFree for the runtime itself: captures of the program's do not forbid them. */
cudaError_t s2s_allocate_memory(void **pointer, size_t bytes);
cudaError_t s2s_free_memory(void *pointer);

/* A variable at file scope that meets [begin, begin + bytes); its `begin` is null if there is none. */
s2s_range s2s_variable_at(const void *begin, size_t bytes);

/* Variables that a program loads while it runs. False: no memory. */
bool s2s_add_variable(const void *address, size_t bytes);
void s2s_remove_variable(const void *address);

/* The same for all memory that the device has; with `on_device` also for the host's memory that programs registered. */
s2s_range s2s_device_memory_at(const void *begin, size_t bytes, bool on_device);

/* Managed memory that an address lies in; its `begin` is null if it lies in none. */
s2s_range s2s_managed_memory_at(const void *pointer);

/* Memory is freed: forget what programs have said of it, and of which pool it was. */
void s2s_forget_advice(const void *pointer);
void s2s_leave_pool(const void *pointer);

#endif
