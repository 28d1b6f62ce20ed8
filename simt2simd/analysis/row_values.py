"""What the rows of a block have in common: values and control flow that are the same for threads of different rows.

Think of threads with one `threadIdx.x` and neighbouring `threadIdx.y` that run in step, statement by statement. A value
is *common* to them if it is made of parameters, constants, other parts of `threadIdx`, and memory that is read once for
all of them. A statement is *joint* if one copy of it serves them all, or one copy of its head: a loop whose test is
common runs the same iterations for all rows. The others are *separate*: they run for one row after the other.

The same questions may be asked of threads that differ along x.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..tree import nodes as tree
from ..tree.effects import declared_variables, is_effect, jumps_out, own_written, write_of
from ..tree.nodes import Variable
from ..tree.walk import children, walk


@dataclass(frozen=True)
class Rows:
    """Answers for the body of one kernel, whose threads are independent, which returns nowhere and points to no local.

    `axis`: the one along which the threads differ, 1 for rows. `differing`: the variables that are not common.
    `separate`: statements that run row by row, but for declarations and expressions. `guards`: those among them that
    hold for all rows of nearly all groups: an `if`, in no loop, with a loop below it.
    """

    axis: int
    differing: set[Variable] = field(default_factory=set)
    separate: set[tree.Stmt] = field(default_factory=set)
    guards: set[tree.If] = field(default_factory=set)

    def is_common(self, node: tree.Node) -> bool:
        """Whether an expression, evaluated once at a time, has one value for all rows."""
        for below in walk(node):
            match below:
                case tree.ThreadIndex(name="threadIdx", axis=self.axis):
                    return False
                case tree.VarRef(variable=variable) if variable in self.differing:
                    return False
        return True

    def is_joint(self, node: tree.Node) -> bool:
        """Whether one evaluation of an expression serves all rows: it is common, and changes only what is too."""
        return self.is_common(node) and not any(map(_reaches_out, walk(node)))


def find(body: tree.Block, axis: int, differing: Iterable[Variable] = ()) -> Rows:
    """Return what holds for threads that differ along `axis`: all is joint, until something else is seen.

    `differing`: the parameters that differ.
    """
    rows, known = Rows(axis, set(differing)), -1
    while known != (known := len(rows.differing) + len(rows.separate) + len(rows.guards)):
        _statement(rows, body, in_loop=False)
    return rows


def joint_loops(rows: Rows, node: tree.Node) -> Iterator[tree.Loop]:
    """Yield the loops in `node` that run for all rows at once."""
    if isinstance(node, tree.Stmt) and node in rows.separate and node not in rows.guards:
        return
    if isinstance(node, tree.Loop):
        yield node
    for below in [node.then] if isinstance(node, tree.If) and node in rows.guards else children(node):
        yield from joint_loops(rows, below)


def joint_nodes(rows: Rows, node: tree.Node) -> Iterator[tree.Node]:
    """Yield `node` and what is below it, without statements that are separate."""
    if isinstance(node, tree.Stmt) and node in rows.separate:
        return
    yield node
    for below in children(node):
        yield from joint_nodes(rows, below)


def _reaches_out(node: tree.Node) -> bool:
    """Whether `node` itself changes more than a thread's own variables. To ask for a line twice is as good as once."""
    if isinstance(node, tree.BuiltinCall) and node.builtin.op == "prefetch":
        return False
    return is_effect(node) and (write_of(node) is None or own_written(node) is None)


def _statement(rows: Rows, node: tree.Stmt, *, in_loop: bool) -> None:
    match node:
        case tree.Block():
            for below in node.statements:
                _statement(rows, below, in_loop=in_loop)
        case tree.Declare(variable=variable, initial=initial):
            if initial is not None and not rows.is_joint(initial):
                rows.differing.update({variable}, _written(initial))
        case tree.Evaluate(expr=expr):
            _expression(rows, expr)
        case tree.If():
            _choice(rows, node, in_loop=in_loop)
        case tree.Loop():
            _loop(rows, node)
        case tree.Switch():
            _part(rows, node)
        case _:
            pass


def _expression(rows: Rows, node: tree.Expr) -> None:
    if not rows.is_joint(node):
        rows.differing.update(_written(node))


def _choice(rows: Rows, node: tree.If, *, in_loop: bool) -> None:
    if rows.is_joint(node.cond):
        for arm in (node.then, node.other):
            _statement(rows, arm, in_loop=in_loop)
        return
    loops = any(isinstance(below, tree.Loop) for below in walk(node.then))
    if in_loop or not loops or any(map(is_effect, walk(node.cond))) or node in rows.separate - rows.guards:
        _part(rows, node)
        return
    rows.separate.add(node)
    rows.guards.add(node)
    rows.differing.update(_written(node) - declared_variables(node))
    _statement(rows, node.then, in_loop=in_loop)


def _loop(rows: Rows, node: tree.Loop) -> None:
    if node in rows.separate or (node.cond is not None and not rows.is_joint(node.cond)):
        _part(rows, node)
        return
    for below in (*node.init, node.body):
        _statement(rows, below, in_loop=True)
    for step in node.step:
        _expression(rows, step)
    if any(jumps_out(below) for below in walk(node.body) if isinstance(below, tree.Stmt) and below in rows.separate):
        _part(rows, node)


def _part(rows: Rows, node: tree.Stmt) -> None:
    """Have a statement run for one row after the other."""
    rows.separate.add(node)
    rows.differing.update(_written(node) | declared_variables(node))


def _written(node: tree.Node) -> set[Variable]:
    """Return the variables of a thread's own that `node` assigns to, in whole or in part."""
    return {variable for below in walk(node) if (variable := own_written(below)) is not None}
