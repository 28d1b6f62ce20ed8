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

const char *nvrtcGetErrorString(nvrtcResult __result);
nvrtcResult nvrtcVersion(int *__major, int *__minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *__count);
nvrtcResult nvrtcGetSupportedArchs(int *__archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *__program, const char *__source, const char *__name, int __nheaders,
	const char *const *__headers, const char *const *__include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *__program);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram __program, const char *__expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram __program, const char *__expression, const char **__name);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram __program, char *__image);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram __program, char *__image);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram __program, char *__log);

/* The compiler is run by $S2S_PYTHON, or by `python` if that is null, or by the python3 in $PATH. */
nvrtcResult s2s_nvrtc_compile(
	nvrtcProgram __program, int __noptions, const char *const *__options, const char *__python);

#ifndef S2S_PYTHON /* the one that compiled the program's host part */
#define S2S_PYTHON 0
#endif
static inline nvrtcResult nvrtcCompileProgram(nvrtcProgram __program, int __noptions, const char *const *__options) {
	return s2s_nvrtc_compile(__program, __noptions, __options, S2S_PYTHON);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
