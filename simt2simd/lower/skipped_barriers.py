"""Lowering of kernels in which lanes skip a barrier for which other lanes of their gang wait.

    if (i < n) {                    the lanes that skip the `if` run first, on to their end: what they write is there
        s[i] = x[i];                when the barrier opens, as on a GPU; then the others run, from the `if` on
        __syncthreads();
        y[i] = s[i ^ 1];
    } else
        s[i] = 0;
    z[i] = y[i];                    this is lowered twice

So it goes where no loop is round the `if`, and where no barrier follows it: there, lanes that skip one are an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis.lattice import Kind
from ..simd import mask as masks
from ..simd.mask import Mask
from ..simd.values import vector
from ..tree import nodes as tree
from ..tree.effects import is_barrier, is_of_warp
from ..tree.walk import walk
from . import full_mask
from .frame import Frame
from .statements import block, guarded


def body(f: Frame, statements: Sequence[tree.Stmt], mask: Mask) -> None:
    """Run statements to the end of a kernel."""
    todo = tuple(_opened(statements))
    for i, node in enumerate(todo):
        if isinstance(node, tree.If) and _skips_barrier(f, node, todo[i + 1 :]):
            here = block(f, todo[:i], mask)
            if here is not None and not f.ended:
                _in_turn(f, node, todo[i + 1 :], here)
            return
    block(f, todo, mask)


def _opened(statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
    for node in statements:
        if isinstance(node, tree.Block):
            yield from _opened(node.statements)
        else:
            yield node


def _skips_barrier(f: Frame, node: tree.If, following: Sequence[tree.Stmt]) -> bool:
    """Whether the lanes of a gang may disagree, and those that come to no barrier any more have something to do."""
    if f.shapes.of(node.cond).kind < Kind.AFFINE:
        return False
    waiting, others = _arms(f, node)
    return _waits(f, waiting) and bool(others.statements or following) and not _waits(f, others, *following)


def _arms(f: Frame, node: tree.If) -> tuple[tree.Block, tree.Block]:
    """Return the arm that has a barrier, if one has, and the other one."""
    return (node.then, node.other) if _waits(f, node.then) else (node.other, node.then)


def _waits(f: Frame, *statements: tree.Stmt) -> bool:
    """Whether lanes wait for others in these statements."""
    synchronising = f.program.storage.synchronising
    return any(
        is_barrier(below) or is_of_warp(below) or (isinstance(below, tree.Call) and below.function in synchronising)
        for node in statements
        for below in walk(node)
    )


def _in_turn(f: Frame, node: tree.If, following: tuple[tree.Stmt, ...], mask: Mask) -> None:
    """Run the lanes that skip the barrier to their end, then the others from the same variables."""
    b = f.b
    cond = full_mask.condition(f, node.cond, mask)
    lanes = vector(b, cond.value)
    then = masks.both(b, mask, lanes, "then.mask", cond.always)
    other = masks.without(b, mask, lanes, "else.mask", cond.never)
    waiting, others = _arms(f, node)
    wait, skip = (then, other) if waiting is node.then else (other, then)
    before = {home: b.load(home, typ=home.allocated_type) for home in f.homes.values()}
    leave, f.leave = f.leave, f.block("skipped")
    guarded(f, (*others.statements, *following), skip, "skips")
    if not f.ended:
        b.branch(f.leave)
    b.position_at_end(f.leave)
    f.leave = leave
    for home, value in before.items():
        b.store(value, home)
    body(f, (*waiting.statements, *following), wait)
