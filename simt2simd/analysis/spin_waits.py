"""Loops that may wait for other threads: their iterations are counted, so that the runtime detects a deadlock.

**Known as:** busy waiting, spin loops.

    while (*flag == 0) { }                    counted: an iteration changes nothing, and the next one is as it unless
                                              another thread writes the flag
    while (*flag == 0) *mine = 1;             counted, and others have their turns; every iteration
                                              changes something: no deadlock is detected
    do {                                      counted; an iteration in which a thread writes starts the count anew
        ready = 1;
        if (s[i + 1] == 0) ready = 0;
        else s[i] = 1;
    } while (!ready);
    while (i < n) {                           the same: a thread that continues has changed nothing
        if (s[i] == 0) continue;
        s[i++ + n] = 1;
    }
    for (int i = 0; i < n; i++)               not counted: every iteration changes i, which may end the loop
        atomicAdd(&sum[x[i]], 1);

`s` and `flag` are volatile, or read by an atomic function that changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from ..lang.builtins import WAITS_AT, Builtin
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions
from ..tree.effects import (
    is_changeable,
    is_effect,
    is_of_warp,
    is_volatile,
    may_wait,
    named_variables,
    write_of,
    written_variables,
)
from ..tree.nodes import Loop, Module, Stmt, Variable
from ..tree.walk import children, walk
from . import warp_meetings
from .locks import Locks, constant_value, settles

_SMALL_TRIP_COUNT = 256  # others have no turn before


@dataclass(frozen=True)
class Waits:
    """The loops of a module whose iterations are to be counted, and the statements in them that start the count anew.

    `working`: those loops of which every iteration changes something. `sleeping`: those whose iterations last long
    because threads sleep in them. `meetings`: warp functions that may wait for threads at other calls.
    """

    loops: frozenset[Loop]
    effects: frozenset[Stmt]
    working: frozenset[Loop] = frozenset()
    sleeping: frozenset[Loop] = frozenset()
    meetings: frozenset[tree.BuiltinCall] = frozenset()


def find(module: Module) -> Waits:
    waiting = functions_reaching(module, may_wait)
    writing = functions_reaching(module, _writes_memory)
    synchronising = functions_reaching(module, _synchronises)
    warps = functions_reaching(module, is_of_warp)
    locks = Locks(module)
    locks_wait = locks.wait()
    loops: set[Loop] = set()
    working: set[Loop] = set()
    effects: set[Stmt] = set()
    for name in waiting:
        for node in walk(module.functions[name].body):
            if not isinstance(node, Loop) or not _has(node, may_wait, waiting):
                continue
            if not locks_wait and any(map(locks.acquires, walk(node))):
                continue
            if _has(node, _synchronises, synchronising):
                if not _looks(node, waiting, outside=True):
                    continue
            elif _has(node, is_of_warp, warps) and not (
                _looks(node, waiting, outside=False) or any(map(locks.acquires, walk(node)))
            ):
                continue
            found = _effects(node, writing, locks)
            if found is not None:
                loops.add(node)
                effects |= found
            elif _polls(node, waiting):
                loops.add(node)
                working.add(node)
    asleep = functions_reaching(module, _sleeps)
    sleeping = frozenset(one for one in loops if _has(one, _sleeps, asleep))
    return Waits(frozenset(loops), frozenset(effects), frozenset(working), sleeping, warp_meetings.find(module))


def fibers(module: Module, waits: Waits) -> frozenset[str]:
    """Return the kernels whose threads do not only wait at the barrier of the block, and all they call.

    A function with barriers or such loops is made once: so with a kernel, others that share one with it are among them.
    """
    pauses = waits.loops | waits.meetings
    pausing = functions_reaching(module, lambda node: node in pauses or _is_other_barrier(node))
    shared = functions_reaching(module, lambda node: node in pauses or _synchronises(node))
    reached = reached_functions(module)
    found = {kernel.name for kernel in module.kernels if kernel.name in pausing}
    while True:
        below = frozenset(found).union(*(reached[name] for name in found))
        more = {kernel.name for kernel in module.kernels if reached[kernel.name] & shared & below} - found
        if not more:
            return below
        found |= more


def _is_other_barrier(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.op in ("grid_barrier", *WAITS_AT)


def _has(loop: Loop, wanted: Callable[[tree.Node], bool], functions: frozenset[str]) -> bool:
    """Whether a loop has a node that is `wanted`, or calls one of the functions that reach one."""
    return any(wanted(node) or (isinstance(node, tree.Call) and node.function in functions) for node in walk(loop))


def _sleeps(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.op == "nanosleep"


def _synchronises(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.synchronises


def _effects(loop: Loop, writing: frozenset[str], locks: Locks) -> set[Stmt] | None:
    """Return the statements of a loop that change memory, or what the next iteration finds in variables.

    None if there is one in every iteration, or in a place where it cannot be seen that it is executed: in a condition.
    """
    kept, deciding = _fresh(loop), _deciding(loop)
    alone = {node.expr for node in walk(loop) if isinstance(node, tree.Evaluate)}

    def changes(node: tree.Node) -> bool:
        match node:
            case tree.Assign() | tree.CompoundAssign() | tree.Increment() if isinstance(node.place, tree.VarRef):
                variable = node.place.variable
                return is_changeable(variable) or (variable in deciding and variable not in kept)
            case tree.Call() | tree.BuiltinCall() if locks.acquires(node) and node not in alone:
                return False  # a lock that was free: the later statements decide
            case tree.Call():
                return node.function in writing
        return _writes_memory(node)

    found = {node for node in _statements(loop.body) if any(map(changes, walk(node)))}
    in_every_iteration = {node for node in _of_every_iteration(loop) if node in found}
    others = [node for node in _outside_statements(loop) if changes(node)]
    return None if in_every_iteration or others else found


def _of_every_iteration(loop: Loop) -> list[Stmt]:
    """Return the statements of a loop's body after no `continue`: every iteration but the last reaches them."""
    return list(takewhile(lambda node: not _continues(node), loop.body.statements))


def _continues(node: tree.Node) -> bool:
    """Whether a `continue` in `node` leads out of it."""
    if isinstance(node, Loop):
        return False
    return isinstance(node, tree.Continue) or any(map(_continues, children(node)))


def _polls(loop: Loop, waiting: frozenset[str]) -> bool:
    """Whether the loop's end depends on memory that every iteration reads anew in the same place: others may end it.

    What is compared with a counter, does not count. Loops of few iterations are over before others would have their
    turns.
    """
    _, moving = _written_and_restless(loop, set())
    if loop.cond is not None and _ends_soon(loop.cond, moving):
        return False
    fenced = _is_fenced(loop)

    def reads_anew(node: tree.Node) -> bool:
        return _reads_anew(node, waiting, fenced=fenced)

    terms = (term for part in _decisive_parts(loop) for term in _terms(part))
    return any(not named_variables(term) & moving and any(map(reads_anew, walk(term))) for term in terms)


def _looks(loop: Loop, waiting: frozenset[str], *, outside: bool) -> bool:
    """Whether the loop's end depends on memory that others may write; `outside`: threads of other blocks.

    A loop with a barrier in which threads wait for their own block only ends by itself: the barrier lets all run.
    """
    fenced = _is_fenced(loop)
    return any(
        _reads_anew(node, waiting, fenced=fenced) and not (outside and _is_of_block(node))
        for part in _decisive_parts(loop)
        for node in walk(part)
    )


def _is_of_block(node: tree.Node) -> bool:
    """Whether what is read lies in a shared variable that the expression names."""
    return any(variable.storage == "shared" for variable in named_variables(node))


def _is_fenced(loop: Loop) -> bool:
    return any(isinstance(node, tree.BuiltinCall) and node.builtin.op == "fence" for node in walk(loop))


def _reads_anew(node: tree.Node, waiting: frozenset[str], *, fenced: bool) -> bool:
    """Whether `node` reads memory that others may have written since the last iteration."""
    match node:
        case tree.Load(place=tree.VarRef(variable=variable) as place):
            return is_volatile(place) or (fenced and is_changeable(variable))
        case tree.Load(place=place):
            return is_volatile(place) or fenced
        case tree.BuiltinCall() if node.builtin.atomic:
            return settles(node)
        case tree.Call():
            return node.function in waiting
    return False


def _terms(node: tree.Node) -> Iterator[tree.Node]:
    """Yield what a condition connects by `&&`, `||` and `!`."""
    match node:
        case tree.Logical():
            yield from _terms(node.left)
            yield from _terms(node.right)
        case tree.Unary(op="!"):
            yield from _terms(node.operand)
        case _:
            yield node


def _ends_soon(cond: tree.Expr, moving: set[Variable]) -> bool:
    """Whether a counter is compared with a small number: `round < 10 && *flag == 0`."""
    match cond:
        case tree.Logical(op="&&"):
            return _ends_soon(cond.left, moving) or _ends_soon(cond.right, moving)
        case tree.Binary(op="<" | "<=" | "!=", left=tree.Load(place=tree.VarRef(variable=variable)), right=right):
            bound = constant_value(right)
            return variable in moving and bound is not None and bound <= _SMALL_TRIP_COUNT
    return False


def _written_and_restless(loop: Loop, fresh: set[Variable]) -> tuple[set[Variable], set[Variable]]:
    """Return the variables of threads that a loop writes, and those of them that change in every iteration: counters.

    The others stay as they are after some iterations, if memory does: what they get depends on memory and on such
    variables alone, and so does whether they get it. Of those that are `fresh`, it does not matter what an iteration
    finds in them.
    """
    parts = (loop.body, *loop.step, *((loop.cond,) if loop.cond is not None else ()))
    writes = [write for part in parts for write in _writes(part, frozenset())]
    written = {variable for variable, _ in writes}
    restless = set(written)
    while more := restless - {one for one, on in writes if on is None or (on - ({one} & fresh)) & restless}:
        restless -= more
    return written, restless


def _writes_memory(node: tree.Node) -> bool:
    match node:
        case tree.Assign() | tree.CompoundAssign() | tree.Increment():
            return not isinstance(node.place, tree.VarRef) or is_changeable(node.place.variable)
        case tree.BuiltinCall() if node.builtin.atomic:
            return not settles(node)
        case tree.BuiltinCall():
            return not _only_orders(node.builtin)
        case _:
            return is_effect(node) and not isinstance(node, tree.Call)  # what is called is looked at by itself


def _only_orders(builtin: Builtin) -> bool:
    """Whether a function changes no memory: it computes, waits for other threads, or takes values from its warp."""
    of_warp = builtin.of_warp and builtin.op != "warp_match_all"
    return builtin.pure or builtin.op == "fence" or builtin.counts or builtin.waits or builtin.synchronises or of_warp


def _fresh(loop: Loop) -> set[Variable]:
    """Return the variables that each iteration assigns before it reads them."""
    found = {node.variable for node in walk(loop.body) if isinstance(node, tree.Declare)}
    seen: set[Variable] = set()  # what the condition finds there, the iteration before has read anew
    for node in loop.body.statements:
        for variable, value in _surely_assigned(node):
            seen.update(_named(value))
            if variable not in seen and not is_changeable(variable):
                found.add(variable)
        seen.update(_named(node))
    return _settling(loop, found | _reset(loop))


def _settling(loop: Loop, fresh: set[Variable]) -> set[Variable]:
    """Return `fresh`, and the variables that stay as they are after some iterations, if memory does.

    while ((now = *flag) == 0) { before = last; last = now; }       all three
    """
    if any(isinstance(node, tree.Continue) for node in walk(loop.body)):
        return fresh
    written, restless = _written_and_restless(loop, fresh)
    return fresh | written - restless


def _writes(node: tree.Node, on: frozenset[Variable] | None) -> Iterator[tuple[Variable, frozenset[Variable] | None]]:
    """Yield the variables of threads that are written, each with those on which that hangs; None: on their own values.

    `on`: those that decide whether a thread reaches `node`. Iterations of loops within count as such that depend on
    others.
    """
    inner = on
    match node:
        case tree.Declare(variable=variable):
            yield variable, None if on is None else on | named_variables(node) - {variable}
        case tree.If(cond=cond) | tree.Conditional(cond=cond) | tree.Logical(left=cond):
            inner = None if on is None else on | named_variables(cond)
        case tree.Loop() | tree.Switch():
            inner = None
        case _:
            write = write_of(node)
            if write is not None and write.variable is not None and not is_changeable(write.variable):
                value = write.value if isinstance(node, tree.Assign) and isinstance(node.place, tree.VarRef) else None
                yield write.variable, None if on is None or value is None else on | named_variables(value)
    for child in children(node):
        yield from _writes(child, inner)


def _reset(loop: Loop) -> set[Variable]:
    """Return the variables that have the same value at the end of every iteration."""
    last: dict[Variable, bool] = {}
    always = _of_every_iteration(loop)
    for node in loop.body.statements:
        match node:
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)):
                last[variable] = constant_value(value) is not None and node in always
            case _:
                last.update(dict.fromkeys(written_variables(node), False))
    return {variable for variable, is_constant in last.items() if is_constant and not is_changeable(variable)}


def _surely_assigned(node: Stmt) -> Iterator[tuple[Variable, tree.Expr]]:
    """Yield what every lane that reaches a statement assigns to a variable first: `a = x;`, `if ((a = x) == 0)`."""
    match node:
        case tree.Evaluate(expr=first) | tree.If(cond=first):
            if not any(isinstance(below, tree.Logical | tree.Conditional) for below in walk(first)):
                for below in walk(first):
                    if isinstance(below, tree.Assign) and isinstance(below.place, tree.VarRef):
                        yield below.place.variable, below.value


def _deciding(loop: Loop) -> set[Variable]:
    """Return the variables on which it depends whether an iteration is the last: others may change in every iteration.

    while (*flag == 0) { rounds++; __nanosleep(pause); pause *= 2; }        none
    """
    return {variable for part in _decisive_parts(loop) for variable in named_variables(part)}


def _decisive_parts(loop: Loop) -> list[tree.Node]:
    """Return the expressions on which it depends whether an iteration is the last."""
    found: list[tree.Node] = [] if loop.cond is None else [loop.cond]
    before = -1
    while len(found) > before:
        before = len(found)
        deciding = {variable for part in found for variable in named_variables(part)}
        parts = (_decisive(node, deciding) for node in walk(loop.body))
        found += [part for part in parts if part is not None and part not in found]
    return found


def _decisive(node: tree.Node, deciding: set[Variable]) -> tree.Node | None:
    """Return what decides about a jump in `node`, or about the value of a variable that decides."""
    match node:
        case tree.If() | tree.Loop() | tree.Switch():
            cond = node.value if isinstance(node, tree.Switch) else node.cond
            jumps = any(isinstance(below, tree.Jump) for below in walk(node))
            return cond if jumps or written_variables(node) & deciding else None
        case tree.Declare(variable=variable, initial=initial):
            return initial if variable in deciding else None
    write = write_of(node)
    return node if write is not None and write.variable in deciding else None


def _named(node: tree.Node) -> Iterator[Variable]:
    return (below.variable for below in walk(node) if isinstance(below, tree.VarRef))


def _statements(node: tree.Node) -> Iterator[Stmt]:
    """Yield the expressions and declarations in `node` that are statements."""
    for below in walk(node):
        if isinstance(below, tree.Evaluate | tree.Declare):
            yield below


def _outside_statements(node: tree.Node) -> Iterator[tree.Node]:
    """Yield the nodes in `node` that are in no such statement: those of conditions."""
    for below in children(node):
        if not isinstance(below, tree.Evaluate | tree.Declare):
            yield below
            yield from _outside_statements(below)
