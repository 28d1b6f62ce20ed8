"""Predication: short arms of an `if` run under masks, without a branch around them.

if (x < 0) x = -x;        both arms are computed in all lanes, and each lane keeps what it chose

Lanes that take no part in the `if` keep what they have only if they may still read it. Else the condition alone
decides, and LLVM makes a minimum and a maximum of `if (a > b) { float t = a; a = b; b = t; }` whatever the mask.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ..analysis.shapes import register_place
from ..analysis.storage import REGISTER
from ..costs import OWN_MEMORY_NODES, PREDICATED_NODES
from ..lang.ctype import CType, Struct
from ..simd.mask import Mask
from ..tree import nodes as tree
from ..tree.effects import named_variables
from . import profile_counters
from .declarations import declare
from .expressions import compound_assign, effect, expression, scalar, store
from .frame import Frame
from .speculate import cost, is_own_memory, is_own_memory_read, loads_made, needs_lanes, reads_memory


@dataclass(frozen=True)
class Update:
    """A statement that gives one thing a new value.

    `type`: that of what changes. `target`: the variable in registers that it is part of, and at which offset; None if
    it is memory. `value`: what is computed for it. `memory`: what is changed, if it is memory; that is
    read and written back.
    """

    type: CType
    target: tuple[tree.Variable, int] | None
    value: tree.Expr | None
    memory: tree.Place | None = None


def can_predicate(f: Frame, node: tree.If, mask: Mask) -> bool:
    """Whether both arms are short, and may run in lanes that did not choose them: arithmetic assigned to registers.

    They may read memory that the condition has just read: `if (a[i] < least) least = a[i];`. Of an array of the
    thread's own they may also write it: `if (v[j] > v[j + 1]) { int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }`.
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
                or not _changes_lanes_separately(f, update)
                or not _is_there(f, node.cond, update, mask, assigned)
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
    """Return the update that a statement is; None if it is none, or if it is to be known whether a lane runs it."""
    if node in f.program.plans.waits.effects:
        return None
    storage = f.program.storage
    match node:
        case tree.Evaluate(expr=tree.Assign() as update):
            return Update(update.type, register_place(update.place, storage), update.value, update.place)
        case tree.Evaluate(expr=tree.CompoundAssign() as update):
            return Update(update.type, register_place(update.place, storage), update.value, update.place)
        case tree.Evaluate(expr=tree.Increment() as update):
            return Update(update.type, register_place(update.place, storage), None, update.place)
        case tree.Declare(variable=variable, initial=initial) if not isinstance(initial, tree.Braces):
            target = (variable, 0) if storage.of(variable) == REGISTER else None
            return Update(variable.type, target, initial)
    return None


def _changes_lanes_separately(f: Frame, update: Update) -> bool:
    """Whether lanes that are off keep what they have: a scalar would change for all of them, even if no lane runs."""
    if update.target is None:
        return update.memory is not None
    return not isinstance(update.type, Struct) and not f.shapes.variable(*update.target).scalar


def _is_there(f: Frame, cond: tree.Expr, update: Update, mask: Mask, assigned: set[tree.Variable]) -> bool:
    """Whether what is changed may be read and written back for all lanes."""
    place = update.memory
    if update.target is not None or place is None or is_own_memory(f, place):
        return True
    return not mask.maybe_empty and not assigned & named_variables(place) and is_own_memory_read(f, cond, place)


def _reads_elsewhere(f: Frame, cond: tree.Expr, update: Update, assigned: set[tree.Variable]) -> bool:
    """Whether the memory that is read is no longer what `cond` has read, as a variable in its address has changed."""
    value = update.value
    return value is not None and loads_made(f, cond, value) and bool(assigned & named_variables(value))


def _work_of(f: Frame, cond: tree.Expr, update: Update) -> int | None:
    """Return how many nodes' worth of work an update is in lanes that did not choose it; None: they must not run it."""
    work = OWN_MEMORY_NODES if update.target is None else 0
    if update.value is None:
        return work
    if loads_made(f, cond, update.value):
        return work + 2
    worth = None if needs_lanes(f, update.value) else cost(f, update.value)
    return None if worth is None else work + 1 + worth


def predicate(f: Frame, body: tree.Block, mask: Mask, lanes: Mask, chosen: ir.Value) -> None:
    """Run an arm without a branch: what it reads, it reads in all lanes of `mask`; what it assigns, only in `lanes`.

    Those are the lanes of `mask` among the `chosen` ones.
    """
    in_mask, anywhere = lanes.nonempty(), Mask(chosen)
    for node in body.statements:
        assignment = node.expr if isinstance(node, tree.Evaluate) else node
        changed = _update_of(f, node)
        in_register = changed is not None and changed.target is not None
        lanes = anywhere if in_register and assignment not in f.shapes.blended_outside else in_mask
        profile_counters.ran(f, node, Mask(in_mask.lanes, maybe_empty=True))
        match node:
            case tree.Evaluate(expr=tree.Assign() as update) if reads_memory(f, update.value):
                store(f, update, expression(f, update.value, mask), lanes)
            case tree.Evaluate(expr=tree.CompoundAssign() as update) if reads_memory(f, update.value):
                compound_assign(f, update, lanes, scalar(f, update.value, mask))
            case tree.Declare(variable=variable, initial=initial) if (
                initial is not None and not isinstance(initial, tree.Braces) and reads_memory(f, initial)
            ):
                f.write(variable, 0, variable.type, expression(f, initial, mask), lanes, node in f.shapes.blended)
            case tree.Evaluate():
                effect(f, node.expr, lanes)
            case tree.Declare():
                declare(f, node, lanes)
            case _:
                raise AssertionError(f"{type(node).__name__} is no update")
