"""Reconvergence: lanes that went different ways run together again.

Lanes that jump wait in a slot of the function's frame, a mask in memory, until all others have reached the target of
the jump.
"""

from __future__ import annotations

from llvmlite import ir

from ..simd import mask as masks
from ..simd.builder import I1, const
from ..simd.mask import Mask
from .frame import Frame

Way = tuple[Mask, ir.Block]  # the lanes that come from a block


def no_lanes(f: Frame) -> Mask:
    """Return a mask without lanes. LLVM knows that it has none, and drops what is skipped then."""
    return Mask(masks.no_lanes(f.lanes), maybe_empty=True, any=const(I1, 0))


def join(f: Frame, ways: list[Way], name: str = "mask") -> Mask:
    """Return the mask of the lanes that reach the present block from the blocks that jump here."""
    phi, any_phi = f.b.phi(masks.lane_bits(f.lanes), name), f.b.phi(I1, "any")
    for lanes, source in ways:
        phi.add_incoming(lanes.lanes, source)
        with f.b.goto_block(source):
            any_phi.add_incoming(masks.any_on(f.b, lanes), source)
    return Mask(phi, any(lanes.maybe_empty for lanes, _ in ways), any=any_phi)


def new_slot(f: Frame, name: str) -> ir.AllocaInstr:
    """Return a slot for lanes that wait; `empty` it where the waiting begins."""
    return f.allocate(masks.lane_bits(f.lanes), name)


def empty(f: Frame, slot: ir.Value) -> None:
    """Let no lane wait in the slot."""
    f.b.store(masks.no_lanes(f.lanes), slot)


def collect(f: Frame, slot: ir.Value, more: Mask) -> None:
    """Let these lanes wait too."""
    f.b.store(f.b.or_(waiting(f, slot), more.lanes), slot)


def waiting(f: Frame, slot: ir.Value, name: str = "") -> ir.Value:
    """Return the lanes that wait in the slot."""
    return f.b.load(slot, typ=masks.lane_bits(f.lanes), name=name)
