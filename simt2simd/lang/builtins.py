"""CUDA's built-in functions and macros: one row each.

A row names the function as a program calls it, the operation it stands for (`op`, which `interp`,
`simd/integers` and `vmath` implement once for each operation and the types of its arguments), and its C signature.
C++ overloads are rows with the same name: `exp(float)`, `exp(double)`. Source: CUDA Math API and the
CUDA C++ Programming Guide, "C++ Language Extensions" and "Mathematical Functions".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .ctype import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONGLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    ULONGLONG,
    USHORT,
    VOID,
    CType,
    Pointer,
)


@dataclass(frozen=True, slots=True)
class Builtin:
    """One overload of one built-in function.

    `pure`: the result depends on the arguments alone and nothing else happens. `synchronises`: no thread
    of the block passes before all have arrived.
    """

    name: str
    op: str
    params: tuple[CType, ...]
    result: CType
    pure: bool = True
    synchronises: bool = False

    @property
    def atomic(self) -> bool:
        """It reads, changes and writes what its first argument points to, as one step that no thread can disturb."""
        return self.op.startswith("atomic_")


# f(x) for float and double. The op is C's name of the double function.
_UNARY = """
acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1
fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh
sinpi sqrt tan tanh tgamma trunc y0 y1
""".split()
_BINARY = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder".split()

# Names whose plain spelling is also a C++ overload for float: all of <cmath>, and CUDA's own.
_FLOAT_ONLY = (  # name, op, number of float arguments
    ("__expf", "fast_exp", 1),
    ("__exp10f", "fast_exp10", 1),
    ("__logf", "fast_log", 1),
    ("__log2f", "fast_log2", 1),
    ("__log10f", "fast_log10", 1),
    ("__sinf", "fast_sin", 1),
    ("__cosf", "fast_cos", 1),
    ("__tanf", "fast_tan", 1),
    ("__powf", "fast_pow", 2),
    ("__fdividef", "fast_div", 2),
    ("fdividef", "fdivide", 2),
    ("__saturatef", "saturate", 1),
    ("__frsqrt_rn", "frsqrt_rn", 1),
    ("__tanhf", "tanh", 1),
)


def _rows() -> Iterator[Builtin]:
    f, d, i, u, ll, ull = FLOAT, DOUBLE, INT, UINT, LONGLONG, ULONGLONG
    for name in _UNARY:
        yield Builtin(name, name, (d,), d)
        yield Builtin(name, name, (f,), f)
        yield Builtin(name + "f", name, (f,), f)
    for name in _BINARY:
        yield Builtin(name, name, (d, d), d)
        yield Builtin(name, name, (f, f), f)
        yield Builtin(name + "f", name, (f, f), f)
    for real, suffix in ((d, ""), (f, "f")):
        own = ("", "f") if real is f else ("",)  # the float version also answers to the plain name
        for end in own:
            yield Builtin("fma" + end, "fma", (real, real, real), real)
            yield Builtin("ldexp" + end, "ldexp", (real, i), real)
            yield Builtin("scalbn" + end, "ldexp", (real, i), real)
            yield Builtin("scalbln" + end, "ldexp", (real, LONG), real)
            yield Builtin("ilogb" + end, "ilogb", (real,), i)
            yield Builtin("lrint" + end, "lrint", (real,), LONG)
            yield Builtin("llrint" + end, "lrint", (real,), ll)
            yield Builtin("lround" + end, "lround", (real,), LONG)
            yield Builtin("llround" + end, "lround", (real,), ll)
            yield Builtin("jn" + end, "jn", (i, real), real)
            yield Builtin("yn" + end, "yn", (i, real), real)
            yield Builtin("frexp" + end, "frexp", (real, Pointer(i)), real, pure=False)
            yield Builtin("modf" + end, "modf", (real, Pointer(real)), real, pure=False)
            yield Builtin("remquo" + end, "remquo", (real, real, Pointer(i)), real, pure=False)
            yield Builtin("sincos" + end, "sincos", (real, Pointer(real), Pointer(real)), VOID, pure=False)
            yield Builtin("sincospi" + end, "sincospi", (real, Pointer(real), Pointer(real)), VOID, pure=False)
        # The plain name of these is only the double version.
        for name, count in (("rhypot", 2), ("norm3d", 3), ("rnorm3d", 3), ("norm4d", 4), ("rnorm4d", 4)):
            yield Builtin(name + suffix, name, (real,) * count, real)
        for name in ("isnan", "isinf", "isfinite", "signbit"):
            yield Builtin(name, name, (real,), BOOL)
        yield Builtin("abs", "fabs", (real,), real)
        yield Builtin("max", "fmax", (real, real), real)
        yield Builtin("min", "fmin", (real, real), real)
    for name, op in (("__isnan", "isnan"), ("__isinf", "isinf"), ("__finite", "isfinite"), ("__signbit", "signbit")):
        yield Builtin(name, op, (d,), BOOL)
        yield Builtin(name + "f", op, (f,), BOOL)
    for name, op, count in _FLOAT_ONLY:
        yield Builtin(name, op, (f,) * count, f)
    yield Builtin("fdivide", "fdivide", (d, d), d)
    yield Builtin("__sincosf", "fast_sincos", (f, Pointer(f), Pointer(f)), VOID, pure=False)
    for integer in (i, u, LONG, ULONG, ll, ull):
        yield Builtin("max", "max", (integer, integer), integer)
        yield Builtin("min", "min", (integer, integer), integer)
    for name, integer in (("umax", u), ("umin", u), ("llmax", ll), ("llmin", ll), ("ullmax", ull), ("ullmin", ull)):
        yield Builtin(name, name[-3:], (integer, integer), integer)
    for name, integer in (("abs", i), ("abs", LONG), ("abs", ll), ("labs", LONG), ("llabs", ll)):
        yield Builtin(name, "abs", (integer,), integer)
    # Rounding modes: _rn is IEEE's default; the others are refused until somebody needs them.
    for real, prefix in ((f, "__f"), (d, "__d")):
        for name, op, count in (("add", "add_rn", 2), ("sub", "sub_rn", 2), ("mul", "mul_rn", 2), ("div", "div_rn", 2)):
            yield Builtin(f"{prefix}{name}_rn", op, (real,) * count, real)
        yield Builtin(f"{prefix}rcp_rn", "rcp_rn", (real,), real)
        yield Builtin(f"{prefix}sqrt_rn", "sqrt", (real,), real)
    yield Builtin("__fmaf_rn", "fma", (f, f, f), f)
    yield Builtin("__fma_rn", "fma", (d, d, d), d)
    yield from _integer_rows()
    yield from _conversion_rows()
    yield from _atomic_rows()
    yield Builtin("__syncthreads", "barrier", (), VOID, pure=False, synchronises=True)
    for name in ("__threadfence", "__threadfence_block", "__threadfence_system"):
        yield Builtin(name, "fence", (), VOID, pure=False)


def _integer_rows() -> Iterator[Builtin]:
    i, u, ll, ull = INT, UINT, LONGLONG, ULONGLONG
    for name, op, params, result in (
        ("__clz", "clz", (i,), i), ("__clzll", "clz", (ll,), i), ("__popc", "popc", (u,), i),
        ("__popcll", "popc", (ull,), i),
        ("__ffs", "ffs", (i,), i), ("__ffsll", "ffs", (ll,), i), ("__brev", "brev", (u,), u),
        ("__brevll", "brev", (ull,), ull),
        ("__byte_perm", "byte_perm", (u, u, u), u), ("__mulhi", "mulhi", (i, i), i), ("__umulhi", "mulhi", (u, u), u),
        ("__mul64hi", "mulhi", (ll, ll), ll), ("__umul64hi", "mulhi", (ull, ull), ull), ("__mul24", "mul24", (i, i), i),
        ("__umul24", "mul24", (u, u), u), ("__sad", "sad", (i, i, u), u), ("__usad", "sad", (u, u, u), u),
        ("__hadd", "hadd", (i, i), i), ("__uhadd", "hadd", (u, u), u), ("__rhadd", "rhadd", (i, i), i),
        ("__urhadd", "rhadd", (u, u), u), ("__funnelshift_l", "funnelshift_l", (u, u, u), u),
        ("__funnelshift_r", "funnelshift_r", (u, u, u), u), ("__funnelshift_lc", "funnelshift_lc", (u, u, u), u),
        ("__funnelshift_rc", "funnelshift_rc", (u, u, u), u), ("__dp4a", "dp4a", (i, i, i), i),
        ("__dp4a", "dp4a", (u, u, u), u),
    ):  # fmt: skip
        yield Builtin(name, op, params, result)


def _conversion_rows() -> Iterator[Builtin]:
    """Bit casts (op "bitcast") and conversions with a rounding mode.

    Float to integer: op "to_int_rn", "to_int_rz", "to_int_rd", "to_int_ru"; out of range saturates, NaN gives 0
    (0x8000000000000000 for 64 bits). Integer or double to float, `_rn` and `_rz`: "to_float_rn", "to_float_rz".
    """
    f, d = FLOAT, DOUBLE
    integers = (("int", INT), ("uint", UINT), ("ll", LONGLONG), ("ull", ULONGLONG))
    yield Builtin("__float_as_int", "bitcast", (f,), INT)
    yield Builtin("__float_as_uint", "bitcast", (f,), UINT)
    yield Builtin("__int_as_float", "bitcast", (INT,), f)
    yield Builtin("__uint_as_float", "bitcast", (UINT,), f)
    yield Builtin("__double_as_longlong", "bitcast", (d,), LONGLONG)
    yield Builtin("__longlong_as_double", "bitcast", (LONGLONG,), d)
    yield Builtin("__double2hiint", "double2hiint", (d,), INT)
    yield Builtin("__double2loint", "double2loint", (d,), INT)
    yield Builtin("__hiloint2double", "hiloint2double", (INT, INT), d)
    for short, integer in integers:
        for mode in ("rn", "rz", "rd", "ru"):
            yield Builtin(f"__float2{short}_{mode}", f"to_int_{mode}", (f,), integer)
            yield Builtin(f"__double2{short}_{mode}", f"to_int_{mode}", (d,), integer)
        yield Builtin(f"__{short}2float_rn", "to_float_rn", (integer,), f)
        yield Builtin(f"__{short}2float_rz", "to_float_rz", (integer,), f)
        yield Builtin(f"__{short}2double_rn", "to_float_rn", (integer,), d)
    yield Builtin("__double2float_rn", "to_float_rn", (d,), f)
    yield Builtin("__double2float_rz", "to_float_rz", (d,), f)


def _atomic_rows() -> Iterator[Builtin]:
    """Yield the atomic functions, which return the old value. `_block` and `_system` mean the same here."""
    bits = (INT, UINT, ULONGLONG)
    ordered = (INT, UINT, LONGLONG, ULONGLONG)
    types: dict[str, tuple[CType, ...]] = {
        "Add": (INT, UINT, ULONGLONG, FLOAT, DOUBLE), "Sub": (INT, UINT), "Exch": (*bits, FLOAT), "Min": ordered,
        "Max": ordered, "Inc": (UINT,), "Dec": (UINT,), "CAS": (*bits, USHORT), "And": bits, "Or": bits, "Xor": bits,
    }  # fmt: skip
    for name in types:
        for ctype in types[name]:
            params = (Pointer(ctype), ctype, ctype) if name == "CAS" else (Pointer(ctype), ctype)
            for scope in ("", "_block", "_system"):
                yield Builtin(f"atomic{name}{scope}", f"atomic_{name.lower()}", params, ctype, pure=False)


def _table() -> dict[str, tuple[Builtin, ...]]:
    table: dict[str, tuple[Builtin, ...]] = {}
    for row in _rows():
        if row not in table.get(row.name, ()):
            table[row.name] = (*table.get(row.name, ()), row)
    return table


BUILTINS: dict[str, tuple[Builtin, ...]] = _table()

# Variables: name -> fields. Each is an unsigned int, equal in all threads of a block but for threadIdx.
ThreadVariable = Literal["threadIdx", "blockIdx", "blockDim", "gridDim"]
THREAD_VARIABLES: tuple[ThreadVariable, ...] = ("threadIdx", "blockIdx", "blockDim", "gridDim")

WARP_SIZE = 32

# Type names that the system's headers declare.
TYPEDEFS: dict[str, CType] = {
    "size_t": ULONG, "ptrdiff_t": LONG, "ssize_t": LONG, "intptr_t": LONG, "uintptr_t": ULONG,
    "int8_t": SCHAR, "uint8_t": UCHAR, "int16_t": SHORT, "uint16_t": USHORT, "int32_t": INT, "uint32_t": UINT,
    "int64_t": LONG, "uint64_t": ULONG, "intmax_t": LONG, "uintmax_t": ULONG,
    "int_fast8_t": SCHAR, "uint_fast8_t": UCHAR, "int_fast16_t": LONG, "uint_fast16_t": ULONG, "int_fast32_t": LONG,
    "uint_fast32_t": ULONG, "int_fast64_t": LONG, "uint_fast64_t": ULONG,
    "int_least8_t": SCHAR, "uint_least8_t": UCHAR, "int_least16_t": SHORT, "uint_least16_t": USHORT,
    "int_least32_t": INT, "uint_least32_t": UINT, "int_least64_t": LONG, "uint_least64_t": ULONG,
    "uint": UINT, "ushort": USHORT, "ulong": ULONG, "u_char": UCHAR, "u_short": USHORT, "u_int": UINT, "u_long": ULONG,
    "clock_t": LONG, "time_t": LONG,
}  # fmt: skip


# What CUDA's vector types are made of: char1 to double4.
_VECTOR_BASES = "char uchar short ushort int uint long ulong longlong ulonglong float double".split()


def _unsupported_types() -> dict[str, str | None]:
    """CUDA's types that are not supported yet, each with the nearest thing that is."""
    table: dict[str, str | None] = {}
    for base in _VECTOR_BASES:
        for count in "1234":
            table[base + count] = "use a struct of your own with the members x, y, ..."
    table["dim3"] = "use one variable for each axis"
    for name in ("half", "half2", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16"):
        table[name] = "use float"
    for name in ("cudaTextureObject_t", "cudaSurfaceObject_t", "texture", "surface"):
        table[name] = "read the data through a pointer"
    for name in ("curandState", "curandState_t", "curandStateXORWOW_t", "curandStatePhilox4_32_10_t"):
        table[name] = None
    return table


UNSUPPORTED_TYPES = _unsupported_types()


# Operations on two or four small integers in one word: `__vadd2`, `__vcmpgeu4`.
_SIMD_IN_A_WORD = """
abs absdiffs absdiffu absss add addss addus avgs avgu cmpeq cmpges cmpgeu cmpgts cmpgtu cmples cmpleu cmplts cmpltu
cmpne haddu maxs maxu mins minu neg negss sads sadu seteq setges setgeu setgts setgtu setles setleu setlts setltu setne
sub subss subus
""".split()


def _unsupported_functions() -> dict[str, str | None]:
    """CUDA's device functions that are not supported yet, each with what to do instead, where there is something."""
    table: dict[str, str | None] = {}
    for kind in ("", "_up", "_down", "_xor"):
        table[f"__shfl{kind}_sync"] = table[f"__shfl{kind}"] = "exchange the values through shared memory"
    for name in ("all", "any", "ballot", "uni"):
        table[f"__{name}_sync"] = table[f"__{name}"] = "exchange the values through shared memory"
    for name in (
        "__match_any_sync",
        "__match_all_sync",
        "__activemask",
        "__lanemask_lt",
        "__lanemask_le",
        "__lanemask_eq",
    ):
        table[name] = None
    for name in ("add", "min", "max", "and", "or", "xor"):
        table[f"__reduce_{name}_sync"] = "reduce through shared memory"
    table["__syncwarp"] = "use `__syncthreads()`"
    for name in ("__syncthreads_count", "__syncthreads_and", "__syncthreads_or"):
        table[name] = "reduce through shared memory and use `__syncthreads()`"
    for name in ("printf", "puts", "putchar", "fprintf"):
        table[name] = "write the values to global memory and print them on the host"
    table["assert"] = "write an error code to global memory"
    for name in ("malloc", "free", "alloca"):
        table[name] = "use a local array of a fixed size, or memory from cudaMalloc"
    for name in ("memcpy", "memset", "memmove", "strlen", "strcmp"):
        table[name] = "write a loop"
    for name in ("__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv", "__stwb", "__stcg", "__stcs", "__stwt"):
        table[name] = "use an ordinary load or store"
    for name in ("clock", "clock64", "__nanosleep", "__trap", "__brkpt", "__prof_trigger", "globaltimer"):
        table[name] = None
    for name in ("tex1D", "tex1Dfetch", "tex2D", "tex3D", "surf2Dread", "surf2Dwrite", "surf1Dread", "surf1Dwrite"):
        table[name] = "read the data through a pointer"
    for name in ("curand", "curand_init", "curand_uniform", "curand_normal", "rand", "srand"):
        table[name] = "write a small generator, such as a linear congruential one"
    for base in _VECTOR_BASES:
        for count in "1234":
            table[f"make_{base}{count}"] = "use a struct of your own with the members x, y, ..."
    for prefix in ("__f", "__d"):
        for op in ("add", "sub", "mul", "div", "rcp", "sqrt"):
            for mode in ("rz", "ru", "rd"):
                table[f"{prefix}{op}_{mode}"] = f"use '{prefix}{op}_rn'"
    for source in ("int", "uint", "ll", "ull", "double"):
        for mode in ("rd", "ru"):
            table[f"__{source}2float_{mode}"] = f"use '__{source}2float_rn'"
    for source in ("ll", "ull"):
        for mode in ("rz", "rd", "ru"):
            table[f"__{source}2double_{mode}"] = f"use '__{source}2double_rn'"
    for name in ("norm", "rnorm"):
        table[name] = table[f"{name}f"] = "write a loop, or use 'norm3d' or 'norm4d'"
    for name in ("cyl_bessel_i0", "cyl_bessel_i1"):
        table[name] = table[f"{name}f"] = None
    for name in ("__fns", "__dp2a_lo", "__dp2a_hi", "__nv_bswap16", "__nv_bswap32", "__nv_bswap64", "__barrier_sync"):
        table[name] = None
    for name in ("__isGlobal", "__isShared", "__isConstant", "__isLocal", "__cvta_generic_to_shared"):
        table[name] = None
    for kind in _SIMD_IN_A_WORD:
        for width in "24":
            table[f"__v{kind}{width}"] = "write the parts out with shifts and masks"
    for mode in ("rz", "ru", "rd"):
        table[f"__fmaf_{mode}"] = "use '__fmaf_rn'"
        table[f"__fma_{mode}"] = "use '__fma_rn'"
    return table


UNSUPPORTED_FUNCTIONS = _unsupported_functions()
