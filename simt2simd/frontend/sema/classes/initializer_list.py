"""Checking `std::initializer_list`: a hidden array, and an object that says where it begins and how long it is."""

from __future__ import annotations

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import ULONG, Array, CType, Pointer, Struct
from ....source import Span
from ....tree.nodes import Assign, Comma, Constant, Decay, Expr, Load, Member, Place
from ....tree.rewrite import copied
from ..argument import Argument
from ..calls.overloads import Candidate
from ..context import Part
from ..expr.conversions import same_type
from ..qualified import Qualified
from ..scopes import FunctionName, TemplateName, TypeName


class InitializerLists(Part):
    """The checker's part for `std::initializer_list` and the constructors that take one."""

    def list_element(self, ctype: CType) -> Qualified | None:
        """Return the type of the elements of a `std::initializer_list`; None if `ctype` is no such class."""
        pattern, args = self.s.structs.made_of.get(ctype, (None, ())) if isinstance(ctype, Struct) else (None, ())
        if pattern is None or pattern.name != "initializer_list" or not self.s.calls.overloads.is_standard(pattern):
            return None
        return args[0] if isinstance(args[0], Qualified) else None

    def list_type(self, element: Qualified, span: Span) -> Struct:
        """Return `std::initializer_list<element>`."""
        entry = self.s.scopes.std.names.get("initializer_list")
        if not isinstance(entry, TemplateName):
            self.fail(span, "a braced list needs <initializer_list> here", help="write '#include <initializer_list>'")
        found = self.s.templates.with_arguments(entry, (element,), span)
        assert isinstance(found, TypeName) and isinstance(found.type.type, Struct)
        self.s.types.records.require_complete(found.type.type, span)
        return found.type.type

    def inferred_list(self, node: c_ast.InitList) -> Struct:
        """Return the type of x in `auto x = {a, b}`."""
        with self.s.expr.operators.unevaluated():
            args = self.s.calls.arguments.arguments(node.exprs)
            types = [self.s.expr.load(arg.term).type for arg in args if arg.term is not None]
        if not types or len(types) < len(args) or not all(same_type(one, types[0]) for one in types):
            self.fail(node.coord, "'auto' needs values of one type in the braced list")
        return self.list_type(Qualified(types[0]), node.coord)

    def listed_object(self, node: c_ast.InitList, target: Struct, element: Qualified) -> Expr:
        """Return a `std::initializer_list` of the values in braces."""
        span = node.coord
        count = len(self.s.templates.packs.spread_nodes(node.exprs))
        self.s.types.records.require_complete(target, span)
        known = self.s.expr.objects.hidden_variable(target, span)
        fields = target.fields or ()
        first, size = (Member(span, field.type, copied(known), field.name, field.offset) for field in fields)
        result: Expr = Load(span, target, known)
        result = Comma(span, target, Assign(span, ULONG, size, Constant(span, ULONG, count)), result)
        if not count:
            nothing = Constant(span, first.type, 0)
            return Comma(span, target, Assign(span, first.type, first, nothing), result)
        array = self.s.expr.objects.hidden_variable(Array(element.type, count), span)
        begin = Decay(span, Pointer(element.type), copied(array))
        result = Comma(
            span, target, Assign(span, first.type, first, self.s.expr.conversions.convert(begin, first.type)), result
        )
        for store in reversed(
            self.s.expr.objects.stores(array, self.s.expr.initialisers.braces(node, array.type, 0), span)
        ):
            result = Comma(span, target, store, result)
        self.s.classes.temporaries.destroy_later(array, span)
        return result

    # --------------------------------------------------------------------------------------- constructors

    def list_constructors(self, target: Struct, node: c_ast.InitList) -> list[Candidate]:
        """Return the constructors that take all of a braced list as one argument, as C++ prefers.

        An empty list means the constructor without parameters, if there is one ([dcl.init.list]).
        """
        info = self.s.structs.classes.get(target)
        functions = info.constructors if info is not None else None
        taking = [one for one in functions.candidates if self._takes_list(one)] if functions is not None else []
        if not taking or functions is None:
            return []
        if not node.exprs and self.s.calls.overloads.viable(functions.candidates, [], None):
            return []
        return self.s.calls.overloads.viable(taking, [Argument(node, None)], None)

    def _takes_list(self, constructor: FunctionName | TemplateName) -> bool:
        if isinstance(constructor, TemplateName) or not constructor.params:
            return False
        first, *others = constructor.params
        return self.list_element(first.type) is not None and all(other.default is not None for other in others)

    def object_of_list(self, node: c_ast.InitList, target: Struct) -> Expr:
        """Return `T{...}` for a class with constructors."""
        span, hidden = node.coord, len(self.s.current.hidden)
        self.s.types.records.require_complete(target, span)
        place = self.s.expr.objects.hidden_variable(target, span)
        made = self.list_construction(place, node)
        if made is None:
            del self.s.current.hidden[hidden:]
            return self.s.classes.construction.object_value(
                target, self.s.calls.arguments.arguments(node.exprs), span, braced=True
            )
        self.s.classes.construction.require_concrete(target, span)
        self.s.classes.temporaries.destroy_later(place, span)
        return Comma(span, target, made, Load(span, target, place))

    def list_construction(self, place: Place, node: c_ast.InitList) -> Expr | None:
        """Return what makes the object of a class at `place` of a whole braced list; None if no constructor does."""
        target = place.type
        assert isinstance(target, Struct)
        span = node.coord
        if (element := self.list_element(target)) is not None:
            return Assign(span, target, copied(place), self.listed_object(node, target, element))
        if not (found := self.list_constructors(target, node)):
            return None
        chosen = self.s.calls.overloads.best(found)
        function = chosen[0].function
        assert isinstance(function, FunctionName)
        if len(chosen) > 1:
            notes = [Note(one.function.span, "candidate") for one in chosen if isinstance(one.function, FunctionName)]
            self.fail(span, f"the braced list for '{target}' is ambiguous", *notes)
        self.s.calls.functions.require_usable(function, span)
        return self.s.classes.construction.constructor_call(
            function, self.s.classes.construction.address_for_writing(place, span), [Argument(node, None)], span
        )
