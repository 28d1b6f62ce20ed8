"""Lowering of `switch`: a jump table where all lanes choose the same label, else each section under a mask.

Lanes that fall through come from one section to the next; those that leave by `break` wait in a slot.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ..report import outcome
from ..simd import mask as masks
from ..simd.builder import const
from ..simd.mask import Mask
from ..simd.values import Value, vector
from ..tree import nodes as tree
from ..tree.effects import jumps_out
from . import profile_counters
from .expressions import whole_scalar
from .frame import Frame, LoopExits
from .gang_split import after
from .reconverge import collect, empty, new_slot, waiting

Body = Callable[[tree.Section, Mask], Mask | None]  # lowers a section; returns the lanes that reach its end


def switch(f: Frame, node: tree.Switch, mask: Mask, entered: Body, skipped: Body) -> Mask:
    """Lower a switch; return the lanes that continue after it.

    `entered` lowers a section to which control comes by a jump, `skipped` one that is run if lanes chose it.
    """
    value = whole_scalar(f, node.value, mask)
    mask = after(f, mask, node.value)
    b = f.b
    done = f.block("switch.done")
    broken = new_slot(f, "broken")
    empty(f, broken)
    form = outcome.UNIFORM_SWITCH if value.uniform else outcome.DIVERGENT_SWITCH
    f.note(node, form)
    profile_counters.branched(f, node, form, mask, divergent=not value.uniform)
    with f.within(LoopExits(done, None, None, broken)):
        if value.uniform:
            last = _jump_table(f, node, value, mask, entered)
        else:
            last = _masked_sections(f, node, value, mask, skipped)
    if not f.ended:
        if last is not None:
            collect(f, broken, last)
        b.branch(done)
    b.position_at_end(done)
    left = Mask(waiting(f, broken, "mask"), maybe_empty=True) if jumps_out(node) else mask
    return after(f, left, node)


# ---------------------------------------------------------------------------------------- all choose the same


def _jump_table(f: Frame, node: tree.Switch, value: Value, mask: Mask, lower: Body) -> Mask | None:
    """Enter all active lanes at the same label; return the lanes that fall out of the last section."""
    b = f.b
    start = b.block
    entries = _dispatch(f, node, value, mask)
    fallen: Mask | None = None
    source: ir.Block | None = None  # of the section before, if control falls out of it
    for i, (entry, section) in enumerate(zip(entries, node.sections, strict=True)):
        b.position_at_end(entry)
        inside = mask
        if source is not None and (fallen is None or fallen.lanes is not mask.lanes):
            inside = _entering(f, section, mask, start, fallen, source)
        fallen = lower(section, inside)
        source = None
        if not f.ended and i + 1 < len(entries):
            source = b.block
            b.branch(entries[i + 1])
    return fallen


def _dispatch(f: Frame, node: tree.Switch, value: Value, mask: Mask) -> list[ir.Block]:
    """Jump to the section that is labelled with the value, out of the switch if none is; return their blocks."""
    b, exits = f.b, f.loops[-1]
    assert exits.broken is not None
    entries = [f.block("case") for _ in node.sections]
    missing = f.block("no.case")
    default = next((e for e, s in zip(entries, node.sections, strict=True) if None in s.labels), missing)
    table = b.switch(value.ir, default)
    for entry, section in zip(entries, node.sections, strict=True):
        for label in section.labels:
            if label is not None:
                table.add_case(const(value.ir.type, label), entry)
    b.position_at_end(missing)
    b.store(mask.lanes, exits.broken)
    b.branch(exits.exit)
    if default is not missing:
        f.function.blocks.remove(missing)
    return entries


def _entering(
    f: Frame, section: tree.Section, mask: Mask, start: ir.Block, fallen: Mask | None, source: ir.Block
) -> Mask:
    """Return the lanes that enter a section: all of `mask` by its labels, or those that fall out of the one before."""
    phi = f.b.phi(masks.lane_bits(f.lanes), "case.mask")
    for _ in section.labels:  # LLVM wants a value for each edge
        phi.add_incoming(mask.lanes, start)
    phi.add_incoming(masks.no_lanes(f.lanes) if fallen is None else fallen.lanes, source)
    return Mask(phi, maybe_empty=True)


# ----------------------------------------------------------------------------------------- each its own label


def _masked_sections(f: Frame, node: tree.Switch, value: Value, mask: Mask, lower: Body) -> Mask | None:
    """Run each section for the lanes that chose it or fall into it; return those that run into its end."""
    b = f.b
    chosen, labelled = _choices(f, node, vector(b, value))
    fallen: Mask | None = None
    above: list[tree.Section] = []
    for section, lanes in zip(node.sections, chosen, strict=True):
        here = b.or_(lanes, b.not_(labelled)) if None in section.labels else lanes
        inside = masks.both(b, after(f, mask, *above), here, "case.mask")
        above.append(section)
        if fallen is not None:
            inside = masks.either(b, inside, fallen, "case.mask")
        fallen = lower(section, Mask(inside.lanes, maybe_empty=True))
    if any(None in section.labels for section in node.sections):
        return fallen
    unlabelled = masks.without(b, after(f, mask, *above), labelled, "no.case")
    return unlabelled if fallen is None else masks.either(b, unlabelled, fallen)


def _choices(f: Frame, node: tree.Switch, value: ir.Value) -> tuple[list[ir.Value], ir.Value]:
    """Return for each section which lanes have one of its labels, and which lanes have any of the switch's."""
    b = f.b
    chosen: list[ir.Value] = []
    labelled: ir.Value = masks.no_lanes(f.lanes)
    for section in node.sections:
        here: ir.Value = masks.no_lanes(f.lanes)
        for label in section.labels:
            if label is not None:
                here = b.or_(here, b.icmp_signed("==", value, const(value.type, label)))
        labelled = b.or_(labelled, here)
        chosen.append(here)
    return chosen, labelled
