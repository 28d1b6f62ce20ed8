"""Checking what host code asks for: which kernels its launches mean, and lambdas that it hands to kernels.

Simple kernels are found by their names (`lang/instance`). All others are private to their file: host code finds them
by their places and template arguments.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast

from ....diag import CompileError, Note
from ....lang.instance import AnyInstance, Argument, Instance, KernelRequests, Lambda, NamedInstance
from ....source import NOWHERE, Span
from ...parse import cxx
from ...parse.fragments import Fragments
from ...parse.words import Node
from ..context import Part, Sema
from ..qualified import Qualified
from ..scopes import (
    FunctionName,
    Functions,
    Name,
    NamespaceName,
    PackName,
    Reported,
    Scope,
    TemplateArgument,
    TemplateName,
    TypeName,
    ValueName,
)
from ..types.records import name_span
from .arguments import argument_key


@dataclass(frozen=True)
class _Kernel:
    """A definition of a kernel, of a template of kernels, or of a specialisation. `span` is that of its name."""

    span: Span
    entry: FunctionName | TemplateName
    home: Scope

    @property
    def name(self) -> str:
        return self.entry.name


class KernelInstances(Part):
    """The checker's part for what host code asks for."""

    def __init__(self, s: Sema, fragments: Fragments) -> None:
        super().__init__(s)
        self.fragments = fragments
        self._host_lambdas: dict[TemplateName, Lambda] = {}
        self._private: set[str] = set()  # the keys of kernels that are not simple

    def make_instances(self, asked: Callable[[], KernelRequests]) -> dict[AnyInstance, str]:
        """Check the kernels that are asked for; return their keys."""
        kernels = self._kernels()
        names = Counter(kernel.name for kernel in kernels)
        others = [kernel for kernel in kernels if names[kernel.name] > 1 or not self._may_be_simple(kernel)]
        self._private = {k.entry.key for k in others if isinstance(k.entry, FunctionName)}
        chosen: dict[AnyInstance, str] = {}
        if not others:
            return chosen
        wanted = asked()
        for known in wanted.lambdas:
            self._declare_lambda(known)
        for instance in wanted.instances:
            with contextlib.suppress(Reported):
                function = self._by_name(instance) if isinstance(instance, NamedInstance) else None
                function = function or self._by_place(instance, others)
                chosen[instance] = function.key
                if isinstance(instance, Instance):
                    self._private.add(function.key)
        self.s.statements.bodies.drain()
        for key in self._private & self.s.functions.checked.keys():
            self.s.functions.checked[key] = replace(self.s.functions.checked[key], static=True)
        return chosen

    def _may_be_simple(self, kernel: _Kernel) -> bool:
        return (
            kernel.home is self.s.scopes.file_scope
            and isinstance(kernel.entry, FunctionName)
            and not kernel.entry.pattern
        )

    def _kernels(self) -> list[_Kernel]:
        """Return the definitions of kernels, those on one line in their order."""
        found: dict[FunctionName | TemplateName, _Kernel] = {}
        for scope in self._namespaces(self.s.scopes.file_scope):
            for functions in scope.names.values():
                for entry in functions.candidates if isinstance(functions, Functions) else ():
                    for one, span in _definitions(entry):
                        home = entry.scopes[-1] if entry.scopes else scope
                        found.setdefault(one, _Kernel(span, one, home))
        return sorted(found.values(), key=lambda kernel: (kernel.span.line, kernel.span.column))

    def _namespaces(self, scope: Scope) -> Iterator[Scope]:
        yield scope
        inner = [entry.scope for entry in scope.names.values() if isinstance(entry, NamespaceName)]
        unnamed = self.s.scopes.unnamed.get(scope)
        for one in dict.fromkeys([*inner, *([unnamed.scope] if unnamed is not None else [])]):
            yield from self._namespaces(one)

    # ------------------------------------------------------------------------------------------- instances

    def _by_place(self, instance: AnyInstance, kernels: Sequence[_Kernel]) -> FunctionName:
        assert isinstance(instance, Instance)
        place = instance.place
        here = [k for k in kernels if place.is_at(k.span.source.name, k.span.line, k.name)]
        if place.nth > len(here):
            self.fail(NOWHERE, f"no kernel '{instance.shown}' that device code could be made of")
        kernel = here[place.nth - 1]
        if isinstance(kernel.entry, FunctionName):
            return self._wanted_by_host(kernel.entry, kernel.span)
        with self.s.templates.asking(instance.shown, kernel.span):
            bindings = self._bindings(kernel.entry, instance.arguments, kernel.span)
            return self._wanted_by_host(
                self.s.templates.functions.function_instance(kernel.entry, bindings), kernel.span
            )

    def _bindings(
        self, template: TemplateName, arguments: Sequence[Argument], span: Span
    ) -> dict[str, TemplateArgument]:
        """Return what a template's parameters are; all of them are given, in order."""
        scope = Scope(kind="template")
        bindings: dict[str, TemplateArgument] = {}
        for param, argument in zip(template.node.params, arguments, strict=True):
            items = argument.items if argument.kind == "pack" else (argument,)
            found = [self._given(item.text, span) for item in items]
            with self.s.scopes.instead((*template.scopes, scope)):
                values = tuple(self.s.templates.converted_argument(param, one, span) for one in found)
            bindings[param.name_key] = values if param.pack else values[0]
            scope.names[param.name] = self.s.templates.bound_name(param, bindings[param.name_key])
        return bindings

    def _given(self, text: str, span: Span) -> TemplateArgument:
        """Check a template argument, in which all names are seen from the file."""
        with self.s.scopes.instead([self.s.scopes.file_scope]), self.s.templates.own_specifiers():
            return self.s.templates.template_argument(self._piece(text, span))

    def _piece(self, text: str, span: Span) -> Node:
        try:
            return self.fragments.argument(text, span)
        except CompileError as fault:
            for diagnostic in fault.diagnostics:
                self.report(diagnostic)
            raise Reported from None

    def _wanted_by_host(self, function: FunctionName, span: Span) -> FunctionName:
        self.s.functions.called.setdefault(function, span)
        self.s.functions.pending.append(function)
        return function

    def _by_name(self, instance: NamedInstance) -> FunctionName:
        """Return the kernel that an expression such as `ns::k<int, 3>` names."""
        with (
            self.s.scopes.instead([self.s.scopes.file_scope]),
            self.s.templates.own_specifiers(),
            self.s.templates.asking(instance.expression, NOWHERE),
        ):
            functions = self.s.expr.pointers.functions_named(self._piece(instance.expression, NOWHERE))
            found = list(self._kernels_named(functions)) if functions is not None else []
            if len(found) != 1:
                how_many = "several kernels" if found else "no kernel"
                named = functions.candidates[:3] if functions is not None else []
                notes = [Note(one.span, f"'{one.name}' is declared here") for one in named]
                self.fail(NOWHERE, f"'{instance.expression}' names {how_many}", *notes)
        return self._wanted_by_host(found[0], found[0].span)

    def _kernels_named(self, functions: Functions) -> Iterator[FunctionName]:
        for candidate in functions.candidates:
            if isinstance(candidate, TemplateName) and functions.given is not None:
                alone = (
                    contextlib.nullcontext() if len(functions.candidates) == 1 else self.s.templates.deduction.attempt()
                )
                function: FunctionName | None = None
                with alone:
                    args = self.s.templates.completed(candidate, functions.given, NOWHERE)
                    bindings = {p.name_key: arg for p, arg in zip(candidate.node.params, args, strict=True)}
                    function = self.s.templates.functions.function_instance(candidate, bindings)
                if function is not None and function.kind == "kernel":
                    yield function
            elif isinstance(candidate, FunctionName) and functions.given is None and candidate.kind == "kernel":
                yield candidate

    # --------------------------------------------------------------------------------------------- lambdas

    def _declare_lambda(self, known: Lambda) -> None:
        """Enter the class template that represents a lambda in template arguments."""
        span = NOWHERE
        nothing = cxx.Template((), c_ast.EmptyStatement(span), span)
        entry = TemplateName(span, known.name, "class", nothing, (self.s.scopes.file_scope,), shown=known.name)
        self.s.scopes.file_scope.names[known.name] = entry
        self.fragments.make_class_template(known.name)
        self._host_lambdas[entry] = known

    def closure_instance(self, template: TemplateName, given: Sequence[TemplateArgument], span: Span) -> Name | None:
        """Return the class of a lambda in host code, for the host's template arguments; None for other templates."""
        known = self._host_lambdas.get(template)
        if known is None:
            return None
        key = tuple(map(argument_key, given))
        if key not in template.instances:
            template.instances[key] = self._closure_class(known, given, span)
        return template.instances[key]

    def _closure_class(self, known: Lambda, given: Sequence[TemplateArgument], span: Span) -> Name:
        """Make the class of a lambda in host code: its members, then parameters of templates, have the types given."""
        place = self.fragments.find_lambda(known)
        if place is None:
            self.fail(span, f"the lambda at {known.file}:{known.line} cannot be found for device code")
        count = len(known.captures)
        captured = [(n, t) for n, t in zip(known.captures, given, strict=False) if isinstance(t, Qualified)]
        if len(captured) != count:
            self.fail(span, f"the lambda at {known.file}:{known.line} captures what device code cannot have")
        names = self._around(known, given[count:], place)
        types = [name for name, entry in names.items() if _is_type(entry)]
        try:
            node = self.fragments.lambda_at(place, types, [name for name in names if name not in types])
        except CompileError as fault:
            for diagnostic in fault.diagnostics:
                self.report(diagnostic)
            raise Reported from None
        scopes = [self.s.scopes.file_scope]
        for name in self.fragments.namespaces_around(place):
            inner = scopes[-1].names.get(name) if name else self.s.scopes.unnamed.get(scopes[-1])
            scopes += [inner.scope] if isinstance(inner, NamespaceName) else []
        with self.s.scopes.instead((*scopes, Scope(names, kind="template"))), self.s.templates.own_specifiers():
            return TypeName(node.coord, Qualified(self.s.classes.lambdas.closure(node, captured)))

    def _around(self, known: Lambda, given: Sequence[TemplateArgument], place: int) -> dict[str, Name]:
        """Return what the constants and the parameters of templates around a lambda denote."""
        names: dict[str, Name] = {}
        rest = list(given)
        for number, name in enumerate(known.parameters):
            if self.fragments.is_pack(place, name):
                after = len(known.parameters) - number - 1
                items, rest = rest[: len(rest) - after], rest[len(rest) - after :]
                names[name] = PackName(NOWHERE, tuple(map(_bound, items)))
            elif rest:
                names[name] = _bound(rest.pop(0))
        return names

    # ------------------------------------------------------------------------------------------------ keys

    def reserve_keys(self, nodes: Iterable[Node]) -> None:
        """Keep the names of kernels at file scope for them: host code, and other files, find simple ones by them."""
        for node in nodes:
            decl = node.decl if isinstance(node, cxx.Definition) else node if self.s.linkage.mark else None
            if isinstance(decl, c_ast.Decl) and "__global__" in decl.funcspec and decl.name:
                self.s.functions.reserved_keys.add(decl.name)
        self.s.functions.keys |= self.s.functions.reserved_keys


def _definitions(entry: FunctionName | TemplateName) -> Iterator[tuple[FunctionName | TemplateName, Span]]:
    """Yield what a name's entry defines, if that is a kernel: itself, and specialisations."""
    if isinstance(entry, FunctionName):
        if entry.kind == "kernel" and entry.defined is not None:
            yield entry, entry.defined
        return
    inner = entry.node.declaration
    decl = inner.decl if isinstance(inner, cxx.Definition) else inner
    if "__global__" not in (getattr(decl, "funcspec", None) or ()):
        return
    if isinstance(inner, cxx.Definition):
        yield entry, name_span(inner.decl)
    for instance in entry.instances.values():
        special = instance.candidates[0] if isinstance(instance, Functions) else None
        if isinstance(special, FunctionName) and special.defined is not None and special.node is not inner:
            yield special, special.defined


def _bound(value: TemplateArgument) -> Name:
    match value:
        case Qualified():
            return TypeName(NOWHERE, value)
        case TemplateName():
            return value
        case tuple():
            return PackName(NOWHERE, tuple(map(_bound, value)))
    return ValueName(NOWHERE, value)


def _is_type(entry: Name) -> bool:
    if isinstance(entry, PackName):
        return any(map(_is_type, entry.items))
    return isinstance(entry, TypeName | TemplateName)
