"""Lowering around places where the lanes of a gang may diverge, and run on by themselves (runtime/exec/gang_split.c).

Both parts return from the same call, on copies of one stack. A mask that was made before it has lanes of both: so
after it, each mask that is used again loses the lanes that the current part does not have.

    if (c) {                    mask & c           both parts come back from the barrier; one of them has no lane here
        __syncthreads();
        x = 1;                  mask & c & alive   skipped by that part
    }
    y = 2;                      mask & alive       each part has its own lanes here

Within an expression, a part that has no lane there continues after the expression at once: so what is evaluated is
evaluated for a lane at least.

    if (c) x = f() + *p;        the barrier is in f: only the part with lanes there reads *p
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from llvmlite import ir

from ..abi import GANG
from ..analysis.divergent_waits import waits_for_threads
from ..simd import mask as masks
from ..simd.builder import I64
from ..simd.mask import Mask
from ..simd.values import move
from ..tree import nodes as tree
from ..tree.effects import is_barrier
from ..tree.walk import children, walk
from .frame import Frame, load_field


@dataclass
class Continuation:
    """Where parts of the gang without lanes in an expression continue: after it, from these blocks."""

    block: ir.Block | None = None
    sources: list[ir.Block] = field(default_factory=list)


@dataclass
class State:
    """Of one function: whether lanes may diverge in nodes, under a full mask or not; the expression that is lowered."""

    splits: dict[tuple[tree.Node, bool], bool] = field(default_factory=dict)
    continuation: Continuation | None = None


def may_part(f: Frame, node: tree.Node, mask: Mask) -> bool:
    """Whether lanes of `mask` may be in different parts of the gang after `node`."""
    if f.shapes.instance not in f.program.plans.divergent_waits.functions:
        return False
    splits = f.state(State).splits
    if (node, mask.all_on) not in splits:
        splits[node, mask.all_on] = _all_may_split(f, node) if mask.all_on else _some_may_split(f, node)
    return splits[node, mask.all_on]


def _some_may_split(f: Frame, node: tree.Node) -> bool:
    """Whether the gang may be split in `node`, which some lanes reach."""
    return any(_is_split(f, below) for below in walk(node))


def _is_split(f: Frame, node: tree.Node) -> bool:
    if isinstance(node, tree.Call):
        return f.shapes.calls[node] in f.program.plans.divergent_waits.functions
    return node in f.shapes.diverging and waits_for_threads(node, f.program.plans.waits)


def _all_may_split(f: Frame, node: tree.Node) -> bool:
    """Whether the gang may be split in `node` if all of the gang reach it."""
    together = all(f.shapes.of(below).uniform for below in _chosen_by(node))
    divergent_jumps = any(isinstance(below, tree.Jump) and below not in f.shapes.together for below in walk(node))
    if not together or divergent_jumps or node in f.shapes.divergent_loops:
        return _some_may_split(f, node)
    alone = is_barrier(node) or isinstance(node, tree.Loop) or node in f.program.plans.waits.meetings
    if _is_split(f, node) and not alone:
        return True
    return any(_all_may_split(f, below) for below in children(node))


def _chosen_by(node: tree.Node) -> list[tree.Expr]:
    """Return what decides which lanes reach parts of `node`."""
    match node:
        case tree.If() | tree.Conditional():
            return [node.cond]
        case tree.Logical():
            return [node.left]
        case tree.Switch():
            return [node.value]
    return []


def after(f: Frame, mask: Mask, *nodes: tree.Node) -> Mask:
    """Return the lanes of `mask` that the current part has after these nodes."""
    return here(f, mask) if any(may_part(f, node, mask) for node in nodes) else mask


def onward(f: Frame, mask: Mask, *operands: tree.Node) -> Mask:
    """Return the lanes of `mask` that the current part has after operands. Without a lane, it does not come here.

    To be called where an expression is lowered that is `complete`.
    """
    if not any(may_part(f, node, mask) for node in operands):
        return mask
    return with_lanes(f, mask)


def with_lanes(f: Frame, mask: Mask) -> Mask:
    """Return the lanes of `mask` that the current part has; without any, it continues after the expression."""
    b, lanes, continuation = f.b, here(f, mask), f.state(State).continuation
    assert continuation is not None
    if continuation.block is None:
        continuation.block = f.block("continuation")
    more = f.block("operand")
    b.cbranch(masks.any_on(b, lanes), more, continuation.block)
    continuation.sources.append(b.block)
    b.position_at_end(more)
    return lanes.nonempty()


@contextmanager
def complete(f: Frame) -> Iterator[Continuation]:
    """Let parts of the gang that have no lanes in what is lowered inside continue after it.

    Then nothing is used after it that was made inside, unless the caller sees to the blocks from which these come.
    """
    continuation, state = Continuation(), f.state(State)
    outside, state.continuation = state.continuation, continuation
    yield continuation
    state.continuation = outside
    if continuation.block is not None:
        continuation.sources.append(f.b.block)
        f.b.branch(continuation.block)
        f.b.position_at_end(continuation.block)


def here(f: Frame, mask: Mask) -> Mask:
    """Return the lanes of `mask` that the current part has."""
    found = masks.both(f.b, mask, alive(f))
    often_full = mask.all_on or mask.full is not None
    return masks.usually_full(f.b, found) if often_full and f.may("full-mask") else found


def alive(f: Frame) -> ir.Value:
    """Return the lanes that the current part has."""
    bits = load_field(f.b, f.gang, "alive", I64)
    narrow = bits if f.lanes == 64 else f.b.trunc(bits, masks.travelling(f.lanes))
    return f.b.bitcast(narrow, masks.lane_bits(f.lanes), name="alive")


def end(f: Frame, mask: Mask) -> None:
    """Note that these lanes end while others run: among fibers, the runtime splits off those that wait."""
    plans = f.program.plans
    if f.shapes.instance not in plans.divergent_waits.kept and f.shapes.function.name not in plans.fibers:
        return
    b, others = f.b, f.b.not_(wide(f, mask))
    for name in ("alive", "expected"):
        field = move(b, f.gang, GANG.offset[name])
        b.store(b.and_(b.load(field, typ=I64), others), field)


def wide(f: Frame, mask: Mask) -> ir.Value:
    """Return one bit for each lane, as an integer of 64 bits."""
    bits = masks.bits(f.b, mask)
    return bits if f.lanes == 64 else f.b.zext(bits, I64)
