"""The functions of C's math library: ours where they are faster or more accurate, else libmvec, else libm.

All take and give `Num`s. Arguments in lanes that are off have been made harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from . import vmath_exp, vmath_special, vmath_trig
from .irtools import F32
from .target import Options
from .vmath_call import local_function, scalar_call, vector_call
from .vmath_num import Num

Function = Callable[..., Num | tuple[Num, ...]]

_BOTH: dict[str, Function] = {
    "exp": vmath_exp.exp,
    "exp2": vmath_exp.exp2,
    "exp10": vmath_exp.exp10,
    "expm1": vmath_exp.expm1,
    "log": vmath_exp.log,
    "log2": vmath_exp.log2,
    "log10": vmath_exp.log10,
    "log1p": vmath_exp.log1p,
    "sin": vmath_trig.sin,
    "cos": vmath_trig.cos,
    "tan": vmath_trig.tan,
    "sincos": vmath_trig.sincos,
    "sincospi": vmath_trig.sincospi,
    "sinpi": lambda x, options: vmath_trig.sincospi(x, options)[0],
    "cospi": lambda x, options: vmath_trig.sincospi(x, options)[1],
    "cbrt": vmath_special.cbrt,
    "rcbrt": vmath_special.rcbrt,
}
_FLOAT: dict[str, Function] = _BOTH | {
    "pow": vmath_special.pow_float,
    "rsqrt": vmath_special.rsqrt_float,
    "asin": vmath_special.asin_float,
    "erf": vmath_special.erf_float,
    "fast_exp": vmath_special.fast_exp,
    "fast_exp10": vmath_special.fast_exp10,
    "fast_pow": vmath_special.fast_pow,
    "fast_tan": vmath_special.fast_tan,
}
_DOUBLE: dict[str, Function] = _BOTH | {
    "rsqrt": lambda x, options: 1.0 / x.sqrt(),
    "cosh": vmath_special.cosh_double,
    "tanh": vmath_special.tanh_double,
}

# The rest: libmvec keeps the guide's bounds (measured on glibc 2.36, its AVX-512 and its AVX2 versions).
_LIBMVEC = frozenset("acos asin atan sinh cosh tanh asinh acosh atanh erf erfc pow atan2 hypot".split())


def library(op: str, args: Sequence[Num], options: Options) -> list[Num]:
    """Emit a call of the function `op`, C's name of its double version; `sincos` and `sincospi` give two results."""
    b, first = args[0].b, args[0]
    own = (_FLOAT if first.is_float32 else _DOUBLE).get(op)
    if own is not None:

        def body(inner: ir.IRBuilder, *params: ir.Value) -> list[ir.Value]:
            value = own(*(Num(inner, param) for param in params), options)
            return [number.value for number in (value if isinstance(value, tuple) else (value,))]

        results = [first.type] * (2 if op.startswith("sincos") else 1)
        return [Num(b, value) for value in local_function(b, op, results, [arg.value for arg in args], body)]
    assert op in _LIBMVEC, op
    if first.is_vector:
        return [Num(b, vector_call(b, op, [arg.value for arg in args], options))]
    value = scalar_call(b, op, [arg.widen().value if first.is_float32 else arg.value for arg in args])
    return [Num(b, b.fptrunc(value, F32) if first.is_float32 else value)]
