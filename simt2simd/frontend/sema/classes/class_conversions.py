"""Checking conversions to and from classes: by constructors, by conversion operators, and to bases."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import INT, UCHAR, CType, FunctionType, Pointer, Struct, is_arithmetic, is_scalar
from ....source import Span
from ....tree.nodes import AddressOf, Comma, Constant, Convert, Deref, Expr, Load, Place, PointerAdd, Temporary
from ....tree.rewrite import copied
from ....tree.value_category import as_xvalue, value_category
from ...parse.words import Node
from ..argument import Argument
from ..context import Part
from ..expr.conversions import place_type, same_type
from ..qualified import Qualified, type_key
from ..scopes import FunctionName
from .user_conversions import is_conversion_function


class ClassConversions(Part):
    """The checker's part for conversions of objects."""

    # --------------------------------------------------------------------------------------- conversions

    def user_conversion(self, expr: Expr, target: CType, span: Span, *, direct: bool = False) -> Expr | None:
        """Convert by a constructor or a conversion function; None if there is none. `direct`: explicit ones count."""
        if self.s.half.has_bits(expr.type, target):
            return self.s.half.bits_conversion(expr, target, span)
        source = expr.type
        if (
            isinstance(source, Struct)
            and isinstance(target, Struct)
            and self.s.classes.members.base_path(source, target)
        ):
            place = self.s.classes.prvalues.place_behind(expr) or self.s.classes.prvalues.materialised(expr)
            return self.s.classes.prvalues.own(Load(span, target, self.s.classes.members.as_base(place, target, span)))
        term: Expr | Place = self.s.expr.as_term(expr)
        if isinstance(term, Temporary) or isinstance(target, Struct):  # a constructor may ask whether it is an lvalue
            term = self.s.classes.prvalues.place_behind(expr) or term
        if isinstance(source, Struct):
            pointer = self.s.classes.lambdas.lambda_pointer(source, target, span)
            if pointer is not None:
                return pointer
        found = self.s.classes.user_conversions.conversions(term, target, direct=direct)
        self.s.classes.user_conversions.refuse_ambiguous(found, source, target, span)
        if not found:
            return None
        function = found[0].function
        assert isinstance(function, FunctionName)
        if isinstance(target, Struct) and not is_conversion_function(function):
            arg = Argument(c_ast.ID("value", span), term)
            return self.s.classes.construction.object_value(target, [arg], span, chosen=function)
        return self.implicit_after(self.call_conversion(function, term, span), target, span)

    def converted_object(self, arg: Argument, target: Struct, span: Span) -> Expr | None:
        """Return the `target` that a conversion function makes of an argument; None if it has no such function."""
        if arg.term is None or not isinstance(arg.term.type, Struct):
            return None
        term = arg.term
        if isinstance(term, Temporary):
            term = self.s.classes.prvalues.place_behind(term.value) or term
        found = self.s.classes.user_conversions.conversions(term, target, direct=True)
        function = found[0].function if len(found) == 1 else None
        if not isinstance(function, FunctionName) or not is_conversion_function(function) or function.result is None:
            return None
        if function.result.reference or function.result.type is not target:
            return None
        return self.s.expr.load(self.call_conversion(function, term, span))

    def brought_together(
        self, then: Expr | Place, other: Expr | Place, node: c_ast.TernaryOp
    ) -> tuple[Expr | Place, Expr | Place]:
        """Return the arms of `?:`, one converted to the type of the other if just one can be ([expr.cond])."""
        if same_type(then.type, other.type):
            return then, other
        arms = ((then, other, node.iftrue), (other, then, node.iffalse))
        found = [self._to_arm(arm, wanted, at) for arm, wanted, at in arms]
        if found == [None, None]:  # by the built-in operator: lambdas become pointers ([expr.cond]/6)
            pointers = [self.s.classes.lambdas.plain_pointer(arm.type, node.coord) or arm for arm in (then, other)]
            if all(isinstance(pointer.type, Pointer) for pointer in pointers):
                return pointers[0], pointers[1]
        if (found[0] is None) == (found[1] is None):
            why = "have different types" if found[0] is None else "can both be converted to the other's type"
            self.fail(node.coord, f"the arms of '?:' {why}: '{then.type}' and '{other.type}'")
        return (found[0], other) if found[0] is not None else (then, found[1] or other)

    def _to_arm(self, arm: Expr | Place, wanted: Expr | Place, at: Node) -> Expr | Place | None:
        """Return one arm of `?:` as what the other one is; None if it cannot become that."""
        source, target = arm.type, wanted.type
        if isinstance(source, Struct) and isinstance(target, Struct):
            if self.s.classes.construction.is_kind_of(target, source):
                return None  # to its own base: that arm is converted
            if self.s.classes.construction.is_kind_of(source, target):
                if isinstance(arm, Place) and value_category(arm) == value_category(wanted) != "prvalue":
                    return self.s.classes.members.as_base(arm, target, at.coord)
                value = self.user_conversion(self.s.expr.load(arm), target, at.coord)
                return None if value is None else self.s.expr.as_term(value)
        if not self.converts_by_user(arm, target):
            return None
        value = self.user_conversion(self.s.expr.load(arm), target, at.coord)
        return None if value is None else self.s.expr.as_term(value)

    def implicit_after(self, expr: Expr | Place, target: CType, span: Span) -> Expr:
        value = self.s.expr.load(expr)
        if value.type is target:
            return value
        return self.s.expr.conversions.implicit(value, target, "in a conversion", span=span)

    def call_conversion(self, operator: FunctionName, term: Expr | Place, span: Span) -> Expr | Place:
        place = term if isinstance(term, Place) else Temporary(span, term.type, term)
        return self.s.calls.call_method(operator, place, [], span)

    def converts_by_user(self, term: Expr | Place, target: CType) -> bool:
        """Whether a constructor or a conversion function makes a `target` of `term`."""
        return self.is_special(term, target) or bool(self.s.classes.user_conversions.conversions(term, target))

    def is_special(self, term: Expr | Place, target: CType) -> bool:
        """Whether `term` becomes a `target` without a function of the program: a short float, or a lambda's pointer."""
        if self.s.half.has_bits(term.type, target):
            return True
        if not isinstance(term.type, Struct) or not isinstance(target, Pointer):
            return False
        info = self.s.structs.classes.get(term.type)
        is_closure = info is not None and info.is_lambda and not term.type.fields
        return is_closure and isinstance(target.target, FunctionType)

    def to_number(self, expr: Expr) -> Expr:
        """Return an operand of a built-in operator: an object of a class by its conversion function."""
        if not isinstance(expr.type, Struct):
            return expr
        term = self.s.classes.prvalues.place_behind(expr) or self.s.expr.as_term(expr)
        function = self._scalar_conversion(term)
        return expr if function is None else self.s.expr.load(self.call_conversion(function, term, expr.span))

    def scalar_result(self, term: Expr | Place) -> CType | None:
        """Return the type of the scalar that a built-in operator sees in an object of a class."""
        function = self._scalar_conversion(term)
        return function.result.type if function is not None and function.result is not None else None

    def _scalar_conversion(self, term: Expr | Place) -> FunctionName | None:
        """Return the implicit conversion function of an object that gives a scalar, if all give the same type."""
        if not isinstance(term.type, Struct):
            return None
        conversions = self.s.classes.user_conversions
        functions = [one for one in conversions.functions_of(term.type) if isinstance(one, FunctionName)]
        types = [one.result.type for one in functions if one.result is not None and is_scalar(one.result.type)]
        fits = [conversions.conversions(term, ctype) for ctype in types]
        found = {one.function: one for several in fits for one in several if isinstance(one.function, FunctionName)}
        results = {type_key(one.result.type) for one in found if isinstance(one, FunctionName) and one.result}
        best = self.s.calls.overloads.best(list(found.values())) if len(results) == 1 else []
        only = best[0].function if len(best) == 1 else None
        return only if isinstance(only, FunctionName) else None

    def fits_braces(self, node: Node, target: Struct) -> bool:
        """Whether a braced list can initialise a `target`."""
        self.s.classes.complete(target)
        if not isinstance(node, c_ast.InitList):
            return False
        info = self.s.structs.classes.get(target)
        if info is not None and info.is_lambda:
            return False
        if info is not None and info.constructors is not None:
            with self.s.expr.operators.unevaluated():
                args = self.s.calls.arguments.arguments(node.exprs)
                return bool(
                    self.s.classes.lists.list_constructors(target, node)
                    or self.s.calls.overloads.viable(info.constructors.candidates, args, None, made=target)
                )
        return len(node.exprs) <= max(1, len(target.fields or ()))

    # ---------------------------------------------------------------------------------------------- helpers

    def is_const_place(self, term: Expr | Place) -> bool:
        return (
            isinstance(term, Place)
            and not isinstance(term, Temporary)
            and place_type(term, self.s.structs.const_members)[0]
        )

    def moved_pointer(self, expr: Expr, offset: int, target: Pointer) -> Expr:
        """Return a pointer that leads `offset` bytes further, as one of another type."""
        if not offset:
            return Convert(expr.span, target, expr, explicit=True)
        octets = Pointer(UCHAR, target.const, target.volatile)
        moved = PointerAdd(
            expr.span, octets, Convert(expr.span, octets, expr, explicit=True), Constant(expr.span, INT, offset)
        )
        return Convert(expr.span, target, moved, explicit=True)

    def cast_reference(self, term: Expr | Place, target: Qualified, span: Span, word: str) -> Expr | Place:
        """Check a cast to a reference. `word` is `static_cast` or the like, "" for a cast in parentheses."""
        if word in ("static_cast", "") and not self._are_kin(term.type, target.type):
            found = self.s.classes.user_conversions.reference_conversions(term, target, direct=True)
            self.s.classes.user_conversions.refuse_ambiguous(found, term.type, target, span)
            if found and isinstance(found[0].function, FunctionName):
                return self.cast_reference(self.call_conversion(found[0].function, term, span), target, span, word)
        if isinstance(term, Place) and not isinstance(term, Temporary):
            self._require_reference(word, term, target, span)
        elif self._are_kin(term.type, target.type):
            made = term.value if isinstance(term, Temporary) else self.s.expr.load(term)
            term = self.s.classes.prvalues.place_behind(made) or self._temporary_object(made, span)
        if not isinstance(term, Place) or isinstance(term, Temporary) or self._makes_value(word, term.type, target):
            value = self.s.expr.conversions.implicit(self.s.expr.load(term), target.type, "in a cast", span=span)
            return self.s.expr.as_term(value) if target.reference == "&&" else self._temporary_object(value, span)
        if (
            word != "reinterpret_cast"
            and isinstance(term.type, Struct)
            and isinstance(target.type, Struct)
            and self.s.classes.members.base_path(term.type, target.type)
        ):
            term = self.s.classes.members.as_base(term, target.type, span)
            if target.reference == "&" and target.const == self.is_const_place(term):
                return term
        address = self.s.expr.pointers.address(term, span)
        wanted = Pointer(target.type, target.const, target.volatile)
        pointer = (
            Convert(span, wanted, address, explicit=True)  # never moved to a base
            if word == "reinterpret_cast"
            else self.s.expr.conversions.cast(address, wanted, span)
        )
        place: Place = Deref(span, target.type, pointer)
        if target.type == term.type and target.const == self.is_const_place(term):
            place = term if not isinstance(term, Deref) else place  # the same object, in registers if it was there
        if target.reference == "&&":
            place = as_xvalue(copied(place))
        return place

    def _temporary_object(self, value: Expr, span: Span) -> Place:
        """Return the object that a prvalue becomes, as an lvalue: a reference names it ([conv.rval])."""
        place = self.s.classes.prvalues.materialised(value)
        if not isinstance(place, Temporary):
            return replace(place, xvalue=False)
        stored, store = self.s.calls.arguments.kept(value, value.type, span)
        pointer = Pointer(value.type)
        return Deref(span, value.type, Comma(span, pointer, store, AddressOf(span, pointer, stored)))

    def _require_reference(self, word: str, place: Place, target: Qualified, span: Span) -> None:
        """Fail if `word` does not make a reference to `target` of `place`."""
        const = self.is_const_place(place)
        shown = f"'{'const ' if const else ''}{place.type}' to '{target}'"
        if word in ("static_cast", "reinterpret_cast") and const and not target.const:
            self.fail(span, f"'{word}' cannot take 'const' away: {shown}", help=f"write 'const_cast<{target}>(...)'")
        related = same_type(place.type, target.type)
        if word == "static_cast":
            related = related or self._are_kin(place.type, target.type) or self._makes_value(word, place.type, target)
        if word in ("static_cast", "const_cast") and not related:
            self.fail(span, f"'{word}' cannot convert {shown}")

    def _makes_value(self, word: str, source: CType, target: Qualified) -> bool:
        """Whether a cast to a reference refers to a new value, as `(const float &)i` does, and not to the operand."""
        if not (target.const or target.reference == "&&") or same_type(source, target.type):
            return False
        if word == "static_cast":
            return not self._are_kin(source, target.type)
        return not word and is_arithmetic(source) and is_arithmetic(target.type)

    def _are_kin(self, one: CType, other: CType) -> bool:
        if not isinstance(one, Struct) or not isinstance(other, Struct):
            return False
        return self.s.classes.construction.is_kind_of(one, other) or self.s.classes.construction.is_kind_of(other, one)
