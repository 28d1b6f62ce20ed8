"""Functions of C's math library on lanes: libmvec where its error is small enough, else libm lane by lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from .irtools import F32, F64, const, element, fma, lanes
from .irtools import with_element as like
from .vmath_call import Site, library_call, sanitise, vector_call

# The functions for which libmvec keeps the guide's bounds (measured on glibc 2.36, AVX-512 and AVX2 versions).
_VECTOR_FLOAT = frozenset("exp2 log10 acos atan sinh cosh tanh asinh acosh atanh erfc pow atan2 hypot".split())
_VECTOR_DOUBLE = frozenset("log asin acos atan sinh asinh acosh atanh erf erfc pow atan2 hypot".split())
# Within a few units in the last place of double, so enough for float.
_VECTOR_DOUBLE_LOOSE = _VECTOR_DOUBLE | frozenset("exp exp10 expm1 log1p log2 sin cos tan cbrt".split())


def library(site: Site, op: str, *args: ir.Value) -> ir.Value:
    """Emit C's function `op`."""
    b = site.b
    if not lanes(args[-1]):
        return library_call(b, op, args, None)
    safe = 2.0 if op == "acosh" else 0.5
    if element(args[-1].type) == F64:
        if op in _VECTOR_DOUBLE:
            return vector_call(b, op, [sanitise(b, site.mask, arg, safe) for arg in args], site.options)
    elif op in _VECTOR_FLOAT:
        return vector_call(b, op, [sanitise(b, site.mask, arg, safe) for arg in args], site.options)
    elif op in _VECTOR_DOUBLE_LOOSE:
        return in_double(site, lambda *wide: loose(site, op, *wide), *args)
    return library_call(b, op, args, site.mask)


def loose(site: Site, op: str, *args: ir.Value) -> ir.Value:
    """Emit C's function `op` in double for a result that float will hold: a few units in the last place do no harm."""
    b = site.b
    if lanes(args[0]) and op in _VECTOR_DOUBLE_LOOSE:
        safe = 2.0 if op == "acosh" else 0.5
        return vector_call(b, op, [sanitise(b, site.mask, arg, safe) for arg in args], site.options)
    return library_call(b, op, args, site.mask)


def in_double(site: Site, function: Callable[..., ir.Value], *args: ir.Value) -> ir.Value:
    """Apply `function` to float arguments in double precision, and round its result to float."""
    b = site.b
    wide = [b.fpext(arg, like(arg.type, F64)) for arg in args]
    return b.fptrunc(function(*wide), like(args[0].type, F32))


def polynomial(b: ir.IRBuilder, x: ir.Value, coefficients: Sequence[float]) -> ir.Value:
    """Horner's scheme with fused multiply-adds; the constant term comes first."""
    value: ir.Value = const(x.type, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = fma(b, value, x, const(x.type, coefficient))
    return value
