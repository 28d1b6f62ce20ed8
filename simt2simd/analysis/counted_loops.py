"""Loops that count up or down by one: `for (int i = first; i < bound; i++)`, whose iterations may run in either order.

**Known as:** canonical induction variables, trip counts.

To reverse the order, write `for (int k = bound; k > first; k--)` with `i = k - 1`: that wraps nowhere, also where
`i` has no sign or `bound` is less than `first`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..lang.ctype import CType, Scalar, is_integer
from ..tree import nodes as tree
from ..tree.effects import named_variables, only_reads, written_variables
from ..tree.nodes import Loop, Variable
from .stack.accesses import constant, moved_by

LARGEST = 2**31 - 1  # start of a variable that is compared in another type


@dataclass(frozen=True, eq=False)
class Counted:
    """A loop over `variable`, from `first` on by `step`, 1 or -1, while it is before `bound`.

    The comparison is one of `bound`'s type; `inclusive`: the bound is the last value itself. Nothing in the loop writes
    to the variable, or to what the bound names; what pointers lead to may change.
    """

    loop: Loop
    variable: Variable
    first: tree.Expr
    bound: tree.Expr
    step: int
    inclusive: bool


def counted(loop: Loop) -> Counted | None:
    """Return a loop as one that counts, None if it is none that is known."""
    if not loop.test_first or len(loop.init) != 1 or len(loop.step) != 1 or not isinstance(loop.cond, tree.Binary):
        return None
    start, move, cond = _start(loop.init[0]), moved_by(loop.step[0]), loop.cond
    if start is None or move is None or move[0] is not start[0] or cond.op not in _OPS.get(move[1], ()):
        return None
    (variable, first), (_, step) = start, move
    fixed = {variable, *named_variables(cond.right)}
    if fixed & written_variables(loop.body) or variable in named_variables(first) | named_variables(cond.right):
        return None
    if not only_reads(cond.right) or not _is_whole(variable.type) or not _compares(cond.left, variable, first, step):
        return None
    if cond.op == ">=" and not _ends_above(cond.right):
        return None
    return Counted(loop, variable, first, cond.right, step, cond.op in ("<=", ">="))


def max_trip_count(loop: Loop) -> int | None:
    """Return how many iterations a loop has at most, None if that is not known."""
    found = counted(loop)
    if found is None:
        return None
    first, bound = constant(found.first), constant(found.bound)
    return None if first is None or bound is None else max(0, (bound - first) * found.step + found.inclusive)


_OPS = {1: ("<", "<="), -1: (">", ">=")}


def _start(node: tree.Stmt) -> tuple[Variable, tree.Expr] | None:
    match node:
        case tree.Declare(variable=variable, initial=value) if value is not None and not isinstance(value, tree.Braces):
            return variable, value
        case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)):
            return variable, value
    return None


def _is_whole(ctype: CType) -> bool:
    """Whether numbers of a type are not widened before they are compared."""
    return isinstance(ctype, Scalar) and is_integer(ctype) and ctype.bits >= 32


def _compares(node: tree.Expr, variable: Variable, first: tree.Expr, step: int) -> bool:
    """Whether the left side of a test is the variable: as it is or, where it counts up from a constant that is not
    negative, as a number of another type that has room for it."""
    match node:
        case tree.Load(place=tree.VarRef(variable=compared)):
            return compared is variable
        case tree.Convert(operand=tree.Load() as operand) if _is_whole(node.type) and isinstance(variable.type, Scalar):
            start = constant(first)
            has_room = isinstance(node.type, Scalar) and node.type.bits >= variable.type.bits
            in_range = step > 0 and start is not None and 0 <= start <= LARGEST
            return has_room and in_range and _compares(operand, variable, first, step)
    return False


def _ends_above(bound: tree.Expr) -> bool:
    """Whether `i >= bound` may be false: what has no sign is never below 0."""
    value = constant(bound)
    return (isinstance(bound.type, Scalar) and bound.type.signed) or (value is not None and value > 0)
