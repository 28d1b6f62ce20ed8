"""The functions of C's math library: ours where they are faster or more accurate, else libmvec, else libm.

All take and give `Num`s. Arguments in lanes that are off have been made harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ..options import Options
from ..simd.builder import F32
from . import exp, power, special, trig
from .call import local_function, scalar_call, vector_call
from .num import Num

Function = Callable[..., Num | tuple[Num, ...]]

_BOTH: dict[str, Function] = {
    "exp": exp.exp,
    "exp2": exp.exp2,
    "exp10": exp.exp10,
    "expm1": exp.expm1,
    "log": exp.log,
    "log2": exp.log2,
    "log10": exp.log10,
    "log1p": exp.log1p,
    "sin": trig.sin,
    "cos": trig.cos,
    "tan": trig.tan,
    "sincos": trig.sincos,
    "sincospi": trig.sincospi,
    "sinpi": lambda x, options: trig.sincospi(x, options)[0],
    "cospi": lambda x, options: trig.sincospi(x, options)[1],
    "cbrt": special.cbrt,
    "rcbrt": special.rcbrt,
}
_FLOAT: dict[str, Function] = _BOTH | {
    "pow": power.pow_float,
    "rsqrt": special.rsqrt_float,
    "asin": special.asin_float,
    "erf": special.erf_float,
    "fast_exp": special.fast_exp,
    "fast_exp10": special.fast_exp10,
    "fast_pow": special.fast_pow,
    "fast_tan": special.fast_tan,
}
_DOUBLE: dict[str, Function] = _BOTH | {
    "rsqrt": lambda x, options: 1.0 / x.sqrt(),
    "cosh": special.cosh_double,
    "tanh": special.tanh_double,
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
