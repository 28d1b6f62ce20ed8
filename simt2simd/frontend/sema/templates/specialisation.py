"""Which specialisation fits template arguments, and which template is the more special one ([temp.func.order])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import INT, Struct, is_integer
from ....source import Span
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..scopes import Bindings, FunctionName, Qualified, TemplateArgument, TemplateName, flat
from .arguments import same_arguments
from .packs import names_in
from .patterns import parameter_nodes, without_pack


class Specialisation(Part):
    """The checker's part for choosing among templates."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.stand_ins: list[Struct] = []  # types that were made up to compare templates

    def match_special(self, special: TemplateName, args: tuple[TemplateArgument, ...]) -> Bindings | None:
        """Return what a partial specialisation's parameters are for these arguments; None if it does not fit."""
        patterns = special_arguments(special.node)
        bindings: Bindings = {}
        with self.s.scopes.instead(special.scopes):
            if patterns is None or not self.s.templates.matching.match_arguments(
                special, patterns, flat(args), bindings
            ):
                return None
            for param in special.node.params:
                if param.name_key not in bindings:
                    if not param.pack:
                        return None
                    bindings[param.name_key] = ()
            return bindings if self._holds(special, patterns, args, bindings) else None

    def _holds(
        self, special: TemplateName, patterns: Sequence[Node], args: tuple[TemplateArgument, ...], bindings: Bindings
    ) -> bool:
        """Whether a specialisation's arguments have a meaning with these bindings, and are the ones given."""
        scope = self.s.templates.binding_scope(special, bindings)
        with (
            self.s.templates.deduction.attempt() as tried,
            self.s.scopes.instead((*special.scopes, scope)),
            self.s.templates.own_specifiers(),
        ):
            if not self.s.templates.constraints.satisfied(special.node.requires):
                return False
            found = self.s.templates.template_arguments(tuple(patterns))
            given = flat(args)
            found = tuple(map(_of_parameters_type, found, given)) if len(found) == len(given) else found
        return not tried.failed and same_arguments(found, flat(args))

    def preferred(self, one: TemplateName, other: TemplateName) -> bool:
        """Whether `one` is the more special template of two, or else asks for more."""
        if self.more_special(one, other):
            return True
        return not self.more_special(other, one) and self.s.templates.constraints.more_constrained(one, other)

    def more_special(self, one: TemplateName, other: TemplateName) -> bool:
        return self._fits_into(one, other) and not self._fits_into(other, one)

    def _fits_into(self, one: TemplateName, other: TemplateName) -> bool:
        """Whether `other` fits whatever `one` fits: arguments made of unique types."""
        bindings: Bindings = {}
        for param in one.node.params:
            own = self._stand_in(param, one.span)
            bindings[param.name_key] = (own,) if param.pack else own
        scope = self.s.templates.binding_scope(one, bindings)
        found: Bindings = {}
        with self.s.templates.deduction.attempt() as tried:
            with self.s.scopes.instead((*one.scopes, scope)), self.s.templates.own_specifiers():
                special = special_arguments(one.node)
                if special is not None:
                    args = self.s.templates.template_arguments(tuple(special))
                else:
                    nodes = parameter_nodes(one.node.declaration)
                    types = [self._standing_type(node) for node in nodes]
            with self.s.scopes.instead(other.scopes):
                if special is not None:
                    return self.s.templates.matching.match_arguments(
                        other, special_arguments(other.node) or (), args, found
                    )
                nodes = parameter_nodes(other.node.declaration)
                return self._match_parameters(other, nodes, types, found)
        return not tried.failed

    def _standing_type(self, node: Node) -> Qualified:
        inner, pack = without_pack(node)
        declarator = inner.type if isinstance(inner, c_ast.Decl | c_ast.Typename) else inner
        if pack:
            for _ in self.s.templates.packs.each_element(inner):
                return self.s.types.parameter_type(declarator)
        return self.s.types.parameter_type(declarator)

    def _match_parameters(
        self, template: TemplateName, nodes: list[Node], types: list[Qualified], found: Bindings
    ) -> bool:
        for number, node in enumerate(nodes):
            inner, pack = without_pack(node)
            declarator = inner.type if isinstance(inner, c_ast.Decl | c_ast.Typename) else inner
            rest = types[number:] if pack else types[number : number + 1]
            if not pack and not rest:
                return False
            for one in rest:
                plain = declarator.type if isinstance(declarator, cxx.Reference) else declarator
                if not self.s.templates.matching.match(
                    template, plain, replace(one, reference=""), {} if pack else found
                ):
                    return False
            if pack:
                return True
        return len(nodes) == len(types)

    def _stand_in(self, param: cxx.TemplateParameter, span: Span) -> TemplateArgument:
        own = Struct(f"stand_in_{len(self.stand_ins)}", span, ())
        self.stand_ins.append(own)
        if param.kind == "value":
            return Constant(span, INT, 1_000_000_007 + len(self.stand_ins))
        if param.kind == "template":
            return TemplateName(span, param.name, "class", cxx.Template((), c_ast.EmptyStatement(span), span), ())
        return Qualified(own)

    def arguments_of_signature(
        self, template: TemplateName, function: FunctionName, given: tuple[TemplateArgument, ...]
    ) -> tuple[TemplateArgument, ...] | None:
        """Return the arguments with which a function template has the parameters of `function`; None if it cannot."""
        with self.s.templates.deduction.attempt():
            bindings: Bindings = self.s.templates.bind_given(template, given, template.span) if given else {}
            fixed = self.s.templates.deduction.given_names(template, given)
            nodes = parameter_nodes(template.node.declaration)
            types = [param.qualified for param in function.params]
            if len(nodes) != len(types) and not any(without_pack(node)[1] for node in nodes):
                return None
            for node, found in zip(nodes, types, strict=False):
                inner, pack = without_pack(node)
                declarator = inner.type if isinstance(inner, c_ast.Decl | c_ast.Typename) else inner
                if pack or not any(p.name in names_in(declarator) for p in template.node.params):
                    continue
                if isinstance(declarator, cxx.Reference) != bool(found.reference):
                    return None
                plain = declarator.type if isinstance(declarator, cxx.Reference) else declarator
                if not self.s.templates.matching.match(
                    template, plain, replace(found, reference=""), bindings, fixed=fixed
                ):
                    return None
            whole = self.s.templates.deduction.with_defaults(template, bindings)
            if whole is None:
                return None
            return tuple(whole[param.name_key] for param in template.node.params)
        return None


def special_arguments(node: cxx.Template) -> Sequence[Node] | None:
    """Return the template arguments of a partial specialisation; None for any other template."""
    inner = node.declaration
    if isinstance(inner, c_ast.Decl) and isinstance(inner.type, cxx.Class):
        inner = inner.type
    return inner.args if isinstance(inner, cxx.Class) else node.specialised


def _of_parameters_type(written: TemplateArgument, given: TemplateArgument) -> TemplateArgument:
    """Return the 0 of `struct S<0>` as a value of the parameter's type, which the argument `given` has already."""
    if isinstance(written, Constant) and isinstance(given, Constant):
        return replace(written, type=given.type) if is_integer(written.type) and is_integer(given.type) else written
    return written
