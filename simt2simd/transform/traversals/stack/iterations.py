"""The iterations of a loop over a stack as the statements of a recursive function, or of its caller.

A script (`analysis/stack/explicit_stack`) is written down as it is, with calls in place of its pushes at its end.
An `if` stays one if the iteration ends with it. Otherwise its condition becomes a variable, on which the calls depend
that its arms push; so does the condition of `near = c ? left : right`, if nodes depend on it. See `visits` for what
becomes of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from ....analysis import liveness
from ....analysis.stack import scripts
from ....analysis.stack.accesses import NotRead
from ....analysis.stack.scripts import (
    Fork,
    Leave,
    Op,
    Plain,
    Push,
    Repeat,
    Script,
    Set,
    StackLoop,
    Stop,
    all_ops,
    nodes_of,
)
from ....analysis.storage import pointer_below
from ....analysis.walks import Pointers
from ....lang.ctype import BOOL, Array, CType, Pointer, Scalar, is_float
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import (
    addressed_variables,
    declared_variables,
    has_effects,
    is_effect,
    is_local,
    is_volatile,
    jumps_out,
    named_variables,
    only_reads,
    outermost,
    repeats,
    root,
    written_variables,
)
from ....tree.nodes import Function, Variable
from ....tree.rewrite import copied
from ....tree.same import same_text
from ....tree.walk import map_children, walk
from .repeats import LoopOfCalls
from .visits import Again, Calls, Decide, Pick, Steps, Value, Visit


class LoopFacts:
    """What is known of the variables of a loop and of its surroundings.

    `names`, `own` and `written` are the variables that iterations name, declare and write. `temporary` are declared
    outside, but an iteration neither finds nor leaves a value in them. `pinned`: pointers lead to them.
    """

    def __init__(
        self, pointers: Pointers, change_memory: Callable[[Sequence[tree.Node]], bool], function: Function,
        read: StackLoop, live: liveness.Live, again: liveness.Live,
    ) -> None:  # fmt: skip
        self.read, self.pointers = read, pointers
        self.build = Build(read.loop.span)
        self.done = Variable("done", BOOL, self.build.span, "local")
        self.returned = Variable("returned", BOOL, self.build.span, "local")
        self.result = Variable("result", function.result, self.build.span, "local")
        ops = list(all_ops(read.iteration))
        self.returning = any(isinstance(n, tree.Return) for op in ops if isinstance(op, Plain) for n in walk(op.node))
        self.leaving = self.returning or read.sentinel or any(isinstance(op, Leave) for op in ops)
        parts = [node for op in ops for node in nodes_of(op)] + ([] if read.test is None else [read.test])
        self.names = set[Variable]().union(*map(named_variables, parts))
        self.own = set[Variable]().union(*map(declared_variables, parts))
        self.written = set[Variable]().union(*map(written_variables, parts))
        self.pinned = addressed_variables(function.body)
        self.temporary = {
            variable
            for variable in self.written
            if is_local(variable) and variable not in self.own and variable not in live | again | self.pinned
            and not isinstance(variable.type, Array)
        }  # fmt: skip
        self.numbers, self.made = count(1), set[Variable]()  # names and variables that are new
        self.parts = parts
        self.changes_memory = change_memory(parts)

    # ------------------------------------------------------------------------- what may be put off

    def is_stable(self, node: tree.Node, later: frozenset[Variable]) -> bool:
        """Whether an expression has the same value at the end of the iteration, and after other visits.

        `later` are the variables that are written until then.
        """
        return all(self.is_stable_part(below, later) for below in walk(node))

    def is_stable_in_loop(self, node: tree.Node, later: frozenset[Variable]) -> bool:
        """Whether a part of a loop that pushes is: it may ask a function, which cannot be done at its place."""
        return all(
            self.is_stable_part(below, later)
            or (
                isinstance(below, tree.Call) and not self.changes_memory and self.pointers.only_computes(below.function)
            )
            for below in walk(node)
        )

    def is_stable_part(self, node: tree.Node, later: frozenset[Variable]) -> bool:
        if is_effect(node) or isinstance(node, tree.Temporary | tree.BuiltinCall | tree.Call):
            return False
        if not isinstance(node, tree.Load):
            return True
        variable = root(node.place)
        if variable is not None:
            return self.is_stable_variable(variable, later)
        below = pointer_below(node.place)
        return (
            not self.changes_memory and not is_volatile(node.place)
            and below is not None and not self.pointers.may_reach(below)
        )  # fmt: skip

    def is_stable_variable(self, variable: Variable, later: frozenset[Variable]) -> bool:
        if not is_local(variable):
            return variable.storage == "constant"
        if variable in later or variable in self.pinned or isinstance(variable.type, Array):
            return False
        return variable in self.own | self.temporary | set(self.read.entry) or variable not in self.written


def _read_by(op: Op) -> Sequence[tree.Node]:
    """What an operation in a loop that pushes reads."""
    return [op.counted.first, op.counted.bound] if isinstance(op, Repeat) else nodes_of(op)


def changed_by(script: Script) -> frozenset[Variable]:
    """The variables that a script writes."""
    return frozenset(v for op in all_ops(script) for node in nodes_of(op) for v in written_variables(node))


class IterationWriter:
    """Writes a script as statements: its own ones, and the calls that its pushes become."""

    def __init__(self, loop: LoopFacts, call: Callable[[Sequence[tree.Expr]], tree.Stmt], *, in_function: bool) -> None:
        self.loop, self.call, self.in_function = loop, call, in_function
        self.build = loop.build
        self.known: dict[Variable, Value] = {}  # what variables are, in terms of what is stable
        self.kept: dict[tuple[Variable, int, CType], Variable] = {}  # what variables, or parts of them, are now
        self.conditions: list[tuple[tree.Expr, Variable]] = []  # and the variables that hold them
        self.gone: set[Variable] = set()  # variables of arms that are declared nowhere, but known

    def whole(self, script: Script) -> list[tree.Stmt]:
        return self.script(script, ())

    def script(self, script: Script, steps: Steps) -> list[tree.Stmt]:
        """Return the statements of a script up to the end of the iteration. `steps`: what has been pushed in it."""
        out: list[tree.Stmt] = []
        for i, op in enumerate(script):
            rest = script[i + 1 :]
            match op:
                case Plain(node=node):
                    if has_effects(node):
                        self.kept.clear()
                    out.append(node)
                    self.learn(node, changed_by(rest), out)
                case Push():
                    values = tuple(self.value(value, changed_by(rest), out) for value in op.values)
                    steps = (*steps, Visit(values))
                case Repeat():
                    steps = (*steps, self.again(op, changed_by(rest), out))
                case Set():
                    self.known[self.loop.read.entry[op.index]] = self.value(op.value, changed_by(rest), out)
                case Stop():
                    return [*out, *self.finish(steps, op.takes)]
                case Leave():
                    return [*out, *self.leave()]
                case Fork():
                    found = self.fork(op, rest, steps, out)
                    if found is None:
                        return out
                    steps = found
        if script and isinstance(script[-1], Plain) and isinstance(script[-1].node, tree.Return) and self.in_function:
            return out
        return [*out, *self.finish(steps, takes=not self.loop.read.current)]

    def scope(self, script: Script, steps: Steps) -> list[tree.Stmt]:
        """Return the statements of a script that is a scope of its own."""
        before = dict(self.known), dict(self.kept), list(self.conditions)
        found = self.script(script, steps)
        self.known, self.kept, self.conditions = before
        return found

    def leave(self) -> list[tree.Stmt]:
        build = self.build
        return [build.assign(self.loop.done, build.number(BOOL, True)), tree.Return(build.span, None)]

    # ------------------------------------------------------------------------------------- forks

    def fork(self, op: Fork, rest: Script, steps: Steps, out: list[tree.Stmt]) -> Steps | None:
        """Write an `if` with operations in it; return what has been pushed after it, None if the iteration is over."""
        build = Build(op.node.span)
        then_ends, other_ends = scripts.ends(op.then), scripts.ends(op.other)
        last = not rest or (then_ends and other_ends)
        if last and not steps and (self.is_over(op.then) or self.is_over(op.other)):
            over, going = (op.cond, op.other) if self.is_over(op.then) else (build.negate(op.cond), op.then)
            out.append(build.when(over, [tree.Return(op.node.span, None)]))
            out += self.script(going, ())
            return None
        if last and not steps and (self.is_plain(op) or not self.is_bare(op)):
            out.append(build.when(op.cond, self.scope(op.then, ()), self.scope(op.other, ())))
            return None
        if last and self.is_bare(op):
            found = self.decide(op, frozenset(), out, None, last=True)
            out += self.calls((*steps, *found))
            return None
        if then_ends or other_ends:
            ending, going, cond = (
                (op.then, op.other, op.cond) if then_ends else (op.other, op.then, build.negate(op.cond))
            )
            arm = self.scope(ending, steps)
            if not (arm and isinstance(arm[-1], tree.Return)):
                arm.append(tree.Return(op.node.span, None))
            out.append(build.when(cond, arm))
            out += self.script((*going, *rest), steps)
            return None
        if any(isinstance(below, Stop | Leave) for below in all_ops((op,))):
            raise NotRead(op.node, "the iteration ends within an `if` and continues after it")
        return (*steps, *self.decide(op, changed_by(rest), out, None, last=False))

    def is_over(self, script: Script) -> bool:
        """Whether a script does nothing, and visits no node but a popped one."""
        match script:
            case (Stop(takes=True),):
                return True
            case ():
                return not self.loop.read.current and self.in_function
        return False

    def is_plain(self, op: Fork) -> bool:
        """Whether an `if` chooses between two orders, as `merge_calls` knows them."""
        ops = (*op.then, *op.other)
        values = [value for below in ops if isinstance(below, Push | Set) for value in nodes_of(below)]
        return (
            all(isinstance(below, Push | Set | Stop) for below in ops)
            and not any(is_float(part.type) for part in self.loop.read.parts)
            and not any(isinstance(below, tree.Conditional) for value in values for below in walk(value))
            and not any(named_variables(value) & self.known.keys() for value in values)
            and self.known.keys().isdisjoint(self.loop.read.entry)
        )

    def is_bare(self, op: Fork) -> bool:
        """Whether an `if` only chooses what is pushed."""
        return all(
            not isinstance(below, Leave | Repeat) and not (isinstance(below, Plain) and not _may_come_early(below.node))
            for below in all_ops((op,))
        )

    def decide(
        self, op: Fork, later: frozenset[Variable], out: list[tree.Stmt], path: tree.Expr | None, *, last: bool
    ) -> Steps:
        """Write the condition of an `if` as a variable, its work under it, and return what it pushes.

        `path` is the condition under which the `if` is reached.
        """
        build = Build(op.node.span)
        chosen = self.fresh("goes", BOOL, const=True)
        out.append(build.declare(chosen, op.cond if path is None else build.both(path, op.cond)))
        arms: list[Steps] = []
        known, sides = dict(self.known), list[dict[Variable, Value]]()
        for arm, positive in ((op.then, True), (op.other, False)):
            way: tree.Expr = build.read(chosen) if positive else build.negate(build.read(chosen))
            if path is not None and not positive:
                way = build.both(copied(path), way)
            self.known = dict(known)
            arms.append(self.arm(arm, later, out, way, last=last))
            sides.append(self.known)
        self.known = known
        for variable in self.loop.read.entry:
            then, other = (side.get(variable) for side in sides)
            if then is not other:
                was = build.read(variable)
                self.known[variable] = Pick(chosen, then or was, other or was)
        implied = frozenset(
            variable
            for part in _conjuncts(op.cond)
            for known_cond, variable in self.conditions
            if same_text(part, known_cond)
        )
        return (Decide(chosen, arms[0], arms[1], implied),)

    def arm(
        self, script: Script, later: frozenset[Variable], out: list[tree.Stmt], path: tree.Expr, *, last: bool
    ) -> Steps:
        steps: Steps = ()
        for i, op in enumerate(script):
            changed = later | changed_by(script[i + 1 :])
            match op:
                case Plain(node=node) if _may_come_early(node):
                    out.append(node)
                    self.learn(node, changed, out)
                case Plain(node=node):
                    self.kept.clear()
                    out += self.under(node, path, script[i + 1 :], changed)
                case Push():
                    steps = (*steps, Visit(tuple(self.value(value, changed, out, path) for value in op.values)))
                case Repeat():
                    steps = (*steps, self.again(op, changed, out, path))
                case Set():
                    self.known[self.loop.read.entry[op.index]] = self.value(op.value, changed, out, path)
                case Fork():
                    inner = last and i == len(script) - 1
                    steps = (*steps, *self.decide(op, changed, out, copied(path), last=inner))
                    if inner:
                        return steps
                case Stop() if last:
                    return steps if op.takes else (*steps, self.current())
                case _:
                    raise NotRead(self.loop.read.loop, "a choice of the next node is not understood")
        return (*steps, self.current()) if last and self.loop.read.current and self.in_function else steps

    def under(self, node: tree.Stmt, path: tree.Expr, rest: Script, later: frozenset[Variable]) -> list[tree.Stmt]:
        """Write a statement of an arm separately from the others of the arm."""
        if isinstance(node, tree.Declare):
            used = any(node.variable in named_variables(below) for op in all_ops(rest) for below in nodes_of(op))
            value = node.initial
            if used:
                if value is None or isinstance(value, tree.Braces) or node.variable in later:
                    raise NotRead(node, "a variable of an arm decides on what is pushed")
                if not self.loop.is_stable(value, later):
                    raise NotRead(node, "a variable of an arm decides on what is pushed")
                if any(node.variable in named_variables(op.node) for op in all_ops(rest) if isinstance(op, Plain)):
                    raise NotRead(node, "a variable of an arm decides on what is pushed")
                self.known[node.variable] = self.resolved(value)
                self.gone.add(node.variable)
                return []
        if jumps_out(node):
            raise NotRead(node, "the function returns between pushes")
        return [Build(node.span).when(copied(path), [node])]

    def again(
        self, op: Repeat, later: frozenset[Variable], out: list[tree.Stmt], path: tree.Expr | None = None
    ) -> Again:
        """Return the visits of a loop that runs at the end of the iteration: nothing that it reads changes before."""
        loop = op.counted.loop
        if not self.in_function:
            raise NotRead(loop, "the stack is set up by a loop")
        for part in (part for below in all_ops(op.body) for part in _read_by(below)):
            if not self.loop.is_stable_in_loop(part, later) or named_variables(part) & self.gone:
                raise NotRead(
                    part, "what a loop pushes may change before the iteration ends, or before it pushes the next"
                )
        calls = Calls(self.loop.read.loop)
        first, bound = (
            calls.value(self.value(value, later, out, path)) for value in (op.counted.first, op.counted.bound)
        )
        return Again(op, first, bound)

    # ------------------------------------------------------------------------------------ values

    def value(
        self, node: tree.Expr, later: frozenset[Variable], out: list[tree.Stmt], path: tree.Expr | None = None
    ) -> Value:
        """Return a pushed value as it may be written at the end of the iteration."""
        if repeats(node):
            node = self.lasting(node, later, out)
        if self.is_lasting(node, later):
            picked = self.picked(node, out, path, later)
            return self.resolved(node) if picked is None else picked
        self.kept.clear()
        kept = self.fresh("pushed", node.type, const=path is None)
        known = self.substituted(node)
        if path is None:
            out.append(self.build.declare(kept, known))
        else:
            out += [
                self.build.declare(kept),
                self.build.when(copied(path), [self.build.assign(kept, known)]),
            ]
        return self.build.read(kept)

    def is_lasting(self, node: tree.Expr, later: frozenset[Variable]) -> bool:
        """Whether a value may be computed at the end. What the set-up does to memory until then is not looked at."""
        return self.loop.is_stable(node, later) and (self.in_function or repeats(node))

    def lasting(self, node: Any, later: frozenset[Variable], out: list[tree.Stmt]) -> Any:
        """Return a value that reads no memory with copies of those of its variables that may change."""
        if isinstance(node, tree.Load) and not self.loop.is_stable(node, later):
            place, offset = outermost(node.place)
            assert isinstance(place, tree.VarRef)
            key = place.variable, offset, node.type  # a member of a union may be read as others too
            if key not in self.kept:
                self.kept[key] = self.fresh(f"{place.variable.name}_now", node.type, const=True)
                out.append(self.build.declare(self.kept[key], node))
            return self.build.read(self.kept[key])
        return map_children(node, lambda child: self.lasting(child, later, out))

    def picked(
        self, node: tree.Expr, out: list[tree.Stmt], path: tree.Expr | None, later: frozenset[Variable]
    ) -> Pick | None:
        """Return a conditional expression as a choice, whose condition is a variable."""
        if isinstance(node, tree.Convert) and isinstance(node.operand, tree.Conditional):
            inner = self.picked(node.operand, out, path, later)
            if inner is None or isinstance(inner.then, Pick) or isinstance(inner.other, Pick):
                return None
            sides = [replace(node, operand=side) for side in (inner.then, inner.other)]
            return replace(inner, then=sides[0], other=sides[1])
        if not isinstance(node, tree.Conditional):
            return None
        chosen = self.condition(node.cond, out, path)
        sides_: list[Value] = []
        for side in (node.then, node.other):
            inner_pick = self.picked(side, out, path, later)
            sides_.append(self.resolved(side) if inner_pick is None else inner_pick)
        return Pick(chosen, *sides_)

    def condition(self, cond: tree.Expr, out: list[tree.Stmt], path: tree.Expr | None) -> Variable:
        """Return a variable that holds a condition, the same one for conditions that read the same."""
        for known, variable in self.conditions:
            if same_text(known, cond):
                return variable
        chosen = self.fresh("first", BOOL, const=True)
        value = self.substituted(copied(cond))
        if path is None or repeats(value):
            out.append(self.build.declare(chosen, value))
            self.conditions.append((cond, chosen))
        else:
            out.append(self.build.declare(chosen, self.build.both(copied(path), value)))
        return chosen

    def learn(self, node: tree.Stmt, later: frozenset[Variable], out: list[tree.Stmt]) -> None:
        """Note what a variable is, where a statement of the iteration says so once and for all."""
        match node:
            case tree.Declare(variable=variable, initial=tree.Conditional() as value):
                if variable not in later and variable not in self.loop.pinned and self.loop.is_stable(value, later):
                    picked = self.picked(copied(value), out, None, later)
                    if picked is not None:
                        self.known[variable] = picked
            case tree.If():
                self.learn_arms(node, later, out)

    def learn_arms(self, node: tree.If, later: frozenset[Variable], out: list[tree.Stmt]) -> None:
        """Note the values that the arms of an `if` give to variables: `if (c) { near = a; far = b; } else ...`.

        `node` is the last statement of `out`; what it changes is kept before it.
        """
        sides = [_assigned(arm) for arm in (node.then, node.other)]
        if sides[0] is None or sides[1] is None or not self.loop.is_stable(node.cond, frozenset()):
            return
        variables = [v for v in dict.fromkeys([*sides[0], *sides[1]]) if is_local(v) and v not in self.loop.pinned]
        if not variables or any(v in later or not self.loop.is_stable_variable(v, later) for v in variables):
            return
        values = [value for side in sides if side is not None for value in side.values()]
        if not all(self.loop.is_stable(value, later - set(variables)) for value in values):
            return
        changed = set(variables)
        kept = {v: self.fresh(f"{v.name}_before", v.type, const=True) for v in variables}
        read = {v for value in values for v in named_variables(value)} & changed
        read |= {v for side in sides if side is not None for v in changed - side.keys()}
        chosen = self.fresh("first", BOOL, const=True)
        build = self.build
        before: list[tree.Stmt] = [build.declare(kept[v], build.read(v)) for v in variables if v in read]
        before.append(build.declare(chosen, copied(node.cond)))
        out.pop()
        out += before
        out.append(replace(node, cond=build.read(chosen)))
        old = {v: self.known.get(v) for v in variables}

        def earlier(value: tree.Expr) -> Value:
            match value:
                case tree.Load(place=tree.VarRef(variable=variable)) if variable in changed:
                    before_ = old[variable]
                    return build.read(kept[variable]) if before_ is None else before_
            renamed_: tree.Expr = _renamed_reads(copied(value), kept)
            return renamed_

        for variable in variables:
            then, other = (
                earlier(side[variable]) if side is not None and variable in side else earlier(build.read(variable))
                for side in sides
            )
            self.known[variable] = Pick(chosen, then, other)

    def resolved(self, node: tree.Expr) -> Value:
        """Return a stable value in terms of what is known of its variables."""
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.known:
                return self.known[variable]
            case tree.Convert(operand=tree.Load() as operand):
                inner = self.resolved(operand)
                if not isinstance(inner, Pick):
                    return replace(node, operand=inner)
                return _converted(inner, node)
        return self.substituted(node)

    def substituted(self, node: tree.Expr) -> tree.Expr:
        """Return an expression with what is known of arms' variables, which are declared nowhere."""
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if (
                variable in self.known and variable in self.loop.own
            ):
                value = self.known[variable]
                if not isinstance(value, Pick):
                    return copied(value)
        return map_children(node, self.substituted)

    def fresh(self, name: str, ctype: CType, *, const: bool) -> Variable:
        made = Variable(f"{name}_{next(self.loop.numbers)}", ctype, self.build.span, "local", const=const)
        self.loop.made.add(made)
        return made

    # --------------------------------------------------------------------------- the end of an iteration

    def current(self) -> Visit:
        build = self.build
        return Visit(tuple(self.known.get(v) or build.read(v) for v in self.loop.read.entry))

    def finish(self, steps: Steps, takes: bool) -> list[tree.Stmt]:
        if not self.in_function:
            takes = self.loop.read.popped or not self.loop.read.current
        return self.calls(steps if takes else (*steps, self.current()))

    def calls(self, steps: Steps) -> list[tree.Stmt]:
        """Return the calls at the end of an iteration."""
        result: list[tree.Stmt] = []
        for call in Calls(self.loop.read.loop).of(steps):
            node: tree.Stmt
            if call.again is not None:
                node = LoopOfCalls(call.again, self.call, self.fresh).made()
            else:
                node = self.call([copied(value) for value in call.values])
            result.append(node if call.guard is None else self.build.when(copied(call.guard), [node]))
        return result


def _conjuncts(cond: tree.Expr) -> Iterator[tree.Expr]:
    """The conditions that all hold if `cond` holds."""
    if isinstance(cond, tree.Logical) and cond.op == "&&":
        yield from _conjuncts(cond.left)
        yield from _conjuncts(cond.right)
    else:
        yield cond


def _may_come_early(node: tree.Stmt) -> bool:
    """Whether a statement of an arm may move before the `if`: it declares a variable and reads no memory."""
    match node:
        case tree.Declare(variable=variable, initial=value):
            plain = isinstance(variable.type, Scalar | Pointer) and variable.storage == "local"
            return plain and (value is None or (not isinstance(value, tree.Braces) and repeats(value)))
    return False


def _assigned(block: tree.Block) -> dict[Variable, tree.Expr] | None:
    """Return what the statements of a block assign, in terms of the variables before it; None if it does more."""
    values: dict[Variable, tree.Expr] = {}
    for node in block.statements:
        match node:
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)):
                pass
            case tree.Declare(variable=variable, initial=value) if value is not None:
                if isinstance(value, tree.Braces):
                    return None
            case _:
                return None
        if not only_reads(value):
            return None
        values[variable] = _with_values(copied(value), values)
    return {v: value for v, value in values.items() if v not in declared_variables(block)}


def _with_values(node: Any, values: dict[Variable, tree.Expr]) -> Any:
    match node:
        case tree.Load(place=tree.VarRef(variable=variable)) if variable in values:
            return copied(values[variable])
    return map_children(node, lambda child: _with_values(child, values))


def _renamed_reads(node: Any, names: dict[Variable, Variable]) -> Any:
    match node:
        case tree.VarRef(variable=variable) if variable in names:
            return Build(node.span).place(names[variable])
    return map_children(node, lambda child: _renamed_reads(child, names))


def _converted(pick: Pick, node: tree.Convert) -> Pick:
    sides = [
        _converted(side, node) if isinstance(side, Pick) else replace(node, operand=side)
        for side in (pick.then, pick.other)
    ]
    return replace(pick, then=sides[0], other=sides[1])
