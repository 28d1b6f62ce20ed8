"""Checking temporary objects: where the object that an expression makes is destroyed.

An object that an expression makes lives in a hidden variable. It is destroyed at the end of the current statement,
or with the reference that is bound to it ([class.temporary]). If the operand that makes it may be skipped, as the right
one of `&&`, a flag records whether it was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....lang.ctype import BOOL
from ....source import Span
from ....tree.effects import outermost, root
from ....tree.nodes import (
    AddressOf,
    Assign,
    Block,
    Comma,
    Conditional,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    If,
    Index,
    Load,
    Place,
    PointerAdd,
    Stmt,
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

    def extended(self, address: Expr) -> list[Variable]:
        """Return the temporary objects to which a reference is bound: they live as long as it ([class.temporary])."""
        bound = set(_bound(address))
        temporaries = self.s.current.temporaries
        self.s.current.temporaries = [place for place in temporaries if place.variable not in bound]
        return [place.variable for place in temporaries if place.variable in bound]

    def made_in_turn(self, *operands: Expr | Place) -> None:
        """Note in which order operands are evaluated: their objects are destroyed in the reverse order."""
        if len(self.s.current.temporaries) <= 1:
            return
        turns: dict[Variable, int] = {}
        for turn, operand in enumerate(operands, start=1):
            for node in walk(operand):
                if isinstance(node, VarRef):
                    turns.setdefault(node.variable, turn)
        self.s.current.temporaries.sort(key=lambda place: turns.get(place.variable, 0))

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


def _bound(address: Expr) -> Iterator[Variable]:
    """Yield the variables of which an address may be, or of a part of which."""
    match address:
        case Comma(right=right):
            yield from _bound(right)
        case Conditional(then=then, other=other):
            yield from _bound(then)
            yield from _bound(other)
        case Convert(operand=operand) | PointerAdd(pointer=operand):
            yield from _bound(operand)
        case AddressOf(place=place) | Decay(place=place):
            variable = root(place)
            if variable is not None:
                yield variable
            else:
                whole, _ = outermost(place)
                if isinstance(whole, Deref | Index):
                    yield from _bound(whole.pointer)
