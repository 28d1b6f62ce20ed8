"""CUDA's math functions as LLVM IR: `builtin` is the one entry for every built-in that computes a value.

Each works on scalars (uniform) and on vectors (one lane per thread); lanes that are off may hold anything.
Results are within the error bounds that the CUDA C++ Programming Guide states ("Mathematical Functions").
"""

from __future__ import annotations

from llvmlite import ir

from . import arith
from .ctype import CType, Scalar
from .target import Options
from .vmath_bits import BIT_OPS, float_divide, float_sqrt
from .vmath_call import Site
from .vmath_cuda import CUDA_OPS
from .vmath_library import library

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
    quotient).
    """
    scalars = tuple(type_ for type_ in types if isinstance(type_, Scalar))
    if op in arith.INTEGER_OPS:
        return [arith.integer_op(b, op, scalars, args)]
    if op in arith.CONVERSION_OPS:
        assert isinstance(result, Scalar)
        return [arith.conversion_op(b, op, scalars, result, args)]
    site = Site(b, mask, options)
    for table in (BIT_OPS, CUDA_OPS):
        if op in table:
            return table[op](site, *args)
    return [library(site, op, *args)]
