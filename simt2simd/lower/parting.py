"""Lowering round places where the lanes of a gang may part, and run on by themselves (runtime/pieces.c).

Both parts return from the same call, on copies of one stack. A mask that was made before it has lanes of both: so
behind it, each mask that is used again loses the lanes that the part at hand does not have.

    if (c) {                    mask & c           both parts come back from the barrier; one of them has no lane here
        __syncthreads();
        x = 1;                  mask & c & alive   skipped by that part
    }
    y = 2;                      mask & alive       each part has its own lanes here
"""

from __future__ import annotations

from llvmlite import ir

from ..abi import GANG
from ..mapping.partings import waits_for_threads
from ..simd import mask as masks
from ..simd.builder import I64
from ..simd.mask import Mask
from ..simd.values import move
from ..tree import nodes as tree
from ..tree.effects import is_barrier
from ..tree.walk import walk
from .frame import Frame, load_field


def may_part(f: Frame, node: tree.Node, mask: Mask) -> bool:
    """Whether lanes of `mask` may be in different parts of the gang behind `node`."""
    if f.shapes.instance not in f.program.plans.partings.functions:
        return False
    if node not in f.partings:
        f.partings[node] = any(_parts(f, below) for below in walk(node))
    return f.partings[node] and not (mask.all_on and is_barrier(node))


def _parts(f: Frame, node: tree.Node) -> bool:
    if isinstance(node, tree.Call):
        return f.shapes.calls[node] in f.program.plans.partings.functions
    return node in f.shapes.apart and waits_for_threads(node, f.program.plans.waits)


def after(f: Frame, mask: Mask, *nodes: tree.Node) -> Mask:
    """Return the lanes of `mask` that the part at hand has behind these nodes."""
    return here(f, mask) if any(may_part(f, node, mask) for node in nodes) else mask


def here(f: Frame, mask: Mask) -> Mask:
    """Return the lanes of `mask` that the part at hand has."""
    found = masks.both(f.b, mask, alive(f))
    often_full = mask.all_on or mask.full is not None
    return masks.usually_full(f.b, found) if often_full and f.may("full-mask") else found


def alive(f: Frame) -> ir.Value:
    """Return the lanes that the part at hand has."""
    bits = load_field(f.b, f.gang, "alive", I64)
    narrow = bits if f.lanes == 64 else f.b.trunc(bits, masks.travelling(f.lanes))
    return f.b.bitcast(narrow, masks.lane_bits(f.lanes), name="alive")


def end(f: Frame, mask: Mask) -> None:
    """Note that these lanes end while others go on."""
    if f.shapes.instance not in f.program.plans.partings.kept:
        return
    b, others = f.b, f.b.not_(wide(f, mask))
    for name in ("alive", "expected"):
        field = move(b, f.gang, GANG.offset[name])
        b.store(b.and_(b.load(field, typ=I64), others), field)


def wide(f: Frame, mask: Mask) -> ir.Value:
    """Return one bit for each lane, as an integer of 64 bits."""
    bits = masks.bits(f.b, mask)
    return bits if f.lanes == 64 else f.b.zext(bits, I64)
