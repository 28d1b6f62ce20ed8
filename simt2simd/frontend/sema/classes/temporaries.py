"""Checking temporary objects: where the object that an expression makes is destroyed.

An object that an expression makes lives in a hidden variable. It is destroyed at the end of the current statement,
except where it becomes another object at once, as the initialiser of a variable does ([class.copy.elision]). If the
operand that makes it may be skipped, as the right one of `&&`, a flag records whether it was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....lang.ctype import BOOL
from ....source import Span
from ....tree.nodes import (
    Assign,
    Block,
    Comma,
    Conditional,
    Constant,
    Expr,
    If,
    Load,
    Stmt,
    Temporary,
    Variable,
    VarRef,
)
from ....tree.walk import walk
from ..context import Part, Sema


class Temporaries(Part):
    """The checker's part for temporary objects."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.guards: dict[Variable, Variable] = {}  # flags: whether an object was made before the statement's end

    def destroy_later(self, place: VarRef, span: Span) -> None:
        """Destroy a hidden object at the end of the current statement."""
        if self.s.classes.construction.needs_destruction(place.type):
            self.s.current.temporaries.append(place)

    def held(self, value: Expr) -> Expr:
        """Return an object that a function gives as a value: it is destroyed like one that a constructor makes."""
        if self.s.calls.arguments.made_hidden(value) is not None:
            return value
        place, store = self.s.calls.arguments.kept(value, value.type, value.span)
        self.s.current.hidden_objects.add(place.variable)
        return Comma(value.span, value.type, store, Load(value.span, value.type, place))

    def taken(self, value: Expr) -> Expr:
        """Return a value that becomes a new object: the one that was made for it is that object."""
        made = set(_read_variables(value))
        if made:
            self.s.current.temporaries = [place for place in self.s.current.temporaries if place.variable not in made]
        return value

    def guarded(self, operand: Expr) -> Expr:
        """Return an operand that may be skipped: it says so where it makes objects."""
        made = [place.variable for place in self.s.current.temporaries if place.variable not in self.guards]
        if not made:
            return operand
        named = {node.variable for node in walk(operand) if isinstance(node, VarRef)}
        made = [variable for variable in made if variable in named]
        if not made:
            return operand
        flag = self.s.expr.objects.hidden_variable(BOOL, operand.span)
        self.s.current.hidden[-1] = replace(self.s.current.hidden[-1], initial=Constant(operand.span, BOOL, False))
        self.guards |= dict.fromkeys(made, flag.variable)
        mark = Assign(operand.span, BOOL, flag, Constant(operand.span, BOOL, True))
        return Comma(operand.span, operand.type, mark, operand)

    def destroyed_objects(self, places: Sequence[VarRef]) -> list[Stmt]:
        """Return what destroys these objects, the last first."""
        return [stmt for place in reversed(places) for stmt in self._destroyed_object(place)]

    def _destroyed_object(self, place: VarRef) -> list[Stmt]:
        span, flag = place.span, self.guards.get(place.variable)
        found = self.s.classes.construction.destruction(place, span)
        if flag is None or not found:
            return found
        return [If(span, Load(span, BOOL, VarRef(span, BOOL, flag)), Block(span, tuple(found)), Block(span, ()))]


def _read_variables(value: Expr) -> Iterator[Variable]:
    """Yield the variables one of which an expression reads as its value."""
    match value:
        case Comma(right=right):
            yield from _read_variables(right)
        case Conditional(then=then, other=other):
            yield from _read_variables(then)
            yield from _read_variables(other)
        case Load(place=VarRef(variable=variable)):
            yield variable
        case Load(place=Temporary(value=inner)):
            yield from _read_variables(inner)
