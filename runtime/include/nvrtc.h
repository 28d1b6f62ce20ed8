/* NVRTC: CUDA-C++ that a program compiles while it runs. What comes out, as PTX or as CUBIN, is an image for
 * cuModuleLoadData, and nothing else. */
#ifndef S2S_NVRTC_H
#define S2S_NVRTC_H

#include <stddef.h>

#ifdef __cplusplus
#include <string>
#include <typeinfo>
extern "C" {
#endif

typedef enum {
	NVRTC_SUCCESS = 0,
	NVRTC_ERROR_OUT_OF_MEMORY = 1,
	NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
	NVRTC_ERROR_INVALID_INPUT = 3,
	NVRTC_ERROR_INVALID_PROGRAM = 4,
	NVRTC_ERROR_INVALID_OPTION = 5,
	NVRTC_ERROR_COMPILATION = 6,
	NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
	NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
	NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
	NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
	NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;

typedef struct s2s_nvrtc_program *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int nheaders,
	const char *const *headers, const char *const *include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);

/* The compiler is run by $S2S_PYTHON, or by `python` if that is null, or by the python3 in $PATH. */
nvrtcResult s2s_nvrtc_compile(nvrtcProgram program, int noptions, const char *const *options, const char *python);

#ifndef S2S_PYTHON /* the one that compiled the program's host part */
#define S2S_PYTHON 0
#endif
static inline nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int noptions, const char *const *options) {
	return s2s_nvrtc_compile(program, noptions, options, S2S_PYTHON);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
