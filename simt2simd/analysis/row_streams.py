"""Reads by which each thread goes along a row of its own: iteration by iteration, the element next to the one before.

**Known as:** per-lane sequential streams; array-of-structures to structure-of-arrays by transposition.

    for (int k = row[i]; k < row[i + 1]; k++)       values[k] and columns[k] are such reads: of its row, a thread
        sum += values[k] * x[columns[k]];           reads every element from where it is to the end

So what a thread reads in the next iterations may be read at once, if nothing writes it meanwhile. What must hold: the
loop counts up by one to a bound that stays (`counted_loops`), no jump leaves it or skips a part of it, the read is made
in every iteration, by every thread that is in the iteration, and nothing that the loop writes can be what is read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from ..lang.ctype import Scalar, is_integer
from ..tree import nodes as tree
from ..tree.effects import is_effect, is_local, is_volatile, jumps_out, named_variables, only_reads, root, write_of
from ..tree.nodes import Load, Loop, Module, Variable
from ..tree.same import certain_operands, is_value_of
from ..tree.walk import walk
from .available_loads import Changes, Reads, silent_functions
from .counted_loops import counted

SIZES = (4, 8)  # of the elements, in bytes


@dataclass(frozen=True)
class RowStreams:
    """What a loop reads in rows. In each iteration a thread is `end` - `place` elements before the end of its row."""

    place: tree.Expr
    end: tree.Expr
    loads: Sequence[Load]


def find(module: Module) -> dict[str, dict[Loop, RowStreams]]:
    """Return the loops with such reads, by function."""
    silent = silent_functions(module)
    found = {name: _in_function(Reads(function, silent)) for name, function in module.functions.items()}
    return {name: loops for name, loops in found.items() if loops}


def _in_function(reads: Reads) -> dict[Loop, RowStreams]:
    loops = [node for node in walk(reads.function.body) if isinstance(node, Loop)]
    found = ((loop, _in_loop(loop, reads)) for loop in loops)
    return {loop: rows for loop, rows in found if rows is not None}


def _in_loop(loop: Loop, reads: Reads) -> RowStreams | None:
    count = counted(loop)
    if count is None or count.step != 1 or count.inclusive or jumps_out(loop.body):
        return None
    assert isinstance(loop.cond, tree.Binary)
    changes = reads.changes([loop.cond, loop.body, *loop.step])
    if changes.memory and not all(map(_only_writes, walk(loop))):
        return None
    index = _Index(count.variable, changes, reads.addressed)
    if not index.stays(loop.cond.right) or (changes.memory and count.variable in reads.addressed):
        return None
    loads = [
        load
        for load in _certain_loads(loop.body)
        if index.goes_along(load) and (not changes.memory or _stays(load, loop, reads))
    ]
    return RowStreams(loop.cond.left, loop.cond.right, loads) if loads else None


def _only_writes(node: tree.Node) -> bool:
    """Whether a node does nothing but write to memory, if it does anything: it does not wait, nor end the thread."""
    return (
        not is_effect(node)
        or write_of(node) is not None
        or (isinstance(node, tree.BuiltinCall) and node.builtin.atomic)
    )


def _certain_loads(body: tree.Block) -> Iterator[Load]:
    """Yield the reads that are made in every iteration."""
    for statement in body.statements:
        match statement:
            case tree.Block():
                yield from _certain_loads(statement)
            case tree.Declare(initial=value) if value is not None and not isinstance(value, tree.Braces):
                yield from _certain(value)
            case tree.Evaluate(expr=expr) | tree.If(cond=expr):
                yield from _certain(expr)


def _certain(node: tree.Expr | tree.Place) -> Iterator[Load]:
    if isinstance(node, Load):
        yield node
    for below in certain_operands(node):
        yield from _certain(cast("tree.Expr | tree.Place", below))


@dataclass(frozen=True)
class _Index:
    """What is known of indices in a loop that counts by `variable` and makes such changes.

    `addressed`: the variables that pointers may lead to.
    """

    variable: Variable
    changes: Changes
    addressed: Collection[Variable]

    def goes_along(self, load: Load) -> bool:
        """Whether a read is of the next element in each iteration."""
        place = load.place
        if not isinstance(place, tree.Index) or not isinstance(load.type, Scalar) or load.type.size not in SIZES:
            return False
        if (
            is_volatile(place)
            or not isinstance(place.pointer, Load)
            or not isinstance(place.pointer.place, tree.VarRef)
        ):
            return False
        return self.stays(place.pointer) and self.slope(place.index) == 1

    def slope(self, node: tree.Expr) -> int | None:
        """Return by how much an index grows in an iteration; None if it may do otherwise.

        That it wraps on the way need not be thought of: elements on both sides of the wrap are in no allocation.
        """
        if is_value_of(node, self.variable):
            return 1
        match node:
            case tree.Binary(op="+" | "-" as op, left=left, right=right):
                slopes = self.slope(left), self.slope(right)
                if slopes[0] is None or slopes[1] is None:
                    return None
                return slopes[0] + slopes[1] if op == "+" else slopes[0] - slopes[1]
            case tree.Convert(operand=operand) if is_integer(node.type) and is_integer(operand.type):
                return self.slope(operand) if node.type.size >= operand.type.size else None
        return 0 if self.stays(node) else None

    def stays(self, node: tree.Expr) -> bool:
        """Whether an expression has the same value in all iterations."""
        if not only_reads(node) or not named_variables(node).isdisjoint(self.changes.variables | {self.variable}):
            return False
        return not self.changes.memory or (_is_own(node) and named_variables(node).isdisjoint(self.addressed))


def _is_own(node: tree.Expr) -> bool:
    """Whether a value depends only on numbers, parameters and the thread's own variables."""
    return all(
        not isinstance(below, Load) or ((variable := root(below.place)) is not None and _is_kept(variable))
        for below in walk(node)
    )


def _is_kept(variable: Variable) -> bool:
    return is_local(variable) or variable.storage == "launch"


def _stays(load: Load, loop: Loop, reads: Reads) -> bool:
    """Whether nothing that the loop writes is what it reads there."""
    assert isinstance(load.place, tree.Index)
    if reads.is_fixed(load.place):
        return True
    return _leads_out(load.place.pointer, reads) and not any(
        reads.change(node).memory and not _writes_in_block(node) for node in walk(loop)
    )


def _leads_out(pointer: tree.Expr, reads: Reads) -> bool:
    """Whether a pointer is one that the host has given: it leads to no variable of a thread or a block."""
    variables = named_variables(pointer)
    return reads.function.kind == "kernel" and all(
        variable.storage in ("param", "launch") and variable not in reads.changed for variable in variables
    )


def _writes_in_block(node: tree.Node) -> bool:
    """Whether a node writes to a variable of the thread or of the block by its name."""
    write = write_of(node)
    variable = root(write.place) if write is not None else None
    return variable is not None and (is_local(variable) or variable.storage == "shared")
