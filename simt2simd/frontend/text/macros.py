"""What the system's headers would define: macros, and the names and folders of the headers themselves."""

from __future__ import annotations

import os

# `__s2s_assert` knows the file, the line and the function (`sema/calls/runtime_calls`).
ASSERT = "assert(e) ((void)((e) || (__s2s_assert(#e), false)))"
ASSERT_OFF = "assert(e) ((void)0)"

_LIMITS = {
    "CHAR_BIT": "8",
    "SCHAR_MIN": "(-128)", "SCHAR_MAX": "127", "UCHAR_MAX": "255", "CHAR_MIN": "(-128)", "CHAR_MAX": "127",
    "SHRT_MIN": "(-32768)", "SHRT_MAX": "32767", "USHRT_MAX": "65535",
    "INT_MIN": "(-2147483647 - 1)", "INT_MAX": "2147483647", "UINT_MAX": "4294967295U",
    "LONG_MIN": "(-9223372036854775807L - 1L)", "LONG_MAX": "9223372036854775807L",
    "ULONG_MAX": "18446744073709551615UL",
    "LLONG_MIN": "(-9223372036854775807LL - 1LL)", "LLONG_MAX": "9223372036854775807LL",
    "ULLONG_MAX": "18446744073709551615ULL",
    "INT8_MIN": "(-128)", "INT8_MAX": "127", "UINT8_MAX": "255",
    "INT16_MIN": "(-32768)", "INT16_MAX": "32767", "UINT16_MAX": "65535",
    "INT32_MIN": "(-2147483647 - 1)", "INT32_MAX": "2147483647", "UINT32_MAX": "4294967295U",
    "INT64_MIN": "(-9223372036854775807L - 1L)", "INT64_MAX": "9223372036854775807L",
    "UINT64_MAX": "18446744073709551615UL",
    "SIZE_MAX": "18446744073709551615UL", "INTPTR_MIN": "INT64_MIN", "INTPTR_MAX": "INT64_MAX",
    "UINTPTR_MAX": "UINT64_MAX", "INTMAX_MIN": "INT64_MIN", "INTMAX_MAX": "INT64_MAX", "UINTMAX_MAX": "UINT64_MAX",
    "PTRDIFF_MIN": "INT64_MIN", "PTRDIFF_MAX": "INT64_MAX",
    "INT8_C(c)": "c", "UINT8_C(c)": "c", "INT16_C(c)": "c", "UINT16_C(c)": "c", "INT32_C(c)": "c",
    "UINT32_C(c)": "c ## U", "INT64_C(c)": "c ## L", "UINT64_C(c)": "c ## UL", "INTMAX_C(c)": "c ## L",
    "UINTMAX_C(c)": "c ## UL",
    "FLT_RADIX": "2", "FLT_MANT_DIG": "24", "FLT_DIG": "6", "FLT_MAX": "3.40282346638528859812e+38F",
    "FLT_MIN": "1.17549435082228750797e-38F", "FLT_EPSILON": "1.19209289550781250000e-7F",
    "FLT_MIN_EXP": "(-125)", "FLT_MAX_EXP": "128", "FLT_MIN_10_EXP": "(-37)", "FLT_MAX_10_EXP": "38",
    "FLT_TRUE_MIN": "1.40129846432481707092e-45F", "FLT_DECIMAL_DIG": "9", "FLT_HAS_SUBNORM": "1",
    "FLT_EVAL_METHOD": "0", "FLT_ROUNDS": "1",
    "DBL_MANT_DIG": "53", "DBL_DIG": "15", "DBL_MAX": "1.79769313486231570815e+308",
    "DBL_MIN": "2.22507385850720138309e-308", "DBL_EPSILON": "2.22044604925031308085e-16",
    "DBL_MIN_EXP": "(-1021)", "DBL_MAX_EXP": "1024", "DBL_MIN_10_EXP": "(-307)", "DBL_MAX_10_EXP": "308",
    "DBL_TRUE_MIN": "4.94065645841246544177e-324", "DBL_DECIMAL_DIG": "17", "DBL_HAS_SUBNORM": "1",
    "TIME_UTC": "1", "CLOCKS_PER_SEC": "1000000L",
    "MAXFLOAT": "3.40282346638528859812e+38F", "RAND_MAX": "2147483647",
}  # fmt: skip

_MATH = {
    "NULL": "__null", "INFINITY": "(__builtin_inff())", "NAN": '(__builtin_nanf(""))',
    "HUGE_VAL": "(__builtin_inf())", "HUGE_VALF": "(__builtin_inff())",
    "M_E": "2.7182818284590452354", "M_LOG2E": "1.4426950408889634074", "M_LOG10E": "0.43429448190325182765",
    "M_LN2": "0.69314718055994530942", "M_LN10": "2.30258509299404568402", "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923", "M_PI_4": "0.78539816339744830962", "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308", "M_2_SQRTPI": "1.12837916709551257390", "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
    "FP_NAN": "0", "FP_INFINITE": "1", "FP_ZERO": "2", "FP_SUBNORMAL": "3", "FP_NORMAL": "4",
    "FP_ILOGB0": "(-2147483647 - 1)", "FP_ILOGBNAN": "(-2147483647 - 1)",
}  # fmt: skip

# <math_constants.h>. The values are those of the CUDA toolkit's documentation.
_CUDART = {
    "CUDART_INF_F": "__int_as_float(0x7f800000)", "CUDART_NAN_F": "__int_as_float(0x7fffffff)",
    "CUDART_MIN_DENORM_F": "__int_as_float(0x00000001)", "CUDART_MAX_NORMAL_F": "__int_as_float(0x7f7fffff)",
    "CUDART_NEG_ZERO_F": "__int_as_float((int)0x80000000U)", "CUDART_ZERO_F": "0.0f", "CUDART_ONE_F": "1.0f",
    "CUDART_SQRT_HALF_F": "0.707106781f", "CUDART_SQRT_TWO_F": "1.414213562f", "CUDART_THIRD_F": "0.333333333f",
    "CUDART_PIO4_F": "0.785398163f", "CUDART_PIO2_F": "1.570796327f", "CUDART_3PIO4_F": "2.356194490f",
    "CUDART_2_OVER_PI_F": "0.636619772f", "CUDART_SQRT_2_OVER_PI_F": "0.797884561f", "CUDART_PI_F": "3.141592654f",
    "CUDART_L2E_F": "1.442695041f", "CUDART_L2T_F": "3.321928094f", "CUDART_LG2_F": "0.301029996f",
    "CUDART_LGE_F": "0.434294482f", "CUDART_LN2_F": "0.693147181f", "CUDART_LNT_F": "2.302585093f",
    "CUDART_LNPI_F": "1.144729886f", "CUDART_TWO_TO_M126_F": "1.175494351e-38f",
    "CUDART_TWO_TO_126_F": "8.507059173e37f",
    "CUDART_NORM_HUGE_F": "3.402823466e38f", "CUDART_TWO_TO_23_F": "8388608.0f", "CUDART_TWO_TO_24_F": "16777216.0f",
    "CUDART_TWO_TO_31_F": "2147483648.0f", "CUDART_TWO_TO_32_F": "4294967296.0f",
    "CUDART_INF": "__longlong_as_double(0x7ff0000000000000ULL)",
    "CUDART_NAN": "__longlong_as_double(0xfff8000000000000ULL)",
    "CUDART_NEG_ZERO": "__longlong_as_double(0x8000000000000000ULL)",
    "CUDART_MIN_DENORM": "__longlong_as_double(0x0000000000000001ULL)", "CUDART_ZERO": "0.0", "CUDART_ONE": "1.0",
    "CUDART_SQRT_TWO": "1.4142135623730951e+0", "CUDART_SQRT_HALF": "7.0710678118654757e-1",
    "CUDART_THIRD": "3.3333333333333333e-1", "CUDART_TWOTHIRD": "6.6666666666666667e-1",
    "CUDART_PIO4": "7.8539816339744828e-1", "CUDART_PIO2": "1.5707963267948966e+0",
    "CUDART_PI": "3.1415926535897931e+0",
    "CUDART_2_OVER_PI": "6.3661977236758138e-1", "CUDART_SQRT_2OPI": "7.9788456080286536e-1",
    "CUDART_SQRT_2PI": "2.5066282746310007e+0", "CUDART_L2E": "1.4426950408889634e+0",
    "CUDART_L2T": "3.3219280948873622e+0",
    "CUDART_LG2": "3.0102999566398120e-1", "CUDART_LGE": "4.3429448190325182e-1", "CUDART_LN2": "6.9314718055994529e-1",
    "CUDART_LNT": "2.3025850929940459e+0", "CUDART_LNPI": "1.1447298858494002e+0",
}  # fmt: skip

_COMPILER = {
    "__CUDACC__": "1", "__NVCC__": "1", "__SIMT2SIMD__": "1",
    "__CUDACC_VER_MAJOR__": "13", "__CUDACC_VER_MINOR__": "0", "CUDART_VERSION": "13000", "CUDA_VERSION": "13000",
    "__linux__": "1", "__unix__": "1", "__LP64__": "1", "__GNUC__": "12", "__GNUC_MINOR__": "2",
    "__CUDA_RUNTIME_H__": "", "__CUDA_RUNTIME_API_H__": "", "__DEVICE_LAUNCH_PARAMETERS_H__": "",
    "__DRIVER_TYPES_H__": "", "__HOST_DEFINES_H__": "", "__VECTOR_TYPES_H__": "",
    "__device_builtin__": "", "__device_builtin_texture_type__": "", "__device_builtin_surface_type__": "",
    "__cudart_builtin__": "", "__nv_pure__": "", "__builtin_align__(bytes)": "__align__(bytes)",
    "__SIZEOF_INT__": "4", "__SIZEOF_LONG__": "8", "__SIZEOF_POINTER__": "8", "__STDC__": "1",
}  # fmt: skip

_ATOMIC_WORDS = {
    "__NV_ATOMIC_RELAXED": "0", "__NV_ATOMIC_CONSUME": "1", "__NV_ATOMIC_ACQUIRE": "2", "__NV_ATOMIC_RELEASE": "3",
    "__NV_ATOMIC_ACQ_REL": "4", "__NV_ATOMIC_SEQ_CST": "5",
    "__NV_THREAD_SCOPE_SYSTEM": "0", "__NV_THREAD_SCOPE_DEVICE": "1", "__NV_THREAD_SCOPE_CLUSTER": "2",
    "__NV_THREAD_SCOPE_BLOCK": "3", "__NV_THREAD_SCOPE_THREAD": "4",
}  # fmt: skip

# The text of each macro by its name; the name of one with parameters has them after it.
PREDEFINED: dict[str, str] = _COMPILER | _LIMITS | _MATH | _CUDART | _ATOMIC_WORDS

# Headers that programs also include with quotes. They need no file: the compiler knows what they declare.
SYSTEM_HEADERS = frozenset(
    """
    cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h device_launch_parameters.h device_functions.h
    device_atomic_functions.h math_constants.h math_functions.h vector_types.h vector_functions.h driver_types.h
    driver_functions.h host_defines.h builtin_types.h channel_descriptor.h common_functions.h cuda_profiler_api.h
    sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h cuda_fp16.h
    cuda_bf16.h library_types.h device_types.h texture_fetch_functions.h texture_indirect_functions.h texture_types.h
    surface_functions.h surface_indirect_functions.h surface_types.h cuda_texture_types.h cuda_surface_types.h
    assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
    stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h tgmath.h time.h unistd.h getopt.h
    nvrtc.h sys/time.h sys/types.h sys/stat.h sys/mman.h sys/resource.h malloc.h memory.h values.h
    """.split()
)

_CPP_HEADERS = frozenset(
    """
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono
    cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable coroutine
    csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar
    cwchar cwctype deque exception execution expected filesystem format forward_list fstream functional future
    initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory
    mdspan memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator
    semaphore set shared_mutex source_location span spanstream sstream stack stdexcept stop_token streambuf
    string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
    unordered_map unordered_set utility valarray variant vector version
    """.split()
)

# What begins the names of headers of CUDA's libraries, and what to say of them.
_MISSING = {
    "cub/": "this part of CUB is", "thrust/": "this part of Thrust is", "curand": "this part of cuRAND is",
    "cublas": "cuBLAS is", "cufft": "cuFFT is", "cusparse": "cuSPARSE is", "cusolver": "cuSOLVER is",
    "cudnn": "cuDNN is", "cutlass/": "CUTLASS is", "cute/": "CuTe is", "nccl.h": "NCCL is", "nvml.h": "NVML is",
    "npp": "NPP is", "nvjpeg.h": "nvJPEG is", "nvtx3/": "this part of NVTX is",
    "cuda/": "this part of libcu++ is", "nv/target": "libcu++ is",
}  # fmt: skip
_C_HEADERS_OF_STD = frozenset("cassert cfloat climits cmath cstddef cstdint cstdlib cstring".split())


def is_standard(header: str) -> bool:
    """True for a header that comes with C, C++ or CUDA: what kernels may use of it needs no file."""
    return header in SYSTEM_HEADERS or header in _CPP_HEADERS or header.startswith(("cuda/std/", "sys/"))


def missing_library(header: str) -> str | None:
    """Return which library of CUDA's a header belongs to, "CUB is", if we have no version of it."""
    if header.removeprefix("cuda/std/") in _C_HEADERS_OF_STD:
        return None
    return next((what for start, what in _MISSING.items() if header.startswith(start)), None)


def is_toolkit(folder: str) -> bool:
    """True for the folder of NVIDIA's own headers, which Makefiles name with -I: ours replace those."""
    return all(os.path.isfile(os.path.join(folder, name)) for name in ("cuda_runtime.h", "driver_types.h"))
