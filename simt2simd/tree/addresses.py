"""Addresses that are known by name: parts of a thread's own variables, and what a pointer to one of them leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

from ..lang.ctype import INT, LONG, Pointer, Struct
from . import nodes as tree
from .build import Build
from .effects import is_local
from .nodes import Expr, Node, Place, Variable

N = TypeVar("N", bound=Node)


def own_variable(pointer: Expr) -> Variable | None:
    """Return the variable of the thread that `pointer` leads into, None if that cannot be seen in the expression.

    `&v`, `v.part`, `&v[i].x`, `v + i`.
    """
    match pointer:
        case tree.AddressOf(place=place) | tree.Decay(place=place):
            return _own_root(place)
        case tree.PointerAdd(pointer=below):
            return own_variable(below)
        case tree.Convert(operand=below) if same_target(below, pointer):
            return own_variable(below)
    return None


def own_variables(pointer: Expr) -> frozenset[Variable]:
    """Return the variables of the thread of which `pointer` chooses one, as does `c ? &v : &w`; none if it may not."""
    match pointer:
        case tree.Conditional(then=then, other=other):
            first, second = own_variables(then), own_variables(other)
            return first | second if first and second else frozenset()
    variable = own_variable(pointer)
    return frozenset() if variable is None else frozenset([variable])


def _own_root(place: Place) -> Variable | None:
    match place:
        case tree.VarRef(variable=variable):
            return variable if is_local(variable) else None
        case tree.Member(base=base):
            return _own_root(base)
        case tree.Deref(pointer=pointer) | tree.Index(pointer=pointer):
            return own_variable(pointer)
        case tree.Temporary():
            return None


def same_target(left: Expr, right: Expr) -> bool:
    """Whether two values are pointers to one type, `const` or not."""
    return (
        isinstance(left.type, Pointer)
        and isinstance(right.type, Pointer)
        and left.type.target == right.type.target
        and left.type.volatile == right.type.volatile
    )


def straight(node: N) -> N:
    """Return a node without the detour over the address of what it leads to; its operands are straight already.

    `*&v` is `v`, `(&v[i])[j]` is `v[i + j]`, `*(v + i)` is `v[i]`.
    """
    return cast("N", _straight(node))


def _straight(node: Node) -> Node:
    match node:
        case tree.Convert(operand=tree.AddressOf() | tree.Decay() as address) if same_target(address, node):
            return replace(address, type=node.type)
        case tree.Convert(operand=tree.Conditional() as both) if same_target(both, node) and own_variables(both):
            then = _straight(replace(node, operand=both.then))
            other = _straight(replace(node, operand=both.other))
            return replace(both, type=node.type, then=cast("Expr", then), other=cast("Expr", other))
        case tree.Convert(operand=tree.AddressOf(place=place) as address) if (heir := _heir(place, node)) is not None:
            return replace(address, type=node.type, place=heir)
        case tree.Deref(pointer=tree.AddressOf(place=place)) if _is_plain(node.pointer):
            return place
        case tree.Deref(pointer=tree.Decay() | tree.PointerAdd(negative=False) as pointer) if _is_plain(pointer):
            if own_variable(pointer) is not None:
                return _element(node, pointer, Build(node.span).number(INT, 0))
        case tree.Index(pointer=tree.AddressOf() | tree.PointerAdd(negative=False) as pointer) if _is_plain(pointer):
            if own_variable(pointer) is not None:
                return _element(node, pointer, node.index)
        case tree.Load(place=tree.Member() as part):
            held = _part_of_held(part)
            if held is not None:
                return replace(node, place=held)
    if isinstance(node, tree.Load) and (choice := _choice(node.place)) is not None:
        return replace(
            choice, type=node.type, then=_read_through(node, choice.then), other=_read_through(node, choice.other)
        )
    return node


def _choice(place: Place) -> tree.Conditional | None:
    """Return the choice that a place begins with: `(c ? &v : p)->x`, where one of the two is named."""
    match place:
        case tree.Member(base=base):
            return _choice(base)
        case tree.Deref(pointer=tree.Conditional(then=then, other=other) as choice) if _is_plain(choice):
            return choice if own_variables(then) or own_variables(other) else None
    return None


def _read_through(node: tree.Load, pointer: Expr) -> Expr:
    """Return what is read where the pointer that the place begins with is this one."""

    def through(place: Place) -> Place:
        if isinstance(place, tree.Member):
            return replace(place, base=through(place.base))
        assert isinstance(place, tree.Deref)
        return straight(replace(place, pointer=pointer))

    return cast("Expr", _straight(replace(node, place=through(node.place))))


def _heir(place: Place, pointer: tree.Convert) -> Place | None:
    """Return the place that begins with `place`, if that is what `pointer` leads to: `static_cast<Heir *>(this)`."""
    if isinstance(pointer.type, Pointer) and not pointer.type.volatile:
        while isinstance(place, tree.Member) and place.offset == 0:
            place = place.base
            if isinstance(place.type, Struct) and place.type == pointer.type.target:
                return place
    return None


def _is_plain(pointer: Expr) -> bool:
    return isinstance(pointer.type, Pointer) and not pointer.type.volatile


def _element(node: tree.Deref | tree.Index, pointer: Expr, index: Expr) -> Place:
    """`pointer[index]`"""
    match pointer:
        case tree.PointerAdd(negative=False):
            return _element(node, pointer.pointer, _sum(pointer.index, index))
        case tree.AddressOf(place=tree.Index() as place):
            return _element(node, place.pointer, _sum(place.index, index))
        case tree.AddressOf(place=place) if isinstance(index, tree.Constant) and index.value == 0:
            return place
    return tree.Index(node.span, node.type, pointer, index)


def _sum(left: Expr, right: Expr) -> Expr:
    """The sum of two indices, as addresses are computed: in 64 bits."""
    build = Build(right.span)
    match left, right:
        case tree.Constant(value=0), _:
            return right
        case _, tree.Constant(value=0):
            return left
        case tree.Constant(value=first), tree.Constant(value=second) if abs(first) + abs(second) < 1 << 31:
            return build.number(INT, int(first) + int(second))
    return build.binary(build.convert(LONG, left), "+", build.convert(LONG, right))


def _part_of_held(part: tree.Member) -> Place | None:
    """Return the place of a member of a value that was just read from one: `f().x` where the call became `v`."""
    match part.base:
        case tree.Temporary(value=tree.Load(place=place)):
            return replace(part, base=place)
        case tree.Member() as base:
            held = _part_of_held(base)
            return None if held is None else replace(part, base=held)
    return None
