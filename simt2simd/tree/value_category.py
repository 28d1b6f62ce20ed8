"""Value categories ([basic.lval]): what a term of the tree is, an lvalue, an xvalue or a prvalue."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from .nodes import Decay, Deref, Expr, Index, Member, Place, Temporary, VarRef

ValueCategory = Literal["lvalue", "xvalue", "prvalue"]


def value_category(term: Expr | Place) -> ValueCategory:
    """Return the value category of an expression or a place.

    A member or an element of an object that is no lvalue is an xvalue ([expr.ref], [expr.sub]).
    """
    match term:
        case Member(xvalue=True) | Index(xvalue=True) | VarRef(xvalue=True) | Deref(xvalue=True):
            return "xvalue"
        case Member(base=whole) | Index(pointer=Decay(place=whole)):
            return "lvalue" if value_category(whole) == "lvalue" else "xvalue"
        case VarRef() | Deref() | Index():
            return "lvalue"
        case _:
            return "prvalue"


def is_xvalue(term: Expr | Place) -> bool:
    """Whether `term` is a place that may be moved from, such as `static_cast<T &&>(x)`."""
    return value_category(term) == "xvalue"


def is_lvalue(term: Expr | Place) -> bool:
    """Whether `term` is a place that another reader may name."""
    return value_category(term) == "lvalue"


def as_xvalue(place: Place) -> Place:
    """Return `place` as one that may be moved from."""
    return place if isinstance(place, Temporary) else replace(place, xvalue=True)


def as_lvalue(place: Place) -> Place:
    """Return `place` under a name: the name of a reference is an lvalue, whatever it is bound to ([expr.prim.id])."""
    if isinstance(place, Temporary) or is_lvalue(place):
        return place
    if isinstance(place, Member):
        place = replace(place, base=as_lvalue(place.base))
    return replace(place, xvalue=False)
