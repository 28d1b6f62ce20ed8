"""The iterations of loops that may wait (`spin-waits`) are counted: after a while, the runtime takes over.

A count is a number of iterations in which no lane of the gang changed anything. After a few, each calls the runtime:
other gangs have their turns then, and if all of them only wait, the launch ends. Others also have their turns after a
few iterations in each of which some lanes changed something and the rest did not: when the gang resumes, more of its
lanes have found what they wait for, and an iteration costs the same. Not after each such iteration, for what these
lanes wait for may be what others of the gang do next. Of loops that change something in every iteration, only turns are
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from .. import abi
from ..simd import mask as masks
from ..simd.builder import I32, I64, const, declare
from ..simd.mask import Mask
from ..simd.values import PTR, constant_text
from ..tree import nodes as tree
from ..tree.walk import walk
from .frame import Frame


@dataclass(frozen=True)
class Patience:
    """Of a loop that may wait: where the count of its iterations is, and the lanes that changed something in this one.

    `mixed`: where the iterations are counted in which some lanes did. Without these two, none ever does.
    """

    iterations: ir.Value
    changed: ir.Value | None
    mixed: ir.Value | None


class State(dict[tree.Loop, Patience]):
    """The loops of a function that may wait."""


def begin(f: Frame, node: tree.Loop) -> None:
    """Begin to count, before a loop that may wait."""
    if node not in f.program.plans.waits.loops:
        return
    iterations = f.allocate(I32, "rounds")
    f.b.store(const(I32, 0), iterations)
    changed = mixed = None
    if any(below in f.program.plans.waits.effects for below in walk(node.body)):
        lanes = masks.travelling(f.lanes)
        changed = f.allocate(lanes, "changed")
        f.b.store(const(lanes, 0), changed)
        mixed = f.allocate(I32, "mixed")
        f.b.store(const(I32, 0), mixed)
    f.state(State)[node] = Patience(iterations, changed, mixed)


def begin_anew(f: Frame, node: tree.Stmt, mask: Mask) -> None:
    """Note, after a statement that changes something, for which lanes it did."""
    if node not in f.program.plans.waits.effects:
        return
    for found in f.state(State).values():
        if found.changed is not None:
            before = f.b.load(found.changed, typ=masks.travelling(f.lanes))
            f.b.store(f.b.or_(before, masks.bits(f.b, mask)), found.changed)


def end_iteration(f: Frame, node: tree.Loop, mask: Mask) -> None:
    """Count an iteration, at the end of one; the lanes of `mask` begin the next."""
    if node not in f.state(State):
        return
    b, found, bits = f.b, f.state(State)[node], masks.travelling(f.lanes)
    if found.changed is None or node in f.program.plans.waits.working:
        _count(f, node, mask)
        return
    waiting, idle, busy, go_on = (f.block(f"round.{part}") for part in ("waiting", "idle", "busy", "counted"))
    changed, lanes = b.load(found.changed, typ=bits), masks.bits(b, mask)
    b.store(const(bits, 0), found.changed)
    nothing = b.icmp_unsigned("==", changed, const(bits, 0))
    left = b.and_(lanes, b.not_(changed))
    b.store(b.select(nothing, b.load(found.iterations, typ=I32), const(I32, 0)), found.iterations)
    b.cbranch(b.icmp_unsigned("!=", left, const(bits, 0)), waiting, go_on)
    b.position_at_end(waiting)
    b.cbranch(nothing, idle, busy)
    b.position_at_end(idle)
    _count(f, node, mask)
    b.branch(go_on)
    b.position_at_end(busy)
    _give_way(f, found)
    b.branch(go_on)
    b.position_at_end(go_on)


def _give_way(f: Frame, found: Patience) -> None:
    """Count an iteration that changed something for some lanes only; yield to other gangs after every few."""
    b = f.b
    assert found.mixed is not None
    mixed = b.add(b.load(found.mixed, typ=I32), const(I32, 1), name="mixed")
    b.store(mixed, found.mixed)
    few, go_on = f.block("round.few"), f.block("round.mixed")
    b.cbranch(_is_multiple(f, mixed, abi.WAIT_ITERATIONS), few, go_on)
    b.position_at_end(few)
    b.call(declare(b.module, "s2s_give_way", ir.VoidType(), [PTR]), [f.gang])
    b.branch(go_on)
    b.position_at_end(go_on)


def _count(f: Frame, node: tree.Loop, mask: Mask) -> None:
    """Count an iteration, and report each to the runtime after a few; every so many, if each changes something."""
    b, count, waits = f.b, f.state(State)[node].iterations, f.program.plans.waits
    works = node in waits.working
    period = abi.WORK_ITERATIONS if works else abi.WAIT_ITERATIONS
    step = period if node in waits.sleeping else 1  # others can use the time in which threads sleep
    iterations = b.add(b.load(count, typ=I32), const(I32, step), name="rounds")
    b.store(iterations, count)
    many, go_on = f.block("rounds.many"), f.block("rounds.counted")
    is_many = _is_multiple(f, iterations, period) if works else b.icmp_unsigned(">=", iterations, const(I32, period))
    b.cbranch(is_many, many, go_on).set_weights([1, period])
    b.position_at_end(many)
    long_wait = declare(b.module, "s2s_long_wait", ir.VoidType(), [PTR, PTR, I32, I64])
    lanes = masks.bits(b, mask)
    where = constant_text(b.module, "loop", str(node.span))
    reported = const(I32, 0) if works else iterations
    b.call(long_wait, [f.gang, where, reported, b.zext(lanes, I64) if f.lanes < 64 else lanes])
    b.branch(go_on)
    b.position_at_end(go_on)


def _is_multiple(f: Frame, count: ir.Value, of: int) -> ir.Value:
    """Whether a count is a multiple of a power of two."""
    return f.b.icmp_unsigned("==", f.b.and_(count, const(I32, of - 1)), const(I32, 0))
