"""Lowering of jumps: `break`, `continue` and `return`.

Lanes that jump wait in a slot (`reconverge`) until the others reach the target of the jump. Those that break out of a
loop need none: all that reached the loop and have not returned continue after it. A jump that all lanes take together
is a branch.
"""

from __future__ import annotations

from ..simd.mask import Mask
from ..tree import nodes as tree
from . import gang_split, warp
from .expressions import whole
from .frame import Frame, coerce
from .reconverge import collect


def break_out(f: Frame, node: tree.Break, mask: Mask) -> None:
    """Leave the innermost loop or switch."""
    warp.leave(f, node, mask)
    exits = f.loops[-1]
    if exits.broken is not None:
        collect(f, exits.broken, mask)
    if node in f.shapes.together:
        f.b.branch(exits.exit)


def next_iteration(f: Frame, node: tree.Continue, mask: Mask) -> None:
    """Go to the end of the iteration of the innermost loop."""
    exits = next(exits for exits in reversed(f.loops) if exits.again is not None)
    assert exits.again is not None
    if exits.continued is not None:
        collect(f, exits.continued, mask)
    if node in f.shapes.together:
        f.b.branch(exits.again)


def give_back(f: Frame, node: tree.Return, mask: Mask) -> None:
    """Leave the function with the value, if it has one."""
    warp.leave(f, node, mask)
    together = node in f.shapes.together
    if node.value is not None and f.results:
        _set_results(f, node.value, mask, all_lanes=together or mask.all_on)
    if together:
        f.b.branch(f.leave)
        return
    collect(f, f.returned, mask)
    if f.shapes.function.kind == "kernel":
        gang_split.end(f, mask)


def _set_results(f: Frame, value: tree.Expr, mask: Mask, *, all_lanes: bool) -> None:
    """Store what the lanes return. Unless these are `all_lanes` that still run, others keep what they have returned."""
    b = f.b
    found = whole(f, value, mask)
    mask = gang_split.after(f, mask, value)
    parts = found if isinstance(found, tuple) else (found,)
    for slot, part, shape in zip(f.results, parts, f.shapes.results, strict=True):
        new = coerce(b, part, shape).ir
        if not shape.scalar and not all_lanes:
            new = b.select(mask.lanes, new, b.load(slot, typ=new.type))
        b.store(new, slot)
