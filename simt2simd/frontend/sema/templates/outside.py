"""Members that are defined outside their class template, or outside its partial specialisation ([temp.spec.partial]).

A definition has template parameters of its own. The template-ids of its declarator say for which template they are:
`template <class U> void S<U>::f()` is for the primary template, `template <class U> void S<U *>::f()` for a partial
specialisation, and `template <class U> template <class V> void S<U>::N<V>::f()` for a class template in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast

from ....lang.ctype import Struct
from ...parse import cxx
from ...parse.words import Node
from ..ast_fingerprint import ast_fingerprint
from ..class_info import ClassInfo
from ..context import Part, Sema
from ..scopes import FunctionName, Functions, Scope, TemplateName
from ..statements.functions import same_object, same_parameters
from .arguments import same_arguments
from .packs import names_in
from .patterns import bare_name, special_arguments

Record = cxx.Class | cxx.UnionClass
Outside = cxx.Definition | cxx.MemberOf | cxx.Class | cxx.UnionClass


@dataclass(frozen=True)
class OutsideMember:
    """What a declaration outside a class template says of a member; `scopes` are those around it.

    `path` names the classes in which it is, the template first: `S<T>` and `N` of `S<T>::N::f`. `headers` are the
    template's parameters, and those of the class templates in it. `limit`: when it was defined. `member` is the
    template, if the member is one.
    """

    headers: tuple[cxx.Template, ...]
    inner: Outside
    scopes: tuple[Scope, ...]
    limit: int
    path: tuple[cxx.NamePart, ...]
    member: cxx.Template | None = None


@dataclass(frozen=True)
class FoundMember:
    """A declaration outside, of a member of one class. `scopes` are those around it there.

    `names`: the parameters' names in the class by those that the declaration has for them.
    """

    inner: Outside
    scopes: tuple[Scope, ...]
    member: cxx.Template | None
    names: dict[str, str]


class OutsideMembers(Part):
    """The checker's part for members that are defined outside a template."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.known: dict[TemplateName, list[OutsideMember]] = {}
        self.same: dict[tuple[int, TemplateName, int], bool] = {}  # which class a template-id of a definition names

    # ------------------------------------------------------------------------------------------ declarations

    def declare(self, node: cxx.Template) -> None:
        """Enter `template <class T> T Foo<T>::f() {...}`: instances of the class template find it when they need it."""
        headers, inner = [node], node.declaration
        while isinstance(inner, cxx.Template):
            headers.append(inner)
            inner = inner.declaration
        decl = inner.decl if isinstance(inner, cxx.Definition) else inner
        record = inner.type if isinstance(inner, c_ast.Decl) and inner.name is None else inner
        if isinstance(record, cxx.Class | cxx.UnionClass) and record.scope is not None:
            if not self.declare_class(headers, record):
                self.s.templates.declarations.declare_template(headers[-1])
            return
        assert isinstance(decl, cxx.MemberOf) and isinstance(inner, cxx.Definition | cxx.MemberOf)
        if not any(header.params for header in headers):
            self._specialise(headers, decl, inner)
            return
        found = self._template_of(decl.scope, headers)
        if found is None:
            self._declare_in_scope(headers[-1], inner, decl)
            return
        self._keep(*found, headers, decl.scope.parts, inner)

    def declare_class(self, headers: Sequence[cxx.Template], record: Record) -> bool:
        """Enter `template <class T> struct Foo<T>::In {...};`; False if it is in no class template's instances."""
        assert record.scope is not None
        *outer, _ = record.scope.parts
        found = self._template_of(cxx.Name(tuple(outer), record.scope.rooted, record.scope.coord), headers)
        if found is None:
            return False
        self._keep(*found, headers, outer, record)
        return True

    def _keep(
        self,
        template: TemplateName,
        depth: int,
        headers: Sequence[cxx.Template],
        parts: Sequence[cxx.NamePart],
        inner: Outside,
    ) -> None:
        """Keep a declaration for the instances of the class template that is part `depth` of the class's name."""
        path = tuple(parts[depth:])
        used = [header for header in headers if header.params]
        own = used[: sum(_depends(part, used) for part in path)]
        member = used[len(own)] if len(used) > len(own) else None
        outside = OutsideMember(tuple(own), inner, tuple(self.s.scopes.stack), self.s.scopes.clock.now, path, member)
        self.known.setdefault(template, []).append(outside)

    def _template_of(self, scope: cxx.Name, headers: Sequence[cxx.Template]) -> tuple[TemplateName, int] | None:
        """Return the first class template of a qualified name that has dependent arguments, and which part it is."""
        for depth, part in enumerate(scope.parts):
            if _depends(part, headers):
                plain = cxx.Name((*scope.parts[:depth], replace(part, args=None)), scope.rooted, scope.coord)
                template = self.s.expr.names.find(plain)
                if not isinstance(template, TemplateName):
                    self.fail(part.span, f"'{part.name}' is no class template")
                return template, depth
        return None

    def _declare_in_scope(self, node: cxx.Template, inner: cxx.Definition | cxx.MemberOf, decl: cxx.MemberOf) -> None:
        """Declare a template that is a member of a namespace, or of a class that is no template or an instance."""
        scope = self.s.statements.functions.member_scope(decl.scope)
        if self.s.templates.member_templates.define(node, inner, decl, scope):
            return
        if scope.kind == "namespace" and not isinstance(decl.type, c_ast.FuncDecl):
            with self.s.scopes.inside(scope):
                self.s.templates.declarations.declare_template(_unqualified(node, decl))
            return
        where = "namespace" if scope.kind == "namespace" else "class"
        self.fail(
            decl.coord,
            f"'{decl.scope.parts[-1].name}' has no template '{decl.name}' of this type",
            help=f"declare it in the {where}",
        )

    def _specialise(
        self, headers: Sequence[cxx.Template], decl: cxx.MemberOf, inner: cxx.Definition | cxx.MemberOf
    ) -> None:
        """`template <> void S<int>::f() {...}`: what an instance has in place of the template's member.

        A further `template <>` is that of a member that is a template itself ([temp.expl.spec]/16).
        """
        functions, node = self.s.statements.functions, headers[-1]
        if not isinstance(decl.type, c_ast.FuncDecl):
            if node.specialised is None:
                self.s.statements.declarations.specialise_static_member(decl)
                return
            with self.s.scopes.inside(functions.member_scope(decl.scope)):
                self.s.templates.declarations.declare_template(_unqualified(node, decl))
            return
        scope, name = functions.member_scope(decl.scope), decl.name or ""
        info = self.s.structs.classes[scope.owner] if scope.owner is not None else None
        entry = self.s.expr.names.find_in(scope, name) if info is None else None
        known = functions.members_called(info, name) if info is not None else ()
        known = entry.candidates if isinstance(entry, Functions) else known
        if info is not None and len(headers) <= self._enclosing_templates(info):
            known = ()
        if not any(isinstance(one, TemplateName) for one in known):
            functions.define_member(decl, inner if isinstance(inner, cxx.Definition) else None, special=True)
            return
        around = (*info.scopes, scope) if info is not None else (*self.s.scopes.stack, scope)
        with self.s.scopes.instead(around):
            self.s.templates.declarations.specialise_function(node, inner, decl, known, scope.owner)

    def _enclosing_templates(self, info: ClassInfo) -> int:
        """Return how many headers a class and those around it need: one for each that a template defines."""
        count, inside = 0, [info]
        while inside:
            one = inside.pop()
            count += one.chosen is not None and bool(one.chosen.node.params)
            outer = next((scope.owner for scope in reversed(one.scopes) if scope.kind == "class"), None)
            inside += [self.s.structs.classes[outer]] if outer is not None else []
        return count

    # ----------------------------------------------------------------------------------------------- lookup

    def find(self, function: FunctionName) -> None:
        """Look for the definition of a method of a class template's instance outside the class."""
        functions = self.s.statements.functions
        if function.owner is None or function.node is not None or function in functions.special:
            return
        for found in self.members(function.owner):
            inner = found.inner
            decl = inner.decl if isinstance(inner, cxx.Definition) else inner
            defaulted = isinstance(decl, cxx.MemberOf) and "=default" in decl.funcspec
            if not isinstance(decl, c_ast.Decl) or found.member is not None or (decl is inner and not defaulted):
                continue
            with (
                self.s.templates.deduction.attempt() as tried,
                self.s.scopes.instead(found.scopes),
                self.s.templates.own_specifiers(),
            ):
                name = functions.function_name(decl)
                if name.lstrip("~") != function.name.lstrip("~") or name[:1] != function.name[:1]:
                    continue
                entry = functions.function_entry(decl, name, owner=function.owner)
            if not tried.failed and same_parameters(entry, function) and same_object(entry, function):
                node = inner if isinstance(inner, cxx.Definition) else None
                if isinstance(decl, cxx.MemberOf) and defaulted:
                    node = functions.defaulted_outside(function, decl)
                function.node, function.defined = node, entry.span
                function.scopes, function.packs = found.scopes, entry.packs
                function.params = tuple(
                    replace(new, default=old.default) for old, new in zip(function.params, entry.params, strict=True)
                )
                return

    def find_later(self) -> None:
        """Look for what is defined after its uses: the end of the file is a point of instantiation ([temp.point]/7)."""
        seen: set[FunctionName] = set()
        while missing := [one for one in self.s.functions.called if one.node is None and one not in seen]:
            for function in missing:
                self.find(function)
                if function.node is not None:
                    self.s.functions.pending.append(function)
                elif (template := function.pattern) is not None:
                    self.s.templates.member_templates.find(template)
                    if isinstance(template.node.declaration, cxx.Definition):
                        self.s.templates.functions.define_instances(template, template.node.declaration)
            seen.update(missing)
            self.s.statements.bodies.drain()

    def static_member(self, name: str) -> bool:
        """Enter the constant that `template <class T> const int Foo<T>::name = 3;` gives to the current instance."""
        owner = self.s.scopes.stack[-1].owner
        for found in self.members(owner) if owner is not None else ():
            decl = found.inner
            if not isinstance(decl, cxx.MemberOf) or decl.name != name or decl.init is None:
                continue
            with (
                self.s.templates.deduction.attempt() as tried,
                self.s.scopes.instead(found.scopes),
                self.s.templates.own_specifiers(),
            ):
                self.s.statements.declarations.constant_variable(decl)
            return not tried.failed
        return False

    def define_nested(self, struct: Struct) -> None:
        """Define a class that is a member of an instance and has its definition outside, if there is one."""
        home = self.s.structs.homes.get(struct, ())
        owner = home[-1].owner if home and home[-1].kind == "class" else None
        for found in self.members(owner) if owner is not None else ():
            inner = found.inner
            if isinstance(inner, cxx.Class | cxx.UnionClass) and found.member is None and inner.decls is not None:
                assert owner is not None
                if self.s.structs.classes[owner].scope.tags.get(inner.name or "") is struct:
                    with self.s.scopes.instead(found.scopes), self.s.templates.own_specifiers():
                        self.s.types.records.define(struct, inner)
                    return

    def define_template(self, template: TemplateName) -> None:
        """Give a member class template of an instance the definition that is outside, if it has none yet."""
        home = template.scopes[-1]
        if home.kind != "class" or home.owner is None or _has_definition(template.node):
            return
        for found in self.members(home.owner):
            inner, member = found.inner, found.member
            if not isinstance(inner, cxx.Class | cxx.UnionClass) or inner.args is not None or inner.decls is None:
                continue
            if inner.name == template.name and member is not None:
                template.node, template.scopes = member, found.scopes
                return

    def members(self, owner: Struct) -> Iterator[FoundMember]:
        """Yield what is declared outside of a class in a class template."""
        info = self.s.structs.classes.get(owner)
        chain: list[ClassInfo] = []
        while info is not None:
            chain.insert(0, info)
            if info.pattern is not None:
                for outside in self.known.get(info.pattern, ()):
                    found = self._as_member(outside, chain)
                    if found is not None:
                        yield found
            outer = next((scope.owner for scope in reversed(info.scopes) if scope.kind == "class"), None)
            info = self.s.structs.classes.get(outer) if outer is not None else None

    def _as_member(self, outside: OutsideMember, chain: Sequence[ClassInfo]) -> FoundMember | None:
        """Return what a declaration is in the last class of `chain`, each of them in the one before; None if nothing.

        Its template parameters and arguments must be those of the class's definition ([temp.spec.partial.member]/1).
        """
        if [part.name for part in outside.path] != [info.name for info in chain]:
            return None
        scopes, names, headers = list(outside.scopes), dict[str, str](), list(outside.headers)
        for part, info in zip(outside.path, chain, strict=True):
            if _depends(part, outside.headers):
                header = headers.pop(0)
                if info.chosen is None or not self._names_class(header, part, info.chosen):
                    return None
                pairs = list(zip(header.params, info.chosen.node.params, strict=True))
                names.update({new.name: old.name for new, old in pairs if new.name})
                bound = {
                    new.name: self.s.templates.bound_name(new, info.bindings[old.name_key])
                    for new, old in pairs
                    if new.name and old.name_key in info.bindings
                }
                scopes.append(Scope(bound, kind="template", limit=outside.limit))
            scopes.append(info.scope)
        return FoundMember(outside.inner, tuple(scopes), outside.member, names)

    def _names_class(self, header: cxx.Template, part: cxx.NamePart, chosen: TemplateName) -> bool:
        """Whether a template-id with these parameters names a template's definition, or the partial specialisation."""
        key = (id(header), chosen, id(part))
        if key not in self.same:
            self.same[key] = self._is_named(header, part, chosen)
        return self.same[key]

    def _is_named(self, header: cxx.Template, part: cxx.NamePart, chosen: TemplateName) -> bool:
        params, given = chosen.node.params, part.args or ()
        if [(p.kind, p.pack) for p in header.params] != [(p.kind, p.pack) for p in params]:
            return False
        patterns = special_arguments(chosen.node)
        if patterns is None:
            written = [_bare(arg) for arg in given]
            return len(given) == len(params) and all(
                p.name and p.name in w for p, w in zip(header.params, written, strict=True)
            )
        names = {new.name: old.name for new, old in zip(header.params, params, strict=True) if new.name}
        if ast_fingerprint(tuple(given), names) == ast_fingerprint(tuple(patterns), {}):
            return True
        own = self.s.templates.ordering.unique_arguments(chosen)
        with self.s.templates.deduction.attempt() as tried:
            renamed = TemplateName(chosen.span, chosen.name, chosen.kind, header, chosen.scopes)
            bindings = {new.name_key: own[old.name_key] for new, old in zip(header.params, params, strict=True)}
            found = []
            for template, bound, nodes in ((chosen, own, patterns), (renamed, bindings, given)):
                scope = self.s.templates.binding_scope(template, bound)
                with self.s.scopes.instead((*chosen.scopes, scope)), self.s.templates.own_specifiers():
                    found.append(self.s.templates.template_arguments(tuple(nodes)))
        return not tried.failed and same_arguments(*found)


def _has_definition(node: cxx.Template) -> bool:
    inner = node.declaration
    return getattr(inner.type if isinstance(inner, c_ast.Decl) else inner, "decls", None) is not None


def _bare(arg: Node) -> Sequence[str]:
    """Return the name that an argument is, if it is nothing else; that of a pack where it is one expanded."""
    inner = bare_name(arg.pattern if isinstance(arg, cxx.PackExpansion) else arg)
    return (
        inner.names if isinstance(inner, c_ast.IdentifierType) else [inner.name] if isinstance(inner, c_ast.ID) else []
    )


def _unqualified(node: cxx.Template, decl: cxx.MemberOf) -> cxx.Template:
    """Return a template of a variable as it is declared in the scope of which it is a member."""
    plain = c_ast.Decl(
        decl.name, decl.quals, decl.align, decl.storage, decl.funcspec, decl.type, decl.init, decl.bitsize, decl.coord
    )
    return cxx.Template(node.params, plain, node.coord, node.requires, node.specialised)


def _depends(part: cxx.NamePart, headers: Sequence[cxx.Template]) -> bool:
    """Whether the arguments of `S<T, 3>` name parameters of the templates."""
    names = {param.name for header in headers for param in header.params if param.name}
    return part.args is not None and any(name in names for name in names_in(part.args))
