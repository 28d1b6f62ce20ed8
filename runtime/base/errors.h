/* CUDA's errors of this process and of its threads; see errors.c. */
#ifndef S2S_ERRORS_H
#define S2S_ERRORS_H

#include "cuda_runtime.h"

#include <stdbool.h>

/* What a call with the result `code` returns: the device's fault if there is one, else `code`, which also becomes the
 * calling thread's last error unless it is cudaSuccess. */
cudaError_t s2s_note(cudaError_t code);

/* Remember why a launch failed. A kernel that ended in the middle of its work is the device's fault. */
void s2s_note_launch(cudaError_t code);

/* Why the device can do nothing any more, until s2s_forget_errors; else cudaSuccess. */
cudaError_t s2s_device_fault(void);
void s2s_forget_errors(void);

#endif
