"""Checking explicit instantiations: `template __device__ int f<int>(int);`, `template struct Sum<float, 4>;`.

Kernels that they name are made even if this file does not launch them. Where files are linked, so are device functions,
and the methods of classes: other files may count on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from ....lang.ctype import Struct
from ....source import Span
from ...parse import cxx
from ..class_info import ClassInfo
from ..context import Part
from ..scopes import FunctionName, Functions, Scope, TemplateArgument, TemplateName
from ..statements.functions import same_parameters
from ..types.records import name_span


class ExplicitInstances(Part):
    """The checker's part for explicit instantiations."""

    def instantiate(self, node: cxx.ExplicitInstantiation) -> None:
        decl = node.declaration
        if isinstance(decl, cxx.Class | cxx.UnionClass) and self.s.linkage.mark:
            self._instantiate_class(decl, node.coord)
        if not isinstance(decl, c_ast.Decl) or not isinstance(decl.type, c_ast.FuncDecl):
            return
        if not isinstance(decl, cxx.MemberOf):
            self._instantiate_function(decl, node)
        elif self.s.linkage.mark:
            scope = self.s.statements.functions.member_scope(decl.scope)
            if scope.owner is not None:
                self._instantiate_method(decl, scope)
            else:
                with self.s.scopes.inside(scope):
                    self._instantiate_function(decl, node)

    def _instantiate_function(self, decl: c_ast.Decl, node: cxx.ExplicitInstantiation) -> None:
        entry = self.s.scopes.lookup(decl.name or "")
        if not isinstance(entry, Functions):
            self.fail(name_span(decl), f"'{decl.name}' is no template")
        function = self.s.statements.functions.function_entry(decl, decl.name or "")
        given = self.s.templates.template_arguments(node.args) if node.args is not None else ()
        found = self.s.templates.specialisations.specialised_template(entry.candidates, function, given)
        if found is None:
            self.fail(name_span(decl), f"no template '{decl.name}' has this instance")
        self.wanted(*found, node.coord)

    def _instantiate_class(self, node: cxx.Class | cxx.UnionClass, span: Span) -> None:
        name = node.scope or cxx.Name((cxx.NamePart(node.name or "", node.args, span),), False, span)
        struct = self.s.expr.names.named(name).type
        if not isinstance(struct, Struct):
            return
        self.s.types.records.require_complete(struct, span)
        for method in self.methods_of(self.s.structs.classes[struct]):
            if method.owner is struct and "__device__" in method.words:
                self._make_for_others(method, span)

    def _instantiate_method(self, decl: cxx.MemberOf, scope: Scope) -> None:
        assert scope.owner is not None
        info = self.s.structs.classes[scope.owner]
        with self.s.scopes.instead((*info.scopes, scope)):
            entry = self.s.statements.functions.function_entry(
                decl, self.s.statements.functions.function_name(decl), owner=scope.owner
            )
        for method in self.s.statements.functions.members_called(info, entry.name):
            if isinstance(method, FunctionName) and same_parameters(method, entry):
                self._make_for_others(method, entry.span)

    def wanted(self, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span) -> FunctionName:
        """Make an instance of a function template that belongs to the module, called or not."""
        bindings = {param.name_key: arg for param, arg in zip(template.node.params, args, strict=True)}
        function = self.s.templates.functions.function_instance(template, bindings)
        if function.kind == "kernel" or self.s.linkage.mark:
            self._make_for_others(function, span)
        return function

    def _make_for_others(self, function: FunctionName, span: Span) -> None:
        """Check a function that belongs to the module, called or not. The host's part of it may be the only one."""
        self.s.templates.outside.find(function)
        if function.node is None:
            return
        self.s.linkage.instantiated.add(function)
        self.s.functions.called.setdefault(function, span)
        self.s.functions.evaluated.setdefault(function, span)
        self.s.functions.pending.append(function)

    def methods_of(self, info: ClassInfo) -> Iterator[FunctionName]:
        """Yield the methods of a class, constructors, conversions and the destructor included."""
        entries: list[FunctionName | TemplateName] = []
        for entry in info.scope.names.values():
            entries += entry.candidates if isinstance(entry, Functions) else []
        entries += info.constructors.candidates if info.constructors is not None else []
        entries += [info.destructor] if info.destructor is not None else []
        yield from (entry for entry in _functions([*entries, *info.conversions]))


def _functions(entries: Sequence[FunctionName | TemplateName]) -> Iterator[FunctionName]:
    return (entry for entry in entries if isinstance(entry, FunctionName))
