"""Which definitions of a local variable may have given it the value that is read.

**Known as:** reaching definitions.

    int taken = 0;                        1
    if (lane == 0)
        taken = atomicSub(left, 1);       2
    taken = __shfl_sync(~0u, taken, 0);   3; of what is read here, 1 and 2
    if (taken <= 0)                       of this, 3

Variables to which there are pointers are not followed: they change without being named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ..tree import nodes as tree
from ..tree.effects import is_local, write_of
from ..tree.nodes import Function, Variable
from ..tree.walk import children

Definition = Variable | tree.Node  # a declaration or an assignment; a variable: what it is at the function's start
Reaching = dict[Variable, frozenset[Definition]]  # a variable that is not there is what it is at the start


def of(function: Function) -> dict[tree.VarRef, frozenset[Definition]]:
    """Return, for each place in the text where a local variable is named, the definitions that may reach it."""
    forward = _Forward()
    while True:
        forward.changed = False
        forward.block(function.body.statements, {})
        if not forward.changed:
            return forward.named


def _join(*states: Reaching | None) -> Reaching | None:
    """Return what may reach the point where these paths meet; None: no path reaches it."""
    reached = [state for state in states if state is not None]
    if len(reached) < 2:
        return reached[0] if reached else None
    variables = dict.fromkeys(variable for state in reached for variable in state)
    return {one: frozenset().union(*(state.get(one, frozenset({one})) for state in reached)) for one in variables}


class _Forward:
    """Each method takes what reaches a node, and returns what reaches the point after it. States are not changed."""

    def __init__(self) -> None:
        self.named: dict[tree.VarRef, frozenset[Definition]] = {}
        self.heads: dict[tree.Loop, Reaching | None] = {}  # before an iteration, as far as it is known
        self.broken: list[list[Reaching]] = []  # at the jumps out of the loops and switches around a node
        self.continued: list[list[Reaching]] = []
        self.changed = False

    def block(self, statements: Sequence[tree.Stmt], state: Reaching | None) -> Reaching | None:
        for statement in statements:
            if state is None:
                return None
            state = self.statement(statement, state)
        return state

    def statement(self, node: tree.Stmt, state: Reaching) -> Reaching | None:
        match node:
            case tree.Block():
                return self.block(node.statements, state)
            case tree.Declare(variable=variable, initial=initial):
                return state if initial is None else {**self.node(initial, state), variable: frozenset({node})}
            case tree.Evaluate():
                return self.node(node.expr, state)
            case tree.If():
                state = self.node(node.cond, state)
                return _join(self.block(node.then.statements, state), self.block(node.other.statements, state))
            case tree.Loop():
                return self.loop(node, state)
            case tree.Switch():
                return self.switch(node, state)
            case tree.Break():
                self.broken[-1].append(state)
            case tree.Continue():
                self.continued[-1].append(state)
            case tree.Return():
                if node.value is not None:
                    self.node(node.value, state)
            case _:
                assert_never(node)
        return None

    def loop(self, node: tree.Loop, state: Reaching) -> Reaching | None:
        before = self.block(node.init, state)
        known = self.heads.get(node)
        head = _join(before, known)
        if head is None:
            return None
        self.broken.append([])
        self.continued.append([])
        tested = self.test(node, head) if node.test_first else head
        ended = _join(self.block(node.body.statements, tested), *self.continued.pop())
        left = tested if node.cond is not None and node.test_first else None
        if ended is not None and not node.test_first:
            ended = self.test(node, ended)
            left = ended if node.cond is not None else None
        if ended is not None:
            for step in node.step:
                ended = self.node(step, ended)
        again = _join(head, ended)
        if again != known:
            self.heads[node] = again
            self.changed = True
        return _join(left, *self.broken.pop())

    def test(self, node: tree.Loop, state: Reaching) -> Reaching:
        return state if node.cond is None else self.node(node.cond, state)

    def switch(self, node: tree.Switch, state: Reaching) -> Reaching | None:
        state = self.node(node.value, state)
        self.broken.append([])
        ended: Reaching | None = None
        for section in node.sections:
            ended = self.block(section.body.statements, _join(state, ended))
        skipped = None if any(None in section.labels for section in node.sections) else state
        return _join(ended, skipped, *self.broken.pop())

    def node(self, node: tree.Node, state: Reaching) -> Reaching:
        match node:
            case tree.VarRef(variable=variable):
                if is_local(variable):
                    found = state.get(variable, frozenset({variable}))
                    self.named[node] = self.named.get(node, frozenset()) | found
                return state
            case tree.Logical():
                state = self.node(node.left, state)
                return self.either(state, self.node(node.right, state))
            case tree.Conditional():
                state = self.node(node.cond, state)
                return self.either(self.node(node.then, state), self.node(node.other, state))
            case tree.Assign():
                state = self.node(node.place, self.node(node.value, state))
            case _:
                for below in children(node):
                    state = self.node(below, state)
        write = write_of(node)
        if write is None or write.variable is None or not is_local(write.variable):
            return state
        whole = isinstance(write.place, tree.VarRef)
        before = frozenset() if whole else state.get(write.variable, frozenset({write.variable}))
        return {**state, write.variable: before | {node}}

    def either(self, one: Reaching, other: Reaching) -> Reaching:
        joined = _join(one, other)
        assert joined is not None
        return joined
