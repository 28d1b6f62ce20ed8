"""Checking questions about types: `decltype`, `noexcept`, and the compiler's part of <type_traits>."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pycparser import c_ast

from ....lang.compiler_calls import IS_CONSTANT_EVALUATED
from ....lang.ctype import (
    BOOL,
    ULONG,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    is_arithmetic,
    is_enum,
    is_float,
    is_integer,
    plain,
)
from ....source import Span
from ....tree.nodes import BuiltinCall, Constant, Expr, Place, Temporary
from ....tree.value_category import is_xvalue
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument, chooses
from ..class_info import ClassInfo, is_pure
from ..context import Part
from ..expr.conversions import same_type
from ..expr.expressions import spelled
from ..qualified import Qualified
from ..scopes import USER_PROVIDED, FunctionName, Functions, MemberName, VariableName
from ..types.member_types import members_of


def _is_fundamental(ctype: CType) -> bool:
    return ctype is VOID or (is_arithmetic(ctype) and not is_enum(ctype))


def _is_signed(ctype: CType) -> bool:
    return is_float(ctype) or (isinstance(ctype, Scalar) and ctype.signed)


# What is asked about a type that is no reference; for one, the answer is no.
_OF_TYPES: dict[str, Callable[[CType], bool]] = {
    "__is_void": lambda t: t is VOID,
    "__is_integral": lambda t: is_integer(t) and not is_enum(t),
    "__is_floating_point": is_float,
    "__is_arithmetic": lambda t: t is not VOID and _is_fundamental(t),
    "__is_fundamental": _is_fundamental,
    "__is_pointer": lambda t: isinstance(t, Pointer),
    "__is_array": lambda t: isinstance(t, Array),
    "__is_enum": lambda t: is_enum(t) and members_of(t) is None,
    "__is_member_pointer": lambda t: members_of(t) is not None,
    "__is_member_function_pointer": lambda t: (members := members_of(t)) is not None and members.called is not None,
    "__is_member_object_pointer": lambda t: (members := members_of(t)) is not None and members.called is None,
    "__is_class": lambda t: isinstance(t, Struct) and not t.union,
    "__is_union": lambda t: isinstance(t, Struct) and t.union,
    "__is_function": lambda t: isinstance(t, FunctionType),
    "__is_scalar": lambda t: isinstance(t, Scalar | Pointer) and t is not VOID,
    "__is_object": lambda t: not isinstance(t, FunctionType) and t is not VOID,
    "__is_signed": lambda t: is_arithmetic(t) and not is_enum(t) and _is_signed(t),
    "__is_unsigned": lambda t: is_arithmetic(t) and not is_enum(t) and not _is_signed(t),
}


class Traits(Part):
    """The checker's part for questions about types."""

    def decltype(self, node: cxx.DeclType) -> Qualified:
        """A name gives the type that it was declared with; other expressions, a reference if they are a place."""
        if node.expr is None:
            if self.s.here.inferred is None:
                self.fail(node.coord, "'decltype(auto)' is not possible here")
            return self.s.here.inferred
        if not node.parenthesised and (declared := self._declared(node.expr)) is not None:
            return declared
        return self.expression_type(node.expr)

    def inferred(self, arg: Argument) -> Qualified:
        """Return what `decltype(auto)` denotes where `arg` is the initialiser: `decltype` of it ([dcl.spec.auto])."""
        assert arg.term is not None
        declared = None if isinstance(arg.node, cxx.Grouped) else self._declared(arg.node)
        return self._type_of(arg.node, arg.term) if declared is None else declared

    def _declared(self, node: Node) -> Qualified | None:
        entry = None
        if isinstance(node, c_ast.ID) and node.name != "this":
            entry = self.s.scopes.lookup(node.name)
        elif isinstance(node, cxx.Name):
            entry = self.s.expr.names.find(node)
        match entry:
            case Functions(candidates=[FunctionName(is_method=False) as only], given=None):
                self.s.calls.functions.result_of(only, node.coord)
                self.s.templates.exceptions.is_noexcept(only)
                return Qualified(only.type)
        if isinstance(entry, MemberName):
            info = self.s.structs.classes.get(entry.owner)
            if info is not None and entry.name in info.fields:
                return info.fields[entry.name].type
        if isinstance(entry, VariableName):
            variable = entry.variable
            ctype = variable.type
            if entry.binding is not None:
                return entry.binding
            if entry.alias is not None and entry.reference:
                const = self.s.classes.conversions.is_const_place(entry.alias)
                return Qualified(entry.alias.type, const, reference=entry.reference)
            if entry.reference and isinstance(ctype, Pointer):
                return Qualified(ctype.target, ctype.const, ctype.volatile, reference=entry.reference)
            const = variable.const or variable in self.s.structs.const_members
            return Qualified(ctype, const, variable.volatile)
        if isinstance(node, c_ast.StructRef) and isinstance(node.field, c_ast.ID):
            found = self.expression_type(node)
            return self._declared_member(node) or Qualified(found.type, found.const)
        return None

    def _declared_member(self, node: c_ast.StructRef) -> Qualified | None:
        """Return the type with which the member that `x.m` names is declared, whatever x is."""
        whole = self.expression_type(node.name).type
        if node.type == "->":
            whole = whole.target if isinstance(whole, Pointer) else VOID
        found = self.s.classes.members.find_member(whole, spelled(node.field)) if isinstance(whole, Struct) else None
        if found is None or not isinstance(found[1], MemberName):
            return None
        info = self.s.structs.classes.get(found[1].owner)
        field = info.fields.get(found[1].name) if info is not None else None
        return field.type if field is not None else None

    def expression_type(self, node: Node) -> Qualified:
        """Return the type of an expression that is not evaluated, a reference if it is a place."""
        called = len(self.s.functions.called)
        try:
            with self.s.expr.operators.unevaluated():
                term = self.s.expr.term(node)
        finally:
            self.s.functions.forget_unevaluated(called)
        return self._type_of(node, term)

    def _type_of(self, node: Node, term: Expr | Place) -> Qualified:
        """Return the type of what an expression denotes, a reference if it is a place ([dcl.type.decltype])."""
        if isinstance(term, Constant) and isinstance(node, c_ast.ID):
            term = self.s.expr.operators.variable_behind(node) or term
        if not isinstance(term, Place) and chooses(node):  # the tree has the value only
            term = self.s.classes.prvalues.place_behind(term) or term
        prvalue_is_const = self.s.classes.prvalues.is_const(term)  # also of one of which the term is a part
        if not isinstance(term, Place) or isinstance(term, Temporary):
            return Qualified(term.type, prvalue_is_const)
        const = prvalue_is_const or self.s.classes.conversions.is_const_place(term)
        return Qualified(term.type, const, reference="&&" if is_xvalue(term) else "&")

    def trait(self, node: cxx.Trait) -> Expr:
        """Answer `__is_same(T, U)` and the like."""
        span, name = node.coord, node.name
        if name == "noexcept":
            return Constant(span, BOOL, self.s.templates.exceptions.never_throws(node.args[0]))
        if name == IS_CONSTANT_EVALUATED.name and not node.args:
            return BuiltinCall(span, BOOL, IS_CONSTANT_EVALUATED, ())
        types = [self.trait_argument(arg) for arg in self.spread_arguments(node.args)]
        if not types:
            self.fail(span, f"'{name}' needs a type")
        if name == "__array_rank":
            return Constant(span, ULONG, _rank(types[0].type))
        if name == "__underlying_type":
            if not is_enum(types[0].type):
                self.fail(span, f"'{types[0]}' is no enumeration")
            return Constant(span, self.underlying(types[0].type), 0)
        answer = self._about_one(name, types[0])
        if answer is None:
            answer = self._about_several(name, types, span)
        if answer is None:
            self.fail(span, f"'{name}' is not supported")
        return Constant(span, BOOL, answer)

    def _about_one(self, name: str, asked: Qualified) -> bool | None:
        """Answer a question about one type; None where it is no such question."""
        if name in _OF_TYPES:
            return _OF_TYPES[name](asked.type) and not asked.reference
        element = asked.type
        while isinstance(element, Array):
            element = element.element
        info = self.s.classes.construction.info(element) if element is asked.type and not asked.reference else None
        objects = self.s.templates.objects
        match name:
            case "__is_reference":
                return asked.reference != ""
            case "__is_lvalue_reference":
                return asked.reference == "&"
            case "__is_rvalue_reference":
                return asked.reference == "&&"
            case "__is_compound":
                return asked.reference != "" or not _is_fundamental(asked.type)
            case "__is_const":
                return asked.const and not asked.reference
            case "__is_volatile":
                return asked.volatile and not asked.reference
            case "__is_trivially_copyable" | "__has_trivial_copy":
                return not asked.reference and self._copies_as_bytes(element)
            case "__is_trivial":
                made = not self.s.classes.construction.needs_construction(element)
                return not asked.reference and made and self._copies_as_bytes(element)
            case "__is_destructible":
                return asked.reference != "" or objects.is_destructible(asked.type)
            case "__is_nothrow_destructible":
                safe = asked.reference != "" or self.s.templates.exceptions.destroys(asked)
                return safe and (asked.reference != "" or objects.is_destructible(element))
            case "__is_trivially_destructible" | "__has_trivial_destructor":
                return asked.reference != "" or (
                    objects.is_destructible(element) and not self.s.classes.construction.needs_destruction(element)
                )
            case "__is_empty":
                struct = asked.type if isinstance(asked.type, Struct) and not asked.reference else None
                polymorphic = info is not None and info.polymorphic
                bare = struct is not None and (not struct.fields or (info is not None and info.empty))
                return struct is not None and bare and not struct.union and not polymorphic
            case "__is_standard_layout":
                return not asked.reference and self._has_standard_layout(element)
            case "__is_pod":
                made = not self.s.classes.construction.needs_construction(element)
                bytes_only = made and self._copies_as_bytes(element)
                return not asked.reference and bytes_only and self._has_standard_layout(element)
            case "__is_final":
                return info is not None and info.final
            case "__is_polymorphic":
                return info is not None and info.polymorphic
            case "__is_abstract":
                return info is not None and any(is_pure(one, info.struct) for one in info.virtual)
            case "__has_virtual_destructor":
                return info is not None and info.destructor is not None and "virtual" in info.destructor.words
        return None

    def _about_several(self, name: str, types: list[Qualified], span: Span) -> bool | None:
        """Answer a question about how types go together; None where it is no such question."""
        first, rest = types[0], types[1:]
        if name in ("__is_constructible", "__is_trivially_constructible"):
            made = self.s.templates.objects.constructs(first, rest, span)
            return made and (name == "__is_constructible" or self._makes_trivially(first, rest))
        if name == "__is_nothrow_constructible":
            made = self.s.templates.objects.constructs(first, rest, span)
            return made and self.s.templates.exceptions.constructs(first, rest, span)
        if len(types) != 2:
            return None
        objects = self.s.templates.objects
        second = types[1]
        match name:
            case "__is_nothrow_assignable":
                return objects.assigns(first, second, span) and self.s.templates.exceptions.assigns(first, second, span)
            case "__is_nothrow_convertible":
                makes = self.s.templates.exceptions.constructs
                return objects.converts(first, second, span) and makes(second, [first], span)
            case "__is_same" | "__is_same_as":
                same_words = (first.const, first.volatile) == (second.const, second.volatile)
                return same_type(first.type, second.type) and first.reference == second.reference and same_words
            case "__is_base_of":
                alike = first.type is second.type and isinstance(first.type, Struct) and not first.type.union
                values = not first.reference and not second.reference
                return values and (alike or objects.derives(second.type, first.type))
            case "__is_convertible" | "__is_convertible_to":
                return objects.converts(first, second, span)
            case "__is_assignable":
                return objects.assigns(first, second, span)
            case "__is_trivially_assignable":
                trivial = self.s.classes.construction.has_trivial(first.type, "assign")
                return objects.assigns(first, second, span) and trivial
        return None

    def _has_standard_layout(self, ctype: CType) -> bool:
        """Whether a type is a standard-layout type ([basic.types.general]/9, [class.prop]/3)."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        if ctype is VOID or isinstance(ctype, FunctionType):
            return False
        info = self.s.classes.construction.info(ctype)
        if info is None:
            return True
        if info.polymorphic or info.mixes_access or any(field.type.reference for field in info.fields.values()):
            return False
        if not all(self._has_standard_layout(part) for _, part in self.s.classes.construction.parts_of(info)):
            return False
        hierarchy = [info, *map(self.s.classes.info_of, self._all_bases(info))]
        holding = [one for one in hierarchy if one.struct.fields and len(one.struct.fields) > len(one.bases)]
        return len(holding) < 2 and not {*self._all_bases(info)} & {*self._first_members(holding)}

    def _all_bases(self, info: ClassInfo) -> list[Struct]:
        bases = [base.struct for base in info.bases]
        for base in bases:
            bases += [one.struct for one in self.s.classes.info_of(base).bases]
        return bases

    def _first_members(self, holding: list[ClassInfo]) -> Iterator[CType]:
        """Yield the classes of which an object lies where one of these begins, as its first member does."""
        for info in holding:
            fixed = {base.field for base in info.bases}
            own = [ctype for name, ctype in self.s.classes.construction.parts_of(info) if name not in fixed]
            for ctype in own if info.struct.union else own[:1]:
                while isinstance(ctype, Array):
                    ctype = ctype.element
                if isinstance(ctype, Struct):
                    yield ctype
                    inner = self.s.classes.construction.info(ctype)
                    yield from self._first_members([inner] if inner is not None else [])

    def spread_arguments(self, nodes: tuple[Node, ...]) -> list[Qualified]:
        found: list[Qualified] = []
        for node in nodes:
            if isinstance(node, cxx.PackExpansion):
                found += self.s.templates.packs.expanded(node, lambda node=node: self._one_type(node.pattern))  # type: ignore[misc]
            else:
                found.append(self._one_type(node))
        return found

    def _one_type(self, node: Node) -> Qualified:
        found = self.s.templates.template_argument(node)
        return found if isinstance(found, Qualified) else self.expression_type(node)

    def trait_argument(self, found: Qualified) -> Qualified:
        if isinstance(found.type, Struct):
            self.s.classes.complete(found.type)
        return found

    def _makes_trivially(self, target: Qualified, given: list[Qualified]) -> bool:
        if self.s.classes.construction.needs_destruction(target.type):
            return False
        if given:
            return self.s.classes.construction.has_trivial(target.type, "copy")
        return not self.s.classes.construction.needs_construction(target.type)

    def _copies_as_bytes(self, ctype: CType) -> bool:
        if not self.s.templates.objects.has_destructor(ctype) or self.s.classes.construction.needs_destruction(ctype):
            return False
        info = self.s.classes.construction.info(ctype)
        if info is None:
            return True
        own = [self.s.classes.construction.copy_constructor(info), self.s.classes.construction.copy_assignment(info)]
        trivial = all(one is None or one.words & {"=delete", "=default"} for one in own)
        trivial = trivial and not any(USER_PROVIDED in one.words for one in self._copying(info))
        return trivial and all(self._copies_as_bytes(part) for _, part in self.s.classes.construction.parts_of(info))

    def _copying(self, info: ClassInfo) -> Iterator[FunctionName]:
        """Yield the constructors of a class and its assignment operators."""
        for functions in (info.constructors, info.scope.names.get("operator=")):
            for one in functions.candidates if isinstance(functions, Functions) else ():
                if isinstance(one, FunctionName) and one.params:
                    yield one

    def underlying(self, ctype: CType) -> CType:
        """Return the integer type of an enumeration."""
        return plain(ctype) if isinstance(ctype, Scalar) else ctype


def _rank(ctype: CType) -> int:
    rank = 0
    while isinstance(ctype, Array):
        rank, ctype = rank + 1, ctype.element
    return rank
