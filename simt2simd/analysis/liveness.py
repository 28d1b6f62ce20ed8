"""Which variables may still be read where lanes wait for each other.

**Known as:** live-variable analysis.

Under divergence some lanes run while others wait: at the start of an else-arm, after an `if`, at a
loop's exit or its `continue` point. A scalar register can hold a variable of all lanes only if an
assignment made by the running lanes cannot be seen by the waiting ones, that is, if the variable is
not live where they wait. This is the classic backward analysis, on the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from ..tree import nodes as tree
from ..tree.effects import named_variables
from ..tree.nodes import Function, Variable

Live = frozenset[Variable]
NONE: Live = frozenset()


@dataclass
class Liveness:
    """For each statement, the variables live at the points where its lanes may wait.

    `otherwise`: at the start of an if's else-arm. `after`: after an if, loop or switch.
    `again`: at a loop's `continue` point. `sections`: at the start of any section of a switch, and after it.
    """

    otherwise: dict[tree.If, Live] = field(default_factory=dict)
    after: dict[tree.Stmt, Live] = field(default_factory=dict)
    again: dict[tree.Loop, Live] = field(default_factory=dict)
    sections: dict[tree.Switch, Live] = field(default_factory=dict)


class Table:
    """The liveness of functions, found out once for each."""

    def __init__(self) -> None:
        self._found: dict[Function, Liveness] = {}

    def of(self, function: Function) -> Liveness:
        if function not in self._found:
            self._found[function] = analyse(function)
        return self._found[function]


def analyse(function: Function) -> Liveness:
    result = Liveness()
    _Backward(result).all(function.body.statements, NONE)
    return result


def before(statements: tuple[tree.Stmt, ...], live: Live) -> Live:
    """Return what is live before `statements` if `live` is after them. No `break` or `continue` leads out of them."""
    return _Backward(Liveness()).all(statements, live)


@dataclass(frozen=True)
class Exits:
    """What is live where `break` and `continue` lead."""

    broken: Live
    continued: Live


class _Backward:
    """Each method takes what is live after a node and returns what is live before it."""

    def __init__(self, result: Liveness) -> None:
        self.result = result
        self.heads: dict[tree.Loop, Live] = {}  # live before an iteration, as far as it is known
        self.used: dict[tree.Node, Live] = {}
        self.changed = False

    def all(self, statements: tuple[tree.Stmt, ...], live: Live) -> Live:
        """Walk again and again until nothing more is found to be live before the iterations of a loop."""
        while True:
            self.changed = False
            found = self.block(statements, Exits(NONE, NONE), live)
            if not self.changed:
                return found

    def block(self, statements: tuple[tree.Stmt, ...], exits: Exits, live: Live) -> Live:
        for statement in reversed(statements):
            live = self.statement(statement, exits, live)
        return live

    def statement(self, node: tree.Stmt, exits: Exits, live: Live) -> Live:
        match node:
            case tree.Block():
                return self.block(node.statements, exits, live)
            case tree.Declare():
                live = live - {node.variable}
                return live if node.initial is None else self.uses(node.initial, live)
            case tree.Evaluate():
                return self.expression(node.expr, live)
            case tree.If():
                self.result.after[node] = live
                otherwise = self.block(node.other.statements, exits, live)
                self.result.otherwise[node] = otherwise
                return self.expression(node.cond, self.block(node.then.statements, exits, live) | otherwise)
            case tree.Loop():
                return self.loop(node, exits, live)
            case tree.Switch():
                return self.switch(node, exits, live)
            case tree.Break():
                return exits.broken
            case tree.Continue():
                return exits.continued
            case tree.Return():
                return NONE if node.value is None else self.expression(node.value, NONE)
            case _:
                assert_never(node)

    def loop(self, node: tree.Loop, exits: Exits, after: Live) -> Live:
        self.result.after[node] = after
        known = self.heads.get(node, NONE)
        head = known | self.test(node, NONE, after) if node.test_first else known
        again = head
        for step in reversed(node.step):
            again = self.expression(step, again)
        if not node.test_first:
            again = self.test(node, again, after)
        self.result.again[node] = again
        before = self.block(node.body.statements, Exits(after, again), again)
        if node.test_first:
            before = self.test(node, before, after)
        if not before <= known:
            self.heads[node] = known | before
            self.changed = True
        return self.block(node.init, exits, before)

    def test(self, node: tree.Loop, into: Live, after: Live) -> Live:
        return into if node.cond is None else self.expression(node.cond, into | after)

    def switch(self, node: tree.Switch, exits: Exits, after: Live) -> Live:
        self.result.after[node] = after
        inside = Exits(after, exits.continued)
        live = everywhere = after
        for section in reversed(node.sections):
            live = self.block(section.body.statements, inside, live)
            everywhere |= live
        self.result.sections[node] = everywhere
        return self.expression(node.value, everywhere)

    def expression(self, node: tree.Expr, live: Live) -> Live:
        """An assignment to a whole variable at the top of an expression ends the life of its old value."""
        match node:
            case tree.Assign(place=tree.VarRef(variable=variable)):
                return self.expression(node.value, live - {variable})
            case tree.Comma():
                return self.expression(node.left, self.expression(node.right, live))
            case tree.Convert():
                return self.expression(node.operand, live)
            case _:
                return self.uses(node, live)

    def uses(self, node: tree.Node, live: Live) -> Live:
        if node not in self.used:
            self.used[node] = frozenset(named_variables(node))
        return live | self.used[node]
