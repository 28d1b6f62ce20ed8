"""Declarations of templates, of specialisations and of deduction guides: what enters their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ....lang.ctype import Struct
from ...parse import cxx
from ...parse.words import Node
from ..ast_fingerprint import ast_fingerprint
from ..class_info import ClassInfo
from ..context import Part
from ..qualified import Qualified
from ..scopes import FunctionName, Functions, Scope, TemplateName, TypeName
from ..types.records import name_span
from .arguments import argument_key, spell_argument
from .patterns import parameter_nodes, renamed

_MEMORY_SPACES = {"__device__", "__constant__", "__managed__"}  # a specialisation has those of its template


class TemplateDeclarations(Part):
    """The checker's part for declarations of templates."""

    def declare_template(self, node: cxx.Template) -> None:
        """Enter a template, or a specialisation of one, into the present scope."""
        inner = node.declaration
        if isinstance(inner, cxx.Template):  # a member template, defined outside its class template
            self.s.templates.outside.declare(node)
            return
        match inner:
            case cxx.Definition() | c_ast.Decl(type=c_ast.FuncDecl()):
                self.declare_function_template(node, inner)
            case cxx.DeductionGuide():
                self._declare_guide(node, inner)
            case cxx.Concept():
                entry = TemplateName(inner.coord, inner.name, "concept", node, tuple(self.s.scopes.stack))
                self._enter_template(inner.name, entry)
            case c_ast.Typedef():
                self._enter_template(
                    inner.name, TemplateName(inner.coord, inner.name, "alias", node, tuple(self.s.scopes.stack))
                )
            case c_ast.Decl(name=None, type=c_ast.Struct() | c_ast.Union() as record):
                self._declare_class_template(node, record)
            case cxx.Class() | cxx.UnionClass():
                self._declare_class_template(node, inner)
            case c_ast.Decl():
                self._declare_variable_template(node, inner)
            case _:
                self.fail(node.coord, "this template is not supported")

    def _declare_guide(self, node: cxx.Template, guide: cxx.DeductionGuide) -> None:
        name = guide.decl.name or ""
        known = self.s.scopes.lookup(name)
        if not isinstance(known, TemplateName) or known.kind != "class":
            self.fail(guide.coord, f"'{name}' is no class template: it can have no deduction guide")
        pattern = cxx.Template(node.params, guide.decl, guide.coord, node.requires)
        known.guides.append(
            TemplateName(guide.coord, name, "function", pattern, tuple(self.s.scopes.stack), shown=known.shown)
        )

    def _enter_template(self, name: str, entry: TemplateName) -> TemplateName:
        """Enter a template; what declared it before, without a definition, stays the one that others know."""
        known = self.s.scopes.stack[-1].names.get(name)
        entry.shown = f"{self.s.scopes.prefix()}{name}"
        if isinstance(known, TemplateName) and known.kind == entry.kind:
            if not _defines(known.node) or _defines(entry.node):
                known.node = with_defaults(entry.node, known.node)
                known.limit = self.s.scopes.clock.now
            return known
        self.s.scopes.stack[-1].names[name] = entry
        entry.limit = self.s.scopes.clock.now
        return entry

    def _declare_class_template(self, node: cxx.Template, record: Node) -> None:
        assert isinstance(record, cxx.Class | cxx.UnionClass)
        if record.scope is not None and self.s.templates.outside.declare_class([node], record):
            return
        if record.scope is not None and record.args is None:
            around = self.s.classes.scopes_of_member(record.scope)
            record.scope = None
            with self.s.scopes.instead(around):
                self._declare_class_template(node, record)
            return
        name = record.name or ""
        if record.args is None:
            entry = TemplateName(record.coord, name, "class", node, tuple(self.s.scopes.stack))
            self._enter_template(name, entry)
            return
        primary = self.specialised(record, name)
        stack = self.s.scopes.stack
        inner = [scope for scope in primary.scopes if scope not in stack and not scope.limit]
        with self.s.scopes.inside(*inner) if record.scope is not None else nullcontext():
            self._specialise_class(node, record, name, primary)

    def specialised(self, record: Node, name: str) -> TemplateName:
        """Return the template that a class or a variable specialises."""
        scope = getattr(record, "scope", None)
        if scope is None:
            primary = self.s.scopes.lookup(name)
        else:  # of another namespace, such as `std::hash<X>`
            *outer, last = scope.parts
            primary = self.s.expr.names.find(cxx.Name((*outer, replace(last, args=None)), scope.rooted, scope.coord))
        if not isinstance(primary, TemplateName):
            self.fail(record.coord, f"'{name}' is no template: it cannot be specialised")
        return primary

    def _specialise_class(
        self, node: cxx.Template, record: cxx.Class | cxx.UnionClass, name: str, primary: TemplateName
    ) -> None:
        """Enter a specialisation of a class template, or, if it has no parameters, define what it is."""
        assert record.args is not None
        special = TemplateName(record.coord, name, "class", node, tuple(self.s.scopes.stack), shown=primary.shown)
        if node.params:
            special.primary, special.limit = primary, self.s.scopes.clock.now
            primary.special.append(special)
            return
        args = self.s.templates.completed(primary, self.s.templates.template_arguments(record.args), record.coord)
        key = argument_key(args)
        known = primary.instances.get(key)
        struct = known.type.type if isinstance(known, TypeName) else None
        if not isinstance(struct, Struct):
            struct = self.s.templates.new_instance(primary, args)
            primary.instances[key] = TypeName(record.coord, Qualified(struct))
        if record.decls is not None:
            self.s.templates.unfinished[struct] = partial(
                self.s.templates.define_instance, struct, special, primary, args, {}
            )

    def _declare_variable_template(self, node: cxx.Template, decl: c_ast.Decl) -> None:
        if isinstance(decl, cxx.MemberOf):
            self.s.templates.outside.declare(node)
            return
        name = decl.name or ""
        entry = TemplateName(name_span(decl), name, "variable", node, tuple(self.s.scopes.stack))
        if node.specialised is None:
            self._enter_template(name, entry)
            return
        primary = self.s.scopes.lookup(name)
        if isinstance(primary, TemplateName):
            general = getattr(primary.node.declaration, "funcspec", ())
            decl.funcspec += [word for word in general if word in _MEMORY_SPACES and word not in decl.funcspec]
            entry.shown, entry.primary, entry.limit = primary.shown, primary, self.s.scopes.clock.now
            primary.special.append(entry)

    def declare_function_template(
        self, node: cxx.Template, inner: Node, home: Scope | None = None, befriended: ClassInfo | None = None
    ) -> None:
        """Enter a function template into `home`, the present scope. `befriended`: the class whose friend it is."""
        decl = inner.decl if isinstance(inner, cxx.Definition) else inner
        assert isinstance(decl, c_ast.Decl)
        if isinstance(decl, cxx.MemberOf):
            self.s.templates.outside.declare(node)
            return
        if not node.params:
            found = self.s.scopes.lookup(decl.name or "")
            if not isinstance(found, Functions):
                self.fail(name_span(decl), f"'{decl.name}' is no template: it cannot be specialised")
            self.specialise_function(node, inner, decl, found.candidates)
            return
        name = decl.name or "" if decl.name == "operator type" else self.s.statements.functions.function_name(decl)
        scope = home or self.s.scopes.stack[-1]
        owner = scope.owner
        entry = TemplateName(name_span(decl), name, "function", node, tuple(self.s.scopes.stack), owner=owner)
        entry.shown = f"{home.shown if home is not None else self.s.scopes.prefix()}{name}"
        if owner is not None and self.s.statements.functions.enter_special_member(
            self.s.structs.classes[owner], name, entry
        ):
            return
        known = scope.names.get(name)
        visible = known.candidates if isinstance(known, Functions) else []
        functions = self.s.statements.functions
        # A friend that an instance of a class template defines is another one than those of other instances.
        hidden = scope.friends.get(name, ()) if befriended is None or not isinstance(inner, cxx.Definition) else ()
        for one in (*visible, *hidden):
            if isinstance(one, TemplateName) and same_signature(one.node, node):
                functions.make_visible(scope, one, befriended)
                if isinstance(inner, cxx.Definition):
                    one.node, one.limit = with_defaults(node, one.node), self.s.scopes.clock.now
                    self.s.templates.functions.define_instances(one, inner)
                return
        functions.make_visible(scope, entry, befriended)
        entry.limit = self.s.scopes.clock.now

    def specialise_function(
        self,
        node: cxx.Template,
        inner: Node,
        decl: c_ast.Decl,
        known: Sequence[FunctionName | TemplateName],
        owner: Struct | None = None,
    ) -> None:
        """`template <> int f<int>(int) {...}` defines an instance of one of the templates `known`, of `owner`."""
        name = decl.name or ""
        function = self.s.statements.functions.function_entry(decl, name, owner=owner)
        given = self.s.templates.template_arguments(node.specialised) if node.specialised is not None else ()
        found = self.s.templates.specialisations.specialised_template(known, function, given)
        if found is None:
            self.fail(name_span(decl), f"no template '{name}' has this specialisation")
        template, args = found
        key = argument_key(args)
        before = template.instances.get(key)
        if isinstance(before, Functions) and isinstance(before.candidates[0], FunctionName):
            function = before.candidates[0]
        function.pattern = template
        function.shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
        function.key = function.key or self.s.linkage.function_key(function, args)
        if isinstance(inner, cxx.Definition):
            function.node, function.defined = inner, function.span
            function.scopes = tuple(self.s.scopes.stack)
            if (self.s.linkage.mark and "__device__" in function.words) or function in self.s.functions.called:
                self.s.functions.pending.append(function)  # other files may call it
        template.instances[key] = Functions(function.span, name, [function])


def _defines(node: cxx.Template) -> bool:
    inner = node.declaration
    if isinstance(inner, c_ast.Decl) and isinstance(inner.type, c_ast.Struct | c_ast.Union):
        inner = inner.type
    return isinstance(inner, cxx.Definition) or getattr(inner, "decls", None) is not None


def with_defaults(node: cxx.Template, before: cxx.Template, outer: Mapping[str, str] | None = None) -> cxx.Template:
    """Return a template's definition with the default arguments that an earlier declaration gave.

    These are a template's and a function's. They name template parameters as `before` does. `outer`: what parameters of
    a class template around `node` are called there, by their names around `before`.
    """
    if len(node.params) != len(before.params):
        return node
    pairs = list(zip(node.params, before.params, strict=True))
    names = {old.name: new.name for new, old in pairs if old.name and new.name}
    names = {old: new for old, new in {**(outer or {}), **names}.items() if old != new}

    def kept(default: Node | None) -> Node | None:
        return renamed(default, names) if default is not None and names else default

    params = tuple(replace(new, default=new.default or kept(old.default)) for new, old in pairs)
    if _is_function(before.declaration) and _is_function(node.declaration):
        both = zip(parameter_nodes(before.declaration), parameter_nodes(node.declaration), strict=False)
        for old_param, new_param in both:
            if isinstance(old_param, c_ast.Decl) and isinstance(new_param, c_ast.Decl) and new_param.init is None:
                new_param.init = kept(old_param.init)
    return cxx.Template(params, node.declaration, node.coord, node.requires, node.specialised)


def _is_function(declaration: Node) -> bool:
    decl = declaration.decl if isinstance(declaration, cxx.Definition) else declaration
    return isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl)


def same_signature(one: cxx.Template, other: cxx.Template, outer: Mapping[str, str] | None = None) -> bool:
    """Whether two function templates are declarations of one: their texts are the same, names of parameters aside.

    `outer`: what parameters of a class template around `one` are called there, by their names around `other`.
    """
    if len(one.params) != len(other.params):
        return False
    return _signature(one, {}) == _signature(other, outer or {})


def _signature(node: cxx.Template, outer: Mapping[str, str]) -> object:
    """Return a comparable picture of a function template's head and types, in which its parameters are numbers."""
    if node.key is not None and not outer:
        return node.key
    names: dict[str, object] = {
        **outer,
        **{param.name: number for number, param in enumerate(node.params) if param.name},
    }
    kinds = [_kind_of(param, names) for param in node.params]
    found = kinds, ast_fingerprint(node.requires, names), _text_of(node.declaration, names)
    if not outer:
        node.key = found
    return found


def _kind_of(param: cxx.TemplateParameter, names: Mapping[str, object]) -> object:
    return param.kind, param.pack, ast_fingerprint(param.type, names), [_kind_of(inner, names) for inner in param.inner]


def _text_of(node: Node, names: Mapping[str, object]) -> object:
    decl = node.decl if isinstance(node, cxx.Definition) else node
    assert isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl)
    params = decl.type.args.params if decl.type.args is not None else []
    return [ast_fingerprint(param.type, names) for param in params if not isinstance(param, c_ast.EllipsisParam)] + [
        ast_fingerprint(decl.type.type, names),
        getattr(decl.type, "const", False),
        getattr(decl.type, "ref", ""),
        ast_fingerprint(getattr(decl.type, "requires", None), names),
    ]
