"""What is known of `left op right`: one class for each operator of C says all of it.

An operator is asked only for what its operands allow: for the shape of values that one scalar determines, for the rise
of values whose slopes are known, for the likely stride of values whose likely strides are known.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Final

from ..lang.ctype import INT, CType, Scalar, is_integer
from ..tree import nodes as tree
from .lattice import (
    MAX_MULTIPLE,
    NATURAL,
    UNIFORM,
    VARYING,
    Kind,
    Shape,
    affine,
    constant_of,
    mask_of,
    small,
    small_rise,
    small_stride,
    value,
)

LONG_RUN = 64  # what changes more often than after so many lanes does so in too many gangs

Rise = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Operand:
    """A side of an operator: its shape, and its value if it is a number in the program."""

    shape: Shape
    value: int | None = None


def operand(shape: Shape | None, node: tree.Expr | None = None, op: tree.BinaryOp = "+") -> Operand | None:
    """The side of `op` that has this shape; `node` is what it is in the program, if that is one expression.

    Of `&` it is a number with the same bits: -32 for the unsigned `~31`.
    """
    return None if shape is None else Operand(shape, mask_of(node) if op == "&" else constant_of(node))


@dataclass(frozen=True, slots=True)
class Computation:
    """An operator's operands, the type that it computes in, and how many lanes compute."""

    left: Operand
    right: Operand
    ctype: Scalar
    lanes: int


class Operator:
    """An operator of whose result nothing is known, unless a class below says otherwise."""

    carries = False  # the sum of base and stride might wrap around

    def shape(self, c: Computation) -> Shape:
        """The shape for scalar operands of which one is affine; `exact` if nothing wraps around."""
        return VARYING

    def limit(self, c: Computation) -> int | None:
        """A number above all results, computed without a limit to their width; None: unknown."""
        return None

    def multiple(self, left: int, right: int, by: int | None) -> int:
        """A power of two that divides the result in lane 0, as `left` and `right` divide the operands there."""
        return 1

    def rise(self, left: Rise, right: Rise, c: Computation) -> Rise | None:
        """The rise of a result that does not wrap around."""
        return None

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        """The stride in nearly all gangs; None: only that the same operands give the same result."""
        return None


class Add(Operator):
    carries = True

    def shape(self, c: Computation) -> Shape:
        return affine(c.left.shape.stride + c.right.shape.stride)

    def limit(self, c: Computation) -> int | None:
        a, b = c.left.shape.limit, c.right.shape.limit
        return a + b - 1 if a is not None and b is not None else None

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return min(left, right)

    def rise(self, left: Rise, right: Rise, c: Computation) -> Rise | None:
        return small_rise(left[0] + right[0], left[1] + right[1])

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        return left + right


class Subtract(Operator):
    carries = True

    def shape(self, c: Computation) -> Shape:
        return affine(c.left.shape.stride - c.right.shape.stride)

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return min(left, right)

    def rise(self, left: Rise, right: Rise, c: Computation) -> Rise | None:
        return small_rise(left[0] - right[1], left[1] - right[0])

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        return left - right


class Multiply(Operator):
    carries = True

    def shape(self, c: Computation) -> Shape:
        a, b = c.left, c.right
        factor = b.value if a.shape.kind == Kind.AFFINE else a.value
        if factor is None or not (a.shape.uniform or b.shape.uniform):
            return VARYING
        return small(affine((a.shape.stride + b.shape.stride) * factor))

    def limit(self, c: Computation) -> int | None:
        a, b = c.left.shape.limit, c.right.shape.limit
        return (a - 1) * (b - 1) + 1 if a is not None and b is not None else None

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return min(left * right, MAX_MULTIPLE)

    def rise(self, left: Rise, right: Rise, c: Computation) -> Rise | None:
        by = c.right.value
        return None if by is None else small_rise(*sorted((left[0] * by, left[1] * by)))

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        if c.right.value is not None:
            return left * c.right.value
        return None if c.left.value is None else right * c.left.value


class Divide(Operator):
    def shape(self, c: Computation) -> Shape:
        if c.right.value == 1:
            return affine(c.left.shape.stride, c.left.shape.exact)
        return _upper(c, c.right.value) if _never_negative(c) else VARYING  # C rounds negative quotients up

    def limit(self, c: Computation) -> int | None:
        a, by = _limit_of_left(c), c.right.value
        return (a - 1) // by + 1 if a is not None and c.right.shape.limit is not None and by else None

    def rise(self, left: Rise, right: Rise, c: Computation) -> Rise | None:
        by = c.right.value
        if by is None or by <= 0 or c.left.shape.limit is None:
            return None  # C rounds negative quotients up
        return small_rise(left[0] // by, -(-left[1] // by))

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        return 0 if right == 0 and _is_long(c.right.value, left) else None


class Remainder(Operator):
    def shape(self, c: Computation) -> Shape:
        if c.right.value == 1:
            return UNIFORM
        return _lower(c, c.right.value) if _never_negative(c) else VARYING

    def limit(self, c: Computation) -> int | None:
        a, b = _limit_of_left(c), c.right.shape.limit
        if a is None or b is None:
            return None
        return min(a, b - 1) if c.right.value else a  # the remainder by zero is the dividend

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return min(left, right) if by else 1

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        return left if right == 0 and _is_long(c.right.value, left) else None


class ShiftLeft(Operator):
    carries = True

    def shape(self, c: Computation) -> Shape:
        by = c.right.value
        return small(affine(c.left.shape.stride << by)) if by is not None and 0 <= by < 16 else VARYING

    def limit(self, c: Computation) -> int | None:
        a, by = c.left.shape.limit, c.right.value
        return ((a - 1) << by) + 1 if a is not None and by is not None and 0 <= by < 32 else None

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return min(left << by, MAX_MULTIPLE) if by is not None and 0 <= by < 16 else 1

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        by = c.right.value
        return left << by if by is not None and 0 <= by < 16 else None


class ShiftRight(Operator):
    def shape(self, c: Computation) -> Shape:
        by = c.right.value
        return _upper(c, 1 << by if by is not None and 0 <= by < 24 else None)

    def limit(self, c: Computation) -> int | None:
        a, by = _limit_of_left(c), c.right.value
        if a is None or c.right.shape.limit is None:
            return None
        return a if by is None or by < 0 else ((a - 1) >> by) + 1

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return max(1, left >> by) if by is not None and 0 <= by < 16 else 1

    def rise(self, left: Rise, right: Rise, c: Computation) -> Rise | None:
        by = c.right.value
        return small_rise(left[0] >> by, -(-left[1] >> by)) if by is not None and 0 <= by < 32 else None

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        by = c.right.value
        return 0 if by is not None and 0 <= by < 32 and _is_long(1 << by, left) else None


class And(Operator):
    def shape(self, c: Computation) -> Shape:
        by = c.right.value
        if by is None:
            return VARYING
        return _upper(c, -by) if by < 0 else _lower(c, by + 1)

    def limit(self, c: Computation) -> int | None:
        limits = (c.left.shape.limit, c.right.shape.limit)
        return min((limit for limit in limits if limit is not None), default=None)

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return max(left, right)

    def likely(self, left: int, right: int, c: Computation) -> int | None:
        by = c.right.value
        low_bits = by is None or by & (by + 1) == 0
        return left if right == 0 and low_bits and _is_long(by, left) else None


class Or(Operator):
    """`|` and `^`: they add numbers with disjoint bits."""

    def shape(self, c: Computation) -> Shape:
        sides = (c.left.shape, c.right.shape)
        period = min(side.period(c.lanes) if side.kind == Kind.AFFINE else side.multiple for side in sides)
        stride = sum(side.stride for side in sides)
        disjoint = any(side.uniform for side in sides) and 0 < stride * (c.lanes - 1) < period
        return affine(stride) if disjoint else VARYING

    def limit(self, c: Computation) -> int | None:
        a, b = c.left.shape.limit, c.right.shape.limit
        return 1 << (max(a, b) - 1).bit_length() if a is not None and b is not None else None

    def multiple(self, left: int, right: int, by: int | None) -> int:
        return min(left, right)


class Compare(Operator):
    def likely(self, left: int, right: int, c: Computation) -> int | None:
        return 0 if left == right or not (_is_short(c.left.shape) or _is_short(c.right.shape)) else None


OPERATORS: Final[dict[tree.BinaryOp, Operator]] = {
    "+": Add(),
    "-": Subtract(),
    "*": Multiply(),
    "/": Divide(),
    "%": Remainder(),
    "<<": ShiftLeft(),
    ">>": ShiftRight(),
    "&": And(),
    "|": Or(),
    "^": Or(),
    **dict.fromkeys(tree.COMPARISONS, Compare()),
}


@functools.lru_cache(4096)
def combined(op: tree.BinaryOp, ctype: CType, left: Operand | None, right: Operand | None, lanes: int) -> Shape | None:
    """The shape of `left op right` computed in `ctype` by a gang of so many lanes; None: not known yet."""
    if left is None or right is None:
        return None
    assert isinstance(ctype, Scalar)
    operator, c = OPERATORS[op], Computation(left, right, ctype, lanes)
    if not is_integer(ctype):
        shape = value(left.shape, right.shape)
        return shape if shape is None or shape.scalar else replace(VARYING, likely=_likely(operator, c))
    limit = _limit(op, c)
    never_wraps = ctype.signed or limit is not None
    shape = _shape(operator, c, never_wraps)
    if shape.scalar:
        multiple = operator.multiple(left.shape.multiple, right.shape.multiple, right.value)
        return Shape(shape.kind, shape.stride, shape.exact, multiple=multiple, limit=limit)
    rise = _rise(operator, c) if never_wraps else None
    return Shape(Kind.VARYING, limit=limit, rise=rise, likely=_likely(operator, c))


def _shape(operator: Operator, c: Computation, never_wraps: bool) -> Shape:
    """The shape of the result without the limits of its values."""
    left, right = c.left.shape, c.right.shape
    if left.uniform and right.uniform:
        return Shape(max(left.kind, right.kind))
    if not left.scalar or not right.scalar:
        return VARYING
    shape = operator.shape(c)
    exact = not operator.carries or (left.exact and right.exact and never_wraps)
    return shape if exact or shape.kind != Kind.AFFINE else replace(shape, exact=False)


def _limit(op: tree.BinaryOp, c: Computation) -> int | None:
    """A number above all results, which are not negative; None: unknown."""
    limit = OPERATORS[op].limit(c)
    if limit is None or limit <= 1 << (c.ctype.bits - c.ctype.signed):
        return limit
    # Unsigned numbers wrap, and `(x & 1) << 31` is negative; other signed overflow is undefined.
    return NATURAL if c.ctype == INT and op != "<<" else None


def _rise(operator: Operator, c: Computation) -> Rise | None:
    """The rise of a result that does not wrap around, if it is known."""
    left, right = c.left.shape.slope, c.right.shape.slope
    return None if left is None or right is None else operator.rise(left, right, c)


def _likely(operator: Operator, c: Computation) -> int | None:
    """The stride of the result in nearly all gangs, if it is known."""
    left, right = c.left.shape.common_stride, c.right.shape.common_stride
    if left is None or right is None:
        return None
    stride = operator.likely(left, right, c)
    if stride is None:
        return 0 if left == right == 0 else None
    return small_stride(stride)


def _limit_of_left(c: Computation) -> int | None:
    """A number above all that the left operand can be, if it cannot be negative."""
    limit = c.left.shape.limit
    return 1 << c.ctype.bits if limit is None and not c.ctype.signed else limit


def _never_negative(c: Computation) -> bool:
    return _limit_of_left(c) is not None


def _upper(c: Computation, at: int | None) -> Shape:
    """The shape of an affine number's part from the power of two `at` on."""
    return UNIFORM if _splits(c, at) else VARYING


def _lower(c: Computation, at: int | None) -> Shape:
    """The shape of an affine number's part below the power of two `at`."""
    return affine(c.left.shape.stride) if _splits(c, at) else VARYING


def _splits(c: Computation, at: int | None) -> bool:
    """Whether `stride * lane` reaches no bit above the power of two `at`."""
    left = c.left.shape
    if left.kind != Kind.AFFINE or at is None or at <= 0 or at & (at - 1):
        return False
    return bool(left.period(c.lanes)) and (c.lanes - 1) * left.stride < at


def _is_long(period: int | None, stride: int) -> bool:
    """Whether a value with this stride gets beyond a multiple of `period` in few gangs only; None: not known yet."""
    return period is None or abs(period) >= LONG_RUN * max(1, abs(stride))


def _is_short(shape: Shape) -> bool:
    """Whether a value is like the number of a lane in its warp: it has each value that it has in many gangs."""
    return not shape.uniform and shape.limit is not None and shape.limit <= LONG_RUN
