"""Checking member templates that are defined outside their class ([temp.mem]/1) or namespace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pycparser import c_ast

from ...parse import cxx
from ...parse.words import Node
from ..context import Part
from ..scopes import FunctionName, Functions, Scope, TemplateName
from ..statements.functions import same_object, same_parameters, same_result
from .declarations import same_signature, with_defaults
from .patterns import parameter_nodes


class MemberTemplates(Part):
    """The checker's part for definitions such as `template <class T> template <class U> T S<T>::f(U u) {...}`."""

    def define(self, node: cxx.Template, inner: Node, decl: cxx.MemberOf, scope: Scope) -> bool:
        """Define a template that is a member of a namespace, or of a class that is no template; False if there is none.

        The definition defines what is declared there before ([dcl.meaning]).
        """
        if not isinstance(inner, cxx.Definition):
            return False
        name = decl.name or ""
        if scope.owner is not None:
            known = self.s.statements.functions.members_called(self.s.structs.classes[scope.owner], name)
        else:
            entry = self.s.expr.names.find_in(scope, name)
            known = [*(entry.candidates if isinstance(entry, Functions) else ()), *scope.friends.get(name, ())]
        for one in self._declared(known, node, {}, None):
            self._complete(one, node, inner, one.scopes)
            self.s.templates.functions.define_instances(one, inner)
            return True
        return False

    def find(self, template: TemplateName) -> None:
        """Look for the definition of a member template of a class template's instance outside the class."""
        if template.owner is None or isinstance(template.node.declaration, cxx.Definition):
            return
        functions = self.s.statements.functions
        known = functions.members_called(self.s.structs.classes[template.owner], template.name)
        for found in self.s.templates.outside.members(template.owner):
            inner, member = found.inner, found.member
            if member is None or not isinstance(inner, cxx.Definition) or inner.decl.name != template.name:
                continue
            if template in self._declared(known, member, found.names, found.scopes):
                outer = {old: new for new, old in found.names.items()}
                self._complete(template, member, inner, found.scopes, outer)
                return

    def _declared(
        self,
        known: Sequence[FunctionName | TemplateName],
        node: cxx.Template,
        names: Mapping[str, str],
        scopes: tuple[Scope, ...] | None,
    ) -> list[TemplateName]:
        """Return which of some templates `node` declares again: the one with its text, or with its types.

        `names`: what parameters of templates around are called there, by their names around `node`. `scopes`: those
        around `node`; None if these are the ones of the template.
        """
        templates = [one for one in known if isinstance(one, TemplateName)]
        found = [one for one in templates if same_signature(one.node, node, names)]
        found = found or [one for one in templates if self._has_same_types(one, node, scopes or one.scopes)]
        return found or [one for one in templates if len(templates) == 1 and _counts(one.node) == _counts(node)]

    def _has_same_types(self, template: TemplateName, node: cxx.Template, scopes: tuple[Scope, ...]) -> bool:
        """Whether another text declares a function template with the same types ([temp.over.link])."""
        params = template.node.params
        if [(p.kind, p.pack) for p in node.params] != [(p.kind, p.pack) for p in params]:
            return False
        own = self.s.templates.ordering.unique_arguments(template)
        bound = {new.name_key: own[old.name_key] for new, old in zip(node.params, params, strict=True)}
        other = TemplateName(template.span, template.name, template.kind, node, scopes)
        functions: list[FunctionName] = []
        with self.s.templates.deduction.attempt() as tried:
            for one, bindings in ((template, own), (other, bound)):
                declaration = one.node.declaration
                decl = declaration.decl if isinstance(declaration, cxx.Definition) else declaration
                assert isinstance(decl, c_ast.Decl)
                scope = self.s.templates.binding_scope(one, bindings)
                with self.s.scopes.instead((*one.scopes, scope)), self.s.templates.own_specifiers():
                    entry = self.s.statements.functions.function_entry(decl, one.name, owner=template.owner)
                functions.append(entry)
        return not tried.failed and same_parameters(*functions) and same_object(*functions) and same_result(*functions)

    def _complete(
        self,
        template: TemplateName,
        node: cxx.Template,
        inner: cxx.Definition,
        scopes: tuple[Scope, ...],
        outer: Mapping[str, str] | None = None,
    ) -> None:
        """Give a template the body of its definition; what only the declaration in the class says is kept."""
        before = template.node.declaration
        first, decl = before.decl if isinstance(before, cxx.Definition) else before, inner.decl
        assert isinstance(first, c_ast.Decl) and isinstance(decl, c_ast.Decl)
        decl.storage = list(dict.fromkeys((*first.storage, *decl.storage)))
        decl.funcspec = list(dict.fromkeys((*first.funcspec, *decl.funcspec)))
        whole = cxx.Template(node.params, inner, node.coord, node.requires)
        template.node, template.scopes = with_defaults(whole, template.node, outer), scopes
        template.limit = self.s.scopes.clock.now


def _counts(node: cxx.Template) -> tuple[int, int]:
    """Return how many parameters a template has, and its function."""
    return len(node.params), len(parameter_nodes(node.declaration))
