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
from ....tree.nodes import BuiltinCall, Constant, Expr, Place, Temporary, Variable, VarRef
from ....tree.value_category import is_xvalue
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument, chooses
from ..class_info import ClassInfo, is_pure
from ..classes.user_conversions import is_explicit
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
            term = entry.alias or entry.variable
            ctype = entry.variable.type
            if entry.binding is not None:
                return entry.binding
            if entry.alias is not None:
                const = entry.reference != "" and self.s.classes.conversions.is_const_place(entry.alias)
                return Qualified(entry.alias.type, const, reference=entry.reference)
            if entry.reference and isinstance(ctype, Pointer):
                return Qualified(ctype.target, ctype.const, ctype.volatile, reference=entry.reference)
            return Qualified(ctype, getattr(term, "const", False))
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
                return asked.reference != "" or (self.destroys(asked.type))
            case "__is_nothrow_destructible":
                safe = asked.reference != "" or self.s.templates.exceptions.destroys(asked)
                return safe and (asked.reference != "" or self.destroys(element))
            case "__is_trivially_destructible" | "__has_trivial_destructor":
                return asked.reference != "" or (
                    self.destroys(element) and not self.s.classes.construction.needs_destruction(element)
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
            made = self._constructs(first, rest, span)
            return made and (name == "__is_constructible" or self._makes_trivially(first, rest))
        if name == "__is_nothrow_constructible":
            made = self._constructs(first, rest, span)
            return made and self.s.templates.exceptions.constructs(first, rest, span)
        if len(types) != 2:
            return None
        second = types[1]
        match name:
            case "__is_nothrow_assignable":
                return self._assigns(first, second, span) and self.s.templates.exceptions.assigns(first, second, span)
            case "__is_nothrow_convertible":
                makes = self.s.templates.exceptions.constructs
                return self._converts(first, second, span) and makes(second, [first], span)
            case "__is_same" | "__is_same_as":
                same_words = (first.const, first.volatile) == (second.const, second.volatile)
                return same_type(first.type, second.type) and first.reference == second.reference and same_words
            case "__is_base_of":
                alike = first.type is second.type and isinstance(first.type, Struct) and not first.type.union
                values = not first.reference and not second.reference
                return values and (alike or self._derives(second.type, first.type))
            case "__is_convertible" | "__is_convertible_to":
                return self._converts(first, second, span)
            case "__is_assignable":
                return self._assigns(first, second, span)
            case "__is_trivially_assignable":
                trivial = self.s.classes.construction.has_trivial(first.type, "assign")
                return self._assigns(first, second, span) and trivial
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

    def _derives(self, source: CType, base: CType) -> bool:
        if not isinstance(source, Struct) or not isinstance(base, Struct):
            return False
        return self.s.classes.members.base_path(source, base) is not None

    def _converts(self, source: Qualified, target: Qualified, span: Span) -> bool:
        """Whether `T x = declval<S>()` is possible ([meta.rel]/5, [dcl.init.general]/16.6)."""
        if source.type is VOID or target.type is VOID:
            return source.type is target.type and not target.reference
        if self.s.classes.members.is_ambiguous_base(*_pointed(source.type, target.type)):
            return False
        if isinstance(target.type, Array | FunctionType) and not target.reference:
            return False
        if isinstance(target.type, Struct) and not target.reference:
            if self.s.classes.construction.is_kind_of(source.type, target.type):
                return self._constructs(target, [source], span, implicitly=True)
            if not self._may_be_made(target.type):
                return False
        return self.s.calls.sequences.rank(self.probe(source, span), target) is not None

    def _may_be_made(self, struct: Struct) -> bool:
        """Whether there are objects of a class: it is not abstract, and they can be destroyed."""
        info = self.s.classes.construction.info(struct)
        abstract = info is not None and any(is_pure(one, info.struct) for one in info.virtual)
        return not abstract and self.destroys(struct)

    def _constructs(self, target: Qualified, given: list[Qualified], span: Span, *, implicitly: bool = False) -> bool:
        """Whether `T(declval<Args>()...)` is possible. `implicitly`: by a constructor that is not `explicit`."""
        ctype = target.type
        if target.reference:
            return len(given) == 1 and given[0].type is not VOID and self._converts(given[0], target, span)
        if ctype is VOID or isinstance(ctype, FunctionType):
            return False
        if isinstance(ctype, Array):
            return not given and not ctype.unknown and self._constructs(Qualified(ctype.element), [], span)
        if not isinstance(ctype, Struct):
            return not given or (len(given) == 1 and self._converts(given[0], Qualified(ctype), span))
        if any(one.type is VOID for one in given) or not self._may_be_made(ctype):
            return False
        if len(given) == 1 and self.s.classes.members.is_ambiguous_base(given[0].type, ctype):
            return False
        info = self.s.classes.construction.info(ctype)
        constructors = [*info.constructors.candidates] if info is not None and info.constructors is not None else []
        if info is not None and constructors and len(given) == 1:
            constructors += self.s.classes.implicit.constructors(info)
        if implicitly:
            constructors = [one for one in constructors if not is_explicit(one)]
        chosen = self.s.calls.overloads.best(
            self.s.calls.overloads.viable(constructors, [self.probe(one, span) for one in given], None, made=ctype)
        )
        if chosen:
            return len(chosen) == 1 and not _is_deleted(chosen[0].function)
        self._require_known(ctype, info.name if info is not None else "", span)
        if not given:
            return not constructors and not self._has_fixed_member(ctype, uninitialised=True)
        if len(given) == 1 and self.s.classes.construction.is_kind_of(given[0].type, ctype):
            return info is None or info.constructors is None  # otherwise one of the constructors would copy it
        return len(given) == 1 and self._converts(given[0], Qualified(ctype), span)

    def _makes_trivially(self, target: Qualified, given: list[Qualified]) -> bool:
        if self.s.classes.construction.needs_destruction(target.type):
            return False
        if given:
            return self.s.classes.construction.has_trivial(target.type, "copy")
        return not self.s.classes.construction.needs_construction(target.type)

    def _assigns(self, target: Qualified, source: Qualified, span: Span) -> bool:
        """Whether `declval<T>() = declval<U>()` is possible."""
        ctype = target.type
        if source.type is VOID or isinstance(ctype, Array | FunctionType) or ctype is VOID:
            return False
        if not isinstance(ctype, Struct):
            return target.reference == "&" and not target.const and self._converts(source, Qualified(ctype), span)
        info = self.s.classes.construction.info(ctype)
        own = info.scope.names.get("operator=") if info is not None else None
        if isinstance(own, Functions):
            object = VarRef(span, ctype, Variable("probe", ctype, span, "local", const=target.const))
            chosen = self.s.calls.overloads.best(
                self.s.calls.overloads.viable(own.candidates, [self.probe(source, span)], None, object)
            )
            if chosen:
                return len(chosen) == 1 and not _is_deleted(chosen[0].function)
        if target.const:
            return False
        self._require_known(ctype, "operator=", span)
        alike = source.type is ctype or self._derives(source.type, ctype)
        return self._members_assign(ctype, span) and (alike or self._converts(source, Qualified(ctype), span))

    def _members_assign(self, struct: Struct, span: Span) -> bool:
        """Whether no member prevents the implicit assignment."""
        if self._has_fixed_member(struct):
            return False
        for member in struct.fields or ():
            part = member.type
            while isinstance(part, Array):
                part = part.element
            if isinstance(part, Struct) and not self._assigns(Qualified(part, reference="&"), Qualified(part), span):
                return False
        return True

    def _has_fixed_member(self, struct: Struct, *, uninitialised: bool = False) -> bool:
        """Whether a member is const or a reference; with `uninitialised`, one without an initialiser of its own."""
        info = self.s.classes.construction.info(struct)
        for member in struct.fields or ():
            known = info.fields.get(member.name) if info is not None else None
            fixed = (struct, member.name) in self.s.structs.const_members or (
                known is not None and known.type.reference != ""
            )
            if fixed and not (uninitialised and known is not None and known.init is not None):
                return True
        return False

    def destroys(self, ctype: CType) -> bool:
        """Whether a type has a destructor that is not deleted, written or implicit ([class.dtor]/7)."""
        if ctype is VOID or isinstance(ctype, FunctionType) or (isinstance(ctype, Array) and ctype.unknown):
            return False
        while isinstance(ctype, Array):
            ctype = ctype.element
        info = self.s.classes.construction.info(ctype)
        if not isinstance(ctype, Struct) or info is None:
            return True
        self._require_known(ctype, f"~{info.name}", ctype.span)
        if info.destructor is not None and "=default" not in info.destructor.words:
            return "=delete" not in info.destructor.words
        parts = [part for _, part in self.s.classes.construction.parts_of(info)]
        if ctype.union and any(map(self.s.classes.construction.needs_destruction, parts)):
            return False
        return all(map(self.destroys, parts))

    def _require_known(self, struct: Struct, member: str, span: Span) -> None:
        """Fail where the answer depends on a member that is the host's alone, of which only the name is known."""
        info = self.s.classes.construction.info(struct)
        if info is not None and member in info.host_members:
            self.s.classes.members.refuse_member(struct, member, span)

    def _copies_as_bytes(self, ctype: CType) -> bool:
        if not self.destroys(ctype) or self.s.classes.construction.needs_destruction(ctype):
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

    def probe(self, source: Qualified, span: Span) -> Argument:
        """Return an argument of a type, for questions about calls that never happen."""
        variable = Variable("probe", source.type, span, "local", source.const)
        place = VarRef(span, source.type, variable)
        term: Expr | Place = place if source.reference == "&" else Temporary(span, source.type, self.s.expr.load(place))
        if not isinstance(source.type, Struct | Array) and source.reference != "&":
            term = self.s.expr.load(place)
        elif isinstance(source.type, Array):
            term = place  # whatever it is, it decays
        return Argument(c_ast.ID("probe", span), term)

    def underlying(self, ctype: CType) -> CType:
        """Return the integer type of an enumeration."""
        return plain(ctype) if isinstance(ctype, Scalar) else ctype


def _is_deleted(function: object) -> bool:
    return isinstance(function, FunctionName) and "=delete" in function.words


def _pointed(source: CType, target: CType) -> tuple[CType, CType]:
    """Return what two pointers point to, or both types."""
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        return source.target, target.target
    return source, target


def _rank(ctype: CType) -> int:
    rank = 0
    while isinstance(ctype, Array):
        rank, ctype = rank + 1, ctype.element
    return rank
