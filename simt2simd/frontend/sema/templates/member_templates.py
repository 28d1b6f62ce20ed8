"""Checking member templates that are defined outside their class ([temp.mem]/1)."""

from __future__ import annotations

from pycparser import c_ast

from ....lang.ctype import Struct
from ...parse import cxx
from ...parse.words import Node
from ..context import Part
from ..scopes import Scope, TemplateName
from .declarations import same_signature, with_defaults
from .patterns import parameter_nodes


class MemberTemplates(Part):
    """The checker's part for definitions such as `template <class T> template <class U> T S<T>::f(U u) {...}`."""

    def define(self, node: cxx.Template, inner: Node, decl: cxx.MemberOf) -> bool:
        """Define a member template of a class that is no template; False if there is none."""
        scope = self.s.statements.functions.member_scope(decl.scope)
        if scope.owner is None or not isinstance(inner, cxx.Definition):
            return False
        info = self.s.structs.classes[scope.owner]
        known = self.s.statements.functions.members_called(info, decl.name or "")
        templates = [one for one in known if isinstance(one, TemplateName)]
        for one in templates:
            if same_signature(one.node, node) or (len(templates) == 1 and _counts(one.node) == _counts(node)):
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
        alone = sum(isinstance(one, TemplateName) for one in known) == 1
        for found, around in functions.outside_members(template.owner):
            inner, member = found.inner, found.member
            if member is None or not isinstance(inner, cxx.Definition) or inner.decl.name != template.name:
                continue
            names = self._outer_names(template.owner, found.node)
            if same_signature(template.node, member, names) or (alone and _counts(template.node) == _counts(member)):
                self._complete(template, member, inner, around)
                return

    def _outer_names(self, owner: Struct, node: cxx.Template) -> dict[str, str]:
        """Return the names of a class template's parameters in the class by those that `node` has for them."""
        info = self.s.structs.classes.get(owner)
        if info is None or info.pattern is None:
            return {}
        return {new.name: old.name for new, old in zip(node.params, info.pattern.node.params, strict=False)}

    def _complete(
        self, template: TemplateName, node: cxx.Template, inner: cxx.Definition, scopes: tuple[Scope, ...]
    ) -> None:
        """Give a template the body of its definition; what only the declaration in the class says is kept."""
        before = template.node.declaration
        first, decl = before.decl if isinstance(before, cxx.Definition) else before, inner.decl
        assert isinstance(first, c_ast.Decl) and isinstance(decl, c_ast.Decl)
        decl.storage = list(dict.fromkeys((*first.storage, *decl.storage)))
        decl.funcspec = list(dict.fromkeys((*first.funcspec, *decl.funcspec)))
        for old, new in zip(parameter_nodes(before), parameter_nodes(inner), strict=False):
            if getattr(old, "init", None) is not None and getattr(new, "init", None) is None:
                new.init = old.init  # type: ignore[attr-defined]
        whole = cxx.Template(node.params, inner, node.coord, node.requires)
        template.node, template.scopes = with_defaults(whole, template.node), scopes
        template.limit = self.s.scopes.clock.now


def _counts(node: cxx.Template) -> tuple[int, int]:
    """Return how many parameters a template has, and its function."""
    return len(node.params), len(parameter_nodes(node.declaration))
