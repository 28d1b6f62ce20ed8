/* Handles of kernels, which both APIs know. */
#ifndef S2S_HANDLES_H
#define S2S_HANDLES_H

#include "queue.h"

/* A handle of a kernel: the same for cudaFunction_t, CUfunction, cudaKernel_t and CUkernel, which programs convert. */
struct CUfunc_st {
	const s2s_kernel *kernel;
	struct CUmod_st *module; /* null: it is of the program itself, or of a library */
	struct CUfunc_st *next;  /* in its module or library, or of those that are in none */
};

/* The kernel of a handle; null if it is none. */
const s2s_kernel *s2s_kernel_of_handle(const void *handle);

/* Make a handle, or take one that is gone from those that are known. Null: no memory. */
struct CUfunc_st *s2s_make_handle(const s2s_kernel *kernel);
void s2s_drop_handle(struct CUfunc_st *handle);

/* The handle of a kernel of the program itself, which stays. Null: no memory. */
struct CUfunc_st *s2s_handle_of(const s2s_kernel *kernel);

#endif
