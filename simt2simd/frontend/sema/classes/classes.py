"""Checking classes: their members and bases, and how a member is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pycparser import c_ast

from ....lang.ctype import BFLOAT16, HALF, ULONG, Array, CType, Struct
from ....lang.layout import Declared
from ...parse import cxx
from ...parse.words import HOST_ONLY, NO_UNIQUE_ADDRESS, Node
from ...text.top_level import HostOnly
from ..class_info import VPTR, BaseClass, ClassInfo, FieldInfo, overrides
from ..context import Part
from ..qualified import Qualified
from ..scopes import FunctionName, Functions, MemberName, Reported, Scope, TypeName, declared_function, is_of_both_sides
from ..templates.packs import names_in
from ..types.records import name_span

if TYPE_CHECKING:
    from .allocation_functions import AllocationFunctions
    from .builtin_candidates import BuiltinCandidates
    from .class_conversions import ClassConversions
    from .construction import Construction
    from .implicit_members import ImplicitMembers
    from .inherited_constructors import InheritedConstructors
    from .initializer_list import InitializerLists
    from .lambdas import Lambdas
    from .member_pointers import MemberPointers
    from .members import Members
    from .new_delete import NewDelete
    from .operators import Operators
    from .prvalues import Prvalues
    from .temporaries import Temporaries
    from .user_conversions import UserConversions

# Numbers here, classes in CUDA: what a class derived from them has as its base.
_BASES_FOR: dict[CType, str] = {HALF: "__s2s_half_base", BFLOAT16: "__s2s_bfloat16_base"}

_MOST_EMPTIES = 4096  # elements of an array beyond these lie behind every empty base, which is no larger


class Classes(Part):
    """The checker's part for classes."""

    members: Members
    member_pointers: MemberPointers
    implicit: ImplicitMembers
    construction: Construction
    conversions: ClassConversions
    user_conversions: UserConversions
    temporaries: Temporaries
    prvalues: Prvalues
    operators: Operators
    builtin_candidates: BuiltinCandidates
    lists: InitializerLists
    lambdas: Lambdas
    allocation: AllocationFunctions
    inherited: InheritedConstructors
    new_delete: NewDelete

    # ----------------------------------------------------------------------------------------- definition

    def complete(self, struct: Struct) -> None:
        """Define `struct` if it is an instance of a template that has not been needed complete before.

        So is a class in an instance, of which the definition is outside.
        """
        define = self.s.templates.unfinished.pop(struct, None)
        if define is not None:
            define()
        elif struct.fields is None:
            self.s.templates.outside.define_nested(struct)

    def define_class(self, struct: Struct, node: cxx.Class | cxx.UnionClass) -> ClassInfo:
        """Check the definition of a class: first its types, static members and data, then its functions."""
        shown = f"{self.s.scopes.prefix()}{node.name}" if not struct.shown else struct.shown
        struct.shown = shown if node.name else ""
        scope = Scope(kind="class", owner=struct, shown=f"{shown}::" if node.name else self.s.scopes.prefix())
        info = ClassInfo(struct, scope, tuple(self.s.scopes.stack), node.name or "", host_members=node.host_members)
        info.pattern, info.args = self.s.structs.made_of.get(struct, (None, ()))
        info.chosen, info.bindings = self.s.structs.chosen.get(struct, (None, {}))
        self.s.structs.classes[struct] = info
        if node.name:
            scope.names[node.name] = TypeName(node.coord, Qualified(struct))
        bases = list(self._bases(node))
        scope.also = [self.info_of(base).scope for base in bases]
        scope.dependent = frozenset(self._dependent(node))
        with self.s.scopes.inside(scope):
            early: set[Node] = set()
            data = []
            for decl in node.decls or ():
                for function in _functions_named_by(decl, node.decls or ()):
                    if function not in early:
                        early.add(function)
                        self._declare_function_member(info, function)
                data += [decl] if self._declare_member(info, decl) else []
            self._lay_out(info, node, bases, data)
            for decl in node.decls or ():
                if decl not in early:
                    self._declare_function_member(info, decl)
            if info.constructors is None and info.name in info.host_members:
                info.constructors = Functions(node.coord, info.name, [])
            self._find_virtual(info)
            for decl in node.decls or ():
                if isinstance(decl, c_ast.StaticAssert):
                    self.s.statements.static_assert(decl)
        info.defined = True
        return info

    def info_of(self, struct: Struct) -> ClassInfo:
        """Return what is known of a struct; of one of ours, such as `float4`, its members."""
        info = self.s.structs.classes.get(struct)
        if info is None:
            scope = Scope(kind="class", owner=struct, shown=f"{struct}::")
            info = self.s.structs.classes[struct] = ClassInfo(struct, scope, (self.s.scopes.file_scope,), struct.tag)
            info.empty, info.base_size = not struct.fields, struct.size
            for name in struct.member_names():
                scope.names[name] = MemberName(struct.span, struct, name)
        return info

    def _bases(self, node: cxx.Class | cxx.UnionClass) -> Iterator[Struct]:
        for base in node.bases:
            if base.virtual:
                self.fail(base.span, "virtual base classes are not supported", help="leave out 'virtual'")
            for found in self.s.templates.packs.expanded_types(base.name, base.pack):
                struct = self.as_base(found.type)
                if not isinstance(struct, Struct):
                    self.fail(base.span, f"'{found.type}' is no class")
                self.s.types.records.require_complete(struct, base.span)
                yield struct

    def _dependent(self, node: cxx.Class | cxx.UnionClass) -> Iterator[Scope]:
        """Yield the scopes of bases that depend on the parameters of a template around the class ([temp.dep]/3)."""
        templates = [scope for scope in self.s.scopes.stack if scope.kind == "template"]
        for base in node.bases:
            if any(name in scope.names for scope in templates for name in names_in(base.name)):
                for found in self.s.templates.packs.expanded_types(base.name, base.pack):
                    struct = self.as_base(found.type)
                    assert isinstance(struct, Struct)
                    yield self.info_of(struct).scope

    def as_base(self, ctype: CType) -> CType:
        """Return the class that a class derived from `__half` or `__nv_bfloat16` has as its base."""
        name = _BASES_FOR.get(ctype)
        if name is None:
            return ctype
        self.s.scopes.std.find(name)  # which declares it
        tag = self.s.scopes.std.find_tag(name)
        assert tag is not None
        return tag

    def _declare_member(self, info: ClassInfo, decl: Node) -> bool:
        """Enter a member that is no function; return True for data that every object has."""
        match decl:
            case c_ast.Typedef():
                self.s.statements.declarations.typedef(decl)
            case c_ast.Decl(type=c_ast.FuncDecl()) | cxx.Definition() | c_ast.StaticAssert() | c_ast.Pragma():
                return False
            case c_ast.Decl() if "static" in decl.storage:
                self.s.statements.declarations.static_member(decl)
            case c_ast.Decl(name=None) if decl.bitsize is not None:
                return True
            case c_ast.Decl(name=None):
                unnamed = decl.type
                self.s.types.base_type(unnamed)
                return getattr(unnamed, "name", None) is None and not isinstance(unnamed, c_ast.Enum)
            case c_ast.Decl():
                return True
            case cxx.Template() if isinstance(decl.declaration, cxx.Friend):
                return False
            case cxx.Template():  # also of functions, which need no types yet: `decltype(test<T>(0))` may follow
                self.s.templates.declarations.declare_template(decl)
            case cxx.UsingDeclaration():
                self._using_member(info, decl)
            case cxx.UsingDirective():
                self.s.expr.names.using_directive(decl)
            case cxx.UsingEnum():
                self.s.expr.names.using_enum(decl)
            case c_ast.Enum() | c_ast.Struct() | c_ast.Union():
                self.s.types.base_type(decl)
        return False

    def _using_member(self, info: ClassInfo, decl: cxx.UsingDeclaration) -> None:
        """Make members of a base visible beside this class's own (`using Base::f;`), or its constructors."""
        if isinstance(decl.target, cxx.PackExpansion):
            pattern = decl.target.pattern
            for one in self.s.templates.packs.each_element_of(pattern):
                self._using_member(info, cxx.UsingDeclaration(one, decl.coord))
            return
        assert isinstance(decl.target, cxx.Name)
        *owner, last = decl.target.parts
        if last.name == "operator type":
            return  # the conversion functions of bases are inherited anyway
        base = self.s.expr.names.named(cxx.Name(tuple(owner), decl.target.rooted, decl.coord)).type if owner else None
        if isinstance(base, Struct) and last.name in (owner[-1].name, base.tag, self.info_of(base).name):
            self.inherited.declare(info, self.s.structs.classes[base], decl.coord)
            return
        known = info.scope.names.get(last.name)
        found = self.members.find_member(base, last.name) if isinstance(base, Struct) else None
        if isinstance(known, Functions) and found is not None and isinstance(found[1], Functions):
            known.candidates += found[1].candidates
        elif found is not None and isinstance(found[1], Functions):
            info.scope.names[last.name] = Functions(decl.coord, last.name, list(found[1].candidates))
        elif found is not None:
            info.scope.names[last.name] = found[1]
        elif last.name == "operator=" and isinstance(base, Struct):
            return  # an implicit one, which the class's own hides ([namespace.udecl]/14)
        else:
            self.s.expr.names.using_declaration(decl)

    def _lay_out(
        self, info: ClassInfo, node: cxx.Class | cxx.UnionClass, bases: list[Struct], data: Sequence[Node]
    ) -> None:
        """Give every base and member its place."""
        struct = info.struct
        polymorphic = any(base in self.s.structs.classes and self.s.structs.classes[base].polymorphic for base in bases)
        own_vptr = not polymorphic and any(map(_is_virtual, node.decls or ()))
        info.polymorphic = polymorphic or own_vptr
        leading = [Declared(VPTR, ULONG, ULONG.align)] if own_vptr else []
        first = next((base for base in bases if self.info_of(base).polymorphic), None)  # shares the pointer at offset 0
        leading += [self._declared_base(base) for base in sorted(bases, key=lambda base: base is not first)]
        layout = self.s.types.records.define_record(struct, node, data, leading)
        fields = {one.name: one for one in struct.fields or ()}
        info.bases = tuple(
            BaseClass(base, f"base_{base.tag}", fields[f"base_{base.tag}"].offset)
            for base in bases
            if f"base_{base.tag}" in fields
        )
        for decl in data:
            if isinstance(decl, c_ast.Decl) and decl.name:
                declared = self.s.types.qualified(decl.type)
                span = name_span(decl)
                info.fields[decl.name] = FieldInfo(declared, span, decl.init, decl)
                if "mutable" in (*decl.storage, *decl.funcspec):
                    self.s.structs.const_members.add((struct, f"mutable {decl.name}"))
        for name in struct.member_names():
            info.scope.names.setdefault(name, MemberName(struct.span, struct, name))
        members = all(map(self._takes_no_space, data))
        info.empty = members and not info.polymorphic and all(self.info_of(base).empty for base in bases)
        info.final, info.mixes_access = node.final, node.mixes_access
        info.has_friends = any(map(_is_friend, node.decls or ()))
        info.plain = not bases and self._is_plain(info, node)
        info.base_size = struct.size if info.plain else layout.size

    def _takes_no_space(self, member: Node) -> bool:
        """Whether a data member is an empty object that needs no address of its own."""
        if not isinstance(member, c_ast.Decl) or NO_UNIQUE_ADDRESS not in member.funcspec:
            return False
        ctype = self.s.types.qualified(member.type).type
        return isinstance(ctype, Struct) and self.info_of(ctype).empty

    def _declared_base(self, base: Struct) -> Declared:
        data = self.own_bytes(base)
        return Declared(f"base_{base.tag}", base, base.align, data=data, empties=self.empties_of(base))

    def own_bytes(self, part: Struct) -> int:
        """Return how many bytes belong to a base, or to a member without a unique address ([intro.object]/7)."""
        info = self.info_of(part)
        data = 0 if info.empty else info.base_size
        part.lends_padding |= data < part.size
        return data

    def empties_of(self, ctype: CType) -> tuple[tuple[Struct, int], ...]:
        """Return the empty objects inside an object, each with its offset."""
        if isinstance(ctype, Array):
            inner, size = self.empties_of(ctype.element), ctype.element.size
            count = min(ctype.count, _MOST_EMPTIES) if inner else 0
            return tuple((kind, at + i * size) for i in range(count) for kind, at in inner)
        if not isinstance(ctype, Struct):
            return ()
        own = ((ctype, 0),) if self.info_of(ctype).empty else ()
        return own + tuple((k, f.offset + at) for f in ctype.fields or () for k, at in self.empties_of(f.type))

    def _is_plain(self, info: ClassInfo, node: cxx.Class | cxx.UnionClass) -> bool:
        """Whether a class without bases is a POD as C++03 has it, by which the ABI decides on its padding."""
        if info.polymorphic or (isinstance(node, cxx.Class) and node.hides_data):
            return False
        special = {node.name, f"~{node.name}", "operator="}
        for decl in node.decls or ():
            inner = decl.decl if isinstance(decl, cxx.Definition) else decl
            if not isinstance(inner, c_ast.Decl) or not _is_function(inner) or inner.name not in special:
                continue
            if not {"=default", "=delete"} & {*inner.funcspec}:
                return False
        if special & info.host_members.keys():
            return False
        return all(
            field.init is None and not field.type.reference and self.is_plain_type(field.type.type)
            for field in info.fields.values()
        )

    def is_plain_type(self, ctype: CType) -> bool:
        while isinstance(ctype, Array):
            ctype = ctype.element
        return not isinstance(ctype, Struct) or self.info_of(ctype).plain

    def _declare_function_member(self, info: ClassInfo, decl: Node) -> None:
        """Declare a member function or a friend; one for both sides whose types only the host has is the host's."""
        before = len(self.s.diagnostics.faults)
        try:
            match decl:
                case cxx.Definition() if "friend" in decl.decl.funcspec:
                    self.s.statements.functions.friend_function(decl, self.s.scopes.namespace, info)
                case c_ast.Decl(type=c_ast.FuncDecl()) if "friend" in decl.funcspec:
                    self._friend_declaration(info, decl)
                case cxx.Definition():
                    self.s.statements.functions.declare_method(info, decl.decl, decl)
                case c_ast.Decl(type=c_ast.FuncDecl()):
                    self.s.statements.functions.declare_method(info, decl, None)
                case cxx.Template(declaration=cxx.Friend(declaration=cxx.Definition() as inner, args=None)):
                    template = cxx.Template(decl.params, inner, decl.coord, decl.requires, decl.specialised)
                    self.s.statements.functions.friend_function(template, self.s.scopes.namespace, info)
                case cxx.Friend() if decl.args is None:  # an instance is declared already ([temp.friend])
                    self._friend(info, decl.declaration)
        except Reported:
            name = getattr(decl, "name", None)
            declared = declared_function(decl.declaration if isinstance(decl, cxx.Friend) else decl)
            if declared is not None and (is_of_both_sides(declared.funcspec) or HOST_ONLY in declared.funcspec):
                cause = self.s.diagnostics.faults[before:]
                del self.s.diagnostics.faults[before:]
                info.host_members.setdefault(
                    declared.name or "", HostOnly(name_span(declared), "a host function", cause=next(iter(cause), None))
                )
            elif name:
                self.s.scopes.make_unusable(name, decl.coord)

    def _friend(self, info: ClassInfo, node: Node) -> None:
        """A friend that is defined here, or first declared, belongs to the namespace around ([namespace.memdef]/3)."""
        inner = node.declaration if isinstance(node, cxx.Template) else node
        if isinstance(inner, cxx.Definition):
            self.s.statements.functions.friend_function(node, self.s.scopes.namespace, info)
        elif isinstance(inner, c_ast.Decl) and isinstance(inner.type, c_ast.FuncDecl):
            self._friend_declaration(info, node)

    def _friend_declaration(self, info: ClassInfo, node: Node) -> None:
        """Declare a friend function; one that only the host can have, or that is known already, changes nothing."""
        decl = node.declaration if isinstance(node, cxx.Template) else node
        if not isinstance(decl, c_ast.Decl) or isinstance(decl, cxx.MemberOf) or not decl.name:
            return
        with self.s.templates.deduction.attempt():
            self.s.statements.functions.friend_function(node, self.s.scopes.namespace, info)

    def _find_virtual(self, info: ClassInfo) -> None:
        """Gather the virtual functions: those of the bases, overridden by the class's own."""
        for base in info.bases:
            if base.struct in self.s.structs.classes:
                info.virtual += self.s.structs.classes[base.struct].virtual
        own = [f for entry in info.scope.names.values() if isinstance(entry, Functions) for f in entry.candidates]
        own += [one for one in info.conversions if one not in own]
        if info.destructor is not None:
            own.append(info.destructor)
        for function in own:
            if not isinstance(function, FunctionName) or function.owner is not info.struct:
                continue
            overridden = [one for one in info.virtual if overrides(function, one)]
            if overridden or "virtual" in function.words:
                info.virtual = [one for one in info.virtual if one not in overridden] + [function]
                function.words |= {"virtual"}
            elif "override" in function.words and HOST_ONLY not in function.words:
                self.fail(function.span, f"'{function.shown}' overrides nothing")

    def qualified_record(self, node: c_ast.Struct | c_ast.Union, name: cxx.Name) -> Struct:
        """`struct A::B {...}`."""
        struct = self.s.expr.names.named(name).type
        if not isinstance(struct, Struct):
            self.fail(node.coord, f"'{struct}' is no class")
        if node.decls is not None:
            with self.s.scopes.instead(self.scopes_of_member(name)):
                self.s.types.records.define(struct, node)
        return struct

    def scopes_of_member(self, name: cxx.Name) -> tuple[Scope, ...]:
        """Return the scopes around the definition of a class `A::B`, that of `A` the last ([class.mem.general])."""
        *outer, _ = name.parts
        home = cxx.Name(tuple(outer), name.rooted, name.coord)
        found = self.s.expr.names.find(home) if outer else None
        if found is None:
            return (*self.s.scopes.stack, self.s.scopes.file_scope)
        scope = self.s.expr.names.scope_of(found, home, len(outer) - 1)
        if scope.owner in self.s.structs.classes:
            return (*self.s.structs.classes[scope.owner].scopes, scope)
        return (*self.s.scopes.stack, scope)


def _functions_named_by(decl: Node, members: Sequence[Node]) -> list[Node]:
    """Return the functions of a class that another member names: `sizeof(test<T>(0)) == 1`, `using A = B<f()>;`.

    Those in the initialisers of data members are no matter: the class is complete there ([class.mem.general]/7).
    """
    parts: list[Node | None]
    match decl:
        case c_ast.Decl() if _is_function(decl):
            return []
        case c_ast.Decl():
            parts = [decl.type, decl.init] if "static" in decl.storage else [decl.type]
        case c_ast.Typedef():
            parts = [decl.type]
        case c_ast.Enum():
            parts = [decl.values]
        case _:
            return []
    if any(isinstance(part, c_ast.Struct | c_ast.Union) for part in parts):
        return []
    names = {name for part in parts if part is not None for name in names_in(part, types=False)}
    return [one for one in members if _is_function(one) and _declared_name(one) in names]


def _declared_name(node: Node) -> str | None:
    inner = node.declaration if isinstance(node, cxx.Template) else node
    inner = inner.decl if isinstance(inner, cxx.Definition) else inner
    return getattr(inner, "name", None)


def _is_virtual(decl: Node) -> bool:
    inner = decl.decl if isinstance(decl, cxx.Definition) else decl
    return isinstance(inner, c_ast.Decl) and "virtual" in inner.funcspec


def _is_function(node: Node) -> bool:
    inner = node.declaration if isinstance(node, cxx.Template) else node
    return isinstance(inner, cxx.Definition) or (
        isinstance(inner, c_ast.Decl) and isinstance(inner.type, c_ast.FuncDecl)
    )


def _is_friend(member: Node) -> bool:
    inner = member.declaration if isinstance(member, cxx.Template) else member
    decl = inner.decl if isinstance(inner, cxx.Definition) else inner
    return isinstance(inner, cxx.Friend) or "friend" in getattr(decl, "funcspec", ())
