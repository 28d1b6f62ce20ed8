/* What the files behind cuda_runtime.h share. */
#ifndef S2S_HOST_H
#define S2S_HOST_H

#include "cuda_runtime.h"

/* Remember `code` as the calling thread's last error, unless it is cudaSuccess; return it. */
cudaError_t s2s_note(cudaError_t code);

/* Remember that a launch failed. */
void s2s_note_launch(cudaError_t code);

/* The code of the calling thread's failed launch that cudaGetLastError has not yet reported, else cudaSuccess. */
cudaError_t s2s_failed_launch(void);

/* The machine's memory in bytes, or what a container has of it. */
size_t s2s_memory_bytes(void);

#endif
