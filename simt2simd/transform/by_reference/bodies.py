"""Bodies of functions: those that are one expression, and what is read and written in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from ...analysis.storage import has_array
from ...lang.ctype import Scalar
from ...tree import nodes as tree
from ...tree.addresses import own_variables
from ...tree.build import Build
from ...tree.effects import has_effects, writes
from ...tree.nodes import Expr, Function, Stmt, Variable
from ...tree.walk import map_blocks, map_statements, walk

MAX_SHORT = 40  # nodes of a function that takes the place of a call whatever its arguments are


def is_short(function: Function) -> bool:
    """Whether a function does nothing but to compute a value in a few operations."""
    expression = expression_of(function.body.statements)
    return (
        expression is not None
        and not has_effects(expression)
        and len(list(islice(walk(expression), MAX_SHORT + 1))) <= MAX_SHORT
    )


def expression_of(statements: Sequence[Stmt]) -> Expr | None:
    """Return the value of a body that is one expression, or chooses one by `if`s; None if it is more than that."""
    match statements:
        case [tree.Return(value=value)]:
            return value
        case [tree.Block(statements=inside)]:
            return expression_of(inside)
        case [tree.If(cond=cond, then=then, other=other), *rest]:
            chosen, otherwise = expression_of(then.statements), expression_of([*other.statements, *rest])
            if chosen is None or otherwise is None or not isinstance(chosen.type, Scalar):
                return None
            return Build(cond.span).choose(cond, chosen, otherwise)
    return None


def places_of(pointer: Expr) -> frozenset[Variable]:
    """Return the thread's variables that `pointer` may lead into; none for several arrays: these are memory."""
    found = own_variables(pointer)
    return found if len(found) <= 1 or not any(has_array(variable.type) for variable in found) else frozenset()


def writes_in(block: tree.Block) -> Counter[Variable]:
    """Return the variables that statements write, and in how many places."""
    return Counter(variable for write in writes(block) if (variable := write.variable) is not None)


def without_values(block: tree.Block) -> tree.Block:
    """Return a block whose `return`s give back nothing."""
    return map_statements(
        block,
        lambda node: [replace(node, value=None) if isinstance(node, tree.Return) else map_blocks(node, without_values)],
    )


def uses_of(body: tree.Block, variable: Variable) -> int:
    """Return in how many places a body names a variable."""
    return sum(isinstance(node, tree.VarRef) and node.variable is variable for node in walk(body))


def is_simple(value: Expr) -> bool:
    """Whether a value costs nothing wherever it is used: a number or a variable."""
    match value:
        case tree.Constant() | tree.ThreadIndex() | tree.Load(place=tree.VarRef()):
            return True
        case tree.Convert(operand=operand):
            return is_simple(operand)
    return False
