"""Lowering of statements: mask in, mask out.

`statement` takes the lanes that are active before the statement and returns those that go on behind it, or
None if no lane can: all have jumped. Lanes that left by `break`, `continue` or `return` are missing from
the result and are picked up where the jump leads. A jump that all lanes take together is a branch, and the
code behind it is never reached (`Frame.ended`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from llvmlite import ir

from ..analysis.shapes import register_place
from ..analysis.storage import REGISTER, SHARED
from ..costs import OWN_MEMORY_NODES, PREDICATED_NODES
from ..lang.ctype import Struct, count_leaves, leaves
from ..mapping.lane_loops import LastLanes
from ..report import outcome
from ..simd import mask as masks
from ..simd.address import member
from ..simd.builder import I1, const
from ..simd.mask import Mask
from ..simd.values import Value, vector
from ..tree import nodes as tree
from ..tree.effects import continues_out, jumps_out, named_variables, returns
from ..tree.walk import walk
from . import compact, fill, full_mask, lane_loop, patience
from .expressions import compound_assign, effect, expression, scalar, store, store_at
from .frame import Frame, LoopExits, coerce, zero
from .speculate import cost, is_own_memory, loads_made, needs_lanes, reads_memory


def statement(f: Frame, node: tree.Stmt, mask: Mask) -> Mask | None:
    match node:
        case tree.Block():
            return block(f, node.statements, mask)
        case tree.Declare():
            declare(f, node, mask)
            patience.begin_anew(f, node, mask)
            return mask
        case tree.Evaluate():
            effect(f, node.expr, mask)
            patience.begin_anew(f, node, mask)
            return mask
        case tree.If():
            return if_else(f, node, mask)
        case tree.Loop():
            return loop(f, node, mask)
        case tree.Switch():
            return switch(f, node, mask)
        case tree.Break():
            break_out(f, node, mask)
            return None
        case tree.Continue():
            next_round(f, node, mask)
            return None
        case tree.Return():
            give_back(f, node, mask)
            return None
        case _:
            assert_never(node)


def block(f: Frame, statements: tuple[tree.Stmt, ...], mask: Mask) -> Mask | None:
    """Run the statements in order; skip the rest when no lane is left."""
    now: Mask | None = mask
    for i, node in enumerate(statements):
        if now is None or f.ended:
            return None
        twice = now.full is not None and full_mask.pays(f, statements[i:])
        if now.maybe_empty or twice:
            return guarded(f, statements[i:], now, "rest", twice=twice)
        now = statement(f, node, now)
    return now


def guarded(f: Frame, statements: tuple[tree.Stmt, ...], mask: Mask, name: str, *, twice: bool = False) -> Mask | None:
    """Run the statements if `mask` has a lane; return the lanes that reach their end, `mask` itself if all of them do.

    `twice`: with code of its own for a full mask.
    """
    b = f.b
    run, done = f.block(name), f.block(f"{name}.done")
    ways: list[tuple[Mask, ir.Block]] = []
    changed = False

    def body(lanes: Mask) -> None:
        nonlocal changed
        after = block(f, statements, lanes)
        if not f.ended:
            changed |= after is None or after.lanes is not lanes.lanes
            ways.append((after or nobody(f), b.block))
            b.branch(done)

    if twice:
        assert mask.full is not None
        full, partial = f.block(f"{name}.full"), f.block(f"{name}.partial")
        b.cbranch(mask.full, full, partial)
        b.position_at_end(full)
        body(Mask(masks.all_lanes(f.lanes)))
        b.position_at_end(partial)
    if mask.maybe_empty:
        ways.append((nobody(f), b.block))
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


def nobody(f: Frame) -> Mask:
    return Mask(masks.no_lanes(f.lanes), maybe_empty=True, any=const(I1, 0))


def join(f: Frame, ways: list[tuple[Mask, ir.Block]], name: str = "mask") -> Mask:
    """Return the mask of the lanes that come to the present block from the blocks that jump here."""
    phi, any_phi = f.b.phi(masks.lane_bits(f.lanes), name), f.b.phi(I1, "any")
    for lanes, source in ways:
        phi.add_incoming(lanes.lanes, source)
        with f.b.goto_block(source):
            any_phi.add_incoming(masks.any_on(f.b, lanes), source)
    return Mask(phi, any(lanes.maybe_empty for lanes, _ in ways), any=any_phi)


# ----------------------------------------------------------------------------------------- declarations


MANY_SCALARS = 128  # of a variable: loops initialise more of them


def declare(f: Frame, node: tree.Declare, mask: Mask) -> None:
    variable, initial = node.variable, node.initial
    if variable.storage == SHARED or initial is None:
        return
    in_register = f.program.storage.of(variable) == REGISTER
    blended = node in f.shapes.blended
    if not isinstance(initial, tree.Braces):
        value = expression(f, initial, mask)
        if in_register:
            f.write(variable, 0, variable.type, value, mask, blended)
        else:
            store_at(f, f.address(variable), variable.type, value, mask)
        return
    if not in_register and count_leaves(variable.type) > MANY_SCALARS:
        fill.initialise(f, f.address(variable), variable.type, initial, mask)
        return
    given = {offset for offset, _, _ in initial.items}
    for offset, ctype, expr in initial.items:
        value = scalar(f, expr, mask)
        if in_register:
            f.write(variable, offset, ctype, value, mask, blended)
        else:
            f.memory.store(member(f.b, f.address(variable), offset), value, mask)
    for offset, leaf in leaves(variable.type):
        if offset not in given:
            if in_register:
                f.write(variable, offset, leaf, zero(leaf), mask, blended)
            else:
                f.memory.store(member(f.b, f.address(variable), offset), zero(leaf), mask)


# -------------------------------------------------------------------------------------------------- if


def if_else(f: Frame, node: tree.If, mask: Mask) -> Mask | None:
    cond = full_mask.condition(f, node.cond, mask)
    if cond.value.uniform:
        f.note(node, outcome.UNIFORM_BRANCH)
        return uniform_if(f, node, cond.value.ir, mask)
    return varying_if(f, node, cond, mask)


def uniform_if(f: Frame, node: tree.If, cond: ir.Value, mask: Mask) -> Mask | None:
    """All active lanes go the same way: a scalar branch."""
    b = f.b
    then, done = f.block("then"), f.block("endif")
    other = f.block("else") if node.other.statements else done
    start = b.block
    b.cbranch(cond, then, other)
    ways = [] if node.other.statements else [(mask, start)]
    for arm, body in ((then, node.then), (other, node.other)):
        if arm is done:
            continue
        b.position_at_end(arm)
        after = block(f, body.statements, mask)
        if not f.ended:
            ways.append((after or nobody(f), b.block))
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
    if can_predicate(f, node):
        f.note(node, outcome.PREDICATED_IF)
        predicate(f, node.then, mask, taken)
        predicate(f, node.other, mask, rest)
        return mask
    f.note(node, outcome.DIVERGENT_IF)
    after_then = arm(f, node.then, taken, "then")
    after_else = arm(f, node.other, rest, "else")
    if after_then is taken and after_else is rest:
        return mask
    if after_then is None and after_else is None:
        return None
    if after_then is None or after_else is None:
        return after_then or after_else
    return Mask(masks.either(b, after_then, after_else).lanes, maybe_empty=True)


def arm(f: Frame, body: tree.Block, mask: Mask, name: str) -> Mask | None:
    """Run one arm if it has a lane; return the lanes that reach its end, `mask` itself if all of them do."""
    if not body.statements:
        return mask
    twice = mask.full is not None and full_mask.pays(f, body.statements)
    return guarded(f, body.statements, mask, name, twice=twice)


@dataclass(frozen=True)
class Update:
    """A statement that gives one thing a new value.

    `target`: the variable in registers that changes, and at which offset; None if it is memory. `value`: what is
    computed for it. `memory`: what is read, changed and written back, if it is memory.
    """

    target: tuple[tree.Variable, int] | None
    value: tree.Expr | None
    memory: tree.Place | None = None


def can_predicate(f: Frame, node: tree.If) -> bool:
    """Whether both arms are short, and may run in lanes that did not choose them: arithmetic assigned to registers.

    They may read memory that the condition has just read: `if (a[i] < least) least = a[i];`.
    """
    if not f.may("predicate"):
        return False
    assigned: set[tree.Variable] = set()
    for body in (node.then, node.other):
        budget = PREDICATED_NODES
        for below in body.statements:
            update = _update_of(f, below)
            if (
                update is None
                or not _changes_lanes_apart(f, update)
                or _reads_elsewhere(f, node.cond, update, assigned)
            ):
                return False
            work = _work_of(f, node.cond, update)
            if work is None or work > budget:
                return False
            budget -= work
            if update.target is not None:
                assigned.add(update.target[0])
    return True


def _update_of(f: Frame, node: tree.Stmt) -> Update | None:
    """The update that a statement is; None if it is something else, or if it is to be known whether a lane runs it."""
    if node in f.program.plans.waits.effects:
        return None
    storage = f.program.storage
    match node:
        case tree.Evaluate(expr=tree.Assign() as update):
            return Update(register_place(update.place, storage), update.value)
        case tree.Evaluate(expr=tree.CompoundAssign() as update):
            return Update(register_place(update.place, storage), update.value, update.place)
        case tree.Evaluate(expr=tree.Increment() as update):
            return Update(register_place(update.place, storage), None, update.place)
        case tree.Declare(variable=variable, initial=initial) if not isinstance(initial, tree.Braces):
            return Update((variable, 0) if storage.of(variable) == REGISTER else None, initial)
    return None


def _changes_lanes_apart(f: Frame, update: Update) -> bool:
    """Whether lanes that are off keep what they have: a scalar would change for all of them, even if no lane runs."""
    if update.target is None:
        return update.memory is not None and is_own_memory(f, update.memory)
    variable, _ = update.target
    return not isinstance(variable.type, Struct) and not f.shapes.variable(*update.target).scalar


def _reads_elsewhere(f: Frame, cond: tree.Expr, update: Update, assigned: set[tree.Variable]) -> bool:
    """Whether the memory that is read is no longer what `cond` has read, as a variable in its address has changed."""
    value = update.value
    return value is not None and loads_made(f, cond, value) and bool(assigned & named_variables(value))


def _work_of(f: Frame, cond: tree.Expr, update: Update) -> int | None:
    """How many nodes' worth of work an update is in lanes that did not choose it; None: they must not run it."""
    work = OWN_MEMORY_NODES if update.target is None else 0
    if update.value is None:
        return work
    if loads_made(f, cond, update.value):
        return work + 1 + sum(1 for _ in walk(update.value))
    worth = None if needs_lanes(f, update.value) else cost(f, update.value)
    return None if worth is None else work + 1 + worth


def predicate(f: Frame, body: tree.Block, mask: Mask, lanes: Mask) -> None:
    """Run an arm without a branch: what it reads, it reads in all lanes of `mask`; what it assigns, only in `lanes`."""
    lanes = lanes.nonempty()
    for node in body.statements:
        match node:
            case tree.Evaluate(expr=tree.Assign() as update) if reads_memory(f, update.value):
                store(f, update, expression(f, update.value, mask), lanes)
            case tree.Evaluate(expr=tree.CompoundAssign() as update) if reads_memory(f, update.value):
                compound_assign(f, update, lanes, scalar(f, update.value, mask))
            case tree.Declare(variable=variable, initial=initial) if (
                initial is not None and not isinstance(initial, tree.Braces) and reads_memory(f, initial)
            ):
                f.write(variable, 0, variable.type, expression(f, initial, mask), lanes, node in f.shapes.blended)
            case _:
                statement(f, node, lanes)


# --------------------------------------------------------------------------------------------- loops


def loop(f: Frame, node: tree.Loop, mask: Mask) -> Mask | None:
    """Lower a loop; it runs while a lane is in it.

    If no lane can leave before the others, the mask is the same in every round. Else it is a phi, narrowed by the
    test and by jumps; `continued` collects the lanes that go to the next round.
    """
    for below in node.init:
        statement(f, below, mask)
    b = f.b
    returning = returns(node.body)
    loses = returning or node in f.shapes.divergent_loops
    apart = continues_out(node.body) and (loses or _continues_apart(f, node))
    f.note(node, outcome.DIVERGENT_LOOP if node in f.shapes.divergent_loops else outcome.UNIFORM_BRANCH)
    plans, key = f.program.plans, (f.shapes.instance, node)
    last = plans.last_lanes.get(key)
    narrow = plans.narrow_loops.get(key)
    body, again, done = (f.block(f"loop.{part}") for part in ("body", "again", "done"))
    first = f.block("loop.head") if node.test_first else body
    continued = f.allocate(masks.lane_bits(f.lanes), "continued") if apart else None
    outside = f.loops
    f.loops = (*outside, LoopExits(done, again, continued, None))
    patience.begin(f, node)
    if narrow is not None and not mask.all_on:
        compact.run(f, narrow, mask, f.block("loop.wide"), done)
    start = b.block
    ways_in: list[tuple[Mask, ir.Block]] = []  # to the body
    if full_mask.loop_pays(f, node, mask):
        inside = full_rounds(f, node, mask, first)
        b.cbranch(masks.any_on(b, inside), body, done)
        ways_in.append((inside.nonempty(), b.block))
    else:
        b.branch(first)
    b.position_at_end(first)
    live, phi = mask, None
    if loses:
        phi = b.phi(masks.lane_bits(f.lanes), "loop.mask")
        if not (ways_in and mask.all_on):
            phi.add_incoming(mask.lanes, start)
        live = Mask(phi)
    if last is not None:
        finish_alone(f, node, live, last, done)
    inside = live
    if node.test_first:
        inside = enter_round(f, node, live, body, done)
        ways_in.append((inside.nonempty(), b.block))
        b.position_at_end(body)
    if len(ways_in) > 1:
        inside = join(f, ways_in, "loop.mask")
    if continued is not None:
        b.store(masks.no_lanes(f.lanes), continued)
    after = block(f, node.body.statements, inside)
    if not f.ended:
        if continued is not None and after is not None:
            _collect(f, continued, after)
        b.branch(again)
    b.position_at_end(again)
    latch = live
    if loses and continued is not None:
        latch = Mask(b.load(continued, typ=masks.lane_bits(f.lanes), name="again.mask"), maybe_empty=True)
    elif loses:
        latch = after or nobody(f)
    patience.end_round(f, node, latch)
    latch = finish_round(f, node, latch, first, body, done)
    if phi is not None:
        phi.add_incoming(latch.lanes, b.block)
    f.loops = outside
    b.position_at_end(done)
    if not returning:
        return mask
    return masks.without(b, mask, b.load(f.returned, typ=masks.lane_bits(f.lanes)), "alive")


def full_rounds(f: Frame, node: tree.Loop, mask: Mask, first: ir.Block) -> Mask:
    """Emit the rounds that all lanes run, at the loop's start; return the lanes of the first round that some do not.

    Goes to `first` if not all lanes come in.
    """
    b = f.b
    head, body, last = (f.block(f"loop.full.{part}") for part in ("head", "body", "last"))
    if mask.all_on:
        b.branch(head)
    else:
        assert mask.full is not None
        b.cbranch(mask.full, head, first)
    b.position_at_end(head)
    everyone = Mask(masks.all_lanes(f.lanes))
    assert node.cond is not None
    cond = full_mask.condition(f, node.cond, everyone)
    assert cond.always is not None
    b.cbranch(cond.always, body, last)
    b.position_at_end(body)
    block(f, node.body.statements, everyone)
    patience.end_round(f, node, everyone)
    for step in node.step:
        expression(f, step, everyone)
    b.branch(head)
    b.position_at_end(last)
    return Mask(vector(b, cond.value), maybe_empty=True)


def finish_alone(f: Frame, node: tree.Loop, live: Mask, last: LastLanes, done: ir.Block) -> None:
    """At the head of a round: if no more lanes are left than are the last ones, run these and go to `done`."""
    b = f.b
    f.note(node, outcome.alone(last.lanes))
    alone, together = f.block("loop.alone"), f.block("loop.together")
    b.cbranch(lane_loop.few(f, live, last.lanes), alone, together)
    b.position_at_end(alone)
    lane_loop.run_lanes(f, last, live)
    b.branch(done)
    b.position_at_end(together)


def _continues_apart(f: Frame, node: tree.Loop) -> bool:
    """Whether some lanes may say `continue` while others go on."""
    return any(isinstance(below, tree.Continue) and below not in f.shapes.together for below in walk(node.body))


def _collect(f: Frame, lanes: ir.Value, more: Mask) -> None:
    """Add lanes to those that a stack slot holds."""
    f.b.store(f.b.or_(f.b.load(lanes, typ=masks.lane_bits(f.lanes)), more.lanes), lanes)


def enter_round(f: Frame, node: tree.Loop, live: Mask, body: ir.Block, done: ir.Block) -> Mask:
    """Evaluate the loop's condition: go to `body` with the lanes for which it holds, to `done` if there are none."""
    b = f.b
    if node.cond is None:
        b.branch(body)
        return live
    test = node.cond
    while isinstance(test, tree.Logical) and test.op == "&&" and f.shapes.of(test.left).uniform:
        if not f.may("uniform-tests"):
            break
        f.note(test, outcome.UNIFORM_BRANCH)
        rest = f.block("loop.test")
        b.cbranch(scalar(f, test.left, live).ir, rest, done)
        b.position_at_end(rest)
        test = test.right
    cond = scalar(f, test, live)
    if cond.uniform:
        b.cbranch(cond.ir, body, done)
        return live
    staying = masks.both(b, live, vector(b, cond), "loop.mask")
    b.cbranch(masks.any_on(b, staying), body, done)
    return staying.nonempty()


def finish_round(f: Frame, node: tree.Loop, latch: Mask, first: ir.Block, body: ir.Block, done: ir.Block) -> Mask:
    """The step and, for `do`, the test; then the next round with the lanes returned, if there are any."""
    b = f.b
    if latch.maybe_empty and (node.step or not node.test_first):
        more = f.block("loop.step")
        b.cbranch(masks.any_on(b, latch), more, done)
        b.position_at_end(more)
        latch = latch.nonempty()
    for step in node.step:
        effect(f, step, latch)
    if not node.test_first:
        return enter_round(f, node, latch, body, done)
    if latch.maybe_empty:
        b.cbranch(masks.any_on(b, latch), first, done)
    else:
        b.branch(first)
    return latch


def break_out(f: Frame, node: tree.Break, mask: Mask) -> None:
    b, exits = f.b, f.loops[-1]
    if exits.broken is not None:
        _collect(f, exits.broken, mask)
    if node in f.shapes.together:
        b.branch(exits.exit)


def next_round(f: Frame, node: tree.Continue, mask: Mask) -> None:
    b = f.b
    exits = next(exits for exits in reversed(f.loops) if exits.again is not None)
    assert exits.again is not None
    if exits.continued is not None:
        _collect(f, exits.continued, mask)
    if node in f.shapes.together:
        b.branch(exits.again)


# ------------------------------------------------------------------------------------------------ switch


def switch(f: Frame, node: tree.Switch, mask: Mask) -> Mask | None:
    value = scalar(f, node.value, mask)
    b = f.b
    done = f.block("switch.done")
    broken = f.allocate(masks.lane_bits(f.lanes), "broken")
    b.store(masks.no_lanes(f.lanes), broken)
    outside = f.loops
    f.loops = (*outside, LoopExits(done, None, None, broken))
    f.note(node, outcome.UNIFORM_SWITCH if value.uniform else outcome.DIVERGENT_SWITCH)
    if value.uniform:
        last = uniform_sections(f, node, value, mask, done)
    else:
        last = varying_sections(f, node, value, mask)
    f.loops = outside
    if not f.ended:
        if last is not None:
            _collect(f, broken, last)
        b.branch(done)
    b.position_at_end(done)
    if not jumps_out(node):
        return mask
    return Mask(b.load(broken, typ=masks.lane_bits(f.lanes), name="mask"), maybe_empty=True)


def uniform_sections(f: Frame, node: tree.Switch, value: Value, mask: Mask, done: ir.Block) -> Mask | None:
    """All active lanes enter at the same label. Returns the lanes that fall out of the last section."""
    b = f.b
    entries = [f.block("case") for _ in node.sections]
    missing = f.block("no.case")
    default = next((e for e, s in zip(entries, node.sections, strict=True) if None in s.labels), missing)
    table = b.switch(value.ir, default)
    for entry, section in zip(entries, node.sections, strict=True):
        for label in section.labels:
            if label is not None:
                table.add_case(const(value.ir.type, label), entry)
    start = b.block
    b.position_at_end(missing)
    broken = f.loops[-1].broken
    assert broken is not None
    b.store(mask.lanes, broken)
    b.branch(done)
    if default is not missing:
        f.function.blocks.remove(missing)
    fallen: Mask | None = None
    source: ir.Block | None = None
    b.position_at_end(start)
    for entry, section in zip(entries, node.sections, strict=True):
        b.position_at_end(entry)
        lanes = mask
        chosen = [(mask.lanes, start)] * len(section.labels)  # LLVM wants a value for each edge
        if source is not None and fallen is None:
            lanes = _phi(f, [*chosen, (masks.no_lanes(f.lanes), source)])
        elif source is not None and fallen is not None and fallen.lanes is not mask.lanes:
            lanes = _phi(f, [*chosen, (fallen.lanes, source)])
        fallen = block(f, section.body.statements, lanes)
        source = None
        following = entries.index(entry) + 1
        if not f.ended and following < len(entries):
            source = b.block
            b.branch(entries[following])
    return fallen


def _phi(f: Frame, ways: list[tuple[ir.Value, ir.Block]]) -> Mask:
    phi = f.b.phi(masks.lane_bits(f.lanes), "case.mask")
    for lanes, source in ways:
        phi.add_incoming(lanes, source)
    return Mask(phi, maybe_empty=True)


def varying_sections(f: Frame, node: tree.Switch, value: Value, mask: Mask) -> Mask | None:
    """Each section runs for the lanes that chose it and those that fall into it."""
    b = f.b
    lanes = vector(b, value)
    chosen: list[ir.Value] = []
    labelled: ir.Value = masks.no_lanes(f.lanes)
    for section in node.sections:
        here: ir.Value = masks.no_lanes(f.lanes)
        for label in section.labels:
            if label is not None:
                here = b.or_(here, b.icmp_signed("==", lanes, const(lanes.type, label)))
        labelled = b.or_(labelled, here)
        chosen.append(here)
    fallen: Mask | None = None
    for section, here in zip(node.sections, chosen, strict=True):
        if None in section.labels:
            here = b.or_(here, b.not_(labelled))
        inside = masks.both(b, mask, here, "case.mask")
        if fallen is not None:
            inside = masks.either(b, inside, fallen, "case.mask")
        fallen = arm(f, section.body, Mask(inside.lanes, maybe_empty=True), "case")
    if not any(None in section.labels for section in node.sections):
        unlabelled = masks.without(b, mask, labelled, "no.case")
        fallen = unlabelled if fallen is None else masks.either(b, unlabelled, fallen)
    return fallen


# ------------------------------------------------------------------------------------------------ return


def give_back(f: Frame, node: tree.Return, mask: Mask) -> None:
    b = f.b
    together = node in f.shapes.together
    if node.value is not None and f.results:
        value = expression(f, node.value, mask)
        parts = value if isinstance(value, tuple) else (value,)
        shapes = f.shapes.results
        for slot, part, shape in zip(f.results, parts, shapes, strict=True):
            new = coerce(b, part, shape).ir
            if not shape.scalar and not together and not mask.all_on:
                new = b.select(mask.lanes, new, b.load(slot, typ=new.type))
            b.store(new, slot)
    if together:
        b.branch(f.leave)
    else:
        _collect(f, f.returned, mask)
