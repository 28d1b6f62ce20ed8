"""Lowering of loops: an iteration runs for the lanes that are still in.

`_plan_loop` decides what a loop is made of. Then its blocks are emitted in this order; what is in brackets, only if
the plan wants it:

    [loop.squeezed]     of a wide gang, few lanes come in: they run the loop in a narrow one (`lane-compaction`)
    [loop.full.*]       the iterations that all lanes run, without masks (`full_mask`)
    loop.head           the mask of the iteration
    [loop.alone]        few lanes are left: they finish one by one (`scalar_tail`)
                        the test, unless it is a `do`
    loop.body
    loop.again          lanes that said `continue` join; the step; the test of a `do`
    loop.done
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from ..mapping.lane_compaction import CompactedLoop
from ..mapping.scalar_tail import ScalarTail
from ..report import outcome
from ..simd import mask as masks
from ..simd.mask import Mask
from ..simd.values import vector
from ..tree import nodes as tree
from ..tree.effects import continues_out, returns
from ..tree.walk import walk
from . import forward_progress, full_mask, gang_split, lane_compaction, profile_counters, row_streams, scalar_tail, warp
from .expressions import effect, expression, whole_scalar
from .frame import Frame, LoopExits
from .reconverge import Way, collect, empty, join, new_slot, no_lanes, waiting

Body = Callable[[Mask], Mask | None]  # lowers the loop's body for some lanes; returns those that reach its end


@dataclass(frozen=True)
class LoopPlan:
    """What a loop is made of, decided before any of it is emitted.

    `returns`: lanes may return from inside. `parts`: lanes may wait inside without others. `loses`: lanes may leave
    before others; if not, all iterations have the same mask. `continues`: some lanes may say `continue` while others
    run on, and wait for these at the end of the iteration. `narrow`: what runs the loop where few lanes of a wide gang
    come in. `full_iterations`: iterations that all lanes run have their own code. `last`: what runs the last lanes.
    """

    returns: bool
    parts: bool
    loses: bool
    continues: bool
    narrow: CompactedLoop | None
    full_iterations: bool
    last: ScalarTail | None


def _plan_loop(f: Frame, node: tree.Loop, mask: Mask) -> LoopPlan:
    """Decide what the loop is made of where the lanes of `mask` enter it. A copy for full iterations counts as made."""
    plans, key = f.program.plans, (f.shapes.instance, node)
    returning = returns(node.body)
    parts = gang_split.may_part(f, node, mask)
    loses = returning or parts or node in f.shapes.divergent_loops
    return LoopPlan(
        returns=returning,
        parts=parts,
        loses=loses,
        continues=continues_out(node.body) and (loses or _some_continue(f, node)),
        narrow=None if mask.all_on or parts else plans.compacted_loops.get(key),
        full_iterations=_has_full_iterations(f, node, mask),
        last=None if parts else plans.scalar_tails.get(key),
    )


def _has_full_iterations(f: Frame, node: tree.Loop, mask: Mask) -> bool:
    """Whether iterations that all lanes run get their own code: where no lane can diverge from the others."""
    everyone = Mask(masks.all_lanes(f.lanes))
    parts = (*node.step, node.body, *((node.cond,) if node.cond is not None else ()))
    return not any(gang_split.may_part(f, part, everyone) for part in parts) and full_mask.loop_pays(f, node, mask)


def _some_continue(f: Frame, node: tree.Loop) -> bool:
    """Whether some lanes may say `continue` while others run on."""
    return any(isinstance(below, tree.Continue) and below not in f.shapes.together for below in walk(node.body))


@dataclass(frozen=True)
class _Loop:
    """A loop while it is emitted: its plan and its blocks.

    An iteration begins at `head`, which is the body itself in a `do`. `continue` leads to `again`; lanes that wait
    there are in the slot `continued`.
    """

    node: tree.Loop
    plan: LoopPlan
    lower_body: Body
    head: ir.Block
    body: ir.Block
    again: ir.Block
    done: ir.Block
    continued: ir.Value | None


def loop(f: Frame, node: tree.Loop, mask: Mask, lower_body: Body) -> Mask:
    """Lower a loop after its `init`; return the lanes that continue after it: all that have not returned."""
    plan = _plan_loop(f, node, mask)
    f.note(node, outcome.DIVERGENT_LOOP if node in f.shapes.divergent_loops else outcome.UNIFORM_BRANCH)
    body, again, done = (f.block(f"loop.{part}") for part in ("body", "again", "done"))
    head = f.block("loop.head") if node.test_first else body
    continued = new_slot(f, "continued") if plan.continues else None
    it = _Loop(node, plan, lower_body, head=head, body=body, again=again, done=done, continued=continued)
    forward_progress.begin(f, node)
    row_streams.begin(f, node)
    if plan.narrow is not None:
        lane_compaction.run(f, plan.narrow, mask, f.block("loop.wide"), done)
    with f.within(LoopExits(done, again, continued, None)):
        _iterations(f, it, mask)
    f.b.position_at_end(done)
    left = masks.without(f.b, mask, waiting(f, f.returned), "alive") if plan.returns else mask
    return gang_split.here(f, left) if plan.parts else left


def _iterations(f: Frame, it: _Loop, mask: Mask) -> None:
    """Emit the iterations, the first of them for the lanes of `mask`."""
    b, plan = f.b, it.plan
    start = b.block
    full = _full_iterations(f, it, mask) if plan.full_iterations else None
    if full is None:
        b.branch(it.head)
    b.position_at_end(it.head)
    phi = b.phi(masks.lane_bits(f.lanes), "loop.mask") if plan.loses else None
    live = mask if phi is None else Mask(phi)
    if plan.last is not None:
        _finish_alone(f, it, live, plan.last)
    inside = _begin_iteration(f, it, live, full)
    after = _body(f, it, inside)
    again = _end_iteration(f, it, live, after)
    if phi is not None:
        if full is None or not mask.all_on:  # full iterations that are sure to come first lead to the body
            phi.add_incoming(mask.lanes, start)
        phi.add_incoming(again.lanes, b.block)


# ------------------------------------------------------------------------------------------- first and last lanes


def _full_iterations(f: Frame, it: _Loop, mask: Mask) -> Way:
    """Emit the iterations that all lanes run, at the loop's start; return how the first one that some do not enters.

    If not all lanes come in, control goes to the loop's head at once.
    """
    b, node = f.b, it.node
    head, body, last = (f.block(f"loop.full.{part}") for part in ("head", "body", "last"))
    if mask.all_on:
        b.branch(head)
    else:
        assert mask.full is not None
        b.cbranch(mask.full, head, it.head)
    b.position_at_end(head)
    everyone = Mask(masks.all_lanes(f.lanes))
    assert node.cond is not None
    cond = full_mask.condition(f, node.cond, everyone)
    inside = Mask(vector(b, cond.value), maybe_empty=True)
    b.cbranch(masks.all_on(b, inside) if cond.always is None else cond.always, body, last)
    b.position_at_end(body)
    _count_iteration(f, it, everyone)
    it.lower_body(everyone)
    forward_progress.end_iteration(f, node, everyone)
    row_streams.end_iteration(f, node)
    for step in node.step:
        expression(f, step, everyone)
    b.branch(head)
    b.position_at_end(last)
    b.cbranch(masks.any_on(b, inside), it.body, it.done)
    return inside.nonempty(), b.block


def _finish_alone(f: Frame, it: _Loop, live: Mask, last: ScalarTail) -> None:
    """Run the last lanes one by one and leave the loop, at the head of an iteration to which only these come."""
    b = f.b
    f.note(it.node, outcome.alone(last.lanes))
    alone, together = f.block("loop.alone"), f.block("loop.together")
    b.cbranch(scalar_tail.few(f, live, last.lanes), alone, together)
    b.position_at_end(alone)
    scalar_tail.run_lanes(f, last, live)
    b.branch(it.done)
    b.position_at_end(together)


# -------------------------------------------------------------------------------------------------------- an iteration


def _begin_iteration(f: Frame, it: _Loop, live: Mask, full: Way | None) -> Mask:
    """Test, unless it is a `do`; return the lanes that run the body, from the full iterations (`full`) too."""
    if not it.node.test_first:
        return live
    b = f.b
    inside = _test(f, it, live)
    tested = inside.nonempty(), b.block
    b.position_at_end(it.body)
    return inside if full is None else join(f, [full, tested], "loop.mask")


def _body(f: Frame, it: _Loop, inside: Mask) -> Mask | None:
    """Emit the body, up to where `continue` leads; return the lanes that reach its end."""
    if it.continued is not None:
        empty(f, it.continued)
    warp.enter(f, it.node.body, inside)
    _count_iteration(f, it, inside)
    after = it.lower_body(inside)
    if not f.ended:
        if it.continued is not None and after is not None:
            collect(f, it.continued, after)
        f.b.branch(it.again)
    f.b.position_at_end(it.again)
    return after


def _count_iteration(f: Frame, it: _Loop, lanes: Mask) -> None:
    conditions = (*((it.node.cond,) if it.node.cond is not None else ()), *it.node.step)
    profile_counters.began_iteration(f, it.node, conditions, lanes, divergent=it.node in f.shapes.divergent_loops)


def _end_iteration(f: Frame, it: _Loop, live: Mask, after: Mask | None) -> Mask:
    """Emit what follows the body; return the lanes that begin the next iteration.

    `live`: the lanes that began the iteration; `after`: those that reached the body's end.
    """
    b, node = f.b, it.node
    lanes = _still_in(f, it, live, after)
    forward_progress.end_iteration(f, node, lanes)
    row_streams.end_iteration(f, node)
    if it.plan.parts:
        lanes = gang_split.here(f, lanes)
    if lanes.maybe_empty and (node.step or not node.test_first):
        more = f.block("loop.step")
        b.cbranch(masks.any_on(b, lanes), more, it.done)
        b.position_at_end(more)
        lanes = lanes.nonempty()
    for step in node.step:
        with gang_split.complete(f):
            effect(f, step, lanes)
        lanes = gang_split.after(f, lanes, step)
    if not node.test_first:
        return _test(f, it, lanes)
    if lanes.maybe_empty:
        b.cbranch(masks.any_on(b, lanes), it.head, it.done)
    else:
        b.branch(it.head)
    return lanes


def _still_in(f: Frame, it: _Loop, live: Mask, after: Mask | None) -> Mask:
    """Return the lanes that have not left by a jump in this iteration."""
    if not it.plan.loses:
        return live
    if it.continued is None:
        return after or no_lanes(f)
    return Mask(waiting(f, it.continued, "again.mask"), maybe_empty=True)


def _test(f: Frame, it: _Loop, live: Mask) -> Mask:
    """Go to the body with the lanes for which the loop's condition holds, and out of the loop if there are none."""
    b = f.b
    if it.node.cond is None:
        if live.maybe_empty:
            b.cbranch(masks.any_on(b, live), it.body, it.done)
        else:
            b.branch(it.body)
        return live.nonempty()
    cond = whole_scalar(f, _test_uniform_part(f, it, it.node.cond, live), live)
    live = gang_split.after(f, live, it.node.cond)
    if cond.uniform:
        goes_on = b.and_(cond.ir, masks.any_on(b, live)) if live.maybe_empty else cond.ir
        b.cbranch(goes_on, it.body, it.done)
        return live.nonempty()
    staying = masks.both(b, live, vector(b, cond), "loop.mask")
    b.cbranch(masks.any_on(b, staying), it.body, it.done)
    return staying.nonempty()


def _test_uniform_part(f: Frame, it: _Loop, test: tree.Expr, live: Mask) -> tree.Expr:
    """Leave the loop if a first condition fails that is the same for all lanes; return what is left to test.

    for (...; round < rounds && x > 0; ...): a scalar branch for `round < rounds`; `x > 0` is returned
    """
    b = f.b
    while f.may("uniform-tests") and isinstance(test, tree.Logical) and test.op == "&&":
        if not f.shapes.of(test.left).uniform or gang_split.may_part(f, test.left, live):
            break
        f.note(test, outcome.UNIFORM_BRANCH)
        rest = f.block("loop.test")
        b.cbranch(whole_scalar(f, test.left, live).ir, rest, it.done)
        b.position_at_end(rest)
        test = test.right
    return test
