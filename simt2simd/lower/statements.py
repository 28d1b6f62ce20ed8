"""Lowering of statements: mask in, mask out.

`statement` takes the lanes that are active before the statement and returns those that continue after it, or
None if no lane can: all have jumped. Lanes that left by `break`, `continue` or `return` are missing from
the result and are picked up where the jump leads. A jump that all lanes take together is a branch, and the
code after it is never reached (`Frame.ended`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from llvmlite import ir

from ..report import outcome
from ..simd import mask as masks
from ..simd.mask import Mask
from ..simd.values import vector
from ..tree import nodes as tree
from . import forward_progress, full_mask, profile_counters, warp
from .declarations import declare
from .expressions import effect, whole_scalar
from .frame import Frame
from .gang_split import after, complete, may_part
from .jumps import break_out, give_back, next_iteration
from .loops import loop
from .predication import can_predicate, predicate
from .reconverge import Way, join, no_lanes
from .speculate import costs_much, needs_lanes, reads_memory
from .switch import switch


def statement(f: Frame, node: tree.Stmt, mask: Mask) -> Mask | None:
    """Lower any statement. What may hold other statements gets here how these are lowered."""
    f.at(node.span)
    match node:
        case tree.Block():
            return block(f, node.statements, mask)
        case tree.Declare():
            profile_counters.ran(f, node, mask)
            declare(f, node, mask)
            forward_progress.begin_anew(f, node, mask)
            return after(f, mask, node)
        case tree.Evaluate():
            profile_counters.ran(f, node, mask)
            with complete(f):
                effect(f, node.expr, mask)
            forward_progress.begin_anew(f, node, mask)
            return after(f, mask, node)
        case tree.If():
            return if_else(f, node, mask)
        case tree.Loop():
            for first in node.init:
                statement(f, first, mask)
                mask = after(f, mask, first)
            return loop(f, node, mask, lambda lanes: block(f, node.body.statements, lanes))
        case tree.Switch():
            return switch(
                f,
                node,
                mask,
                entered=lambda section, lanes: block(f, section.body.statements, lanes),
                skipped=lambda section, lanes: arm(f, section.body, lanes, "case"),
            )
        case tree.Break():
            profile_counters.ran(f, node, mask)
            break_out(f, node, mask)
            return None
        case tree.Continue():
            profile_counters.ran(f, node, mask)
            next_iteration(f, node, mask)
            return None
        case tree.Return():
            profile_counters.ran(f, node, mask)
            give_back(f, node, mask)
            return None
        case _:
            assert_never(node)


def block(f: Frame, statements: tuple[tree.Stmt, ...], mask: Mask) -> Mask | None:
    """Run the statements in order; skip the rest when no lane is left."""
    now: Mask | None = mask
    decisive = -1
    for i, node in enumerate(statements):
        if now is None or f.ended:
            return None
        if now.full is not None and decisive < i:
            decisive = full_mask.next_decisive(f, statements, i)
        twice = now.full is not None and full_mask.pays_from(f, statements, i, decisive)
        if now.maybe_empty or twice:
            return guarded(f, statements[i:], now, "rest", twice=twice)
        now = statement(f, node, now)
    return now


def guarded(
    f: Frame, statements: tuple[tree.Stmt, ...], mask: Mask, name: str, *, twice: bool = False,
    arm: tree.Block | None = None,
) -> Mask | None:  # fmt: skip
    """Run the statements if `mask` has a lane; return the lanes that reach their end, `mask` itself if all of them do.

    `twice`: with code of its own for a full mask. `arm`: the part of an `if` that they are.
    """
    b = f.b
    run, done = f.block(name), f.block(f"{name}.done")
    ways: list[Way] = []
    changed = False

    def body(lanes: Mask) -> None:
        nonlocal changed
        if arm is not None:
            warp.enter(f, arm, lanes)
        after = block(f, statements, lanes)
        if not f.ended:
            changed |= after is None or after.lanes is not lanes.lanes
            ways.append((after or no_lanes(f), b.block))
            b.branch(done)

    if twice:
        assert mask.full is not None
        full, partial = f.block(f"{name}.full"), f.block(f"{name}.partial")
        b.cbranch(mask.full, full, partial)
        b.position_at_end(full)
        body(Mask(masks.all_lanes(f.lanes)))
        b.position_at_end(partial)
    if mask.maybe_empty:
        ways.append((no_lanes(f), b.block))
        b.cbranch(masks.any_on(b, mask), run, done)
    else:
        b.branch(run)
    b.position_at_end(run)
    body(mask.nonempty().general() if twice else mask.nonempty())
    b.position_at_end(done)
    if not ways:
        b.unreachable()
        return None
    if not changed:
        return mask
    if all(after.lanes is masks.no_lanes(f.lanes) for after, _ in ways):
        return None
    return join(f, ways)


# -------------------------------------------------------------------------------------------------- if


def if_else(f: Frame, node: tree.If, mask: Mask) -> Mask | None:
    """Lower an `if`; return the lanes that continue after it, None if there are none."""
    parts = _uniform_parts(f, node, mask)
    if parts:
        return _behind_uniform_test(f, node, parts, mask)
    return _if_else(f, node, mask)


def _uniform_parts(f: Frame, node: tree.If, mask: Mask) -> list[tree.Expr]:
    """Return the parts of a condition that all lanes decide alike, and before the others, if that is worth it.

    if (x > 0 && y > 0) { ... }, where all threads of the gang have the same y
    """
    if not f.may("uniform-tests") or node.other.statements or f.shapes.of(node.cond).uniform:
        return []
    if may_part(f, node.cond, mask) or needs_lanes(f, node.cond) or can_predicate(f, node, mask):
        return []
    parts = [part for part in _conjuncts(node.cond) if f.shapes.of(part).uniform]
    return [] if any(reads_memory(f, part) or costs_much(f, part) for part in parts) else parts


def _conjuncts(node: tree.Expr) -> Iterator[tree.Expr]:
    if isinstance(node, tree.Logical) and node.op == "&&":
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _behind_uniform_test(f: Frame, node: tree.If, parts: list[tree.Expr], mask: Mask) -> Mask | None:
    """Lower an `if` after a scalar branch on parts of its condition, of which LLVM then knows that they hold."""
    b = f.b
    possible, done = f.block("if.possible"), f.block("if.done")
    holds = whole_scalar(f, parts[0], mask).ir
    for part in parts[1:]:
        holds = b.and_(holds, whole_scalar(f, part, mask).ir)
    ways = [(mask, b.block)]
    b.cbranch(holds, possible, done)
    b.position_at_end(possible)
    left = _if_else(f, node, mask)
    if not f.ended:
        ways.append((left or no_lanes(f), b.block))
        b.branch(done)
    b.position_at_end(done)
    return mask if all(after.lanes is mask.lanes for after, _ in ways) else join(f, ways)


def _if_else(f: Frame, node: tree.If, mask: Mask) -> Mask | None:
    cond = full_mask.condition(f, node.cond, mask)
    mask = after(f, mask, node.cond)
    if cond.value.uniform:
        f.note(node, outcome.UNIFORM_BRANCH)
        profile_counters.branched(f, node, outcome.UNIFORM_BRANCH, mask, divergent=False)
        return uniform_if(f, node, cond.value.ir, mask)
    return varying_if(f, node, cond, mask)


def uniform_if(f: Frame, node: tree.If, cond: ir.Value, mask: Mask) -> Mask | None:
    """Lower an `if` whose lanes all go the same way, to a scalar branch; return the lanes alive after it."""
    b = f.b
    then, done = f.block("then"), f.block("endif")
    other = f.block("else") if node.other.statements else done
    start = b.block
    b.cbranch(cond, then, other)
    ways = [] if node.other.statements else [(mask, start)]
    for entry, body in ((then, node.then), (other, node.other)):
        if entry is done:
            continue
        b.position_at_end(entry)
        after = block(f, body.statements, mask)
        if not f.ended:
            ways.append((after or no_lanes(f), b.block))
            b.branch(done)
    b.position_at_end(done)
    if not ways:
        b.unreachable()
        return None
    return mask if all(after.lanes is mask.lanes for after, _ in ways) else join(f, ways)


def varying_if(f: Frame, node: tree.If, cond: full_mask.Condition, mask: Mask) -> Mask | None:
    """Lower an `if` whose lanes may disagree; return the lanes alive after it.

    Each arm runs under its own part of `mask`. A lane that left by `break` or `return` is missing from the
    arm's result, so that joining the arms reconverges exactly the rest.
    """
    b = f.b
    lanes = vector(b, cond.value)
    taken = masks.both(b, mask, lanes, "then.mask", cond.always)
    rest = masks.without(b, mask, lanes, "else.mask", cond.never)
    taken, rest = _with_any(b, mask, taken, cond.some), _with_any(b, mask, rest, cond.some_not)
    if can_predicate(f, node, mask):
        f.note(node, outcome.PREDICATED_IF)
        profile_counters.branched(f, node, outcome.PREDICATED_IF, mask, divergent=True)
        predicate(f, node.then, mask, taken, lanes)
        predicate(f, node.other, mask, rest, b.not_(lanes))
        return mask
    f.note(node, outcome.DIVERGENT_IF)
    guards = cond.always is not None or cond.never is not None  # tested for all lanes at once
    form = outcome.UNIFORM_BRANCH if guards else outcome.DIVERGENT_IF
    profile_counters.branched(f, node, form, mask, divergent=not guards)
    after_then = arm(f, node.then, taken, "then")
    after_else = arm(f, node.other, after(f, rest, node.then), "else")
    if after_then is not None:
        after_then = after(f, after_then, node.other)
    if may_part(f, node.then, taken) or may_part(f, node.other, rest):
        return _rejoined(f, mask, after_then, after_else)
    if after_then is taken and after_else is rest:
        return mask
    if after_then is None and after_else is None:
        return None
    if after_then is None or after_else is None:
        return after_then or after_else
    return Mask(masks.either(b, after_then, after_else).lanes, maybe_empty=True)


def _with_any(b: ir.IRBuilder, before: Mask, part: Mask, some: ir.Value | None) -> Mask:
    """Return the lanes of an arm with the word of a scalar whether there are any, `some`, if all lanes came here."""
    if some is None:
        return part
    if before.all_on:
        return replace(part, any=some)
    return part if before.full is None else replace(part, any=b.select(before.full, some, masks.any_on(b, part)))


def _rejoined(f: Frame, before: Mask, then: Mask | None, other: Mask | None) -> Mask | None:
    """Return the lanes that continue after an `if` in which some may have diverged; `before` it, there were these."""
    if then is None or other is None:
        return then or other
    both = Mask(masks.either(f.b, then, other).lanes, maybe_empty=True)
    return full_mask.usually_full(f, both) if before.all_on or before.full is not None else both


def arm(f: Frame, body: tree.Block, mask: Mask, name: str) -> Mask | None:
    """Run one arm if it has a lane; return the lanes that reach its end, `mask` itself if all of them do."""
    if not body.statements:
        return mask
    twice = mask.full is not None and full_mask.pays(f, body.statements)
    return guarded(f, body.statements, mask, name, twice=twice, arm=body)
