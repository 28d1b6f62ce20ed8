"""Shapes: how a value varies among the lanes of a gang, and what operations make of it.

    BLOCK    equal in all threads of the block that compute it
    UNIFORM  equal in all *active* lanes of the gang
    AFFINE   base + stride * lane, with a stride known at compile time (bytes, for a pointer)
    VARYING  anything

`None` stands for a value that the analysis has not reached yet; it is neutral in `join`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import overload

from . import tree
from .ctype import CType, Pointer, Scalar, Struct, is_integer, leaves
from .target import LANES


class Kind(IntEnum):
    BLOCK = 0
    UNIFORM = 1
    AFFINE = 2
    VARYING = 3


@dataclass(frozen=True, slots=True)
class Shape:
    """`exact`: base + stride * lane does not wrap round in the value's own type within a gang.

    `interleave` is the granularity in bytes of the interleaved private object that a pointer points
    into, 0 for ordinary memory; such a pointer's `stride` is the granularity.
    """

    kind: Kind
    stride: int = 0
    exact: bool = True
    interleave: int = 0

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
        return text + (" interleaved" if self.interleave else "")


BLOCK = Shape(Kind.BLOCK)
UNIFORM = Shape(Kind.UNIFORM)
VARYING = Shape(Kind.VARYING)

Known = (
    Shape | tuple["Shape | None", ...] | None
)  # a struct has one shape per scalar in it; None: nothing reached it yet


def affine(stride: int, exact: bool = True, interleave: int = 0) -> Shape:
    if stride == 0 and not interleave:
        return UNIFORM
    return Shape(Kind.AFFINE, stride, exact, interleave)


def join(left: Shape | None, right: Shape | None) -> Shape | None:
    """Return the least shape that describes both."""
    if left is None or right is None:
        return right if left is None else left
    if left.interleave != right.interleave:
        raise AssertionError("a pointer into interleaved memory met one into ordinary memory")
    if left.uniform and right.uniform:
        return left if left.kind >= right.kind else right
    if left.kind == right.kind == Kind.AFFINE and left.stride == right.stride:
        return left if not left.exact else right
    return replace(VARYING, interleave=left.interleave)


def combined(
    op: str, ctype: CType, left: Shape | None, right: Shape | None, left_value: int | None, right_value: int | None
) -> Shape | None:
    """The shape of `left op right` computed in `ctype`; the values are given where they are constants."""
    if left is None or right is None:
        return None
    if left.uniform and right.uniform:
        return left if left.kind >= right.kind else right
    if not is_integer(ctype) or not left.scalar or not right.scalar:
        return VARYING
    exact = left.exact and right.exact and is_signed(ctype)
    match op:
        case "+":
            return affine(left.stride + right.stride, exact)
        case "-":
            return affine(left.stride - right.stride, exact)
        case "*":
            factor = right_value if left.kind == Kind.AFFINE else left_value
            if factor is not None and (left.uniform or right.uniform):
                return _small(affine((left.stride + right.stride) * factor, exact))
        case "<<":
            if right_value is not None and right.uniform and 0 <= right_value < 16:
                return _small(affine(left.stride << right_value, exact))
    return VARYING


def value(*shapes: Shape | None) -> Shape | None:
    """The shape of an operation that keeps equal things equal and nothing more."""
    kind = Kind.BLOCK
    for shape in shapes:
        if shape is None:
            return None
        kind = max(kind, shape.kind)
    return VARYING if kind >= Kind.AFFINE else Shape(kind)


def offset_by(pointer: Shape | None, index: Shape | None, ctype: CType, sign: int) -> Shape | None:
    """The shape of `pointer + sign * index`."""
    assert isinstance(ctype, Pointer)
    if pointer is None or index is None:
        return None
    if not pointer.scalar or not index.scalar:
        return replace(VARYING, interleave=pointer.interleave)
    step = ctype.target.size * (LANES if pointer.interleave else 1) * sign
    if pointer.uniform and index.uniform:
        return pointer if pointer.kind >= index.kind else index
    stride = pointer.stride + index.stride * step
    if pointer.interleave and stride != pointer.stride:
        return replace(VARYING, interleave=pointer.interleave)
    return _small(affine(stride, interleave=pointer.interleave))


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
    if shape is None or shape.uniform:
        return shape
    if isinstance(source, Pointer) and isinstance(to, Pointer):
        return shape
    if shape.kind == Kind.AFFINE and is_integer(source) and is_integer(to) and not shape.interleave:
        assert isinstance(source, Scalar) and isinstance(to, Scalar)
        if to.kind == "int" and source.kind == "int" and to.bits >= 32 and source.bits >= 32:
            if to.bits == source.bits:
                return shape
            if to.bits < source.bits:
                return replace(shape, exact=False)
            if shape.exact:
                return shape
    return VARYING


def _small(shape: Shape) -> Shape:
    """Strides beyond 16 MiB are of no use and might overflow 32-bit offsets."""
    return shape if abs(shape.stride) < 1 << 24 else replace(VARYING, interleave=shape.interleave)


def is_signed(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.signed


def constant_of(node: tree.Expr | None) -> int | None:
    while isinstance(node, tree.Convert) and is_integer(node.type) and is_integer(node.operand.type):
        node = node.operand
    if isinstance(node, tree.Constant) and is_integer(node.type) and abs(int(node.value)) < 1 << 24:
        return int(node.value)
    return None


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
