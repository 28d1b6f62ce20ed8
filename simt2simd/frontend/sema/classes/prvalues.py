"""Objects of classes as values: a prvalue is what makes one object, wherever that is ([basic.lval]).

An object of a class that is non-trivial for the purposes of calls is never a value of the tree. What makes it is
written for a hidden variable: `(T::T(&hidden, 1), hidden)`. There are three things to do with it:

- It initialises another object: that takes the place of the hidden variable ([dcl.init]). Nothing is copied.
- It becomes a temporary object ([conv.rval]): the hidden variable is that object, until the end of the statement.
- It is discarded: it becomes a temporary object too.

A function gets the address of such an argument, which its caller makes and destroys; and first of all the address of
its result, which it makes (Itanium C++ ABI, 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....lang.ctype import INT, VOID, Array, CType, Pointer, Struct
from ....source import Span
from ....tree.effects import only_reads
from ....tree.nodes import (
    AddressOf,
    Assign,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Deref,
    Expr,
    Increment,
    Load,
    Place,
    Temporary,
    Variable,
    VarRef,
)
from ....tree.rewrite import after, copied, unwound, with_place
from ....tree.value_category import as_xvalue, is_xvalue, value_category
from ..constexpr.fold import fold
from ..context import Part, Sema
from ..expr.expressions import root_of


class Prvalues(Part):
    """The checker's part for objects of classes that expressions make."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self._const: set[Expr | Variable] = set()  # prvalues of a const type, those that are made by what is made

    # ------------------------------------------------------------------------------------------- classes

    def by_address(self, ctype: CType) -> bool:
        """Whether a type is a class that is non-trivial for the purposes of calls."""
        if not isinstance(ctype, Struct) or ctype.by_address:
            return isinstance(ctype, Struct)
        construction = self.s.classes.construction
        info = construction.info(ctype)
        if info is None or ctype.fields is None:
            return False
        ctype.by_address = (
            info.polymorphic
            or construction.copy_constructor(info) is not None
            or construction.needs_destruction(ctype)
            or any(self.holds_objects(part) for _, part in construction.parts_of(info))
        )
        return ctype.by_address

    def holds_objects(self, ctype: CType) -> bool:
        """Whether a type is such a class, or an array of its objects."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        return self.by_address(ctype)

    def passed_type(self, ctype: CType) -> CType:
        """Return the type of the variable in which a function gets a parameter of a type."""
        return Pointer(ctype) if self.by_address(ctype) else ctype

    def returned_types(self, result: CType) -> tuple[tuple[CType, ...], CType]:
        """Return the types of what a function takes first for its result, if anything, and of what it returns."""
        return ((Pointer(result),), VOID) if self.by_address(result) else ((), result)

    # ------------------------------------------------------------------------------------------ prvalues

    def prvalue(self, place: VarRef, made: Expr | None, span: Span) -> Expr:
        """Return the object that `made` makes in the hidden variable `place`."""
        value: Expr = Load(span, place.type, place)
        self.s.classes.temporaries.destroy_later(place, span)
        return value if made is None else Comma(span, place.type, made, value)

    def parts(self, value: Expr) -> tuple[list[Expr], VarRef] | None:
        """Return what makes the object that a prvalue is, and the hidden variable in which it does; None for others."""
        steps, read = unwound(value)
        match read:
            case Load(place=VarRef(variable=variable)) if variable in self.s.current.hidden_objects:
                return steps, VarRef(read.span, read.type, variable)
        return None

    def own(self, value: Expr) -> Expr:
        """Return the prvalue that makes a new object of `value`: an object that has a place is copied or moved."""
        if not self.by_address(value.type) or self.parts(value) is not None:
            return value
        source = self.place_behind(value)
        assert source is not None
        place = self.s.expr.objects.hidden_variable(value.type, value.span)
        made = self.s.classes.construction.copy(place, source, value.span)
        return self.prvalue(VarRef(value.span, value.type, place.variable), made, value.span)

    def initialised(self, place: Place, value: Expr, span: Span) -> Expr:
        """Return what makes the object at `place` of a value of its class."""
        if not self.by_address(place.type):
            return Assign(span, place.type, copied(place), value)
        made = self.parts(self.own(value))
        assert made is not None
        steps, hidden = made
        self._forget(hidden.variable)
        return joined([with_place(step, hidden.variable, place) for step in steps], span)

    def _forget(self, variable: Variable) -> None:
        """Drop a hidden variable whose object is made somewhere else."""
        current = self.s.current
        current.hidden_objects.discard(variable)
        current.temporaries = [place for place in current.temporaries if place.variable is not variable]
        current.hidden = [declared for declared in current.hidden if declared.variable is not variable]

    def materialised(self, value: Expr) -> Place:
        """Return the temporary object that a prvalue becomes ([conv.rval])."""
        made = self.parts(value)
        if made is None:
            return Temporary(value.span, value.type, value)
        steps, hidden = made
        self.s.current.hidden_objects.discard(hidden.variable)
        if not steps:
            return as_xvalue(hidden)
        const = hidden.variable in self._const
        return Deref(value.span, value.type, _made_address(steps, hidden, const=const), xvalue=True)

    def as_place(self, term: Expr | Place) -> Place:
        """Return the object that a term of class type denotes; what has no place becomes a temporary object."""
        if isinstance(term, Temporary):
            return self.materialised(term.value)
        return term if isinstance(term, Place) else self.materialised(term)

    def discarded(self, value: Expr) -> Expr:
        """Return what makes an object that is not used: it is destroyed at the end of the statement."""
        made = self.parts(value)
        return value if made is None or not self.by_address(value.type) else joined(made[0], value.span)

    def chosen(self, cond: Expr, then: Expr, other: Expr, span: Span) -> Expr:
        """Return the prvalue `cond ? then : other` of two objects of one class: both are made in one place."""
        place = self.s.expr.objects.hidden_variable(then.type, span)
        hidden = VarRef(span, then.type, place.variable)
        arms = []
        for arm in (then, other):
            made = self.initialised(place, arm, span)
            arms.append(self.s.classes.temporaries.guarded(Comma(span, INT, made, Constant(span, INT, 0))))
        return self.prvalue(hidden, Conditional(span, INT, cond, *arms), span)

    # --------------------------------------------------------------------------------------------- calls

    def call(self, key: str, result: CType, values: Sequence[Expr], span: Span) -> Expr:
        """Return the call of a function; its values are those of `passed`."""
        if not self.by_address(result):
            return Call(span, result, key, tuple(values))
        place = self.s.expr.objects.hidden_variable(result, span)
        address = AddressOf(span, Pointer(result), VarRef(span, result, place.variable))
        return self.prvalue(place, Call(span, VOID, key, (address, *values)), span)

    def is_const(self, term: Expr | Place) -> bool:
        """Whether a prvalue of a class, or one of which `term` is a part, is const.

        A function returns it as `const T`, or `?:` made it so.
        """
        if isinstance(term, Place):
            term = root_of(term)
        value = term.value if isinstance(term, Temporary) else term
        if not isinstance(value.type, Struct) or isinstance(value, Place):
            return False
        if value in self._const:
            return True
        steps, read = unwound(value)
        if isinstance(read, Load) and isinstance(read.place, VarRef):
            if read.place.variable in self._const:
                return True
            made = [one for one in steps if isinstance(one, Call) and _first_object(one) is read.place.variable]
            read = made[-1] if made else read
        function = self.s.functions.used.get(read.function) if isinstance(read, Call) else None
        return function is not None and function.result is not None and function.result.const

    def as_const(self, value: Expr) -> Expr:
        """Return a prvalue of a class as one of the const type."""
        made = self.parts(value)
        if made is None:
            value = replace(value)
        self._const.add(value if made is None else made[1].variable)
        return value

    def passed(self, value: Expr) -> Expr:
        """Return what a call passes for a value of a parameter's type."""
        if not self.by_address(value.type):
            return value
        made = self.parts(self.own(value))
        assert made is not None
        steps, hidden = made
        self.s.current.hidden_objects.discard(hidden.variable)
        return _made_address(steps, hidden)

    # --------------------------------------------------------------------------------------------- places

    def read(self, value: Expr) -> Expr:
        """Return `value` of a cast to its own type or of `+`: it is a prvalue, and no object is behind it."""
        if not isinstance(value, Load | Comma | Assign | CompoundAssign | Increment | Conditional):
            return value
        value = replace(value)
        self.s.current.read.add(value)
        return value

    def denoted(self, term: Expr | Place) -> Expr | Place:
        """Return the place that a term of class type denotes, also where it is written as a value: of `a = b`, a."""
        if not isinstance(term.type, Struct) or (isinstance(term, Place) and not isinstance(term, Temporary)):
            return term
        return self.place_behind(term.value if isinstance(term, Temporary) else term) or term

    def place_behind(self, value: Expr) -> Place | None:
        """Return the place whose value an expression is: of `(a, b)` b, of `(a = b)` a, of `c ? a : b` one of both."""
        span = value.span
        pointers = self.s.expr.pointers
        if value in self.s.current.read:
            return None
        match value:
            case Load(place=place) if not isinstance(root_of(place), Temporary) and self.parts(value) is None:
                return place
            case Comma(left=left, right=right):
                inner = self.place_behind(right) if self.parts(value) is None else None
                if inner is None:
                    return None
                address = pointers.address(inner, span)
                place = Deref(span, inner.type, Comma(span, address.type, left, address))
                return as_xvalue(place) if is_xvalue(inner) else place
            case Assign() | CompoundAssign() | Increment(prefix=True):
                return self.assigned(value, span)
            case Conditional(cond=cond, then=then, other=other):
                first, second = self.place_behind(then), self.place_behind(other)
                if first is None or second is None or not alike(first, second):
                    return None
                place = self.chosen_place(cond, first, second, span)
                return as_xvalue(place) if is_xvalue(first) else place
        return None

    def assigned(self, value: Assign | CompoundAssign | Increment, span: Span) -> Deref:
        """Return the place that an assignment or `++` denotes, after what it does. Its address is evaluated once."""
        address = self.s.expr.pointers.address(value.place, span)
        if not only_reads(address):
            hidden = self.s.expr.objects.hidden_variable(address.type, span)
            kept = Assign(span, address.type, hidden, address)
            value = replace(value, place=Deref(span, value.place.type, kept))
            address = Load(span, address.type, hidden)
        return Deref(span, value.place.type, Comma(span, address.type, value, copied(address)))

    def chosen_place(self, cond: Expr, first: Place, second: Place, span: Span) -> Deref:
        """Return the place that `cond ? first : second` is, of two places of one type."""
        pointers = self.s.expr.pointers
        addresses = pointers.address(first, span), pointers.address(second, span)
        target = pointers.composite(*addresses)
        assert target is not None
        guarded = self.s.classes.temporaries.guarded
        one, other = (guarded(pointers.pointer_as(address, target)) for address in addresses)
        return Deref(span, first.type, fold(Conditional(span, target, cond, one, other)))


def alike(first: Place, second: Place) -> bool:
    """Whether `?:` of two places is one of both: they have one type and one value category ([expr.cond]/5)."""
    return first.type == second.type and value_category(first) == value_category(second)


def joined(steps: Sequence[Expr], span: Span) -> Expr:
    """Return one expression that does what `steps` do, in turn."""
    if not steps:
        return Convert(span, VOID, Constant(span, INT, 0), explicit=True)
    return after(steps[:-1], steps[-1])


def _made_address(steps: Sequence[Expr], hidden: VarRef, *, const: bool = False) -> Expr:
    """Return the address of a hidden variable after what makes the object there."""
    return after(steps, AddressOf(hidden.span, Pointer(hidden.type, const), hidden))


def _first_object(call: Call) -> Variable | None:
    """Return the variable whose address is the first argument of a call."""
    match call.args[:1]:
        case (AddressOf(place=VarRef(variable=variable)),):
            return variable
    return None
