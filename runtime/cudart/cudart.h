/* What the files that implement cuda_runtime.h share. */
#ifndef S2S_CUDART_H
#define S2S_CUDART_H

#include "base/address_ranges.h"
#include "base/errors.h"

enum { BLOCK_THREADS = 1024, BLOCK_SHARED_BYTES = 48 << 10 }; /* at most */

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
