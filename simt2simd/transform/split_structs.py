"""Tree-to-tree: a thread's own struct with an array in it becomes variables of its own, one for each member.

    struct Stack { int data[8]; int top; };
    Stack s = {};                               int s_data[8] = {};
    s.data[s.top++] = n;                        int s_top = 0;
                                                s_data[s_top++] = n;

An array needs an address; the other members need none, and live in registers once they are no longer part of the same
variable. So a class that keeps an array costs what the array costs. This holds for structs that are only used member
by member.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import cast

from ..analysis.storage import has_array
from ..lang.ctype import CType, Field, Scalar, Struct
from ..tree import nodes as tree
from ..tree.nodes import Function, Module, Node, Variable
from ..tree.walk import children, map_children, walk

Parts = Mapping[int, Variable]  # by their offsets


def split_structs(module: Module) -> Module:
    """Give each member a variable of its own where a local struct with an array is only used member by member."""
    return replace(module, functions={name: _split(function) for name, function in module.functions.items()})


def _split(function: Function) -> Function:
    while parts := _candidates(function):
        function = replace(function, body=cast("tree.Block", _without_structs(function.body, parts)[0]))
    return function


def _candidates(function: Function) -> dict[Variable, Parts]:
    """Return the structs that can be split, and the variables for their members."""
    declared = {
        node.variable: node
        for node in walk(function.body)
        if isinstance(node, tree.Declare) and node.variable.storage == "local" and _may_split(node.variable.type)
    }
    if not declared:
        return {}
    whole = {node.variable for node in _whole_uses(function.body)}
    return {
        variable: {part.offset: _part(variable, part) for part in _fields(variable.type)}
        for variable, node in declared.items()
        if variable not in whole and _starts_by_members(node)
    }


def _may_split(ctype: CType) -> bool:
    """Whether a struct has an array, and members that do not overlap."""
    if not isinstance(ctype, Struct) or not has_array(ctype):
        return False
    fields = _fields(ctype)
    return all(one.offset + one.type.size <= other.offset for one, other in pairwise(fields))


def _fields(ctype: CType) -> tuple[Field, ...]:
    assert isinstance(ctype, Struct)
    return tuple(ctype.fields or ())


def _part(variable: Variable, part: Field) -> Variable:
    return replace(variable, name=f"{variable.name}_{part.name}", type=part.type)


def _whole_uses(node: Node) -> Iterator[tree.VarRef]:
    """Yield where variables are named otherwise than for a member."""
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, tree.VarRef):
            yield node
        elif not isinstance(node, tree.Member) or not isinstance(node.base, tree.VarRef):
            left += children(node)


def _starts_by_members(node: tree.Declare) -> bool:
    """Whether the declaration gives the members their values one after the other, or none."""
    match node.initial:
        case None:
            return True
        case tree.Braces(items=items):
            return all(one[0] <= other[0] for one, other in pairwise(items))
    return False


def _without_structs(node: Node, parts: Mapping[Variable, Parts]) -> list[Node]:
    """Return what takes the place of a node: several for a declaration, one for anything else."""
    match node:
        case tree.Member(base=tree.VarRef(variable=variable), offset=offset) if variable in parts:
            return [tree.VarRef(node.span, node.type, parts[variable][offset])]
        case tree.Declare(variable=variable) if variable in parts:
            done = map_children(node, lambda child: _without_structs(child, parts)[0])
            return [_declared(done, part, offset) for offset, part in parts[variable].items()]
        case tree.Block(statements=statements):
            new = [below for statement in statements for below in _without_structs(statement, parts)]
            same = len(new) == len(statements) and all(a is b for a, b in zip(new, statements, strict=True))
            return [node if same else replace(node, statements=tuple(cast("list[tree.Stmt]", new)))]
        case tree.Loop(init=init) if any(isinstance(below, tree.Declare) and below.variable in parts for below in init):
            before = [below for statement in init for below in _without_structs(statement, parts)]
            loop = _without_structs(replace(node, init=()), parts)
            return [tree.Block(node.span, tuple(cast("list[tree.Stmt]", [*before, *loop])))]
    return [map_children(node, lambda child: _without_structs(child, parts)[0])]


def _declared(node: tree.Declare, part: Variable, offset: int) -> tree.Declare:
    """Return the declaration of a member, with its part of the list of values."""
    if node.initial is None:
        return replace(node, variable=part)
    assert isinstance(node.initial, tree.Braces)
    items = node.initial.items
    own = tuple((at - offset, ctype, value) for at, ctype, value in items if offset <= at < offset + part.type.size)
    if isinstance(part.type, Struct) or has_array(part.type):
        return replace(node, variable=part, initial=replace(node.initial, items=own))
    return replace(node, variable=part, initial=own[0][2] if own else _zero(node, part.type))


def _zero(node: tree.Declare, ctype: CType) -> tree.Expr:
    if isinstance(ctype, Scalar) and ctype.kind != "int":
        return tree.Constant(node.span, ctype, 0.0 if ctype.kind == "float" else False)
    return tree.Constant(node.span, ctype, 0)
