"""Expressions and functions with other variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....lang.ctype import BOOL
from ....tree import nodes as tree
from ....tree.effects import declared_variables, is_local
from ....tree.nodes import Function, Variable
from ....tree.rewrite import copied
from ....tree.walk import map_children


def renewed(function: Function, free: Variable | None = None) -> Function:
    """Return a function of new nodes, with variables of its own; the parameter `free` may be assigned to."""
    new = {param: replace(param, const=param.const and param is not free) for param in function.params}
    new |= {variable: replace(variable) for variable in declared_variables(function.body) if is_local(variable)}
    params = tuple(new[param] for param in function.params)
    return replace(function, params=params, body=copied(function.body, new))


def operands(cond: tree.Expr, op: tree.LogicalOp) -> list[tree.Expr]:
    """Return the operands of a chain of `&&` or `||`, in order; one that is no chain is its own."""
    if isinstance(cond, tree.Logical) and cond.op == op:
        return [*operands(cond.left, op), *operands(cond.right, op)]
    return [cond]


def joined(conds: Sequence[tree.Expr], op: tree.LogicalOp) -> tree.Expr:
    first, *rest = conds
    for cond in rest:
        first = tree.Logical(cond.span, BOOL, op, first, cond)
    return first


class NoPlaceError(Exception):
    """A variable is more than read, and its replacement is no place."""


def substituted(node: tree.Expr, value: Callable[[Variable], tree.Expr]) -> tree.Expr:
    """Return an expression with the values of the variables of a thread that it reads in their place."""

    def change(node: tree.Node) -> tree.Node:
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if is_local(variable):
                return value(variable)
            case tree.VarRef(variable=variable) if is_local(variable):
                found = value(variable)
                if not isinstance(found, tree.Load):
                    raise NoPlaceError
                return found.place
        return map_children(node, change)

    changed = change(node)
    assert isinstance(changed, tree.Expr)
    return changed
