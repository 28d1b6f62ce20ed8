"""Tree-to-tree: variables that a loop changes get twins that live only in the loop.

**Known as:** live-range splitting.

A variable of all lanes can only be changed for the lanes that are on: each change in a loop is masked, and the next
one waits for it, if other lanes wait somewhere with a value of their own. A twin that is not read elsewhere is
changed without a mask, and may be one scalar. Two kinds:

    if (kind == 3)                                    x_here = x;
        for (int j = 0; j < rounds; j++)              for (int j = 0; j < rounds; j++) x_here = next(x_here);
            x = next(x);                              x = x_here;

The lanes of other kinds wait at the end of the `if` with their own `x`. Here one copy is masked, after the loop.

    while (steps < limit && !done(x)) {               while (twin < limit && !done(x)) {
        x = next(x);                                      x = next(x);
        steps++;                                          twin++; steps++;
    }                                                 }

The lanes in the loop agree on `steps`, but a lane that has left keeps its own: `steps` is a vector. The twin counts
for the lanes inside alone, and no test waits for the vector.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from ..analysis import liveness
from ..lang.ctype import Pointer, Scalar, is_integer
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import addressed_variables, declared_variables, is_local, writes, written_variables
from ..tree.nodes import Loop, Module, Variable
from ..tree.rewrite import copied, renamed
from ..tree.walk import map_blocks, walk


def live_range_splitting(module: Module) -> Module:
    """Return a module that means the same, in which such loops work on twins."""
    functions = dict(module.functions)
    for rewriter in (_Carried, _Counters):
        functions = {name: _in_function(function, rewriter) for name, function in functions.items()}
    return replace(module, functions=functions)


def _in_function(function: tree.Function, rewriter: type[_Loops]) -> tree.Function:
    if not any(isinstance(node, Loop) for node in walk(function.body)):
        return function
    live = liveness.analyse(function).after
    pinned = addressed_variables(function.body)
    return replace(function, body=rewriter(live, pinned).block(function.body))


@dataclass(frozen=True)
class _Loops(ABC):
    """Rewrites the loops of a function; `depth` counts the statements around in which lanes may diverge."""

    live: dict[tree.Stmt, liveness.Live]  # after each loop
    pinned: set[Variable]  # variables whose address is taken
    depth: int = 0

    def block(self, block: tree.Block) -> tree.Block:
        done: list[tree.Stmt] = []
        for node in block.statements:
            match node:
                case Loop():
                    done = self.loop(done, node)
                case tree.Block():
                    done.append(self.block(node))
                case _:
                    done.append(map_blocks(node, self.inside.block))
        return replace(block, statements=tuple(done))

    @property
    def inside(self) -> Self:
        return replace(self, depth=self.depth + 1)

    @abstractmethod
    def loop(self, before: list[tree.Stmt], loop: Loop) -> list[tree.Stmt]:
        """Return the statements `before` a loop in its block, and the loop."""


class _Carried(_Loops):
    """Twins for what a loop changes and what is read after it, where lanes may wait outside the loop."""

    def loop(self, before: list[tree.Stmt], loop: Loop) -> list[tree.Stmt]:
        changed, own = written_variables(loop), declared_variables(loop)
        counters = _counters(loop)
        twins = {
            variable: replace(variable, name=f"{variable.name}_here", storage="local")
            for variable in sorted(self.live[loop], key=lambda variable: variable.name)
            if variable in changed and variable not in own and variable not in self.pinned and variable not in counters
            if isinstance(variable.type, Scalar | Pointer) and is_local(variable)
        }
        loop = replace(loop, body=self.inside.block(loop.body))
        if not self.depth or not twins:
            return [*before, loop]
        build = Build(loop.span)
        begin = [build.declare(twin, build.read(variable)) for variable, twin in twins.items()]
        end = [build.assign(variable, build.read(twin)) for variable, twin in twins.items()]
        return [*before, build.block(*begin, renamed(loop, twins), *end)]


class _Counters(_Loops):
    """Twins for counters that are read after the loop."""

    def loop(self, before: list[tree.Stmt], loop: Loop) -> list[tree.Stmt]:
        twins: dict[Variable, Variable] = {}
        init = list(loop.init)
        for variable in _counters(loop):
            if variable in self.live[loop] and variable not in self.pinned:
                twin = replace(variable, name=f"{variable.name}_twin", storage="local")
                for place in (init, before):
                    at = definition(place, variable)
                    if at is not None:
                        place[at : at + 1] = _defined_as(place[at], twin)
                        twins[variable] = twin
                        break
                    if any(variable in written_variables(node) for node in place):
                        break
        loop = replace(loop, body=self.block(loop.body))
        if not twins:
            return [*before, loop]
        counting = replace(_counting(loop, twins), init=())
        return [*before, tree.Block(loop.span, (*init, counting)) if init else counting]


def definition(statements: list[tree.Stmt], variable: Variable) -> int | None:
    """Return the index of the statement that gives `variable` its value; nothing after it changes that."""
    for i in reversed(range(len(statements))):
        match statements[i]:
            case tree.Declare(variable=declared, initial=initial) if declared is variable:
                return i if initial is not None and not isinstance(initial, tree.Braces) else None
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=assigned))) if assigned is variable:
                return i
        if variable in written_variables(statements[i]):
            return None
    return None


def _defined_as(node: tree.Stmt, twin: Variable) -> list[tree.Stmt]:
    """Give the value of a definition to the twin, and then to the variable."""
    build = Build(node.span)
    copy = build.read(twin)
    match node:
        case tree.Declare():
            return [replace(node, variable=twin), replace(node, initial=copy)]
        case tree.Evaluate(expr=tree.Assign() as assign):
            return [build.declare(twin, assign.value), replace(node, expr=replace(assign, value=copy))]
    raise AssertionError(node)


def _counters(loop: Loop) -> list[Variable]:
    """Return the integers that a loop changes in every iteration alike, by a constant, and in no other way."""
    changes = (*loop.step, *(node.expr for node in _straight(loop.body) if isinstance(node, tree.Evaluate)))
    found = dict.fromkeys(variable for node in changes if (variable := _counted(node)) is not None)
    once = [_counted(node) for node in changes]
    parts = [part for part in (loop.cond, *loop.step, loop.body) if part is not None]
    written = [write.variable for part in parts for write in writes(part)]
    return [variable for variable in found if written.count(variable) == once.count(variable)]


def _straight(block: tree.Block) -> Iterator[tree.Stmt]:
    """Yield the statements of a block that are under no condition of their own."""
    for node in block.statements:
        if isinstance(node, tree.Block):
            yield from _straight(node)
        else:
            yield node


def _counted(node: tree.Expr) -> Variable | None:
    """Return the variable of `v++` or `v += constant`."""
    match node:
        case tree.Increment(place=tree.VarRef(variable=variable)) if is_integer(node.type):
            return variable
        case tree.CompoundAssign(op="+" | "-", place=tree.VarRef(variable=variable), value=tree.Constant()):
            return variable if is_integer(node.type) else None
    return None


def _counting(loop: Loop, twins: dict[Variable, Variable]) -> Loop:
    """Return the loop with the twins in their variables' place; the variables still count."""

    def both(node: tree.Expr) -> list[tree.Expr]:
        """Return a change of the twin, and then of the variable: one masked addition."""
        changed = [renamed(node, twins)]
        if _counted(node) in twins:
            changed.append(copied(node))
        return changed

    def straight(block: tree.Block) -> tree.Block:
        statements: list[tree.Stmt] = []
        for node in block.statements:
            match node:
                case tree.Block():
                    statements.append(straight(node))
                case tree.Evaluate():
                    statements += [replace(node, expr=expr) for expr in both(node.expr)]
                case _:
                    statements.append(renamed(node, twins))
        return replace(block, statements=tuple(statements))

    cond = None if loop.cond is None else renamed(loop.cond, twins)
    step = tuple(expr for node in loop.step for expr in both(node))
    return replace(loop, cond=cond, step=step, body=straight(loop.body))
