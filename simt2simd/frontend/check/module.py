"""Check: pycparser trees become a `Module`: names and types resolved, conversions explicit, the subset enforced.

The parts, each of which builds on the one before: `scopes`, `types`, `conversions`, `expressions`, `calls`,
`initialisers`, `statements`. This one checks the top level of a file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from pycparser import c_ast

from ...diag import CompileError, Diagnostic, Note
from ...lang.ctype import FunctionType, Struct
from ...lang.instance import Asked
from ...source import NOWHERE, Span
from ...tree.nodes import Call, Function, Module, Variable, VarRef
from ...tree.shared_memory import MOST_BYTES as MOST_SHARED_BYTES
from ...tree.shared_memory import lay_out
from ...tree.walk import walk
from .. import cxx
from ..items import HostOnly
from ..library import LaterNames, Piece, composed
from ..parse import Parsed, ParsedItem
from ..words import Node
from .bit_fields import without_bit_fields
from .instances import Instances
from .records import name_span
from .scopes import (
    FunctionName,
    Functions,
    NamespaceName,
    Reported,
    Scope,
    TemplateArgument,
    TemplateName,
    TypeName,
    Unusable,
)


def nothing_asked() -> Asked:
    return Asked()


def check(parsed: Parsed, asked: Callable[[], Asked] = nothing_asked) -> Module:
    """Check the device part of a file.

    `asked` is called if the file may have kernels that are not simple (`lang/instance`); it tells which forms of them
    are asked for. Raises `CompileError` with every independent fault, syntax errors included, in source order.
    """
    checker = _Checker(parsed)
    for item in parsed.items:
        checker.top_level(item)
    checker.check_lambdas()
    instances = checker.make_instances(asked) if not (parsed.faults or checker.faults or checker.host_faults) else {}
    checker.make_dispatchers()
    faults = [*parsed.faults, *checker.faults, *checker.host_faults]
    if not faults:
        checker.require_definitions()
        faults = checker.faults
    if faults:
        raise CompileError(_in_order(faults, parsed))
    module = checker.module()
    if checker.has_bit_fields:
        module = without_bit_fields(module)
    if too_large := list(_too_much_shared(module)):
        raise CompileError(_in_order(too_large, parsed))
    return replace(module, instances=instances)


def _too_much_shared(module: Module) -> Iterator[Diagnostic]:
    """Yield a fault for each kernel that uses more shared memory than a block has, at its largest variable."""
    layout = lay_out(module)
    for kernel in module.kernels:
        if layout.bytes[kernel.name] <= MOST_SHARED_BYTES:
            continue
        largest, *others = sorted(layout.used[kernel.name], key=lambda v: (-v.type.size, v.span.line, v.span.column))
        message = f"kernel '{kernel.title}' uses {layout.bytes[kernel.name]} bytes of shared memory"
        notes = [Note(other.span, f"'{other.name}' takes {other.type.size} bytes") for other in others[:3]]
        yield Diagnostic(largest.span, f"{message}: a block has {MOST_SHARED_BYTES}", tuple(notes))


def _in_order(faults: list[Diagnostic], parsed: Parsed) -> list[Diagnostic]:
    """Sort by position, the main file last (what it includes comes before), and drop repetitions."""
    unique = {(str(f.span), f.message): f for f in faults}
    return sorted(
        unique.values(),
        key=lambda f: (f.span.source is parsed.pre.source, f.span.source.name, f.span.line, f.span.column),
    )


class _Checker(Instances):
    """The checker's part for the top level of a file."""

    def __init__(self, parsed: Parsed) -> None:
        super().__init__(dict(parsed.host_only), parsed.pieces)
        self.parsed = parsed
        self.reserve_keys(node for item in parsed.items for node in item.nodes)
        self.has_syntax_faults = bool(parsed.faults)
        for item in parsed.items:
            for node in item.nodes:
                decl = node.decl if isinstance(node, c_ast.FuncDef) else node
                if isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl) and decl.name:
                    self.elsewhere.setdefault(decl.name, name_span(decl))
        for name in parsed.damaged:
            self.make_unusable(name, NOWHERE)
        self.std.names = LaterNames(parsed.library.headers, self.declare_piece)
        self.namespaces += bool(parsed.library.headers)

    def module(self) -> Module:
        functions, constants = self.needed_functions()
        variables = {one: content for one, content in self.variables.items() if one not in self.undefined}
        constants |= {other for content in variables.values() for _, other, _ in content.addresses}
        return Module(
            self.parsed.pre.source.name,
            (*self.structs, *self.only_declared()),
            tuple(constant for constant in self.used_constants if constant in constants),
            functions,
            tuple(self.shared_variables),
            variables,
        )

    def only_declared(self) -> Iterator[Struct]:
        for named in dict.fromkeys(self.specifiers.values()):
            if isinstance(named, Struct) and named.fields is None:
                yield named

    def needed_functions(self) -> tuple[dict[str, Function], set[Variable]]:
        """Return the functions of the module, and the variables that they name.

        Those that were checked for their faults only, or computed while the program was compiled, are left out unless
        others call them.
        """
        reached = {key for key in self.functions if key not in self.only_checked}
        todo = list(reached)
        variables: set[Variable] = set()
        while todo:
            body = self.functions[todo.pop()].body
            for node in walk(body):
                if isinstance(node, VarRef):
                    variables.add(node.variable)
                elif isinstance(node, Call) and node.function in self.functions and node.function not in reached:
                    reached.add(node.function)
                    todo.append(node.function)
        return {key: function for key, function in self.functions.items() if key in reached}, variables

    def top_level(self, item: ParsedItem) -> None:
        """Check one item of a file or a namespace. If a tolerant item has faults, it is left to the host alone."""
        before = len(self.faults)
        for node in item.nodes:
            if isinstance(node, cxx.Namespace):
                self.enter_namespace(node)
                continue
            with contextlib.suppress(Reported):
                try:
                    self.external(node, item.tolerant)
                except RecursionError:
                    at = name_span(node.decl if isinstance(node, c_ast.FuncDef) else node)
                    self.fail(at, "expressions or statements are nested too deeply in this declaration")
            if item.tolerant and len(self.faults) > before:
                cause = self.faults[before]
                del self.faults[before:]
                self.forget(node, cause)

    def declare_composed(self, name: str) -> Functions:
        """Return a function of CUDA that is made of others, checked when it is first called."""
        if name not in self.file_scope.names:
            self.declare_piece(composed()[name], self.file_scope)
        entry = self.file_scope.names[name]
        assert isinstance(entry, Functions)
        return entry

    def declare_piece(self, piece: Piece, *scopes: Scope) -> None:
        """Check declarations of the standard library, of which a name is looked up for the first time.

        `scopes`: where they belong, if not in namespace std.
        """
        before, self.faults = self.faults, []
        asked, self.asked = self.asked, []
        with self.instead([*scopes] or [self.file_scope, self.std]):
            for item in self.parsed.library.items_of(piece):
                self.top_level(item)
        if self.faults:
            raise AssertionError(f"the compiler's own {piece.source.name} is faulty: {self.faults[0]}")
        self.faults, self.asked = before, asked

    def enter_namespace(self, node: cxx.Namespace) -> None:
        """Check what a namespace holds, in the scope that all namespaces of its name share."""
        outer, name = self.scopes[-1], node.name
        self.namespaces += name is not None
        known = outer.names.get(name) if name is not None else self.unnamed.get(outer)
        if isinstance(known, NamespaceName):
            scope = known.scope
        else:
            shown = self.prefix() + (f"{name}::" if name is not None else "")
            scope = Scope(kind="namespace", shown=shown)
            entry = NamespaceName(node.coord, scope)
            if name is None:
                self.unnamed[outer] = entry
            else:
                self.declare(name, entry)
            if name is None or node.inline:
                outer.also.append(scope)
        with self.inside(scope):
            for item in node.items:
                assert isinstance(item, ParsedItem)
                self.top_level(item)

    def forget(self, node: Node, cause: Diagnostic) -> None:
        """Leave the names that a declaration with faults declares to the host alone."""
        name = getattr(node, "name", None)
        declares = [name] if name else []
        inner = getattr(node, "type", None)
        while inner is not None and not isinstance(inner, c_ast.Struct | c_ast.Enum | c_ast.Union):
            inner = getattr(inner, "type", None)
        if inner is not None and inner.name:
            declares.append(inner.name)
        for name in declares:
            why = HostOnly(name_span(node), "a declaration of the host", cause=cause)
            scope = self.scopes[0]
            scope.names[name] = Unusable(name_span(node), why)
            scope.tags.pop(name, None)

    def external(self, node: Node, tolerant: bool) -> None:
        match node:
            case cxx.Definition():
                self.function_definition(node, tolerant)
            case c_ast.Typedef():
                self.typedef_at_file_scope(node)
            case c_ast.Decl(type=c_ast.FuncDecl()):
                self.declare_function(node)
            case c_ast.Decl(name=None):
                self.base_type(node.type)
                self.check_methods(node.type, tolerant)
            case c_ast.Decl():
                if isinstance(node.type, c_ast.TypeDecl) and self.declares_function(node):
                    return
                if isinstance(node, cxx.MemberOf):
                    return  # the value of a static member, which stands where it is declared
                self.file_scope_variable(node)
            case c_ast.StaticAssert():
                self.static_assert(node)
            case cxx.Template():
                self.declare_template(node)
            case cxx.DeductionGuide():
                self.declare_template(cxx.Template((), node, node.coord))
            case cxx.ExplicitInstantiation():
                self.instantiate(node)
            case cxx.UsingDirective():
                self.using_directive(node)
            case cxx.UsingDeclaration():
                self.using_declaration(node)
            case cxx.NamespaceAlias():
                self.namespace_alias(node)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                self.base_type(node)
                self.check_methods(node, tolerant)

    def declares_function(self, node: c_ast.Decl) -> bool:
        """Whether `F f;` declares a function, by a typedef of its type; its definition tells all that matters."""
        if "__device__" not in node.funcspec or node.init is not None:
            return False
        return isinstance(self.qualified(node.type).type, FunctionType)

    def typedef_at_file_scope(self, node: c_ast.Typedef) -> None:
        entry = TypeName(node.coord, self.qualified(node.type))
        self.name_struct(node.name, entry.type.type)
        known = self.scopes[-1].names.get(node.name)
        if not (isinstance(known, TypeName) and known.type == entry.type):  # C++ allows repetition
            self.declare(node.name, entry)

    def check_methods(self, node: Node, tolerant: bool) -> None:
        """Check the methods of a class that are marked for the device, called or not."""
        struct = self.specifiers.get(node)
        if not isinstance(struct, Struct) or struct not in self.classes:
            return
        info = self.classes[struct]
        entries: list[FunctionName | TemplateName] = []
        for entry in info.scope.names.values():
            entries += entry.candidates if isinstance(entry, Functions) else []
        entries += info.constructors.candidates if info.constructors is not None else []
        entries += [info.destructor] if info.destructor is not None else []
        for method in [*entries, *info.conversions]:
            if isinstance(method, FunctionName) and method.owner is struct and "__device__" in method.words:
                self.check_for_faults(method)

    def check_lambdas(self) -> None:
        """Check lambdas that nobody calls."""
        for function in self.lambdas:
            self.check_for_faults(function)

    def check_for_faults(self, function: FunctionName) -> None:
        """Check a function that nobody may call: then it is no part of the module."""
        before, tolerated = set(self.functions), len(self.faults)
        with contextlib.suppress(Reported):
            self.check_function(function)
        self.only_checked |= set(self.functions) - before
        self.host_faults += self.faults[tolerated:]
        del self.faults[tolerated:]

    def instantiate(self, node: cxx.ExplicitInstantiation) -> None:
        """`template void f<float>(float *);` makes an instance, a kernel's above all."""
        decl = node.declaration
        if not isinstance(decl, c_ast.Decl) or not isinstance(decl.type, c_ast.FuncDecl):
            return
        entry = self.lookup(decl.name or "")
        if isinstance(decl, cxx.MemberOf):
            return
        if not isinstance(entry, Functions):
            self.fail(name_span(decl), f"'{decl.name}' is no template")
        function = self.function_entry(decl, decl.name or "")
        given = self.template_arguments(node.args) if node.args is not None else ()
        for candidate in entry.candidates:
            if isinstance(candidate, TemplateName):
                args = self.arguments_of_signature(candidate, function, given)
                if args is not None:
                    self.wanted(candidate, args, node.coord)
                    return
        self.fail(name_span(decl), f"no template '{decl.name}' has this instance")

    def wanted(self, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span) -> FunctionName:
        """Make an instance of a function template that belongs to the module, called or not."""
        bindings = {param.name_key: arg for param, arg in zip(template.node.params, args, strict=True)}
        function = self.function_instance(template, bindings)
        if function.kind == "kernel":
            self.called.setdefault(function, span)
            if function.node is not None:
                self.pending.append(function)
        return function

    # --------------------------------------------------------------------------------------- functions

    def function_definition(self, node: cxx.Definition, tolerant: bool) -> None:
        if not isinstance(node.decl.type, c_ast.FuncDecl):
            self.fail(name_span(node.decl), "a body belongs to a function: a parameter list is expected before it")
        entry = self.declare_function(node.decl, node)
        if entry is None:
            return
        if entry.owner is not None:
            if "__device__" in {*node.decl.funcspec, *entry.words} and self.classes[entry.owner].pattern is None:
                self.check_for_faults(entry)
        elif not tolerant:
            self.check_function(entry)

    # ---------------------------------------------------------------------------------------- at the end

    def require_definitions(self) -> None:
        """Fail for each function that is called, and each variable that is used, but defined nowhere."""
        for variable in self.undefined & self.used_variables.keys():
            note = Note(variable.span, "it is declared here")
            message = f"'{variable.name}' is not defined in this file: device code of several files is not linked yet"
            self.faults.append(Diagnostic(self.used_variables[variable], message, (note,)))
        for function, span in self.called.items():
            if function.node is None and function.key not in self.functions and "=0" not in function.words:
                name = function.shown or function.name
                note = Note(function.span, "it is declared here")
                self.faults.append(Diagnostic(span, f"'{name}' is called, but not defined in this file", (note,)))
