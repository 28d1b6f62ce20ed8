"""Reads whose value is available: what a wider mask has read of the same object, with no write between.

The first read of an object leaves its value where reads after it look for it (`analysis/available_loads`). If it
shuffles whole records anyway, it also takes out what those after it want. It never gathers for them.
"""

from __future__ import annotations

from llvmlite import ir

from ..access import Consecutive, Strided
from ..analysis.available_loads import AvailableLoads, Part, whole_object
from ..lang.ctype import Pointer, Scalar
from ..simd.address import Address, member
from ..simd.mask import Mask
from ..simd.values import Value
from ..tree import nodes as tree
from .frame import Frame


class State(dict[tree.Load, dict[Part, ir.AllocaInstr]]):
    """What was left in a function so far, by the reads that left it."""


def known_of(f: Frame) -> AvailableLoads | None:
    """Return what is known of the reads of the function.

    Nothing where a gang may be split: those after a read would find what others have left there since.
    """
    if f.shapes.instance in f.program.plans.divergent_waits.kept:
        return None
    return f.program.plans.available_loads.get(f.shapes.function.name)


def at_hand(f: Frame, node: tree.Load) -> Value | None:
    """Return the value of a read if one before it has left it."""
    known = known_of(f)
    if known is None:
        return None
    for source in known.sources.get(node, ()):
        if (part := _part_of(node)) in f.state(State).get(source, {}):
            home = f.state(State)[source][part]
            return Value(part[1], f.b.load(home, typ=home.allocated_type, name="again"))
    return None


def forget(f: Frame) -> None:
    """Let no read find what was left up to here: another gang may have left it."""
    f.state(State).clear()


def wanted(f: Frame, node: tree.Load) -> frozenset[Part]:
    """Return what reads after `node` would like to find of the object that it reads a part of."""
    known = known_of(f)
    return frozenset() if known is None else known.wanted.get(node, frozenset())


def read(f: Frame, node: tree.Load, whole: Address, parts: frozenset[Part], mask: Mask) -> Value:
    """Read a part of the object at `whole`, and leave it and others of `parts` for the reads after it."""
    own = _part_of(node)
    size = whole_object(node.place)[0].type.size

    def place_of(where: Address, offset: int) -> Address:
        return where if size == own[1].size else member(f.b, where, offset, size)

    taken = [own]
    if _is_shuffled(f, place_of(whole, own[0]), own[1]):
        others = sorted(parts - {own}, key=lambda part: (part[0], str(part[1])))
        taken += [part for part in others if _is_shuffled(f, place_of(whole, part[0]), part[1])]
    values = f.memory.unless_wrapped(
        whole, lambda way: tuple(f.memory.load(place_of(way, offset), ctype, mask) for offset, ctype in taken)
    )
    if not isinstance(f.memory.plan(place_of(whole, own[0]), own[1].size, "load"), Consecutive):  # one load, as cheap
        _leave(f, node, {part: value for part, value in zip(taken, values, strict=True) if part in parts})
    return values[0]


def leave(f: Frame, node: tree.Load, value: Value) -> None:
    """Leave the value of a read for those after it that want it."""
    part = _part_of(node)
    if part in wanted(f, node):
        _leave(f, node, {part: value})


def _part_of(node: tree.Load) -> Part:
    assert isinstance(node.type, Scalar | Pointer)
    return whole_object(node.place)[1], node.type


def _is_shuffled(f: Frame, where: Address, ctype: Scalar | Pointer) -> bool:
    """Whether a scalar is taken out of vectors of whole records."""
    access = f.memory.plan(where, ctype.size, "load")
    return isinstance(access, Strided) and access.whole


def _leave(f: Frame, node: tree.Load, values: dict[Part, Value]) -> None:
    """Keep vectors for the reads after `node`. Where code is emitted twice, they find what both copies have left."""
    values = {part: value for part, value in values.items() if value.varying}
    left = f.state(State)
    if node not in left:
        left[node] = {part: f.allocate(value.ir.type, "left") for part, value in values.items()}
    homes = left[node]
    left[node] = {part: home for part, home in homes.items() if part in values}
    for part, home in left[node].items():
        f.b.store(values[part].ir, home)
