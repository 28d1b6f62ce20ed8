"""The array of ropes, and how an installer links the children of a node in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....lang.builtins import BUILTINS
from ....lang.ctype import BOOL, INT, Pointer
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.nodes import Function, Variable
from ....tree.rewrite import copied

NO_ROPE, END = -1, -2
NO_TREE = -1  # what an installer returns that gives up
MOST_NODES = 1 << 26  # numbers of nodes are below


def ropes_of(function: Function, *, const: bool = True) -> Variable:
    return Variable("ropes", Pointer(INT, const=const), function.span, "param")


def pair(build: Build, ropes: Variable, node: Variable, which: tree.Expr) -> tree.Load:
    """`ropes[2 * node + which]`"""
    twice = build.binary(build.number(INT, 2), "*", build.read(node))
    index = twice if isinstance(which, tree.Constant) and which.value == 0 else build.binary(twice, "+", which)
    return tree.Load(build.span, INT, tree.Index(build.span, INT, build.read(ropes), index))


@dataclass(frozen=True)
class Links:
    """What an installer links the children of a node with.

    `rope`: that of the node, and of its last child. `first`: the first child so far, or else the rope; `last`: the last
    one so far, or -1. There is `room` for so many nodes.

    Where the threads of a block share the work, the nodes that are linked follow the ropes, in a list that ends
    at `tail`.
    """

    ropes: Variable
    room: Variable
    rope: Variable
    first: Variable
    last: Variable
    tail: Variable | None = None

    @classmethod
    def of(cls, function: Function, *, by_block: bool = False) -> Links:
        room, span = Variable("room", INT, function.span, "param"), function.span
        rope, first, last = (Variable(name, INT, span, "local") for name in ("rope", "first", "last"))
        tail = Variable("tail", Pointer(INT), span, "param") if by_block else None
        return cls(ropes_of(function, const=False), room, rope, first, last, tail)

    @property
    def params(self) -> tuple[Variable, ...]:
        """The parameters of an installer after the node."""
        return (self.ropes, self.room, *([] if self.tail is None else [self.tail]))

    def checked(self, build: Build, number: Variable) -> Iterator[tree.Stmt]:
        """Return from the installer if there is no place in the array for a node."""
        read, limit = build.read(number), build.number(INT, MOST_NODES)
        negative = build.binary(read, "<", build.number(INT, 0))
        no_tree = tree.Logical(build.span, BOOL, "||", negative, build.binary(build.read(number), ">=", limit))
        yield self.given(build, no_tree, build.number(INT, NO_TREE))
        outside = build.binary(build.read(number), ">=", build.read(self.room))
        yield self.given(build, outside, build.binary(build.read(number), "+", build.number(INT, 1)))

    def given(self, build: Build, cond: tree.Expr, value: tree.Expr) -> tree.Stmt:
        return build.when(cond, [tree.Return(build.span, value)])

    def link(self, build: Build, child: Variable) -> Iterator[tree.Stmt]:
        """Let the rope of the child before this one lead to it, and its own where the node's does."""
        yield from self.checked(build, child)
        rope = pair(build, self.ropes, child, build.number(INT, 0))
        no_rope, no_tree = build.number(INT, NO_ROPE), build.number(INT, NO_TREE)
        if self.tail is None:
            yield self.given(build, build.binary(rope, "!=", no_rope), no_tree)
            yield build.assign(copied(rope.place), build.read(self.rope))
        else:  # another thread may link the same child, which is in no tree then
            found = _atomic(build, "atomicExch", tree.AddressOf(build.span, Pointer(INT), rope.place), self.rope)
            yield self.given(build, build.binary(found, "!=", no_rope), no_tree)
            yield from self.listed(build, child)
        before = pair(build, self.ropes, self.last, build.number(INT, 0)).place
        yield build.when(
            build.binary(build.read(self.last), "<", build.number(INT, 0)),
            [build.assign(self.first, build.read(child))],
            [build.assign(before, build.read(child))],
        )
        yield build.assign(self.last, build.read(child))

    def listed(self, build: Build, node: Variable) -> Iterator[tree.Stmt]:
        """Put a node into the list: `ropes[2 * room + atomicAdd(tail, 1)] = node`."""
        assert self.tail is not None
        one = build.number(INT, 1)
        slot = _atomic(build, "atomicAdd", build.read(self.tail), one)
        at = build.binary(build.binary(build.number(INT, 2), "*", build.read(self.room)), "+", slot)
        yield build.assign(tree.Index(build.span, INT, build.read(self.ropes), at), build.read(node))


def _atomic(build: Build, name: str, address: tree.Expr, value: tree.Expr | Variable) -> tree.Expr:
    row = next(row for row in BUILTINS[name] if row.params[1] == INT)
    return build.call_builtin(row, address, build.read(value) if isinstance(value, Variable) else value)
