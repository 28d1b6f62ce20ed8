"""What a launch decides for all its threads: values that are computed before they take queries."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ....lang.ctype import Pointer, Scalar
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import addressed_variables, is_local, written_variables
from ....tree.nodes import Variable
from ....tree.rewrite import copied
from ....tree.walk import map_children, walk


def is_of_launch(node: tree.Expr, params: Container[Variable]) -> bool:
    """Whether all threads of a launch find the same value, which may be computed early."""
    match node:
        case tree.Constant():
            return True
        case tree.Load(place=tree.VarRef(variable=variable)):
            return variable in params
        case tree.Convert(operand=operand) | tree.Unary(operand=operand):
            return is_of_launch(operand, params)
        case tree.PointerAdd(pointer=pointer, index=index):
            return is_of_launch(pointer, params) and is_of_launch(index, params)
        case tree.Binary(op=op):
            return op not in ("/", "%") and is_of_launch(node.left, params) and is_of_launch(node.right, params)
        case tree.Logical():
            return is_of_launch(node.left, params) and is_of_launch(node.right, params)
    return False


def is_value(node: tree.Expr, params: Container[Variable]) -> bool:
    """Whether a variable that has this value all the time can be replaced by it: it costs nothing."""
    match node:
        case tree.Constant():
            return True
        case tree.Load(place=tree.VarRef(variable=variable)):
            return variable in params
        case tree.AddressOf(place=tree.VarRef(variable=variable)) | tree.Decay(place=tree.VarRef(variable=variable)):
            return is_local(variable) or variable.storage in ("constant", "device")
    return False


@dataclass(frozen=True)
class Body:
    """What a thread does. `first`: what is the same for all threads of a launch, computed before; `fixed`: variables
    with such values.
    """

    first: tuple[tree.Stmt, ...]
    fixed: frozenset[Variable]
    statements: tree.Block


def with_values(body: tree.Block, params: Sequence[Variable]) -> Body:
    """Return a body without the variables that have such a value, or one that costs nothing, all the time."""
    changed = written_variables(body) | addressed_variables(body)
    values: dict[Variable, tree.Expr] = {}
    first: dict[Variable, tree.Stmt] = {}
    fixed = set(params)
    for node in walk(body):
        match node:
            case tree.Declare(variable=variable, initial=initial) if variable not in changed and is_local(variable):
                if not isinstance(initial, tree.Expr) or not isinstance(variable.type, Scalar | Pointer):
                    continue
                value = cast("tree.Expr", substituted(initial, values))
                if is_value(value, fixed):
                    values[variable] = value
                elif is_of_launch(value, fixed):
                    first[variable] = replace(node, initial=copied(value))
                    fixed.add(variable)
    statements = cast("tree.Block", substituted(body, values, first))
    return Body(tuple(first.values()), frozenset(fixed), statements)


def substituted(
    node: tree.Node, values: Mapping[Variable, tree.Expr], declared: Mapping[Variable, object] | None = None
) -> tree.Node:
    """Return a node with values in place of variables, without declarations of these and of what is `declared`."""
    gone: dict[Variable, object] = {**values, **(declared or {})}

    def change(node: tree.Node) -> tree.Node:
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in values:
                return Build(node.span).convert(variable.type, copied(values[variable]))
            case tree.Block(statements=statements):
                left = (below for below in statements if not _declares_one_of(below, gone))
                return map_children(replace(node, statements=tuple(left)), change)
        node = map_children(node, change)
        if isinstance(node, tree.Deref) and isinstance(node.pointer, tree.AddressOf):
            return node.pointer.place
        return node

    return change(node)


def _declares_one_of(node: tree.Stmt, variables: Mapping[Variable, object]) -> bool:
    return isinstance(node, tree.Declare) and node.variable in variables
