"""CUDA's math functions as LLVM IR: `builtin` is the one entry for every built-in that computes a value.

Each works on scalars (uniform) and on vectors (one lane per thread); lanes that are off may hold anything.
Results are within the error bounds that the CUDA C++ Programming Guide states ("Mathematical Functions").

The parts: `bits` (exact functions), `exp`, `power`, `trig` and `special` (our own), `cuda` (functions that C does not
have), `library` (whether our own function, libmvec's or libm's is taken), `num` (how formulas are written), `call`
(calls).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from llvmlite import ir

from ..lang.ctype import CType, Scalar
from ..options import Options
from ..simd import integers, packed
from ..simd.builder import F32, I32, element, float_constant_of, with_element
from . import bits, cuda
from .bits import float_divide, float_sqrt
from .call import library_call, local_function, sanitise
from .directed_rounding import DIRECTED, directed_operation
from .library import library
from .num import Num, fma, where
from .power import pow_constant

__all__ = ["builtin", "float_divide", "float_sqrt"]


def builtin(
    b: ir.IRBuilder,
    op: str,
    types: tuple[CType, ...],
    result: CType,
    args: list[ir.Value],
    mask: ir.Value | None,
    options: Options,
) -> list[ir.Value]:
    """Emit the built-in with this `op` (see `cuda.py`); all but "barrier" and "fence".

    `types` are the built-in's parameter types and `args` its arguments without the pointers, all scalars or all
    vectors. Returns the function's value, if it has one, then the values to store through the pointers, in
    order: sincos gives (sin, cos), frexp (fraction, exponent), modf (fraction, integral), remquo (remainder,
    quotient). The builder stays in its block.
    """
    scalars = tuple(type_ for type_ in types if isinstance(type_, Scalar))
    if op in integers.INTEGER_OPS:
        return [integers.integer_op(b, op, scalars, args)]
    if op in integers.CONVERSION_OPS:
        assert isinstance(result, Scalar)
        return [integers.conversion_op(b, op, scalars, result, args, options.target)]
    if op in DIRECTED:
        return [directed_operation(b, op, args, options.target)]
    if op.startswith("packed_"):
        return [packed.packed_op(b, op, args)]
    if op == "ldexp":
        return [bits.ldexp(Num(b, args[0]), Num(b, args[1]), options, mask).value]
    if op in ("fmax", "fmin"):
        return [getattr(bits, op)(Num(b, args[0]), Num(b, args[1]), options).value]
    if op in ("sqrt", "fdivide", "fast_div"):
        return [_divide_or_root(b, op, args, options)]
    if op in _EXACT:
        value = _EXACT[op](*(Num(b, arg) for arg in args))
        return [number.value for number in (value if isinstance(value, list) else [value])]
    return _inexact(b, op, args, mask, options)


def _divide_or_root(b: ir.IRBuilder, op: str, args: list[ir.Value], options: Options) -> ir.Value:
    if op == "sqrt":
        return float_sqrt(b, args[0], options)
    if op == "fast_div":
        return bits.fast_divide(Num(b, args[0]), Num(b, args[1]), options).value
    return float_divide(b, args[0], args[1], options)


def _intrinsic(name: str) -> Callable[..., Num]:
    return lambda x, *others: x.call(f"llvm.{name}", *others)


# A few instructions each, with no slow path; a lane that is off does no harm.
_EXACT: dict[str, Callable[..., Num | list[Num]]] = {
    "ceil": _intrinsic("ceil"),
    "floor": _intrinsic("floor"),
    "trunc": _intrinsic("trunc"),
    "rint": _intrinsic("rint"),
    "nearbyint": _intrinsic("rint"),
    "round": _intrinsic("round"),
    "fabs": _intrinsic("fabs"),
    "copysign": _intrinsic("copysign"),
    "fma": fma,
    "fdim": bits.fdim,
    "saturate": bits.saturate,
    "isnan": Num.is_nan,
    "isinf": bits.isinf,
    "isfinite": bits.isfinite,
    "isnormal": bits.isnormal,
    "fpclassify": bits.fpclassify,
    "isgreater": Num.__gt__,
    "isgreaterequal": Num.__ge__,
    "isless": Num.__lt__,
    "islessequal": Num.__le__,
    "islessgreater": bits.islessgreater,
    "isunordered": bits.isunordered,
    "signbit": bits.signbit,
    "modf": bits.modf,
    "frexp": bits.frexp,
    "logb": bits.logb,
    "ilogb": bits.ilogb,
    "nextafter": bits.nextafter,
    "frsqrt_rn": bits.frsqrt_rn,
    # Plain operations, without the flag that lets LLVM fuse them.
    "add_rn": Num.__add__,
    "sub_rn": Num.__sub__,
    "mul_rn": Num.__mul__,
    "div_rn": Num.__truediv__,
    "rcp_rn": lambda x: 1.0 / x,
}

# A body each, emitted once per module.
_BODIES: dict[str, Callable[..., Num | list[Num]]] = {
    "fmod": lambda x, y, options: bits.fmod(x, y),
    "remainder": lambda x, y, options: bits.remainder(x, y),
    "remquo": lambda x, y, options: bits.remquo(x, y),
    "erfinv": cuda.erfinv,
    "erfcinv": cuda.erfcinv,
    "normcdf": cuda.normcdf,
    "normcdfinv": cuda.normcdfinv,
    "erfcx": cuda.erfcx,
    "rhypot": lambda *args: cuda.norm(*args[:-1], reciprocal=True),
    "norm3d": lambda *args: cuda.norm(*args[:-1], reciprocal=False),
    "norm4d": lambda *args: cuda.norm(*args[:-1], reciprocal=False),
    "rnorm3d": lambda *args: cuda.norm(*args[:-1], reciprocal=True),
    "rnorm4d": lambda *args: cuda.norm(*args[:-1], reciprocal=True),
}

# No vector version anywhere: one call of libm per active lane.
PER_LANE = frozenset("lgamma tgamma j0 j1 jn y0 y1 yn".split())

# `__sinf` and the like are the accurate functions where those are as fast.
_FAST_AS_ACCURATE = {
    f"fast_{op}": op for op in ("log", "log2", "log10", "sin", "cos", "sincos")
}  # fmt: skip
_UNDER_FAST_MATH = {"exp": "fast_exp", "exp10": "fast_exp10", "pow": "fast_pow", "tan": "fast_tan"}

# Arguments for lanes that are off: in the domain of the function and on its fast path.
_SAFE = {"acosh": 2.0}
# Functions of float that are as fast for any argument as for another, by instructions that split a float; rsqrt is
# but for denormal ones. Those of exp and pow take long to give a denormal result.
_ANY_AS_FAST = frozenset("log log2 log10 cbrt rcbrt rsqrt".split())


def _inexact(b: ir.IRBuilder, op: str, args: list[ir.Value], mask: ir.Value | None, options: Options) -> list[ir.Value]:
    floating = args[-1].type
    op = _FAST_AS_ACCURATE.get(op, op)
    if options.fast_math and element(floating) == F32:
        op = _UNDER_FAST_MATH.get(op, op)
    if op in PER_LANE:
        return [library_call(b, op, args, mask)]
    if op in ("pow", "fast_pow"):
        exponent = float_constant_of(args[1])
        base = Num(b, args[0])
        if op == "fast_pow":  # by the logarithm of the base
            base = where(base < 0.0, base.like(math.nan), abs(base))
        simple = pow_constant(base, exponent) if exponent is not None else None
        if simple is not None:
            return [simple.value]
    harmless = op in _ANY_AS_FAST and element(floating) == F32 and options.target.float_parts
    safe = args if harmless else [sanitise(b, mask, arg, _SAFE.get(op, 0.5)) for arg in args]
    if op not in _BODIES:
        return [number.value for number in library(op, [Num(b, arg) for arg in safe], options)]

    def body(inner: ir.IRBuilder, *params: ir.Value) -> Sequence[ir.Value]:
        value = _BODIES[op](*(Num(inner, param) for param in params), options)
        return [number.value for number in (value if isinstance(value, list) else [value])]

    results = [floating]
    if op == "remquo":
        results.append(with_element(floating, I32))
    return local_function(b, op, results, safe, body)
