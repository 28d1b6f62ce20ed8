"""Tree-to-tree: a thread's own struct becomes variables of its own, one for each member.

**Known as:** scalar replacement of aggregates (SROA).

    struct Stack { int data[8]; int top; };
    Stack s = {};                               int s_data[8] = {};
    s.data[s.top++] = n;                        int s_top = 0;
                                                s_data[s_top++] = n;

An array needs an address; the other members need none, and live in registers once they are no longer part of the same
variable. What is known of a variable is known of a member: that it never changes, or that it is a counter. So a class
costs what its members cost. This holds for structs that are only used member by member, or copied to such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import cast

from ..analysis.storage import has_array
from ..lang.ctype import CType, Field, Scalar, Struct
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import outermost
from ..tree.nodes import Function, Module, Node, Variable
from ..tree.rewrite import with_functions
from ..tree.walk import children, map_children, walk

Parts = Mapping[int, Variable]  # by their offsets
Copy = tuple[Variable, Variable]


def scalar_replacement(module: Module) -> Module:
    """Give each member a variable of its own where a local struct is only used member by member."""
    return with_functions(module, _split)


def _split(function: Function) -> Function:
    while parts := _candidates(function):
        function = replace(function, body=cast("tree.Block", _without_structs(function.body, parts)[0]))
    return function


def _candidates(function: Function) -> dict[Variable, Parts]:
    """Return the structs that can be split, and the variables for their members."""
    declared = {
        node.variable: node
        for node in walk(function.body)
        if isinstance(node, tree.Declare) and node.variable.storage == "local" and _has_parts(node.variable.type)
    }
    if not declared:
        return {}
    copies = [copy for node in walk(function.body) if (copy := _copy(node)) is not None and copy[0] in declared]
    whole = {node.variable for node in _whole_uses(function.body, copies)}
    whole |= {variable for variable, node in declared.items() if not _starts_by_members(node)}
    while more := {value for variable, value in copies if variable in whole} - whole:
        whole |= more
    return {
        variable: {part.offset: _part(variable, part) for part in _fields(variable.type)}
        for variable in declared.keys() - whole
    }


def _has_parts(ctype: CType) -> bool:
    """Whether a struct has members that do not overlap, of which none is volatile."""
    if not isinstance(ctype, Struct) or not ctype.fields or any(part.volatile for part in ctype.fields):
        return False
    return all(one.offset + one.type.size <= other.offset for one, other in pairwise(_fields(ctype)))


def _copy(node: Node) -> Copy | None:
    """Return the variables of a statement that copies a struct without arrays: the one that is written first."""
    match node:
        case tree.Declare(variable=variable, initial=tree.Load(place=tree.VarRef(variable=value))):
            copy = variable, value
        case tree.Evaluate(
            expr=tree.Assign(place=tree.VarRef(variable=variable), value=tree.Load(place=tree.VarRef(variable=value)))
        ):
            copy = variable, value
        case _:
            return None
    return copy if isinstance(variable.type, Struct) and not has_array(variable.type) else None


def _fields(ctype: CType) -> tuple[Field, ...]:
    assert isinstance(ctype, Struct)
    return tuple(ctype.fields or ())


def _part(variable: Variable, part: Field) -> Variable:
    return replace(variable, name=f"{variable.name}_{part.name}", type=part.type)


def _whole_uses(node: Node, copies: list[Copy]) -> Iterator[tree.VarRef]:
    """Yield where variables are named otherwise than for a member, or for one of these copies.

    The address of a member is that of the whole: programs count on from it, and convert it to that of the object whose
    base it is ([basic.compound]). What only reads or writes the member itself, such as `sincosf`, is no such use.
    """
    bound = {pointer for below in walk(node) for pointer in _bound_pointers(below)}
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, tree.VarRef):
            yield node
        elif isinstance(node, tree.AddressOf) and node not in bound and _is_member(node.place):
            yield from (below for below in walk(node) if isinstance(below, tree.VarRef))
        elif isinstance(node, tree.Member) and isinstance(node.base, tree.VarRef):
            continue
        elif _copy(node) not in copies:
            left += children(node)


def _bound_pointers(node: Node) -> Iterator[Node]:
    """Yield the pointers below a node that lead to nothing but what they point to."""
    match node:
        case tree.Deref(pointer=pointer) | tree.Index(pointer=pointer, index=tree.Constant(value=0)):
            yield pointer
        case tree.BuiltinCall(args=args) if not node.builtin.service:
            yield from args


def _is_member(place: tree.Place) -> bool:
    return isinstance(place, tree.Member) and isinstance(outermost(place)[0], tree.VarRef)


def _starts_by_members(node: tree.Declare) -> bool:
    """Whether the declaration gives the members their values one after the other, or none, or is a copy."""
    match node.initial:
        case None:
            return True
        case tree.Load():
            return _copy(node) is not None
        case tree.Braces(items=items):
            return all(one[0] <= other[0] for one, other in pairwise(items))
    return False


def _without_structs(node: Node, parts: Mapping[Variable, Parts]) -> list[Node]:
    """Return what takes the place of a node: several for a declaration, one for anything else."""
    match node:
        case tree.Member(base=tree.VarRef(variable=variable), offset=offset) if variable in parts:
            return [tree.VarRef(node.span, node.type, parts[variable][offset])]
        case tree.Declare(variable=variable, initial=tree.Load(place=tree.VarRef() as value)) if variable in parts:
            own = parts[variable]
            return [Build(node.span).declare(own[offset], part) for offset, part in _members(value, parts)]
        case tree.Evaluate(
            expr=tree.Assign(place=tree.VarRef(variable=variable), value=tree.Load(place=tree.VarRef() as value))
        ) if variable in parts:
            own = parts[variable]
            return [Build(node.span).assign(own[offset], part) for offset, part in _members(value, parts)]
        case tree.Declare(variable=variable) if variable in parts:
            done = map_children(node, lambda child: _without_structs(child, parts)[0])
            return [_declared(done, part, offset) for offset, part in parts[variable].items()]
        case tree.Block(statements=statements):
            new = [below for statement in statements for below in _without_structs(statement, parts)]
            same = len(new) == len(statements) and all(a is b for a, b in zip(new, statements, strict=True))
            return [node if same else replace(node, statements=tuple(cast("list[tree.Stmt]", new)))]
        case tree.Loop(init=init) if any(_is_split(below, parts) for below in init):
            before = [below for statement in init for below in _without_structs(statement, parts)]
            loop = _without_structs(replace(node, init=()), parts)
            return [tree.Block(node.span, tuple(cast("list[tree.Stmt]", [*before, *loop])))]
    return [map_children(node, lambda child: _without_structs(child, parts)[0])]


def _members(value: tree.VarRef, parts: Mapping[Variable, Parts]) -> list[tuple[int, tree.Expr]]:
    """Return the values of all members by their offsets; the struct may itself be split, or not."""
    build = Build(value.span)
    if value.variable in parts:
        return [(offset, build.read(part)) for offset, part in parts[value.variable].items()]
    return [
        (part.offset, tree.Load(value.span, part.type, build.member(build.place(value.variable), part)))
        for part in _fields(value.type)
    ]


def _is_split(node: Node, parts: Mapping[Variable, Parts]) -> bool:
    """Whether a statement becomes several."""
    copy = _copy(node)
    variable = node.variable if isinstance(node, tree.Declare) else copy and copy[0]
    return variable in parts


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
