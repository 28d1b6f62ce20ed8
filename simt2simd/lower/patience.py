"""The rounds of loops that may wait (`waits`) are counted: in a while, the runtime sees to it.

A count stands for rounds in which no lane of the gang changed anything. The runtime is told of every so many: other
gangs have their turns then, and if all of them only wait, the launch ends. Others also have their turns after a round
in which some lanes changed something and the rest did not: when the gang goes on, more of its lanes have found what
they wait for, and a round costs the same. Of loops that change something in every round, only turns are asked for.
"""

from __future__ import annotations

from llvmlite import ir

from .. import abi
from ..simd import mask as masks
from ..simd.builder import I32, I64, const, declare
from ..simd.mask import Mask
from ..simd.values import PTR, constant_text
from ..tree import nodes as tree
from ..tree.walk import walk
from .frame import Frame, Patience


def begin(f: Frame, node: tree.Loop) -> None:
    """Begin to count, before a loop that may wait."""
    if node not in f.program.plans.waits.loops:
        return
    rounds = f.allocate(I32, "rounds")
    f.b.store(const(I32, 0), rounds)
    changed = None
    if any(below in f.program.plans.waits.effects for below in walk(node.body)):
        lanes = masks.travelling(f.lanes)
        changed = f.allocate(lanes, "changed")
        f.b.store(const(lanes, 0), changed)
    f.patience[node] = Patience(rounds, changed)


def begin_anew(f: Frame, node: tree.Stmt, mask: Mask) -> None:
    """Note, behind a statement that changes something, for which lanes it did."""
    if node not in f.program.plans.waits.effects:
        return
    for found in f.patience.values():
        if found.changed is not None:
            before = f.b.load(found.changed, typ=masks.travelling(f.lanes))
            f.b.store(f.b.or_(before, masks.bits(f.b, mask)), found.changed)


def end_round(f: Frame, node: tree.Loop, mask: Mask) -> None:
    """Count a round, at the end of one; the lanes of `mask` begin the next."""
    if node not in f.patience:
        return
    b, found, bits = f.b, f.patience[node], masks.travelling(f.lanes)
    if found.changed is None or node in f.program.plans.waits.working:
        _count(f, node, mask)
        return
    waiting, idle, busy, go_on = (f.block(f"round.{part}") for part in ("waiting", "idle", "busy", "counted"))
    changed, lanes = b.load(found.changed, typ=bits), masks.bits(b, mask)
    b.store(const(bits, 0), found.changed)
    nothing = b.icmp_unsigned("==", changed, const(bits, 0))
    left = b.and_(lanes, b.not_(changed))
    b.store(b.select(nothing, b.load(found.rounds, typ=I32), const(I32, 0)), found.rounds)
    b.cbranch(b.icmp_unsigned("!=", left, const(bits, 0)), waiting, go_on)
    b.position_at_end(waiting)
    b.cbranch(nothing, idle, busy)
    b.position_at_end(idle)
    _count(f, node, mask)
    b.branch(go_on)
    b.position_at_end(busy)
    b.call(declare(b.module, "s2s_give_way", ir.VoidType(), [PTR]), [f.gang])
    b.branch(go_on)
    b.position_at_end(go_on)


def _count(f: Frame, node: tree.Loop, mask: Mask) -> None:
    """Count a round, and tell the runtime of every so many."""
    b, count, waits = f.b, f.patience[node].rounds, f.program.plans.waits
    period = abi.WORK_ROUNDS if node in waits.working else abi.WAIT_ROUNDS
    step = period if node in waits.sleeping else 1  # others can use the time in which threads sleep
    rounds = b.add(b.load(count, typ=I32), const(I32, step), name="rounds")
    b.store(rounds, count)
    many, go_on = f.block("rounds.many"), f.block("rounds.counted")
    is_many = b.icmp_unsigned("==", b.and_(rounds, const(I32, period - 1)), const(I32, 0))
    b.cbranch(is_many, many, go_on).set_weights([1, period])
    b.position_at_end(many)
    long_wait = declare(b.module, "s2s_long_wait", ir.VoidType(), [PTR, PTR, I32, I64])
    lanes = masks.bits(b, mask)
    where = constant_text(b.module, "loop", str(node.span))
    told = const(I32, 0) if node in waits.working else rounds
    b.call(long_wait, [f.gang, where, told, b.zext(lanes, I64) if f.lanes < 64 else lanes])
    b.branch(go_on)
    b.position_at_end(go_on)
