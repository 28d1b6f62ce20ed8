/* Handles of kernels, which both APIs know. */
#ifndef S2S_HANDLES_H
#define S2S_HANDLES_H

#include "cudart/module.h"
#include "cudart/queue.h"

/* A handle of a kernel: the same for cudaFunction_t, CUfunction, cudaKernel_t and CUkernel, which programs convert. */
struct CUfunc_st {
	const s2s_kernel *kernel;
	struct CUmod_st *module; /* null: it is of the program itself */
	struct CUfunc_st *next;  /* in its module, or of those that are in none */
};

/* A loaded image. Of a library, it is the first member. */
struct CUmod_st {
	s2s_module *code;
	struct CUfunc_st *functions; /* that the program has asked for */
};

/* The kernel of a handle; null if it is none. */
const s2s_kernel *s2s_kernel_of_handle(const void *handle);

/* The handle of a kernel of a module, which stays as long as that. Null: no memory. */
struct CUfunc_st *s2s_handle_in(struct CUmod_st *module, const s2s_kernel *kernel);

/* Unload the image, and forget the handles. */
void s2s_empty_module(struct CUmod_st *module);

/* The module of a library; null if it is no library. */
struct CUmod_st *s2s_module_of(cudaLibrary_t library);

/* The handle of a kernel of the program itself, which stays. Null: no memory. */
struct CUfunc_st *s2s_handle_of(const s2s_kernel *kernel);

#endif
