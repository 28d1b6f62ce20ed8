"""What a C++ compiler for x86-64 defines by itself: the device pass sees its macros, as that of nvcc does.

Programs test them to tell compilers, libraries and their versions apart. These are those of g++ 12 and its library,
which CUDA's headers include everywhere.
"""

from __future__ import annotations

STANDARDS = {"11": "201103L", "14": "201402L", "17": "201703L", "20": "202002L", "23": "202302L"}

_COMPILER = {
    "_GNU_SOURCE": "1", "_LP64": "1", "__ATOMIC_ACQUIRE": "2", "__ATOMIC_ACQ_REL": "4", "__ATOMIC_CONSUME": "1",
    "__ATOMIC_HLE_ACQUIRE": "65536", "__ATOMIC_HLE_RELEASE": "131072", "__ATOMIC_RELAXED": "0",
    "__ATOMIC_RELEASE": "3", "__ATOMIC_SEQ_CST": "5", "__BIGGEST_ALIGNMENT__": "16",
    "__BYTE_ORDER__": "__ORDER_LITTLE_ENDIAN__", "__CHAR16_TYPE__": "short unsigned int",
    "__CHAR32_TYPE__": "unsigned int", "__CHAR_BIT__": "8", "__DBL_DECIMAL_DIG__": "17",
    "__DBL_DENORM_MIN__": "double(4.94065645841246544176568792868221372e-324L)", "__DBL_DIG__": "15",
    "__DBL_EPSILON__": "double(2.22044604925031308084726333618164062e-16L)", "__DBL_IS_IEC_60559__": "2",
    "__DBL_MANT_DIG__": "53", "__DBL_MAX_10_EXP__": "308", "__DBL_MAX_EXP__": "1024",
    "__DBL_MAX__": "double(1.79769313486231570814527423731704357e+308L)", "__DBL_MIN_10_EXP__": "(-307)",
    "__DBL_MIN_EXP__": "(-1021)", "__DBL_MIN__": "double(2.22507385850720138309023271733240406e-308L)",
    "__DBL_NORM_MAX__": "double(1.79769313486231570814527423731704357e+308L)", "__DEC_EVAL_METHOD__": "2",
    "__DEPRECATED": "1", "__ELF__": "1", "__EXCEPTIONS": "1", "__FINITE_MATH_ONLY__": "0",
    "__FLOAT_WORD_ORDER__": "__ORDER_LITTLE_ENDIAN__", "__FLT_DECIMAL_DIG__": "9",
    "__FLT_DENORM_MIN__": "1.40129846432481707092372958328991613e-45F", "__FLT_DIG__": "6",
    "__FLT_EPSILON__": "1.19209289550781250000000000000000000e-7F", "__FLT_EVAL_METHOD__": "0",
    "__FLT_HAS_DENORM__": "1", "__FLT_HAS_INFINITY__": "1", "__FLT_HAS_QUIET_NAN__": "1", "__FLT_IS_IEC_60559__": "2",
    "__FLT_MANT_DIG__": "24", "__FLT_MAX_10_EXP__": "38", "__FLT_MAX_EXP__": "128",
    "__FLT_MAX__": "3.40282346638528859811704183484516925e+38F", "__FLT_MIN_10_EXP__": "(-37)",
    "__FLT_MIN_EXP__": "(-125)", "__FLT_MIN__": "1.17549435082228750796873653722224568e-38F",
    "__FLT_NORM_MAX__": "3.40282346638528859811704183484516925e+38F", "__FLT_RADIX__": "2",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_1": "1", "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_2": "1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4": "1", "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8": "1",

    "__GNUC_EXECUTION_CHARSET_NAME": '"UTF-8"', "__GNUC_PATCHLEVEL__": "0", "__GNUC_STDC_INLINE__": "1",
    "__GNUC_WIDE_EXECUTION_CHARSET_NAME": '"UTF-32LE"', "__GNUG__": "12", "__GXX_ABI_VERSION": "1017",
    "__GXX_EXPERIMENTAL_CXX0X__": "1", "__GXX_RTTI": "1", "__GXX_WEAK__": "1", "__INT16_C(c)": "c",
    "__INT16_MAX__": "0x7fff", "__INT16_TYPE__": "short int", "__INT32_C(c)": "c", "__INT32_MAX__": "0x7fffffff",
    "__INT32_TYPE__": "int", "__INT64_C(c)": "c ## L", "__INT64_MAX__": "0x7fffffffffffffffL",
    "__INT64_TYPE__": "long int", "__INT8_C(c)": "c", "__INT8_MAX__": "0x7f", "__INT8_TYPE__": "signed char",
    "__INTMAX_C(c)": "c ## L", "__INTMAX_MAX__": "0x7fffffffffffffffL", "__INTMAX_TYPE__": "long int",
    "__INTMAX_WIDTH__": "64", "__INTPTR_MAX__": "0x7fffffffffffffffL", "__INTPTR_TYPE__": "long int",
    "__INTPTR_WIDTH__": "64", "__INT_FAST16_MAX__": "0x7fffffffffffffffL", "__INT_FAST16_TYPE__": "long int",
    "__INT_FAST16_WIDTH__": "64", "__INT_FAST32_MAX__": "0x7fffffffffffffffL", "__INT_FAST32_TYPE__": "long int",
    "__INT_FAST32_WIDTH__": "64", "__INT_FAST64_MAX__": "0x7fffffffffffffffL", "__INT_FAST64_TYPE__": "long int",
    "__INT_FAST64_WIDTH__": "64", "__INT_FAST8_MAX__": "0x7f", "__INT_FAST8_TYPE__": "signed char",
    "__INT_FAST8_WIDTH__": "8", "__INT_LEAST16_MAX__": "0x7fff", "__INT_LEAST16_TYPE__": "short int",
    "__INT_LEAST16_WIDTH__": "16", "__INT_LEAST32_MAX__": "0x7fffffff", "__INT_LEAST32_TYPE__": "int",
    "__INT_LEAST32_WIDTH__": "32", "__INT_LEAST64_MAX__": "0x7fffffffffffffffL", "__INT_LEAST64_TYPE__": "long int",
    "__INT_LEAST64_WIDTH__": "64", "__INT_LEAST8_MAX__": "0x7f", "__INT_LEAST8_TYPE__": "signed char",
    "__INT_LEAST8_WIDTH__": "8", "__INT_MAX__": "0x7fffffff", "__INT_WIDTH__": "32",
    "__LONG_LONG_MAX__": "0x7fffffffffffffffLL", "__LONG_LONG_WIDTH__": "64", "__LONG_MAX__": "0x7fffffffffffffffL",
    "__LONG_WIDTH__": "64", "__NO_INLINE__": "1", "__ORDER_BIG_ENDIAN__": "4321", "__ORDER_LITTLE_ENDIAN__": "1234",
    "__ORDER_PDP_ENDIAN__": "3412", "__PRAGMA_REDEFINE_EXTNAME": "1", "__PTRDIFF_MAX__": "0x7fffffffffffffffL",
    "__PTRDIFF_TYPE__": "long int", "__PTRDIFF_WIDTH__": "64", "__REGISTER_PREFIX__": "", "__SCHAR_MAX__": "0x7f",
    "__SCHAR_WIDTH__": "8", "__SHRT_MAX__": "0x7fff", "__SHRT_WIDTH__": "16", "__SIG_ATOMIC_MAX__": "0x7fffffff",
    "__SIG_ATOMIC_MIN__": "(-__SIG_ATOMIC_MAX__ - 1)", "__SIG_ATOMIC_TYPE__": "int", "__SIG_ATOMIC_WIDTH__": "32",
    "__SIZEOF_DOUBLE__": "8", "__SIZEOF_FLOAT80__": "16", "__SIZEOF_FLOAT__": "4",
    "__SIZEOF_INT128__": "16", "__SIZEOF_LONG_DOUBLE__": "16", "__SIZEOF_LONG_LONG__": "8",
    "__SIZEOF_PTRDIFF_T__": "8", "__SIZEOF_SHORT__": "2",
    "__SIZEOF_SIZE_T__": "8", "__SIZEOF_WCHAR_T__": "4", "__SIZEOF_WINT_T__": "4",
    "__SIZE_MAX__": "0xffffffffffffffffUL", "__SIZE_TYPE__": "long unsigned int", "__SIZE_WIDTH__": "64",
    "__STDC_HOSTED__": "1", "__STDC_ISO_10646__": "201706L", "__STDC_UTF_16__": "1", "__STDC_UTF_32__": "1",
    "__UINT16_C(c)": "c", "__UINT16_MAX__": "0xffff", "__UINT16_TYPE__": "short unsigned int",
    "__UINT32_C(c)": "c ## U", "__UINT32_MAX__": "0xffffffffU", "__UINT32_TYPE__": "unsigned int",
    "__UINT64_C(c)": "c ## UL", "__UINT64_MAX__": "0xffffffffffffffffUL", "__UINT64_TYPE__": "long unsigned int",
    "__UINT8_C(c)": "c", "__UINT8_MAX__": "0xff", "__UINT8_TYPE__": "unsigned char", "__UINTMAX_C(c)": "c ## UL",
    "__UINTMAX_MAX__": "0xffffffffffffffffUL", "__UINTMAX_TYPE__": "long unsigned int",
    "__UINTPTR_MAX__": "0xffffffffffffffffUL", "__UINTPTR_TYPE__": "long unsigned int",
    "__UINT_FAST16_MAX__": "0xffffffffffffffffUL", "__UINT_FAST16_TYPE__": "long unsigned int",
    "__UINT_FAST32_MAX__": "0xffffffffffffffffUL", "__UINT_FAST32_TYPE__": "long unsigned int",
    "__UINT_FAST64_MAX__": "0xffffffffffffffffUL", "__UINT_FAST64_TYPE__": "long unsigned int",
    "__UINT_FAST8_MAX__": "0xff", "__UINT_FAST8_TYPE__": "unsigned char", "__UINT_LEAST16_MAX__": "0xffff",
    "__UINT_LEAST16_TYPE__": "short unsigned int", "__UINT_LEAST32_MAX__": "0xffffffffU",
    "__UINT_LEAST32_TYPE__": "unsigned int", "__UINT_LEAST64_MAX__": "0xffffffffffffffffUL",
    "__UINT_LEAST64_TYPE__": "long unsigned int", "__UINT_LEAST8_MAX__": "0xff",
    "__UINT_LEAST8_TYPE__": "unsigned char", "__USER_LABEL_PREFIX__": "", "__VERSION__": '"12.2.0"',
    "__WCHAR_MAX__": "0x7fffffff", "__WCHAR_MIN__": "(-__WCHAR_MAX__ - 1)", "__WCHAR_TYPE__": "int",
    "__WCHAR_WIDTH__": "32", "__WINT_MAX__": "0xffffffffU", "__WINT_MIN__": "0U", "__WINT_TYPE__": "unsigned int",
    "__WINT_WIDTH__": "32", "__amd64": "1", "__amd64__": "1", "__gnu_linux__": "1", "__linux": "1", "__unix": "1",
    "__x86_64": "1", "__x86_64__": "1",
}  # fmt: skip

# Of -msse2, which x86-64 always has.
_VECTORS = {
    "__FXSR__": "1", "__MMX_WITH_SSE__": "1", "__MMX__": "1", "__SSE2_MATH__": "1", "__SSE2__": "1",
    "__SSE_MATH__": "1", "__SSE__": "1", "__code_model_small__": "1", "__k8": "1", "__k8__": "1",
}  # fmt: skip

_FEATURES = {
    "__cpp_aggregate_bases": "201603L", "__cpp_aggregate_nsdmi": "201304L", "__cpp_alias_templates": "200704L",
    "__cpp_aligned_new": "201606L", "__cpp_attributes": "200809L", "__cpp_binary_literals": "201304L",
    "__cpp_capture_star_this": "201603L", "__cpp_constexpr": "201603L", "__cpp_decltype": "200707L",
    "__cpp_decltype_auto": "201304L", "__cpp_deduction_guides": "201703L", "__cpp_delegating_constructors": "200604L",
    "__cpp_digit_separators": "201309L", "__cpp_enumerator_attributes": "201411L", "__cpp_exceptions": "199711L",
    "__cpp_fold_expressions": "201603L", "__cpp_generic_lambdas": "201304L",
    "__cpp_guaranteed_copy_elision": "201606L", "__cpp_hex_float": "201603L", "__cpp_if_constexpr": "201606L",
    "__cpp_inheriting_constructors": "201511L", "__cpp_init_captures": "201304L",
    "__cpp_initializer_lists": "200806L", "__cpp_inline_variables": "201606L", "__cpp_lambdas": "200907L",
    "__cpp_namespace_attributes": "201411L", "__cpp_nested_namespace_definitions": "201411L",
    "__cpp_noexcept_function_type": "201510L", "__cpp_nontype_template_args": "201411L",
    "__cpp_nontype_template_parameter_auto": "201606L", "__cpp_nsdmi": "200809L", "__cpp_range_based_for": "201603L",
    "__cpp_raw_strings": "200710L", "__cpp_ref_qualifiers": "200710L", "__cpp_return_type_deduction": "201304L",
    "__cpp_rtti": "199711L", "__cpp_runtime_arrays": "198712L", "__cpp_rvalue_reference": "200610L",
    "__cpp_rvalue_references": "200610L", "__cpp_sized_deallocation": "201309L", "__cpp_static_assert": "201411L",
    "__cpp_structured_bindings": "201606L", "__cpp_template_auto": "201606L",
    "__cpp_template_template_args": "201611L", "__cpp_threadsafe_static_init": "200806L",
    "__cpp_unicode_characters": "201411L", "__cpp_unicode_literals": "200710L",
    "__cpp_user_defined_literals": "200809L", "__cpp_variable_templates": "201304L",
    "__cpp_variadic_templates": "200704L", "__cpp_variadic_using": "201611L",
}  # fmt: skip

_FEATURES_20 = {
    "__cpp_aggregate_paren_init": "201902L", "__cpp_char8_t": "201811L", "__cpp_concepts": "202002L",
    "__cpp_conditional_explicit": "201806L", "__cpp_consteval": "201811L", "__cpp_constexpr": "202002L",
    "__cpp_constexpr_dynamic_alloc": "201907L", "__cpp_constexpr_in_decltype": "201711L",
    "__cpp_constinit": "201907L", "__cpp_deduction_guides": "201907L", "__cpp_designated_initializers": "201707L",
    "__cpp_generic_lambdas": "201707L", "__cpp_impl_destroying_delete": "201806L",
    "__cpp_impl_three_way_comparison": "201907L", "__cpp_init_captures": "201803L",
    "__cpp_nontype_template_args": "201911L", "__cpp_nontype_template_parameter_class": "201806L",
    "__cpp_using_enum": "201907L",
}  # fmt: skip

_LIBRARY = {
    "_GLIBCXX_USE_CXX11_ABI": "1", "_GLIBCXX_USE_DUAL_ABI": "1", "_GLIBCXX_RELEASE": "12", "__GLIBCXX__": "20220819",
    "_GLIBCXX_HOSTED": "1", "__GLIBC__": "2", "__GLIBC_MINOR__": "36",
    "__GLIBC_PREREQ(maj, min)": "((__GLIBC__ << 16) + __GLIBC_MINOR__ >= ((maj) << 16) + (min))",
}  # fmt: skip


def host_macros(standard: str | None, *, split: bool) -> dict[str, str]:
    """Return the macros of the C++ `standard`, `c++20` or `gnu++20`; None is the compiler's own.

    `split`: a C++ compiler compiles the host's part, so both must lay out types alike.
    """
    version = (standard or "c++17").rpartition("+")[2]
    version = {"1z": "17", "2a": "20", "2b": "23"}.get(version, version)
    found = {**_COMPILER, **_FEATURES, **_LIBRARY, "__cplusplus": STANDARDS.get(version, STANDARDS["17"])}
    if version in ("20", "23"):
        found.update(_FEATURES_20)
    if standard is not None and standard.startswith("c++"):
        found["__STRICT_ANSI__"] = "1"
    return {**found, **_VECTORS} if split else found
