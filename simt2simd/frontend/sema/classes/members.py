"""Checking members of classes: how they are found, and how an object or a pointer becomes one of a base."""

from __future__ import annotations

from typing import NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import BOOL, BitField, CType, Pointer, Struct
from ....source import Span
from ....tree.effects import has_effects, only_reads, outermost
from ....tree.nodes import (
    AddressOf,
    Comma,
    Conditional,
    Constant,
    Convert,
    Deref,
    Expr,
    Load,
    Member,
    Place,
    Temporary,
)
from ....tree.rewrite import copied
from ...parse import cxx
from ...parse.words import host_only_use
from ...text.top_level import HostOnly
from ..context import Part
from ..identifiers import did_you_mean
from ..qualified import Qualified
from ..scopes import (
    Ambiguous,
    FunctionName,
    Functions,
    MemberName,
    Name,
    Reported,
    Scope,
    TypeName,
    Unusable,
    VariableName,
    is_same_member,
)


class Members(Part):
    """The checker's part for members and bases."""

    # --------------------------------------------------------------------------------------------- lookup

    def class_scope(self, struct: Struct) -> Scope:
        """Return the scope of a class's members."""
        self.s.classes.complete(struct)
        info = self.s.structs.classes.get(struct)
        return info.scope if info is not None else Scope(kind="class", owner=struct)

    def base_path(self, source: Struct, target: Struct) -> list[Struct] | None:
        """Return the classes from `source`, left out, up to its base `target`; None if it is no base."""
        if source is target:
            return []
        self.s.classes.complete(source)
        info = self.s.structs.classes.get(source)
        for base in info.bases if info is not None else ():
            path = self.base_path(base.struct, target)
            if path is not None:
                return [base.struct, *path]
        return None

    def is_ambiguous_base(self, source: CType, target: CType) -> bool:
        """Whether an object of class `source` has several parts of class `target`."""
        return self._count(source, target) > 1

    def _count(self, source: CType, target: CType) -> int:
        """Return how many parts of class `target` an object of class `source` has."""
        if source is target:
            return 1
        info = self.s.structs.classes.get(source) if isinstance(source, Struct) else None
        return sum(self._count(base.struct, target) for base in info.bases) if info is not None else 0

    def is_base(self, base: Struct, derived: Struct) -> bool:
        return bool(self.base_path(derived, base))

    def as_base(self, place: Place, target: Struct, span: Span) -> Place:
        """Return the part of an object that its base class `target` is; fail if it has several ([conv.ptr]/3)."""
        if self._count(place.type, target) > 1:
            help = "convert it to the class between both first"
            self.fail(span, f"'{target}' is an ambiguous base of '{place.type}'", help=help)
        while place.type is not target:
            assert isinstance(place.type, Struct)
            path = self.base_path(place.type, target)
            assert path
            base = next(base for base in self.s.structs.classes[place.type].bases if base.struct is path[0])
            place = Member(span, base.struct, place, base.field, base.offset)
        return place

    def find_member(self, struct: Struct, name: str) -> tuple[Struct, Name] | None:
        """Return the class that declares member `name`, `struct` or one of its bases, and what the name denotes."""
        self.s.classes.complete(struct)
        info = self.s.structs.classes.get(struct)
        if info is None:
            return None
        if name in info.scope.names:
            return struct, info.scope.names[name]
        if name in info.scope.tags:
            tag = info.scope.tags[name]
            return struct, TypeName(struct.span, Qualified(tag))
        several: list[tuple[Struct, Name]] = []
        for base in info.bases:
            found = self.find_member(base.struct, name)
            if found is not None and not any(is_same_member(found[1], entry) for _, entry in several):
                several.append(found)
        if len(several) < 2:
            return several[0] if several else None
        return struct, Ambiguous(struct.span, entries=tuple(entry for _, entry in several))

    def require_unambiguous(self, struct: Struct, name: str, span: Span) -> None:
        """Fail if several bases of `struct` have a member `name`, or one that is a base twice."""
        owners = self._owners(struct, name)
        if len(owners) < 2:
            return
        first, other = owners[:2]
        if first is not other:
            help = f"write '{first}::{name}' or '{other}::{name}'"
            self.fail(span, f"'{name}' is ambiguous: '{first}' and '{other}', bases of '{struct}', have it", help=help)
        entry = self.class_scope(first).names.get(name)
        if isinstance(entry, MemberName):
            self.fail(span, f"'{name}' is ambiguous: '{first}' is a base of '{struct}' more than once")

    def _owners(self, struct: Struct, name: str) -> list[Struct]:
        """Return the classes whose member `name` an object of class `struct` has."""
        scope = self.class_scope(struct)
        if name in scope.names or name in scope.tags:
            return [struct]
        info = self.s.structs.classes.get(struct)
        return [owner for base in (info.bases if info is not None else ()) for owner in self._owners(base.struct, name)]

    def named_part(self, base: Place, member: cxx.Name) -> Place:
        """Return the part of the object at `base` that `member`, `Base::name`, names before its last `::`."""
        struct = base.type
        assert isinstance(struct, Struct)
        with self.s.scopes.inside(self.class_scope(struct)):  # the class knows its own name, and those of its bases
            owner = self.s.expr.names.named(cxx.Name(member.parts[:-1], member.rooted, member.coord)).type
        if not isinstance(owner, Struct) or self.base_path(struct, owner) is None:
            note = Note(struct.span, f"'{struct}' is declared here")
            self.fail(member.coord, f"'{owner}' is no base of '{struct}'", note)
        return self.as_base(base, owner, member.coord)

    def member_of(self, base: Place, name: str, span: Span, at: Span) -> Expr | Place:
        """Return a member of a class; of a static one, after what the object does ([expr.ref]/1)."""
        struct = base.type
        assert isinstance(struct, Struct)
        found = self.find_member(struct, name)
        if found is None:
            return self._field(base, name, span, at)
        owner, entry = found
        if owner is not struct or isinstance(entry, Ambiguous):
            self.require_unambiguous(struct, name, at)
        if isinstance(entry, MemberName):  # `using` may have brought it from a base of the class that has the name
            return self._field(self.as_base(base, entry.owner, span), name, span, at)
        match entry:
            case Functions(candidates=[FunctionName(owner=Struct(), is_method=False) as static]):
                return self.after_object(base, self.s.calls.indirect.function_address(static, span))
            case Functions():
                self.fail(span, f"'{name}' is a method: it must be called", help=f"write '{name}(...)'")
            case VariableName():
                return self.after_object(base, self.s.expr.names.variable_term(entry, span))
            case Unusable():
                self.s.diagnostics.refuse_unusable(name, span, entry)
        return self.after_object(base, self.s.expr.names.entry_term(c_ast.ID(name, span), entry))

    def after_object(self, object: Place, term: Expr | Place) -> Expr | Place:
        """Return `term`, which needs no object, after the side effects of the expression of one."""
        effects = self.s.statements.left_where_it_is(object) if has_effects(object) else None
        if effects is None or only_reads(effects):
            return term
        span = term.span
        if not isinstance(term, Place) or isinstance(term, Temporary):
            value = self.s.expr.load(term)
            return self.s.expr.as_term(Comma(span, value.type, effects, value))
        address = self.s.expr.pointers.address(term, span)
        return Deref(span, term.type, Comma(span, address.type, effects, address))

    def _field(self, base: Place, name: str, span: Span, at: Span) -> Place:
        struct = base.type
        assert isinstance(struct, Struct)
        path = struct.path(name)
        if not path:
            self.refuse_member(struct, name, at)
        info = self.s.structs.classes.get(struct)
        member: Place = base
        for part in path:
            bits = part if isinstance(part, BitField) else None
            member = Member(span, part.type, member, part.name, part.offset, bits)
        if info is None or name not in info.fields or not (declared := info.fields[name].type).reference:
            return member
        return Deref(span, declared.type, Load(span, member.type, member))

    def refuse_member(self, struct: Struct, name: str, at: Span) -> NoReturn:
        """Say that `struct` has no member `name`."""
        info = self.s.structs.classes.get(struct)
        why = info.host_members.get(name) if info is not None else None
        if isinstance(why, HostOnly):
            self.report(host_only_use(name, at, why))
            raise Reported
        notes = [Note(struct.span, f"'{struct}' is declared here")] if struct.span.line else []
        names = list(struct.member_names())
        if info is not None:
            names += [one for one in info.scope.names if not one.startswith(("base_", "operator"))]
        self.fail(at, f"'{struct}' has no member '{name}'", *notes, help=did_you_mean(name, names))

    # -------------------------------------------------------------------------------------------- pointers

    def to_base_pointer(self, expr: Expr, target: Pointer) -> Expr | None:
        """Convert a pointer to one to a base class; None if it points to no such class."""
        assert isinstance(expr.type, Pointer)
        source, wanted = expr.type.target, target.target
        if not isinstance(source, Struct) or not isinstance(wanted, Struct) or source is wanted:
            return None
        path = self.base_path(source, wanted)
        if not path:
            return None
        offset = outermost(self.as_base(Deref(expr.span, source, expr), wanted, expr.span))[1]
        if offset == 0:
            return self.s.expr.conversions.convert(expr, target)
        return self._moved_unless_null(expr, offset, target)

    def to_derived_pointer(self, expr: Expr, target: Pointer) -> Expr | None:
        """`static_cast<Derived *>(base)`: nothing but a move by the base's offset."""
        assert isinstance(expr.type, Pointer)
        source, wanted = expr.type.target, target.target
        if not isinstance(source, Struct) or not isinstance(wanted, Struct) or source is wanted:
            return None
        if not self.base_path(wanted, source):
            return None
        offset = outermost(self.as_base(Deref(expr.span, wanted, expr), source, expr.span))[1]
        if offset == 0:
            return self.s.classes.conversions.moved_pointer(expr, 0, target)
        return self._moved_unless_null(expr, -offset, target)

    def _moved_unless_null(self, expr: Expr, offset: int, target: Pointer) -> Expr:
        """Return a pointer that leads `offset` bytes further; a null pointer stays one ([conv.ptr])."""
        moved = self.s.classes.conversions.moved_pointer
        if isinstance(expr, AddressOf):
            return moved(expr, offset, target)
        store: Expr | None = None
        if not only_reads(expr):
            kept, store = self.s.calls.arguments.kept(expr, expr.type, expr.span)
            expr = Load(expr.span, expr.type, kept)
        there = Convert(expr.span, BOOL, copied(expr))
        found = Conditional(expr.span, target, there, moved(expr, offset, target), Constant(expr.span, target, 0))
        return found if store is None else Comma(expr.span, target, store, found)

    # -------------------------------------------------------------------------------------------- objects

    def object_address(self, place: Place, owner: Struct, span: Span) -> Expr:
        """Return the address of `place`, or of its base `owner`, for a method; what has no place is stored first."""
        if isinstance(place, Temporary):
            place = self.s.classes.prvalues.materialised(place.value)
        if isinstance(outermost(place)[0], Temporary):
            value = place.value if isinstance(place, Temporary) else Load(span, place.type, place)
            stored, store = self.s.calls.arguments.kept(value, value.type, span)
            address = self.s.expr.pointers.address(self.as_base(stored, owner, span), span)
            return Comma(span, address.type, store, address)
        found = self.as_base(place, owner, span)
        if isinstance(found, Deref) and found is place:
            assert isinstance(found.pointer.type, Pointer)
            return found.pointer
        return self.s.expr.pointers.address(found, span)
