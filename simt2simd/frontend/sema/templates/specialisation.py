"""Which template a specialisation belongs to, and which partial specialisation fits template arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import VOID, is_integer
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..context import Part
from ..expr.conversions import same_type
from ..qualified import Qualified, type_key
from ..scopes import Bindings, FunctionName, TemplateArgument, TemplateName, flat
from .arguments import BegunPack, same_arguments
from .patterns import is_parameter, special_arguments, without_pack


class Specialisation(Part):
    """The checker's part for choosing among templates."""

    def match_special(self, special: TemplateName, args: tuple[TemplateArgument, ...]) -> Bindings | None:
        """Return what a partial specialisation's parameters are for these arguments; None if it does not fit."""
        patterns = special_arguments(special.node)
        bindings: Bindings = {}
        with self.s.scopes.instead(special.scopes):
            if patterns is None or not self.s.templates.matching.match_arguments(
                special, patterns, written(patterns, flat(args)), bindings
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
            found = self.with_defaults(special, self.s.templates.template_arguments(tuple(patterns)))
            given = flat(args)
            found = tuple(map(_of_parameters_type, found, given)) if len(found) == len(given) else found
        return not tried.failed and same_arguments(found, flat(args))

    def with_defaults(self, special: TemplateName, args: tuple[TemplateArgument, ...]) -> tuple[TemplateArgument, ...]:
        """Return the arguments of a partial specialisation with the default arguments of its primary template."""
        if special.primary is None:
            return args
        return flat(self.s.templates.completed(special.primary, args, special.span))

    def arguments_of_signature(
        self, template: TemplateName, function: FunctionName, given: tuple[TemplateArgument, ...]
    ) -> tuple[TemplateArgument, ...] | None:
        """Return the arguments with which a function template has the type of `function` ([temp.deduct.decl]).

        None if it cannot.
        """
        decl = template.node.declaration
        decl = decl.decl if isinstance(decl, cxx.Definition) else decl
        with self.s.templates.deduction.attempt() as tried:
            bindings: Bindings = self.s.templates.bind_given(template, given, template.span) if given else {}
            bindings = {
                name: BegunPack(value) if isinstance(value, tuple) else value
                for name, value in bindings.items()
                if value != ()
            }
            fixed = self.s.templates.deduction.given_names(template, given)
            nodes = self.s.templates.deduction.parameters(template)
            nodes = [node for node in nodes if not isinstance(node, c_ast.EllipsisParam)]
            types = [param.qualified for param in function.params]
            if len(nodes) != len(types) and not any(without_pack(node)[1] for node in nodes):
                return None
            for number, node in enumerate(nodes):
                inner, pack = without_pack(node)
                rest = types[number : len(types) - (len(nodes) - number - 1)] if pack else types[number : number + 1]
                gathered: dict[str, list[TemplateArgument]] = {}
                for found in rest:
                    own: Bindings = {} if pack else bindings
                    if not self._match_type(template, inner, found, own, fixed):
                        return None
                    for name, value in own.items() if pack else ():
                        gathered.setdefault(name, []).append(value)
                bindings.update({name: tuple(values) for name, values in gathered.items()})
                types[number : number + len(rest)] = types[number : number + 1] if pack else rest
                if pack:
                    types[number : number + 1] = [Qualified(VOID)]
            result = decl.type.type if isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl) else None
            if result is not None and function.result is not None:
                self._match_type(template, result, function.result, bindings, fixed)
            whole = self.s.templates.deduction.with_defaults(template, bindings)
            if whole is None:
                return None
            args = tuple(whole[param.name_key] for param in template.node.params)
            if not self._has_signature(template, whole, function):
                return None
        return args if not tried.failed else None

    def _match_type(
        self, template: TemplateName, node: Node, found: Qualified, bindings: Bindings, fixed: set[str]
    ) -> bool:
        """Match a parameter's or a result's type with the one of a function ([temp.deduct.type]/10)."""
        declarator = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
        if not self.s.templates.matching.depends(template, declarator):
            return True
        if isinstance(declarator, cxx.Reference):
            if not found.reference:
                return False
            forwards = declarator.rvalue and found.reference == "&" and is_parameter(declarator.type, template)
            found = replace(found, reference="&" if forwards else "")
            declarator = declarator.type
        else:
            quals = getattr(declarator, "quals", None) or ()  # those of a parameter itself are no part of the type
            const = found.const if found.reference else "const" in quals
            volatile = found.volatile if found.reference else "volatile" in quals
            found = replace(found, const=const, volatile=volatile, restrict=False)
        return self.s.templates.matching.match(template, declarator, found, bindings, fixed=fixed)

    def _has_signature(self, template: TemplateName, bindings: Bindings, function: FunctionName) -> bool:
        """Whether the instance of a function template with these arguments has the type of `function`."""
        decl = template.node.declaration
        decl = decl.decl if isinstance(decl, cxx.Definition) else decl
        assert isinstance(decl, c_ast.Decl)
        scope = self.s.templates.binding_scope(template, bindings)
        with (
            self.s.templates.deduction.attempt() as tried,
            self.s.scopes.instead((*template.scopes, scope)),
            self.s.templates.own_specifiers(),
        ):
            if not self.s.templates.constraints.satisfied(template.node.requires):
                return False
            entry = self.s.statements.functions.function_entry(decl, template.name, owner=template.owner)
            one, other = entry.result, function.result
            if (
                one is not None
                and other is not None
                and (not same_type(one.type, other.type) or one.stored != other.stored)
            ):
                return False
            keys = [[(type_key(p.qualified.stored), p.reference) for p in f.params] for f in (entry, function)]
            return keys[0] == keys[1]
        return not tried.failed

    def specialised_template(
        self,
        candidates: Sequence[FunctionName | TemplateName],
        function: FunctionName,
        given: tuple[TemplateArgument, ...],
    ) -> tuple[TemplateName, tuple[TemplateArgument, ...]] | None:
        """Return the function template of which a declaration is a specialisation, and the arguments.

        That is the most specialised one that has an instance of this type ([temp.expl.spec], [temp.deduct.decl]/2).
        """
        best: tuple[TemplateName, tuple[TemplateArgument, ...]] | None = None
        for candidate in candidates:
            if not isinstance(candidate, TemplateName):
                continue
            args = self.arguments_of_signature(candidate, function, given)
            if args is not None and (best is None or self.s.templates.ordering.preferred(candidate, best[0])):
                best = candidate, args
        return best


def written(patterns: Sequence[Node], args: tuple[TemplateArgument, ...]) -> tuple[TemplateArgument, ...]:
    """Return the arguments to which a specialisation's own ones correspond, without those that defaults give."""
    if any(isinstance(one, cxx.PackExpansion) for one in patterns):
        return args
    return args[: len(patterns)]


def _of_parameters_type(written: TemplateArgument, given: TemplateArgument) -> TemplateArgument:
    """Return the 0 of `struct S<0>` as a value of the parameter's type, which the argument `given` has already."""
    if isinstance(written, Constant) and isinstance(given, Constant):
        return replace(written, type=given.type) if is_integer(written.type) and is_integer(given.type) else written
    return written
