"""What a loop does with a stack of the thread's own, as a script: pushes, and ends of an iteration, which may pop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...lang.ctype import CType
from ...tree import nodes as tree
from ...tree.nodes import Loop, Variable
from ..counted_loops import Counted


@dataclass(frozen=True, eq=False)
class Part:
    """What a stack holds in each entry: an element of `array`, or a member of it."""

    array: Variable
    member: str | None
    type: CType


@dataclass(frozen=True, eq=False)
class Plain:
    """A statement that does not touch the stack, and leads out of the iteration at most by a `return`."""

    node: tree.Stmt


@dataclass(frozen=True, eq=False)
class Push:
    """An entry is pushed: the value of each part."""

    node: tree.Node
    values: tuple[tree.Expr, ...]


@dataclass(frozen=True, eq=False)
class Set:
    """The current node becomes `value`, in the part `index`; nothing in the iteration reads it afterwards."""

    index: int
    value: tree.Expr


@dataclass(frozen=True, eq=False)
class Fork:
    """An `if` with such operations in an arm."""

    node: tree.Node
    cond: tree.Expr
    then: Script
    other: Script


@dataclass(frozen=True, eq=False)
class Stop:
    """The iteration ends. `takes`: the next node is popped, else it is the current one, if the loop has such."""

    takes: bool


@dataclass(frozen=True, eq=False)
class Leave:
    """The loop ends, whatever is on the stack."""

    node: tree.Node


@dataclass(frozen=True, eq=False)
class Repeat:
    """A counted loop that pushes. Its iterations, `body`, push, fork and declare variables, and nothing else."""

    counted: Counted
    body: Script


Op = Plain | Push | Set | Fork | Stop | Leave | Repeat
Script = tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class StackLoop:
    """A loop over a stack, as read.

    `first` indexes, in the block of the loop, the statement where the set-up begins; `setup` are the statements from
    there. The popped values, or the current node, are `entry`, one variable for each of the `parts`. `test` must hold
    in every iteration; an iteration in which it does not hold ends the loop, and if it is `sentinel`, that may be by
    the node. `popped`: the first current node is popped, too. `following` are statements that follow the loop where it
    ends.
    """

    loop: Loop
    parts: tuple[Part, ...]
    entry: tuple[Variable, ...]
    current: bool
    first: int
    setup: Script
    test: tree.Expr | None
    sentinel: bool
    iteration: Script
    stack: frozenset[Variable]
    popped: bool
    following: tuple[tree.Stmt, ...]


def ends(script: Script) -> bool:
    """Whether all paths through a script end the iteration."""
    match script[-1:]:
        case (Stop() | Leave(),):
            return True
        case (Plain(node=tree.Return()),):
            return True
        case (Fork(then=then, other=other),):
            return ends(then) and ends(other)
    return False


def all_ops(script: Script) -> Iterator[Op]:
    for op in script:
        yield op
        if isinstance(op, Fork):
            yield from all_ops(op.then)
            yield from all_ops(op.other)
        elif isinstance(op, Repeat):
            yield from all_ops(op.body)


def nodes_of(op: Op) -> list[tree.Node]:
    """Return what an operation has of the program itself, without the operations in it."""
    match op:
        case Plain():
            return [op.node]
        case Push():
            return list(op.values)
        case Set():
            return [op.value]
        case Fork():
            return [op.cond]
        case Repeat(counted=counted):
            return [*counted.loop.init, counted.bound, *counted.loop.step]
    return []
