"""Masks: which lanes of a gang take part.

A mask is `<16 x i1>` inside a function, which LLVM keeps in a k register, and `i16` where it crosses a
function boundary (a `<16 x i1>` argument would travel as 16 bytes). Wider gangs have as many more bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from llvmlite import ir

from . import builder
from .builder import I1, I32, bits_of


@cache
def lane_bits(lanes: int) -> ir.VectorType:
    """Return the type of a mask inside a function."""
    return ir.VectorType(I1, lanes)


@cache
def travelling(lanes: int) -> ir.IntType:
    """Return the type of a mask, one bit for each lane, where it crosses a function boundary."""
    return ir.IntType(lanes)


@cache
def no_lanes(lanes: int) -> ir.Constant:
    return ir.Constant(lane_bits(lanes), [0] * lanes)


@cache
def all_lanes(lanes: int) -> ir.Constant:
    return ir.Constant(lane_bits(lanes), [1] * lanes)


@cache
def all_bits(lanes: int) -> ir.Constant:
    """`all_lanes`, as it travels."""
    return ir.Constant(travelling(lanes), (1 << lanes) - 1)


@dataclass(frozen=True)
class Mask:
    """The lanes that take part. Unless `maybe_empty`, at least one does: uniform values may be loaded.

    `full`, an i1 that says whether all lanes do, marks a mask that most gangs have full: the statements under it
    are worth code of their own for that case (`lower/full_mask`). `any`, if known, is an i1 that says whether a lane
    does: it often follows from the path of control.
    """

    lanes: ir.Value
    maybe_empty: bool = False
    full: ir.Value | None = None
    any: ir.Value | None = None

    @property
    def all_on(self) -> bool:
        return self.lanes is all_lanes(self.count)

    @property
    def count(self) -> int:
        """How many lanes there are, on or off."""
        return builder.lanes(self.lanes)

    def nonempty(self) -> Mask:
        return replace(self, maybe_empty=False)

    def general(self) -> Mask:
        """Return the same lanes as a mask that gets no code of its own for gangs with all lanes on."""
        return replace(self, full=None)


def from_bits(b: ir.IRBuilder, bits: ir.Value, name: str = "mask") -> Mask:
    return Mask(b.bitcast(bits, lane_bits(bits_of(bits.type)), name=name))


def usually_full(b: ir.IRBuilder, mask: Mask) -> Mask:
    """Mark a mask that most gangs have full."""
    return replace(mask, full=all_on(b, mask))


def bits(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    return b.bitcast(mask.lanes, travelling(mask.count), name="mask.bits")


def both(b: ir.IRBuilder, left: Mask, lanes: ir.Value, name: str = "mask", always: ir.Value | None = None) -> Mask:
    """The lanes of `left` that are in `lanes` too. `always`: whether `lanes` has all of a full mask, if likely."""
    if left.all_on:
        return Mask(lanes, maybe_empty=True, full=always)
    full = None if always is None or left.full is None else b.and_(left.full, always, name="full")
    return Mask(b.and_(left.lanes, lanes, name=name), maybe_empty=True, full=full)


def without(b: ir.IRBuilder, mask: Mask, lanes: ir.Value, name: str = "mask", never: ir.Value | None = None) -> Mask:
    """The lanes of `mask` that are not in `lanes`. `never`: whether `lanes` has none of a full mask, if likely."""
    return both(b, mask, b.not_(lanes), name, never)


def either(b: ir.IRBuilder, left: Mask, right: Mask, name: str = "mask") -> Mask:
    return Mask(b.or_(left.lanes, right.lanes, name=name), left.maybe_empty and right.maybe_empty)


def any_on(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    if not mask.maybe_empty:
        return ir.Constant(I1, 1)
    if mask.any is not None:
        return mask.any
    return b.icmp_unsigned("!=", bits(b, mask), ir.Constant(travelling(mask.count), 0), name="any")


def all_on(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    return b.icmp_unsigned("==", bits(b, mask), all_bits(mask.count), name="full")


def wide_bits(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    """One bit for each lane, as an integer of 32 bits or, for more lanes, of 64."""
    return b.zext(bits(b, mask), I32) if mask.count < 32 else bits(b, mask)


def first_lane(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    """Return the index of the lowest lane that is on, as i32; some lane's for an empty mask."""
    wide = wide_bits(b, mask)
    wide = b.or_(wide, ir.Constant(wide.type, 1 << (mask.count - 1)))
    return _as_i32(b, b.cttz(wide, ir.Constant(I1, 1)), "first.lane")


def last_lane(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    """Return the index of the highest lane that is on, as i32; some lane's for an empty mask."""
    wide = wide_bits(b, mask)
    zeros = b.ctlz(wide, ir.Constant(I1, 0))
    lane = b.sub(ir.Constant(wide.type, bits_of(wide.type) - 1), zeros)
    return _as_i32(b, b.and_(lane, ir.Constant(wide.type, mask.count - 1)), "last.lane")


def _as_i32(b: ir.IRBuilder, lane: ir.Value, name: str) -> ir.Value:
    return lane if lane.type == I32 else b.trunc(lane, I32, name=name)
