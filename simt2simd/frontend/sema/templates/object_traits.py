"""Questions of <type_traits> about objects: whether they can be made, converted, assigned and destroyed.

Code outside the classes asks: members that are private or protected are as good as deleted. What the compiler makes for
a class is deleted where a base or a member lacks what it needs ([class.default.ctor]/2, [class.copy.ctor]/10,
[class.copy.assign]/7, [class.dtor]/7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pycparser import c_ast

from ....lang.ctype import BOOL, VOID, Array, CType, FunctionType, Pointer, Struct, is_nullptr_t
from ....source import Span
from ....tree.nodes import Constant, Deref, Expr, Place, Temporary, Variable, VarRef
from ..argument import Argument
from ..class_info import ClassInfo, is_pure
from ..classes.user_conversions import is_explicit
from ..context import CPP20, Part, Sema
from ..qualified import Qualified
from ..scopes import USER_PROVIDED, FunctionName, Functions, TemplateName

Special = Literal["construct", "copy", "move", "assign", "move_assign"]
NOT_PUBLIC = ("private", "protected")


class ObjectTraits(Part):
    """The checker's part for questions whether objects can be made, converted, assigned and destroyed."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self._deleted: dict[tuple[Struct, Special], bool] = {}

    def converts(self, source: Qualified, target: Qualified, span: Span) -> bool:
        """Whether `T x = declval<S>()` is possible ([meta.rel]/5, [dcl.init.general]/16.6)."""
        if source.type is VOID or target.type is VOID:
            return source.type is target.type and not target.reference
        if self.s.classes.members.is_ambiguous_base(*_pointed(source.type, target.type)):
            return False
        if isinstance(target.type, Array | FunctionType) and not target.reference:
            return False
        if isinstance(target.type, Struct) and not target.reference:
            if self.s.classes.construction.is_kind_of(source.type, target.type):
                return self.constructs(target, [source], span, implicitly=True)
            if self._is_abstract(target.type) or not self.is_destructible(target.type):
                return False
        rank = self.s.calls.sequences.rank(self.probe(source, span), target)
        return rank is not None and _may_be_called(rank.via, NOT_PUBLIC)

    def _initialises(self, source: Qualified, target: Qualified, span: Span) -> bool:
        """Whether `T x(declval<S>())` is possible: explicit conversion functions count too ([over.match.conv])."""
        if self.converts(source, target, span):
            return True
        if is_nullptr_t(source.type) and target == Qualified(BOOL):  # ([dcl.init.general]/16.8)
            return True
        term, conversions = self.probe(source, span).term, self.s.classes.user_conversions
        if term is None or not isinstance(source.type, Struct):
            return False
        if target.reference:
            found = conversions.reference_conversions(term, target, direct=True)
            found = [one for one in found if isinstance(one.function, FunctionName) and _gives_reference(one.function)]
        else:
            found = conversions.conversions(term, target.type, direct=True)
        return len(found) == 1 and _may_be_called(found[0].function, NOT_PUBLIC)

    def constructs(self, target: Qualified, given: list[Qualified], span: Span, *, implicitly: bool = False) -> bool:
        """Whether `T(declval<Args>()...)` is possible. `implicitly`: by a constructor that is not `explicit`."""
        ctype = target.type
        if target.reference:
            return len(given) == 1 and given[0].type is not VOID and self._initialises(given[0], target, span)
        if ctype is VOID or isinstance(ctype, FunctionType):
            return False
        if isinstance(ctype, Array):
            return not given and not ctype.unknown and self.constructs(Qualified(ctype.element), [], span)
        if not isinstance(ctype, Struct):
            return not given or (len(given) == 1 and self._initialises(given[0], Qualified(ctype), span))
        if self._is_abstract(ctype):
            return False
        return self._constructs_object(ctype, given, span, NOT_PUBLIC, implicitly=implicitly)

    def _constructs_object(
        self, ctype: Struct, given: list[Qualified], span: Span, refused: Iterable[str], *, implicitly: bool = False
    ) -> bool:
        """Whether an object, or a part of one, can be made and destroyed by functions whose access is not `refused`."""
        if any(one.type is VOID for one in given) or not self._has_destructor(ctype, refused):
            return False
        if len(given) == 1 and self.s.classes.members.is_ambiguous_base(given[0].type, ctype):
            return False
        info = self.s.classes.construction.info(ctype)
        declared = info.constructors.candidates if info is not None and info.constructors is not None else []
        implicit = self.s.classes.implicit.constructors(info) if info is not None and len(given) == 1 else []
        candidates = [one for one in (*declared, *implicit) if not (implicitly and is_explicit(one))]
        answer = self._calls(info, candidates, [self.probe(one, span) for one in given], None, refused)
        if answer is not None:
            return answer
        self._require_known(ctype, info.name if info is not None else "", span)
        if not given:
            if info is None:
                return not any(map(self.s.classes.construction.needs_construction, _fields(ctype)))
            if info.is_lambda and (ctype.fields or self.s.cplusplus < CPP20):
                return False
            return not declared and not self._is_deleted(info, "construct")
        if len(given) == 1 and self.s.classes.construction.is_kind_of(given[0].type, ctype):
            return info is None and all(self._is_plain(part, span) for part in _fields(ctype))
        return len(given) == 1 and self._initialises(given[0], Qualified(ctype), span)

    def _calls(
        self,
        info: ClassInfo | None,
        candidates: list[FunctionName | TemplateName],
        args: list[Argument],
        object: Place | None,
        refused: Iterable[str],
    ) -> bool | None:
        """Whether the best of the functions of a class can be called; None if none takes the arguments.

        One that moves, and is defaulted and deleted, is no candidate ([over.match.funcs]/8).
        """
        if info is None or not candidates:
            return None
        made = info.struct if object is None else None
        while True:
            chosen = self.s.calls.overloads.best(
                self.s.calls.overloads.viable(candidates, args, None, object, made=made)
            )
            if len(chosen) != 1:
                return False if chosen else None
            function = chosen[0].function
            special = _special(function, info.struct)
            if special is None or not self._is_deleted(info, special):
                return _may_be_called(function, refused)
            if special not in ("move", "move_assign"):
                return False
            candidates = [one for one in candidates if one is not function]

    def assigns(self, target: Qualified, source: Qualified, span: Span) -> bool:
        """Whether `declval<T>() = declval<U>()` is possible."""
        ctype = target.type
        if source.type is VOID or isinstance(ctype, Array | FunctionType) or ctype is VOID:
            return False
        if not isinstance(ctype, Struct):
            return target.reference == "&" and not target.const and self.converts(source, Qualified(ctype), span)
        return self._assigns_object(ctype, target, source, span, NOT_PUBLIC)

    def _assigns_object(
        self, ctype: Struct, target: Qualified, source: Qualified, span: Span, refused: Iterable[str]
    ) -> bool:
        info = self.s.classes.construction.info(ctype)
        own = info.scope.names.get("operator=") if info is not None else None
        declared = own.candidates if isinstance(own, Functions) else []
        implicit = self.s.classes.implicit.assignments(info) if info is not None else []
        address = Constant(span, Pointer(ctype, target.const, target.volatile), 1)
        object = Deref(span, ctype, address, xvalue=target.reference != "&")
        if info is not None and info.is_lambda and (ctype.fields or self.s.cplusplus < CPP20):
            return False
        answer = self._calls(info, [*declared, *implicit], [self.probe(source, span)], object, refused)
        if answer is not None:
            return answer
        self._require_known(ctype, "operator=", span)
        if info is not None or target.const or not all(self._is_plain(part, span) for part in _fields(ctype)):
            return False
        return source.type is ctype or self.converts(source, Qualified(ctype), span)

    # --------------------------------------------------------------------- what the compiler makes for a class

    def _is_deleted(self, info: ClassInfo, what: Special) -> bool:
        """Whether a function that the compiler makes for a class is defined as deleted."""
        key = info.struct, what
        if key not in self._deleted:
            self._deleted[key] = False  # for a class that asks about itself
            self._deleted[key] = any(self._prevents(info, name, part, what) for name, part in self._parts(info))
        return self._deleted[key]

    def _parts(self, info: ClassInfo) -> Iterator[tuple[str, CType]]:
        for name, part in self.s.classes.construction.parts_of(info):
            while isinstance(part, Array):
                part = part.element
            yield name, part

    def _prevents(self, info: ClassInfo, name: str, part: CType, what: Special) -> bool:
        """Whether a base or a member lacks what a function needs that the compiler would make."""
        construction = self.s.classes.construction
        field = info.fields.get(name)
        reference = field.type.reference if field is not None else ""
        const = (info.struct, name) in self.s.structs.const_members
        has_value = field is not None and field.init is not None
        union = info.struct.union
        refused = self._refused_of(info, name, part)
        span = info.struct.span
        if what in ("assign", "move_assign"):
            if reference or (const and not isinstance(part, Struct)):
                return True
            if not isinstance(part, Struct):
                return False
            source = Qualified(part, const or what == "assign", reference="&" if what == "assign" else "&&")
            target = Qualified(part, const, reference="&")
            return not self._assigns_object(part, target, source, span, refused) or (
                union and not construction.has_trivial(part, "assign")
            )
        if isinstance(part, Struct) and not reference and not union and not self._has_destructor(part, refused):
            return True
        if what == "construct":
            if has_value or (union and any(one.init is not None for one in info.fields.values())):
                return False
            if reference or (const and not union and construction.needs_initialiser(part)):
                return True
            if not isinstance(part, Struct):
                return False
            if union:
                return construction.needs_construction(part)
            return not self._constructs_object(part, [], span, refused)
        if reference:
            return what == "copy" and reference == "&&"
        if not isinstance(part, Struct):
            return False
        if union and not construction.has_trivial(part, "copy"):
            return True
        source = Qualified(part, const or what == "copy", reference="&" if what == "copy" else "&&")
        return not self._constructs_object(part, [source], span, refused)

    def _refused_of(self, info: ClassInfo, name: str, part: CType) -> Iterable[str]:
        """Return what access of a part's members a class lacks; of a part with friends, none is known."""
        own = self.s.classes.construction.info(part)
        if own is None or own.has_friends:
            return ()
        return ("private",) if any(base.field == name for base in info.bases) else NOT_PUBLIC

    # ------------------------------------------------------------------------------------------ destructors

    def is_destructible(self, ctype: CType) -> bool:
        """Whether code outside a class may destroy its objects."""
        return self._has_destructor(ctype, NOT_PUBLIC)

    def has_destructor(self, ctype: CType) -> bool:
        """Whether a type has a destructor that is not deleted, written or implicit ([class.dtor]/7)."""
        return self._has_destructor(ctype, ())

    def _has_destructor(self, ctype: CType, refused: Iterable[str]) -> bool:
        """Whether a type has a destructor that is not deleted, and whose access is none of those `refused`."""
        if ctype is VOID or isinstance(ctype, FunctionType) or (isinstance(ctype, Array) and ctype.unknown):
            return False
        while isinstance(ctype, Array):
            ctype = ctype.element
        info = self.s.classes.construction.info(ctype)
        if not isinstance(ctype, Struct):
            return True
        if info is None:
            return not any(map(self.s.classes.construction.needs_destruction, _fields(ctype)))
        self._require_known(ctype, f"~{info.name}", ctype.span)
        if info.destructor is not None and info.destructor.words & {"=delete", *refused}:
            return False
        if info.destructor is not None and "=default" not in info.destructor.words:
            return True
        parts = list(self._parts(info))
        if ctype.union and any(self.s.classes.construction.needs_destruction(part) for _, part in parts):
            return False
        references = {name for name, field in info.fields.items() if field.type.reference}
        return all(
            name in references or self._has_destructor(part, self._refused_of(info, name, part)) for name, part in parts
        )

    # ---------------------------------------------------------------------------------------------- helpers

    def derives(self, source: CType, base: CType) -> bool:
        """Whether one class is or derives from another."""
        if not isinstance(source, Struct) or not isinstance(base, Struct):
            return False
        return self.s.classes.members.base_path(source, base) is not None

    def _is_plain(self, part: CType, span: Span) -> bool:
        """Whether an object is copied with a struct or union of C of which it is a member: both do so trivially."""
        while isinstance(part, Array):
            part = part.element
        if not isinstance(part, Struct):
            return True
        trivial = all(self.s.classes.construction.has_trivial(part, how) for how in ("copy", "assign"))
        return trivial and self._constructs_object(part, [Qualified(part, True, reference="&")], span, NOT_PUBLIC)

    def _is_abstract(self, struct: Struct) -> bool:
        info = self.s.classes.construction.info(struct)
        return info is not None and any(is_pure(one, info.struct) for one in info.virtual)

    def _require_known(self, struct: Struct, member: str, span: Span) -> None:
        """Fail where the answer depends on a member that is the host's alone, of which only the name is known."""
        info = self.s.classes.construction.info(struct)
        if info is not None and member in info.host_members:
            self.s.classes.members.refuse_member(struct, member, span)

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


def _fields(struct: Struct) -> list[CType]:
    return [field.type for field in struct.fields or ()]


def _special(function: object, struct: Struct) -> Special | None:
    """Return which function that the compiler makes this is, if it is implicit or `= default` from the first."""
    if not isinstance(function, FunctionName) or "=default" not in function.words or USER_PROVIDED in function.words:
        return None
    assigns = function.name == "operator="
    if not function.params:
        return None if assigns else "construct"
    first = function.params[0]
    if first.type is not struct:
        return None
    if first.reference == "&&":
        return "move_assign" if assigns else "move"
    return "assign" if assigns else "copy"


def _may_be_called(function: object, refused: Iterable[str]) -> bool:
    return not (isinstance(function, FunctionName) and function.words & {"=delete", *refused})


def _gives_reference(function: FunctionName) -> bool:
    return function.result is not None and function.result.reference != ""


def _pointed(source: CType, target: CType) -> tuple[CType, CType]:
    """Return what two pointers point to, or both types."""
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        return source.target, target.target
    return source, target
