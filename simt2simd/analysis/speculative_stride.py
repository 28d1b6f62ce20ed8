"""Values that are affine in nearly every gang, but not in all: the indices of neighbours that wrap around.

**Known as:** speculative strides, speculative vectorisation.

    (i + 1) % n                   affine but in the gang where n comes
    i == 0 ? n - 1 : i - 1        affine but in the gang that begins with 0
    i / width, i % width == 0     the same in all lanes but where a row ends

The analysis guesses here, from what programs mean by such expressions; `width` might be 3. So nothing relies on it:
an access through such an index looks, when it runs, whether the gang is one of the many (see `memory`).
"""

from __future__ import annotations

from dataclasses import replace

from ..lang.ctype import CType
from ..tree import nodes as tree
from . import lattice
from .lattice import VARYING, Shape, either_stride


def unary(op: tree.UnaryOp, ctype: CType, operand: Shape | None) -> Shape | None:
    """`lattice.unary`, with the likely stride of what varies."""
    shape = lattice.unary(op, ctype, operand)
    if shape is None or operand is None or shape.scalar or shape.rise or operand.common_stride is None:
        return shape
    return replace(shape, likely=-operand.common_stride)


def logical(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of `left && right` and of `left || right`."""
    shape = lattice.value(left, right)
    if shape is None or left is None or right is None or shape.scalar:
        return shape
    return replace(shape, likely=0) if left.common_stride == right.common_stride == 0 else shape


def chosen(cond: Shape, then: Shape, other: Shape) -> Shape:
    """The shape of the integer `cond ? then : other` where lanes disagree about `cond`."""
    return replace(VARYING, likely=either_stride(then, other)) if cond.common_stride == 0 else VARYING
