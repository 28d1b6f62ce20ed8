"""The rounds of loops that may wait (`waits`) are counted: in a while, the runtime sees to it.

A count stands for rounds in which no lane of the gang changed anything. The runtime is told of every so many: other
gangs have their turns then, and if all of them only wait, the launch ends. Of loops that change something in every
round, only the turns are asked for.
"""

from __future__ import annotations

from llvmlite import ir

from .. import abi
from ..simd import mask as masks
from ..simd.builder import I32, I64, const, declare
from ..simd.mask import Mask
from ..simd.values import PTR, constant_text
from ..tree import nodes as tree
from .frame import Frame



def begin(f: Frame, node: tree.Loop) -> None:
    """Begin to count, before a loop that may wait."""
    if node in f.program.plans.waits.loops:
        f.rounds[node] = f.allocate(I32, "rounds")
        f.b.store(const(I32, 0), f.rounds[node])


def begin_anew(f: Frame, node: tree.Stmt, mask: Mask) -> None:
    """Begin to count again, behind a statement that changes something if a lane was on."""
    if node not in f.program.plans.waits.effects:
        return
    b = f.b
    for count in f.rounds.values():
        before = b.load(count, typ=I32)
        b.store(b.select(masks.any_on(b, mask), const(I32, 0), before) if mask.maybe_empty else const(I32, 0), count)


def end_round(f: Frame, node: tree.Loop, mask: Mask) -> None:
    """Count a round, at the end of one; the lanes of `mask` begin the next."""
    if node not in f.rounds:
        return
    b = f.b
    works = node in f.program.plans.waits.working
    period = abi.WORK_ROUNDS if works else abi.WAIT_ROUNDS
    step = period if node in f.program.plans.waits.sleeping else 1  # others can use the time in which threads sleep
    rounds = b.add(b.load(f.rounds[node], typ=I32), const(I32, step), name="rounds")
    b.store(rounds, f.rounds[node])
    many, go_on = f.block("rounds.many"), f.block("rounds.counted")
    is_many = b.icmp_unsigned("==", b.and_(rounds, const(I32, period - 1)), const(I32, 0))
    b.cbranch(is_many, many, go_on).set_weights([1, period])
    b.position_at_end(many)
    long_wait = declare(b.module, "s2s_long_wait", ir.VoidType(), [PTR, PTR, I32, I64])
    lanes = masks.bits(b, mask)
    told = const(I32, 0) if works else rounds
    where = constant_text(b.module, "loop", str(node.span))
    b.call(long_wait, [f.gang, where, told, b.zext(lanes, I64) if f.lanes < 64 else lanes])
    b.branch(go_on)
    b.position_at_end(go_on)
