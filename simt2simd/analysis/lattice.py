"""Shapes: how a value varies among the lanes of a gang, and what operations make of it.

**Known as:** the lattice of a uniformity (divergence) analysis.

    BLOCK    equal in all threads of the block that compute it
    UNIFORM  equal in all *active* lanes of the gang
    AFFINE   base + stride * lane, with a stride known at compile time (bytes, for a pointer)
    VARYING  anything

`None` is a value that the analysis has not reached yet; it is neutral in `join`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import overload

from ..lang.ctype import CType, Pointer, Scalar, Struct, is_integer, leaves
from ..tree import nodes as tree


class Kind(IntEnum):
    BLOCK = 0
    UNIFORM = 1
    AFFINE = 2
    VARYING = 3


@dataclass(frozen=True, slots=True)
class Shape:
    """`exact`: base + stride * lane does not wrap around in the value's own type within a gang.

    `interleave` is the granularity in bytes of the interleaved private object that a pointer points
    into, 0 for ordinary memory; such a pointer's `stride` is the granularity, or 0 where only one lane is on.

    Of an integer, in all lanes: `multiple` is a power of two that divides `base`, the value of lane 0, and
    0 <= value < `limit`, if that is not None. `threadIdx.x` of a gang of 16 begins at a multiple of 16, so that
    `threadIdx.x % 32` is affine and `threadIdx.x / 32` uniform.

    Of a varying integer: with `rise` (a, b), active lanes l < m differ by a * (m - l) <= v[m] - v[l] <= b * (m - l).
    So `max(threadIdx.x - 1, 0)` has rise (0, 1): what the lanes read through it lies in one vector's space.

    `likely`, of a varying integer or pointer: what its stride is in nearly all gangs, 0 if it is the same in all their
    active lanes; None: nothing is known (see `likely`). Nothing may rely on it.
    """

    kind: Kind
    stride: int = 0
    exact: bool = True
    interleave: int = 0
    multiple: int = 1
    limit: int | None = None
    rise: tuple[int, int] | None = None
    likely: int | None = None

    @property
    def scalar(self) -> bool:
        """One scalar describes the value in all active lanes (together with the stride)."""
        return self.kind != Kind.VARYING

    @property
    def uniform(self) -> bool:
        return self.kind <= Kind.UNIFORM

    def __str__(self) -> str:
        text = self.kind.name.lower()
        text += f" {self.stride:+d}" if self.kind == Kind.AFFINE else ""
        text += f" rising {self.rise[0]} to {self.rise[1]}" if self.rise else ""
        if self.likely is not None:
            text += f" likely affine {self.likely:+d}" if self.likely else " likely uniform"
        return text + (" interleaved" if self.interleave else "")

    @property
    def slope(self) -> tuple[int, int] | None:
        """`rise`, of any integer for which it is known."""
        if self.uniform:
            return 0, 0
        return (self.stride, self.stride) if self.kind == Kind.AFFINE and self.exact else self.rise

    @property
    def common_stride(self) -> int | None:
        """The stride in nearly all gangs, of any value for which it is known."""
        return self.stride if self.scalar else self.likely

    def period(self, lanes: int) -> int:
        """The largest power of two that divides `base` and is more than `stride * lane` in all lanes; 0 if none is."""
        return self.multiple if 0 <= self.stride * (lanes - 1) < self.multiple else 0


BLOCK = Shape(Kind.BLOCK)
UNIFORM = Shape(Kind.UNIFORM)
VARYING = Shape(Kind.VARYING)

MAX_MULTIPLE = 1 << 12
NATURAL = 1 << 31  # the limit of an `int` that is not negative

Known = (
    Shape | tuple["Shape | None", ...] | None
)  # a struct has one shape per scalar in it; None: nothing reached it yet


def affine(stride: int, exact: bool = True, interleave: int = 0) -> Shape:
    if stride == 0:
        return Shape(Kind.UNIFORM, interleave=interleave)
    return Shape(Kind.AFFINE, stride, exact, interleave)


@functools.lru_cache(4096)
def constant(value: int) -> Shape:
    """The shape of an integer in the program."""
    multiple = min(value & -value, MAX_MULTIPLE) if value else MAX_MULTIPLE
    return Shape(Kind.BLOCK, multiple=multiple, limit=value + 1 if value >= 0 else None)


def plain(shape: Shape, lanes: int) -> Shape:
    """`shape` with only the coarsest of what is known about the numbers: to distinguish few cases."""
    multiple = lanes if shape.multiple >= lanes else 1
    return replace(shape, multiple=multiple, limit=NATURAL if shape.limit and shape.limit <= NATURAL else None)


def join(left: Shape | None, right: Shape | None) -> Shape | None:
    """Return the least shape that describes both."""
    if left is None or right is None:
        return right if left is None else left
    if left.interleave != right.interleave:
        raise AssertionError("a pointer into interleaved memory met one into ordinary memory")
    multiple, limit = min(left.multiple, right.multiple), _either(left.limit, right.limit)
    if left.uniform and right.uniform:
        return Shape(max(left.kind, right.kind), interleave=left.interleave, multiple=multiple, limit=limit)
    if left.kind == right.kind == Kind.AFFINE and left.stride == right.stride:
        return replace(left, exact=left.exact and right.exact, multiple=multiple, limit=limit)
    rise, likely = _either_rise(left, right), either_stride(left, right)
    return replace(VARYING, interleave=left.interleave, limit=limit, rise=rise, likely=likely)


def either_stride(left: Shape, right: Shape) -> int | None:
    """Return the stride that a value like one or the other, and uniform only now and then, has in nearly all gangs."""
    a, b = left.common_stride, right.common_stride
    if a is None or b is None:
        return None
    return a or b if a == b or not (a and b) else None


MAX_RISE = 8


def _either_rise(left: Shape, right: Shape) -> tuple[int, int] | None:
    """Return what holds for values that rise like one or the other, or like the larger or the smaller of both."""
    a, b = left.slope, right.slope
    return small_rise(min(a[0], b[0]), max(a[1], b[1])) if a and b else None


def small_rise(least: int, most: int) -> tuple[int, int] | None:
    """Return the bounds of a rise if they are small; loops must not find ever larger ones, which are of no use."""
    return (least, most) if max(abs(least), abs(most)) <= MAX_RISE else None


def extreme(ctype: CType, left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of the larger, or the smaller, of two numbers."""
    if left is None or right is None or not is_integer(ctype):
        return value(left, right)
    if left.uniform and right.uniform:
        return Shape(max(left.kind, right.kind), limit=_either(left.limit, right.limit))
    limit, rise = _either(left.limit, right.limit), _either_rise(left, right)
    return replace(VARYING, limit=limit, rise=rise, likely=either_stride(left, right))


def _either(left: int | None, right: int | None) -> int | None:
    """A limit that holds for both; one of two, so that the limit of a counter is found in few steps."""
    if left is None or right is None or left == right:
        return left if left == right else None
    return next((step for step in (NATURAL, 1 << 32) if max(left, right) <= step), None)


def unary(op: tree.UnaryOp, ctype: CType, operand: Shape | None) -> Shape | None:
    """The shape of `op operand`, computed in `ctype`."""
    if op == "-" and operand is not None and operand.kind == Kind.AFFINE:
        return replace(affine(-operand.stride, operand.exact and is_signed(ctype)), multiple=operand.multiple)
    if op == "-" and operand is not None and operand.rise and is_signed(ctype):
        return replace(VARYING, rise=(-operand.rise[1], -operand.rise[0]))
    return value(operand)


def value(*shapes: Shape | None) -> Shape | None:
    """The shape of an operation that keeps equal things equal and nothing more."""
    kind = Kind.BLOCK
    for shape in shapes:
        if shape is None:
            return None
        kind = max(kind, shape.kind)
    return VARYING if kind >= Kind.AFFINE else Shape(kind)


def spans_wrap(index: CType, step: int) -> bool:
    """Whether an object has room for elements of `step` bytes on both sides of where an index of this type wraps.

    Objects have less than 8 GiB; the lanes of a gang whose index wraps may be a few elements less than 2^32 apart.
    """
    return isinstance(index, Scalar) and index.bits == 32 and 0 < step <= 2


def offset_by(
    pointer: Shape | None, index: Shape | None, ctype: CType, sign: int, may_wrap: bool = False
) -> Shape | None:
    """The shape of `pointer + sign * index`. With `may_wrap`, an index that is not exact leads anywhere."""
    assert isinstance(ctype, Pointer)
    if pointer is None or index is None:
        return None
    if not pointer.scalar or not index.scalar or (may_wrap and index.kind == Kind.AFFINE and not index.exact):
        start, step = pointer.common_stride, index.common_stride
        if start is None or step is None or pointer.interleave:
            return replace(VARYING, interleave=pointer.interleave)
        return replace(VARYING, likely=small_stride(start + step * ctype.target.size * sign))
    if pointer.uniform and index.uniform:
        return Shape(max(pointer.kind, index.kind), interleave=pointer.interleave)
    if pointer.interleave and index.stride:
        return replace(VARYING, interleave=pointer.interleave)
    stride = pointer.stride + index.stride * ctype.target.size * sign
    return small(affine(stride, interleave=pointer.interleave))


def known_converted(shape: Known, source: CType, to: CType) -> Known:
    if isinstance(shape, tuple):
        return shape
    return converted(shape, source, to)


@overload
def converted(shape: Shape, source: CType, to: CType) -> Shape: ...
@overload
def converted(shape: Shape | None, source: CType, to: CType) -> Shape | None: ...
def converted(shape: Shape | None, source: CType, to: CType) -> Shape | None:
    """The shape of a scalar converted from type `source` to type `to`."""
    if shape is None:
        return None
    if not (is_integer(source) and is_integer(to)):
        same = isinstance(source, Pointer) and isinstance(to, Pointer)
        return shape if same else Shape(shape.kind) if shape.uniform else VARYING
    assert isinstance(source, Scalar) and isinstance(to, Scalar)
    limit = shape.limit
    if limit is None and not source.signed:
        limit = 1 << (1 if source.kind == "bool" else source.bits)
    if limit is not None and limit > 1 << (to.bits - to.signed):
        limit = None
    multiple = shape.multiple if to.bits >= 32 else 1
    if shape.uniform:
        return Shape(shape.kind, multiple=multiple, limit=limit)
    same_number = limit is not None or (source.signed and to.signed and to.bits >= source.bits)
    if to.kind == "bool" and source.kind != "bool":
        same_number = False
    if shape.kind == Kind.AFFINE and not shape.interleave and min(source.bits, to.bits) >= 32:
        # -1 and 0 are neighbours, but wrap around as unsigned numbers
        exact = shape.exact and same_number
        if to.bits <= source.bits:
            return replace(shape, exact=exact and to.bits == source.bits, multiple=multiple, limit=limit)
        if shape.exact:
            return replace(shape, exact=exact, multiple=multiple, limit=limit)
    likely = shape.common_stride if to.bits >= 32 or shape.common_stride == 0 else None
    return replace(VARYING, limit=limit, rise=shape.slope if same_number else None, likely=likely)


def small(shape: Shape) -> Shape:
    """Strides beyond 16 MiB are of no use and might overflow 32-bit offsets."""
    return replace(VARYING, interleave=shape.interleave) if small_stride(shape.stride) is None else shape


def small_stride(stride: int) -> int | None:
    return stride if abs(stride) < 1 << 24 else None


def is_signed(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.signed


def constant_of(node: tree.Expr | None) -> int | None:
    """The value of an integer in the program, unless it is so large that it is of no use."""
    if isinstance(node, tree.Constant) and is_integer(node.type) and abs(int(node.value)) < 1 << 24:
        return int(node.value)
    return None


def mask_of(node: tree.Expr | None) -> int | None:
    """`constant_of`, but of an unsigned number whose high bits are all on, the negative number with the same bits."""
    if isinstance(node, tree.Constant) and isinstance(node.type, Scalar) and is_integer(node.type):
        value, modulus = int(node.value), 1 << node.type.bits
        if not node.type.signed and node.type.bits >= 32 and 1 < modulus - value < 1 << 24:
            return value - modulus
    return constant_of(node)


def all_varying(shape: Known) -> Known:
    if isinstance(shape, tuple):
        return tuple(None if part is None else VARYING for part in shape)
    return None if shape is None else VARYING


def join_known(left: Known, right: Known) -> Known:
    if isinstance(left, tuple) and isinstance(right, tuple):
        return tuple(join(a, b) for a, b in zip(left, right, strict=True))
    if left is None or right is None:
        return right if left is None else left
    assert isinstance(left, Shape) and isinstance(right, Shape)
    return join(left, right)


def is_unknown(shape: Known) -> bool:
    return shape is None or (isinstance(shape, tuple) and any(part is None for part in shape))


def every_part(ctype: CType, shape: Shape) -> Known:
    return tuple(shape for _ in leaves(ctype)) if isinstance(ctype, Struct) else shape
