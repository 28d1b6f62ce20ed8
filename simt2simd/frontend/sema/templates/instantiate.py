"""Checking templates: their arguments, and the instances that the program asks for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import Scalar, Struct
from ....source import Span
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..identifiers import identifier
from ..qualified import Qualified
from ..restore import restoring
from ..scopes import Bindings, Functions, Name, PackName, Scope, TemplateArgument, TemplateName, TypeName, ValueName
from .arguments import argument_key, by_param, spell_argument
from .patterns import decayed

if TYPE_CHECKING:
    from .conditions import Conditions
    from .constraints import Constraints
    from .declarations import TemplateDeclarations
    from .deduction import Deduction
    from .dropped import DroppedSpecialisations
    from .exceptions import Exceptions
    from .explicit import ExplicitInstances
    from .function_templates import FunctionTemplates
    from .kernel_instances import KernelInstances
    from .matching import Matching
    from .member_templates import MemberTemplates
    from .object_traits import ObjectTraits
    from .outside import OutsideMembers
    from .packs import Packs
    from .partial_ordering import PartialOrdering
    from .rejection import Rejection
    from .specialisation import Specialisation
    from .traits import Traits

DEEPEST = 200  # instances that need one another


class Templates(Part):
    """The checker's part for templates."""

    functions: FunctionTemplates
    deduction: Deduction
    specialisations: Specialisation
    dropped: DroppedSpecialisations
    ordering: PartialOrdering
    conditions: Conditions
    outside: OutsideMembers
    constraints: Constraints
    packs: Packs
    rejection: Rejection
    traits: Traits
    objects: ObjectTraits
    exceptions: Exceptions
    explicit: ExplicitInstances
    member_templates: MemberTemplates
    kernels: KernelInstances
    matching: Matching
    declarations: TemplateDeclarations

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.unfinished: dict[Struct, partial[None]] = {}  # what defines the instance of a class template

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
        if (functions := self.s.expr.pointers.functions_named(node)) is not None:
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
            target = decayed(self.s.types.qualified(param.type).type, False, False)
            self.s.expr.initialisers.refuse_narrowing(value, target, span, "as a template argument")
            converted = self.s.expr.conversions.implicit(
                value, target, f"in the template argument for '{param.name}'", span=span
            )
            if not isinstance(converted, Constant):
                self.fail(span, f"the template argument for '{param.name}' must be a constant")
            if isinstance(target, Scalar):  # an enumerator for an int is an int
                converted = replace(converted, type=target)
            return converted
        return value

    def bound_name(self, param: cxx.TemplateParameter, value: TemplateArgument) -> Name:
        """Return what a template parameter's name denotes in an instance."""
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
        """Return the scope in which the parameters of a template denote these arguments."""
        names = {
            param.name: self.bound_name(param, bindings[param.name_key])
            for param in template.node.params
            if param.name_key in bindings and param.name
        }
        return Scope(names, kind="template", limit=template.limit)

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
        self.dropped.refuse(template, args, span)
        self._require_conditions(template, bindings, args, span)
        if template.kind == "class":
            struct = self.new_instance(template, args)
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

    def new_instance(self, template: TemplateName, args: tuple[TemplateArgument, ...]) -> Struct:
        shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
        declaration = template.node.declaration
        record = declaration.type if isinstance(declaration, c_ast.Decl) else declaration
        struct = Struct(self.s.types.records.unique_tag(identifier(shown)), template.span)
        struct.shown, struct.union = shown, isinstance(record, c_ast.Union)
        self.s.structs.made_of[struct] = template, args
        self.s.structs.homes[struct] = template.scopes
        return struct

    def _choose_and_define(
        self, struct: Struct, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span
    ) -> None:
        self.outside.define_template(template)
        chosen, bindings = self.specialisation(template, args, span)
        self.define_instance(struct, chosen, template, args, bindings, span)

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
            if not any(other is not one and self.ordering.preferred(other, one) for other, _ in fits)
        ]
        if len(best) > 1:
            shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
            notes = [Note(one.span, "this specialisation fits") for one, _ in best[:3]]
            self.fail(span, f"several specialisations fit '{shown}' equally", *notes)
        return best[0] if best else (template, by_param(template, args))

    def define_instance(
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
        assert isinstance(record, cxx.Class | cxx.UnionClass)
        if record.decls is None:
            return  # only declared: `require_complete` says so
        scope = self.binding_scope(chosen, bindings)
        with self.s.diagnostics.visibly(), self.asking(struct.shown, span or template.span), self.own_specifiers():
            try:
                with self.s.scopes.instead((*chosen.scopes, scope)):
                    self.s.structs.chosen[struct] = chosen, bindings
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
        """Return the type that a template without arguments denotes."""
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
        with self.s.diagnostics.visibly():
            self.fail(span, f"more than {DEEPEST} instances of templates need one another: '{name}'", help=help)

    def own_specifiers(self) -> AbstractContextManager[None]:
        """What the specifiers of a text name is found anew in each instance."""
        return restoring(self.s.structs, specifiers={})


def _is_auto(node: Node) -> bool:
    inner: Node | None = node
    while inner is not None and not isinstance(inner, c_ast.TypeDecl):
        inner = getattr(inner, "type", None)
    return inner is not None and isinstance(inner.type, c_ast.InferredType)
