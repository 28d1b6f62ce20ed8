"""Masks: which lanes of a gang take part.

A mask is `<16 x i1>` inside a function, which LLVM keeps in a k register, and `i16` where it crosses a
function boundary (a `<16 x i1>` argument would travel as 16 bytes).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from llvmlite import ir

from .target import LANES

I1 = ir.IntType(1)
I16 = ir.IntType(16)
LANE_BITS = ir.VectorType(I1, LANES)
NO_LANES = ir.Constant(LANE_BITS, [0] * LANES)
ALL_LANES = ir.Constant(LANE_BITS, [1] * LANES)


@dataclass(frozen=True)
class Mask:
    """The lanes that take part. Unless `maybe_empty`, at least one does: uniform values may be loaded.

    `full`, an i1 that says whether all lanes do, marks a mask that most gangs have full: the statements under it
    are worth code of their own for that case (`fullmask`). `any`, if known, is an i1 that says whether a lane does: the
    way by which control came here often tells.
    """

    lanes: ir.Value
    maybe_empty: bool = False
    full: ir.Value | None = None
    any: ir.Value | None = None

    @property
    def all_on(self) -> bool:
        return self.lanes is ALL_LANES

    def nonempty(self) -> Mask:
        return replace(self, maybe_empty=False)

    def general(self) -> Mask:
        """The same lanes, with no code of their own for all of them."""
        return replace(self, full=None)


def from_bits(b: ir.IRBuilder, bits: ir.Value, name: str = "mask") -> Mask:
    return Mask(b.bitcast(bits, LANE_BITS, name=name))


def usually_full(b: ir.IRBuilder, mask: Mask) -> Mask:
    """Mark a mask that most gangs have full."""
    return replace(mask, full=all_on(b, mask))


def bits(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    return b.bitcast(mask.lanes, I16, name="mask.bits")


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
    return b.icmp_unsigned("!=", bits(b, mask), ir.Constant(I16, 0), name="any")


def all_on(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    return b.icmp_unsigned("==", bits(b, mask), ir.Constant(I16, (1 << LANES) - 1), name="full")


def first_lane(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    """The index of the lowest lane that is on, as i32; some lane's for an empty mask."""
    wide = b.or_(b.zext(bits(b, mask), ir.IntType(32)), ir.Constant(ir.IntType(32), 1 << (LANES - 1)))
    return b.cttz(wide, ir.Constant(I1, 1), name="first.lane")


def last_lane(b: ir.IRBuilder, mask: Mask) -> ir.Value:
    """The index of the highest lane that is on, as i32; some lane's for an empty mask."""
    wide = b.zext(bits(b, mask), ir.IntType(32))
    zeros = b.ctlz(wide, ir.Constant(I1, 0))
    lane = b.sub(ir.Constant(ir.IntType(32), 31), zeros)
    return b.and_(lane, ir.Constant(ir.IntType(32), LANES - 1), name="last.lane")
