"""Values that are affine in nearly every gang, but not in all: the indices of neighbours that wrap round.

    (i + 1) % n                   affine but in the gang where n comes
    i == 0 ? n - 1 : i - 1        affine but in the gang that begins with 0
    i / width, i % width == 0     the same in all lanes but where a row ends

The analysis guesses here, from what programs mean by such expressions; `width` might be 3. So nothing relies on it:
an access through such an index looks, when it runs, whether the gang is one of the many (see `memory`).
"""

from __future__ import annotations

from dataclasses import replace

from ..costs import LONG_RUN
from ..lang.ctype import CType
from ..tree import nodes as tree
from . import lattice
from .lattice import VARYING, Shape, either_stride, small_stride


def combined(
    op: tree.BinaryOp, ctype: CType,
    left: Shape | None, right: Shape | None, left_value: int | None, right_value: int | None,
    lanes: int,
) -> Shape | None:  # fmt: skip
    """`lattice.combined`, with the likely stride of what varies."""
    shape = lattice.combined(op, ctype, left, right, left_value, right_value, lanes)
    if shape is None or left is None or right is None or shape.scalar:
        return shape
    stride = _stride(op, left, right, left_value, right_value)
    return shape if stride is None else replace(shape, likely=small_stride(stride))


def _stride(
    op: tree.BinaryOp, left: Shape, right: Shape, left_value: int | None, right_value: int | None
) -> int | None:
    """The stride of `left op right` in nearly all gangs, if it is known."""
    a, b = left.common_stride, right.common_stride
    if a is None or b is None:
        return None
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*" if left_value is not None or right_value is not None:
            return a * right_value if right_value is not None else b * (left_value or 0)
        case "<<" if right_value is not None and 0 <= right_value < 16:
            return a << right_value
        case "%" if b == 0 and _is_long(right_value, a):
            return a
        case "&" if b == 0 and (right_value is None or (right_value & (right_value + 1) == 0)):
            return a if _is_long(right_value, a) else None
        case "/" if b == 0 and _is_long(right_value, a):
            return 0
        case ">>" if right_value is not None and 0 <= right_value < 32 and _is_long(1 << right_value, a):
            return 0
        case _ if op in tree.COMPARISONS:
            return 0 if a == b or not (_is_short(left) or _is_short(right)) else None
    return 0 if a == b == 0 else None


def _is_long(period: int | None, stride: int) -> bool:
    """Whether a value with this stride gets beyond a multiple of `period` in few gangs only; None: not known yet."""
    return period is None or abs(period) >= LONG_RUN * max(1, abs(stride))


def _is_short(shape: Shape) -> bool:
    """Whether a value is like the number of a lane in its warp: it has each value that it has in many gangs."""
    return not shape.uniform and shape.limit is not None and shape.limit <= LONG_RUN


def unary(op: tree.UnaryOp, operand: Shape | None) -> Shape | None:
    """The shape of `op operand`, which varies if the operand differs among lanes."""
    shape = lattice.value(operand)
    if shape is None or operand is None or shape.scalar or operand.common_stride is None:
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
