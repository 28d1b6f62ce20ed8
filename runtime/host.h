/* What the files behind cuda_runtime.h share. */
#ifndef S2S_HOST_H
#define S2S_HOST_H

#include "cuda_runtime.h"

enum { BLOCK_THREADS = 1024, BLOCK_SHARED_BYTES = 48 << 10 }; /* at most */

/* What a call with the result `code` returns: the device's fault if there is one, else `code`, which also becomes the
 * calling thread's last error unless it is cudaSuccess. */
cudaError_t s2s_note(cudaError_t code);

/* Remember why a launch failed. A kernel that ended in the middle of its work is the device's fault. */
void s2s_note_launch(cudaError_t code);

/* Why the device can do nothing any more, until s2s_forget_errors; else cudaSuccess. */
cudaError_t s2s_device_fault(void);
void s2s_forget_errors(void);

/* The machine's memory in bytes, or what a container has of it. */
size_t s2s_memory_bytes(void);

#endif
