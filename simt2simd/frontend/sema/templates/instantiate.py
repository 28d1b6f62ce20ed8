"""Checking templates: their arguments, and the instances that the program asks for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import Struct
from ....source import Span
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..ast_fingerprint import ast_fingerprint
from ..context import Part, Sema
from ..identifiers import identifier
from ..scopes import (
    Bindings,
    FunctionName,
    Functions,
    Name,
    PackName,
    Qualified,
    Scope,
    TemplateArgument,
    TemplateName,
    TypeName,
    ValueName,
)
from ..types.records import name_span
from .arguments import argument_key, by_param, spell_argument

if TYPE_CHECKING:
    from .constraints import Constraints
    from .deduction import Deduction
    from .explicit import ExplicitInstances
    from .function_templates import FunctionTemplates
    from .kernel_instances import KernelInstances
    from .matching import Matching
    from .packs import Packs
    from .specialisation import Specialisation
    from .traits import Traits

DEEPEST = 200  # instances that need one another


class Templates(Part):
    """The checker's part for templates."""

    functions: FunctionTemplates
    deduction: Deduction
    specialisations: Specialisation
    constraints: Constraints
    packs: Packs
    traits: Traits
    explicit: ExplicitInstances
    kernels: KernelInstances
    matching: Matching

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.unfinished: dict[Struct, partial[None]] = {}  # what defines the instance of a class template

    # ---------------------------------------------------------------------------------------- declaration

    def declare_template(self, node: cxx.Template) -> None:
        """Enter a template, or a specialisation of one, into the present scope."""
        inner = node.declaration
        if isinstance(inner, cxx.Template):  # a member template, defined outside its class template
            self.s.statements.functions.define_outside(node, inner.declaration)
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
            case c_ast.Decl(name=None, type=c_ast.Struct() as record):
                self._declare_class_template(node, record)
            case cxx.Class():
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
            return known
        self.s.scopes.stack[-1].names[name] = entry
        return entry

    def _declare_class_template(self, node: cxx.Template, record: Node) -> None:
        assert isinstance(record, cxx.Class)
        name = record.name or ""
        if record.args is None:
            entry = TemplateName(record.coord, name, "class", node, tuple(self.s.scopes.stack))
            self._enter_template(name, entry)
            return
        primary = self.s.scopes.lookup(name)
        if not isinstance(primary, TemplateName):
            self.fail(record.coord, f"'{name}' is no template: it cannot be specialised")
        special = TemplateName(record.coord, name, "class", node, tuple(self.s.scopes.stack), shown=primary.shown)
        if node.params:
            primary.special.append(special)
            return
        args = self.completed(primary, self.template_arguments(record.args), record.coord)
        key = argument_key(args)
        known = primary.instances.get(key)
        struct = known.type.type if isinstance(known, TypeName) else None
        if not isinstance(struct, Struct):
            struct = self._new_instance(primary, args)
            primary.instances[key] = TypeName(record.coord, Qualified(struct))
        if record.decls is not None:
            self.unfinished[struct] = partial(self._define_instance, struct, special, primary, args, {})

    def _declare_variable_template(self, node: cxx.Template, decl: c_ast.Decl) -> None:
        if isinstance(decl, cxx.MemberOf):
            self.s.statements.functions.define_outside(node, decl)
            return
        name = decl.name or ""
        entry = TemplateName(name_span(decl), name, "variable", node, tuple(self.s.scopes.stack))
        if node.specialised is None:
            self._enter_template(name, entry)
            return
        primary = self.s.scopes.lookup(name)
        if isinstance(primary, TemplateName):
            entry.shown = primary.shown
            primary.special.append(entry)

    def declare_function_template(self, node: cxx.Template, inner: Node, home: Scope | None = None) -> None:
        """Enter a function template into `home`, the present scope."""
        decl = inner.decl if isinstance(inner, cxx.Definition) else inner
        assert isinstance(decl, c_ast.Decl)
        if isinstance(decl, cxx.MemberOf):
            self.s.statements.functions.define_outside(node, inner)
            return
        if not node.params:
            self._specialise_function(node, inner, decl)
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
        if not isinstance(known, Functions):
            scope.names[name] = Functions(entry.span, name, [entry])
            return
        for one in known.candidates:
            if isinstance(one, TemplateName) and same_signature(one.node, node):
                if isinstance(inner, cxx.Definition):
                    one.node = with_defaults(node, one.node)
                    self.functions.define_instances(one, inner)
                return
        known.candidates.append(entry)

    def _specialise_function(self, node: cxx.Template, inner: Node, decl: c_ast.Decl) -> None:
        """`template <> int f<int>(int) {...}` defines an instance."""
        name = decl.name or ""
        known = self.s.scopes.lookup(name)
        if not isinstance(known, Functions):
            self.fail(name_span(decl), f"'{name}' is no template: it cannot be specialised")
        function = self.s.statements.functions.function_entry(decl, name)
        given = self.template_arguments(node.specialised) if node.specialised is not None else ()
        for candidate in known.candidates:
            if not isinstance(candidate, TemplateName):
                continue
            args = self.specialisations.arguments_of_signature(candidate, function, given)
            if args is None:
                continue
            key = argument_key(args)
            before = candidate.instances.get(key)
            if isinstance(before, Functions) and isinstance(before.candidates[0], FunctionName):
                function = before.candidates[0]
            function.pattern = candidate
            function.shown = f"{candidate.shown}<{', '.join(map(spell_argument, args))}>"
            function.key = function.key or self.s.linkage.function_key(function, args)
            if isinstance(inner, cxx.Definition):
                function.node, function.defined = inner, function.span
                function.scopes = tuple(self.s.scopes.stack)
                if self.s.linkage.mark and "__device__" in function.words:
                    self.s.functions.pending.append(function)  # other files may call it
            candidate.instances[key] = Functions(function.span, name, [function])
            return
        self.fail(name_span(decl), f"no template '{name}' has this specialisation")

    # ------------------------------------------------------------------------------------------ arguments

    def template_arguments(self, nodes: tuple[Node, ...]) -> tuple[TemplateArgument, ...]:
        """Check template arguments, packs expanded."""
        found: list[TemplateArgument] = []
        for node in nodes:
            if isinstance(node, cxx.PackExpansion):
                found += self.packs.expanded(node, partial(self.template_argument, node.pattern))
            else:
                found.append(self.template_argument(node))
        return tuple(found)

    def template_argument(self, node: Node) -> TemplateArgument:
        """Check one template argument. Only the checker knows whether a bare name is a type, a value or a template."""
        if isinstance(node, c_ast.Typename):
            bare = node.type
            if isinstance(bare, c_ast.TypeDecl) and not bare.quals:
                entry = self.named_entry(bare.type)
                if isinstance(entry, TemplateName) and entry.kind in ("class", "alias"):
                    return self._template_or_self(entry, bare.type)
                if entry is not None and not isinstance(entry, TypeName):
                    return self._value_argument(self._as_expression(bare.type))
            return self.s.types.qualified(node)
        if isinstance(node, c_ast.ID | cxx.Name):
            entry = self.named_entry(node)
            match entry:
                case TypeName(type=found):
                    return found
                case TemplateName(kind="class" | "alias"):
                    return self._template_or_self(entry, node)
        return self._value_argument(node)

    def _template_or_self(self, entry: TemplateName, node: Node) -> TemplateArgument:
        """A class template's own name means the instance inside it, and the template as an argument for one."""
        return entry

    def named_entry(self, node: Node) -> Name | None:
        if isinstance(node, c_ast.ID):
            return self.s.expr.names.find_in(None, node.name)
        if isinstance(node, c_ast.IdentifierType) and len(node.names) == 1:
            return self.s.expr.names.find_in(None, node.names[0])
        return self.s.expr.names.find(node) if isinstance(node, cxx.Name) else None

    def _as_expression(self, node: Node) -> Node:
        return c_ast.ID(node.names[0], node.coord) if isinstance(node, c_ast.IdentifierType) else node

    def _value_argument(self, node: Node) -> Constant:
        if (functions := self.s.expr.operators.functions_named(node)) is not None:
            value = self.s.calls.indirect.pointer_to(self.s.expr.names.only_function(functions, node.coord), node.coord)
        else:
            value = self.s.constexpr.constant(node)
        if not isinstance(value, Constant):
            self.s.constexpr.refuse_constant(node.coord, "a template argument must be a constant")
        return value

    def completed(
        self, template: TemplateName, given: Sequence[TemplateArgument], span: Span
    ) -> tuple[TemplateArgument, ...]:
        """Return one argument for each parameter: those given, gathered into packs, and defaults."""
        bindings = self.bind_given(template, given, span)
        scope = self.binding_scope(template, bindings)
        with self.s.scopes.instead((*template.scopes, scope)):
            for param in template.node.params:
                if param.name_key in bindings:
                    continue
                if param.pack:
                    value: TemplateArgument = ()
                elif param.default is None:
                    note = Note(template.span, f"'{template.name}' is declared here")
                    self.fail(span, f"too few template arguments for '{template.shown}'", note)
                else:
                    value = self.converted_argument(param, self.template_argument(param.default), span)
                bindings[param.name_key] = value
                scope.names[param.name] = self.bound_name(param, value)
        return tuple(bindings[param.name_key] for param in template.node.params)

    def bind_given(self, template: TemplateName, given: Sequence[TemplateArgument], span: Span) -> Bindings:
        """Bind the arguments that were written to the parameters, in order; the last pack takes the rest."""
        bindings: Bindings = {}
        rest = list(given)
        for param in template.node.params:
            if param.pack:
                bindings[param.name_key] = tuple(rest)
                rest = []
            elif rest:
                bindings[param.name_key] = rest.pop(0)
        if rest:
            note = Note(template.span, f"'{template.name}' is declared here")
            self.fail(span, f"too many template arguments for '{template.shown}'", note)
        scope = Scope(kind="template")
        with self.s.scopes.instead((*template.scopes, scope)):
            for param in template.node.params:
                if param.name_key in bindings:
                    value = bindings[param.name_key]
                    if isinstance(value, tuple):
                        value = tuple(self.converted_argument(param, one, span) for one in value)
                    else:
                        value = self.converted_argument(param, value, span)
                    bindings[param.name_key] = value
                    scope.names[param.name] = self.bound_name(param, value)
        return bindings

    def converted_argument(self, param: cxx.TemplateParameter, value: TemplateArgument, span: Span) -> TemplateArgument:
        """Return an argument as its parameter wants it: a value of the parameter's type."""
        wanted = {"type": Qualified, "value": Constant, "template": TemplateName}[param.kind]
        if not isinstance(value, wanted):
            self.fail(span, f"the template argument for '{param.name}' must be a {param.kind}")
        if isinstance(value, Constant) and param.type is not None and not _is_auto(param.type):
            target = self.s.types.qualified(param.type).type
            self.s.expr.initialisers.refuse_narrowing(value, target, span, "as a template argument")
            converted = self.s.expr.conversions.implicit(
                value, target, f"in the template argument for '{param.name}'", span=span
            )
            if not isinstance(converted, Constant):
                self.fail(span, f"the template argument for '{param.name}' must be a constant")
            return converted
        return value

    def bound_name(self, param: cxx.TemplateParameter, value: TemplateArgument) -> Name:
        """Return what a template parameter's name stands for in an instance."""
        if isinstance(value, tuple):
            return PackName(param.span, tuple(self.bound_name(param, one) for one in value))
        match value:
            case Qualified():
                return TypeName(param.span, value)
            case Constant():
                return ValueName(param.span, value)
            case TemplateName():
                return value

    def binding_scope(self, template: TemplateName, bindings: Bindings) -> Scope:
        """Return the scope in which the parameters of a template stand for these arguments."""
        names = {
            param.name: self.bound_name(param, bindings[param.name_key])
            for param in template.node.params
            if param.name_key in bindings and param.name
        }
        return Scope(names, kind="template")

    # ------------------------------------------------------------------------------------------ instances

    def with_arguments(self, entry: Name, args: tuple[TemplateArgument, ...], span: Span) -> Name:
        """Return the instance of a template, or of the functions of a name, with these arguments."""
        match entry:
            case Functions():
                return Functions(entry.span, entry.name, entry.candidates, args)
            case TypeName(type=Qualified(type=Struct() as struct)) if struct in self.s.structs.classes:
                pattern = self.s.structs.classes[struct].pattern  # the name of a class template inside it
                if pattern is not None:
                    return self.instance(pattern, args, span)
            case TemplateName():
                return self.instance(entry, args, span)
        self.fail(span, "what is no template has no template arguments", Note(entry.span, "it is declared here"))

    def instance(self, template: TemplateName, given: Sequence[TemplateArgument], span: Span) -> Name:
        """Return the instance of a class, alias or variable template."""
        closure = self.kernels.closure_instance(template, given, span)
        if closure is not None:
            return closure
        args = self.completed(template, given, span)
        key = argument_key(args)
        known = template.instances.get(key)
        if known is not None:
            return known
        bindings = by_param(template, args)
        if template.kind == "concept":
            template.instances[key] = self.constraints.concept_value(template, bindings)
            return template.instances[key]
        self._require_conditions(template, bindings, args, span)
        if template.kind == "class":
            struct = self._new_instance(template, args)
            entry: Name = TypeName(template.span, Qualified(struct))
            template.instances[key] = entry
            self.unfinished[struct] = partial(self._choose_and_define, struct, template, args, span)
            return entry
        with self.asking(f"{template.shown}<{', '.join(map(spell_argument, args))}>", span):
            if template.kind == "alias":
                scope = self.binding_scope(template, bindings)
                with self.s.scopes.instead((*template.scopes, scope)), self.own_specifiers():
                    entry = TypeName(template.span, self.s.types.qualified(template.node.declaration))
            else:
                entry = self._variable_instance(template, args, span)
        template.instances[key] = entry
        return entry

    def _require_conditions(
        self, template: TemplateName, bindings: Bindings, args: tuple[TemplateArgument, ...], span: Span
    ) -> None:
        if template.node.requires is None:
            return
        with self.s.scopes.instead((*template.scopes, self.binding_scope(template, bindings))), self.own_specifiers():
            holds = self.constraints.satisfied(template.node.requires)
        if not holds:
            shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
            note = Note(template.span, f"'{template.name}' is declared here")
            self.fail(span, f"what '{shown}' requires does not hold", note)

    def _new_instance(self, template: TemplateName, args: tuple[TemplateArgument, ...]) -> Struct:
        shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
        struct = Struct(self.s.types.records.unique_tag(identifier(shown)), template.span)
        struct.shown = shown
        self.s.structs.made_of[struct] = template, args
        self.s.structs.homes[struct] = template.scopes
        return struct

    def _choose_and_define(
        self, struct: Struct, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span
    ) -> None:
        chosen, bindings = self.specialisation(template, args, span)
        self._define_instance(struct, chosen, template, args, bindings, span)

    def specialisation(
        self, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span
    ) -> tuple[TemplateName, Bindings]:
        """Return the partial specialisation that fits best, or the template itself, and what its parameters are."""
        fits = [
            (one, found)
            for one in template.special
            if (found := self.specialisations.match_special(one, args)) is not None
        ]
        best = [
            (one, found)
            for one, found in fits
            if not any(other is not one and self.specialisations.preferred(other, one) for other, _ in fits)
        ]
        if len(best) > 1:
            shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
            notes = [Note(one.span, "this specialisation fits") for one, _ in best[:3]]
            self.fail(span, f"several specialisations fit '{shown}' equally", *notes)
        return best[0] if best else (template, by_param(template, args))

    def _define_instance(
        self,
        struct: Struct,
        chosen: TemplateName,
        template: TemplateName,
        args: tuple[TemplateArgument, ...],
        bindings: Bindings,
        span: Span | None = None,
    ) -> None:
        declaration = chosen.node.declaration
        record = declaration.type if isinstance(declaration, c_ast.Decl) else declaration
        assert isinstance(record, cxx.Class)
        if record.decls is None:
            return  # only declared: `require_complete` says so
        scope = self.binding_scope(chosen, bindings)
        with self.s.diagnostics.aloud(), self.asking(struct.shown, span or template.span), self.own_specifiers():
            try:
                with self.s.scopes.instead((*chosen.scopes, scope)):
                    self.s.classes.define_class(struct, record)
            except RecursionError:
                self.refuse_depth(struct.shown, span or template.span)

    def _variable_instance(self, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span) -> Name:
        chosen, bindings = self.specialisation(template, args, span)
        decl = chosen.node.declaration
        assert isinstance(decl, c_ast.Decl)
        scope, home = self.binding_scope(chosen, bindings), Scope(kind="namespace")
        with self.s.scopes.instead((*chosen.scopes, scope, home)), self.own_specifiers():
            self.s.statements.variables.file_scope_variable(decl, instance=True)
        return home.names[decl.name or ""]

    def bare_template(self, entry: TemplateName, span: Span) -> Qualified:
        """Return the type that a template without arguments stands for."""
        if all(param.default is not None or param.pack for param in entry.node.params):
            found = self.instance(entry, (), span)
            if isinstance(found, TypeName):
                return found.type
        self.fail(
            span, f"'{entry.name}' is a template: its arguments are missing", Note(entry.span, "it is declared here")
        )

    @contextlib.contextmanager
    def asking(self, shown: str, span: Span) -> Iterator[None]:
        """Say in the messages of what follows that it belongs to an instance, and where that was asked for."""
        if len(self.s.diagnostics.asked) >= DEEPEST:
            self.refuse_depth(shown, span)
        self.s.diagnostics.asked.append(Note(span, f"in '{shown}' asked for here"))
        try:
            yield
        finally:
            self.s.diagnostics.asked.pop()

    def refuse_depth(self, shown: str, span: Span) -> NoReturn:
        """Fail because of templates that may need one another without end."""
        name = shown if len(shown) <= 60 else f"{shown[:57]}..."
        help = "give the recursion an end: a specialisation, or `if constexpr`"
        with self.s.diagnostics.aloud():
            self.fail(span, f"more than {DEEPEST} instances of templates need one another: '{name}'", help=help)

    @contextlib.contextmanager
    def own_specifiers(self) -> Iterator[None]:
        """What the specifiers of a text name is found anew in each instance."""
        before, self.s.structs.specifiers = self.s.structs.specifiers, {}
        try:
            yield
        finally:
            self.s.structs.specifiers = before


def _defines(node: cxx.Template) -> bool:
    inner = node.declaration
    if isinstance(inner, c_ast.Decl) and isinstance(inner.type, c_ast.Struct):
        inner = inner.type
    return isinstance(inner, cxx.Definition) or getattr(inner, "decls", None) is not None


def with_defaults(node: cxx.Template, before: cxx.Template) -> cxx.Template:
    """Return a template's definition with the default arguments that an earlier declaration gave."""
    if len(node.params) != len(before.params):
        return node
    params = tuple(
        replace(new, default=new.default or old.default) for new, old in zip(node.params, before.params, strict=True)
    )
    return cxx.Template(params, node.declaration, node.coord, node.requires, node.specialised)


def same_signature(one: cxx.Template, other: cxx.Template) -> bool:
    """Whether two function templates are declarations of one: their texts are the same, names of parameters aside."""
    if len(one.params) != len(other.params):
        return False
    names = {b.name: a.name for a, b in zip(one.params, other.params, strict=True)}
    if any(_kind_of(a, {}) != _kind_of(b, names) for a, b in zip(one.params, other.params, strict=True)):
        return False
    if ast_fingerprint(one.requires, {}) != ast_fingerprint(other.requires, names):
        return False
    return _text_of(one.declaration, {}) == _text_of(other.declaration, names)


def _kind_of(param: cxx.TemplateParameter, names: dict[str, str]) -> object:
    return param.kind, param.pack, ast_fingerprint(param.type, names), [_kind_of(inner, names) for inner in param.inner]


def _text_of(node: Node, names: dict[str, str]) -> object:
    decl = node.decl if isinstance(node, cxx.Definition) else node
    assert isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl)
    params = decl.type.args.params if decl.type.args is not None else []
    return [ast_fingerprint(param.type, names) for param in params if not isinstance(param, c_ast.EllipsisParam)] + [
        ast_fingerprint(decl.type.type, names),
        getattr(decl.type, "const", False),
        ast_fingerprint(getattr(decl.type, "requires", None), names),
    ]


def _is_auto(node: Node) -> bool:
    inner: Node | None = node
    while inner is not None and not isinstance(inner, c_ast.TypeDecl):
        inner = getattr(inner, "type", None)
    return inner is not None and isinstance(inner.type, c_ast.InferredType)
