"""Check: pycparser trees become a `Module`: names and types resolved, conversions explicit, the subset enforced.

This checks the top level of a file. The rest is in nine rooms, packages of parts; `context` says what they share,
`rooms` which part is where. A part asks another one through the whole: `self.s.expr.conversions.to_bool(...)`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from pycparser import c_ast

from ...diag import CompileError, Diagnostic, Note
from ...lang.ctype import FunctionType, Struct, innermost
from ...lang.instance import KernelRequests
from ...source import NOWHERE, Span
from ...tree.launches import is_launch
from ...tree.nodes import Call, Function, Module, Variable, VarRef
from ...tree.nodes import Node as TreeNode
from ...tree.shared_memory import too_much_shared
from ...tree.walk import walk
from ..parse import cxx
from ..parse.classes import of_host
from ..parse.parse import Parsed, ParsedItem, parse
from ..parse.words import HOST_ONLY, Node
from ..text.headers import LaterNames, Piece
from ..text.top_level import NEVER_CLOSED, HostOnly
from .context import Part
from .restore import restoring
from .rooms import sema
from .scopes import (
    FunctionName,
    Functions,
    NamespaceName,
    Reported,
    TypeName,
    Unusable,
    declared_function,
    is_of_both_sides,
)
from .types.bit_fields import without_bit_fields
from .types.records import name_span


def no_requests() -> KernelRequests:
    return KernelRequests()


def check(parsed: Parsed, asked: Callable[[], KernelRequests] = no_requests, mark: str = "") -> Module:
    """Check the device part of a file.

    `asked` is called if the file may have kernels that are not simple (`lang/instance`); it returns which forms of them
    are asked for. With a `mark`, which no other file of the program has, the file is to be linked with others: then the
    module may use what these define, and is no whole one. Raises `CompileError` with every independent fault, syntax
    errors included, in source order.
    """
    asked = cache(asked)
    try:
        return _check(parsed, asked, mark)
    except CompileError:
        if not parsed.left_out:
            raise
    return _check(parse(parsed.pre, whole=True), asked, mark)  # messages name all candidates


def _check(parsed: Parsed, asked: Callable[[], KernelRequests], mark: str) -> Module:
    checker = TopLevel(parsed, f"_{mark}" if mark else "")
    s = checker.s
    for item in parsed.items:
        checker.top_level(item)
    s.templates.outside.find_later()
    checker.check_lambdas()
    instances = (
        s.templates.kernels.make_instances(asked)
        if not (parsed.faults or s.diagnostics.faults or s.diagnostics.host_faults)
        else {}
    )
    s.calls.indirect.make_dispatchers()
    faults = [*parsed.faults, *s.diagnostics.faults, *s.diagnostics.host_faults]
    has_faults = bool(faults)
    faults += checker.leave_to_host(has_faults=has_faults, elsewhere=bool(mark))
    if not has_faults:
        faults += checker.undefined_variables(elsewhere=bool(mark))
    if faults:
        raise CompileError(_in_order(faults, parsed))
    module = checker.module()
    if s.structs.has_bit_fields:
        module = without_bit_fields(module)
    if too_large := list(too_much_shared(module)):
        raise CompileError(_in_order(too_large, parsed))
    return replace(module, instances=instances)


def _in_order(faults: list[Diagnostic], parsed: Parsed) -> list[Diagnostic]:
    """Sort by position, the main file last (what it includes comes before); drop repetitions.

    What follows a brace that is never closed is dropped too: its end is unknown.
    """
    unique = {(str(f.span), f.message): f for f in faults}
    ordered = sorted(
        unique.values(),
        key=lambda f: (f.span.source is parsed.pre.source, f.span.source.name, f.span.line, f.span.column),
    )
    unclosed = next((at for at, fault in enumerate(ordered) if fault.message == NEVER_CLOSED), len(ordered))
    return ordered[: unclosed + 1]


_LINK_HELP = "if another file defines it, compile all files with -rdc=true"


def _called_by(node: TreeNode) -> str:
    """Return the key of the function that a node calls or launches, or ''."""
    return node.function if isinstance(node, Call) else node.builtin.kernel if is_launch(node) else ""


class TopLevel(Part):
    """The checker's part for the top level of a file."""

    def __init__(self, parsed: Parsed, mark: str) -> None:
        super().__init__(sema(dict(parsed.host_only), parsed.fragments, mark))
        s = self.s
        self.parsed = parsed
        s.functions.main_source = parsed.pre.source
        s.cplusplus = parsed.pre.cplusplus
        self.unexplained = False  # something failed without a fault that is reported
        s.templates.kernels.reserve_keys(node for item in parsed.items for node in item.nodes)
        s.diagnostics.has_syntax_faults = bool(parsed.faults)
        for item in parsed.items:
            for node in item.nodes:
                decl = node.decl if isinstance(node, c_ast.FuncDef) else node
                if isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl) and decl.name:
                    s.functions.elsewhere.setdefault(decl.name, name_span(decl))
        for name in parsed.damaged:
            s.scopes.make_unusable(name, NOWHERE)
        s.scopes.std.names = LaterNames(parsed.library.headers, self.declare_piece)
        s.scopes.namespaces += bool(parsed.library.headers)
        s.functions.may_have_grid_constants = bool(mark) or "__grid_constant__" in parsed.pre.text
        if not parsed.pre.own_cuda_std:
            s.scopes.join_cuda_std()

    def module(self) -> Module:
        functions, constants = self.needed_functions()
        variables = {
            one: content for one, content in self.s.variables.contents.items() if one not in self.s.variables.undefined
        }
        for struct in self.s.structs.all:
            if struct.tag in functions:  # C++ lets `struct stat` be beside a function `stat`
                struct.shown, struct.tag = str(struct), self.s.types.records.unique_tag(f"{struct.tag}_struct")
        constants |= {other for content in variables.values() for _, other, _ in content.addresses}
        used = [one for one in self.s.variables.contents if one in variables or one in self.s.variables.used]
        return Module(
            self.parsed.pre.source.name,
            (*self._written_structs(), *self.only_declared()),
            tuple(constant for constant in self.s.variables.used_constants if constant in constants),
            functions,
            tuple(self.s.variables.shared),
            variables,
            external=self.s.linkage.shared_with_others(functions, used) if self.s.linkage.mark else None,
        )

    def _written_structs(self) -> list[Struct]:
        """Return the structs but those that hold a type that was made up to compare templates."""
        made_up = set(map(id, self.s.templates.ordering.stand_ins))
        for struct in self.s.structs.all if made_up else ():
            if any(id(innermost(member.type)) in made_up for member in struct.declared):
                made_up.add(id(struct))
        return [struct for struct in self.s.structs.all if id(struct) not in made_up]

    def only_declared(self) -> Iterator[Struct]:
        for named in dict.fromkeys(self.s.structs.specifiers.values()):
            if isinstance(named, Struct) and named.fields is None:
                yield named

    def needed_functions(self) -> tuple[dict[str, Function], set[Variable]]:
        """Return the functions of the module, and the variables that they name.

        Those that were checked for their faults only, or computed while the program was compiled, are left out unless
        others call them.
        """
        reached, variables = self._reached(self._roots())
        return {key: function for key, function in self.s.functions.checked.items() if key in reached}, variables

    def _roots(self) -> Iterator[str]:
        for key in self.s.functions.checked:
            if key not in self.s.functions.only_checked or self.s.linkage.is_for_others(key):
                yield key

    def _reached(self, roots: Iterable[str]) -> tuple[set[str], set[Variable]]:
        """Return the functions that `roots` and those that they call name, and the variables."""
        reached = set(roots)
        todo = [key for key in reached if key in self.s.functions.checked]
        variables: set[Variable] = set()
        while todo:
            body = self.s.functions.checked[todo.pop()].body
            for node in walk(body):
                if isinstance(node, VarRef):
                    variables.add(node.variable)
                elif (used := _called_by(node)) and used not in reached:
                    reached.add(used)
                    if used in self.s.functions.checked:
                        todo.append(used)
        return reached, variables

    def leave_to_host(self, *, has_faults: bool, elsewhere: bool) -> list[Diagnostic]:
        """Leave out of the module what only the host can have; return the faults of it that device code reaches.

        That are functions for both sides or of headers, with faults, and those that call them or what is defined
        nowhere; also instances that only unevaluated operands name. What fails without a fault of its own fails because
        of one of these. `elsewhere`: other files may define what this one declares.
        """
        causes, functions = dict(self.s.diagnostics.of_both_sides), self.s.functions
        optional = functions.of_both_sides | set(self._only_unevaluated())
        of_device, _ = self._reached(key for key in self._roots() if key not in optional)
        for function, span in () if has_faults else self._called_undefined():
            name = function.shown or function.name
            note = Note(function.span, "it is declared here")
            if function.span.source.library:  # what our headers only declare, the host defines
                message = f"'{name}' is a host function: device code cannot use it"
                causes[function.key] = [Diagnostic(span, message, (note,))]
            elif not elsewhere:
                message = f"'{name}' is called, but not defined in this file"
                causes[function.key] = [Diagnostic(span, message, (note,), _LINK_HELP)]
        if not causes:
            return []
        found = [fault for key, faults in causes.items() if key in of_device for fault in faults]
        if not has_faults and (self.unexplained or (not found and of_device & causes.keys())):
            found = [fault for faults in causes.values() for fault in faults]
        if found:
            return [one for one in found if not one.span.source.library] or found
        left_out = optional & functions.checked.keys()
        for key in [key for key in left_out if self._reached([key])[0] & causes.keys()]:
            del functions.checked[key]
        return []

    def top_level(self, item: ParsedItem) -> None:
        """Check one item of a file or a namespace. If a tolerant item has faults, it is left to the host alone."""
        before = len(self.s.diagnostics.faults)
        called = self.s.functions.called
        for node in item.nodes:
            if isinstance(node, cxx.Namespace):
                self.enter_namespace(node)
                continue
            known = len(called)
            failed = False
            try:
                self.external(node, item.tolerant)
            except Reported:
                failed = not self.of_both_sides(node)
            except RecursionError:
                failed = True
                at = name_span(node.decl if isinstance(node, c_ast.FuncDef) else node)
                with contextlib.suppress(Reported):
                    self.fail(at, "expressions or statements are nested too deeply in this declaration")
            found = self.s.diagnostics.faults[before:]
            if found and (item.tolerant or self.of_both_sides(node)):
                del self.s.diagnostics.faults[before:]
                for function in list(called)[known:]:  # the host alone calls these
                    del called[function]
                self.forget(node, found[0])
            elif failed and not found:
                self.unexplained = True

    def declare_piece(self, piece: Piece) -> None:
        """Check declarations of the standard library, of which a name is looked up for the first time."""
        around = self.s.scopes.instead([self.s.scopes.file_scope, self.s.scopes.std])
        with restoring(self.s.diagnostics, faults=[], asked=[]):
            with around, self.s.scopes.clock.stopped():
                for item in self.parsed.library.items_of(piece):
                    self.top_level(item)
            if faults := self.s.diagnostics.faults:
                raise AssertionError(f"the compiler's own {piece.source.name} is faulty: {faults[0]}")

    def enter_namespace(self, node: cxx.Namespace) -> None:
        """Check what a namespace holds, in the scope that all namespaces of its name share."""
        outer, name = self.s.scopes.stack[-1], node.name
        self.s.scopes.namespaces += name is not None
        known = outer.names.get(name) if name is not None else self.s.scopes.unnamed.get(outer)
        if isinstance(known, NamespaceName):
            scope = known.scope
        else:
            shown = self.s.scopes.prefix() + (f"{name}::" if name is not None else "")
            scope = self.s.scopes.new_namespace(shown, outer)
            entry = NamespaceName(node.coord, scope)
            if name is None:
                self.s.scopes.unnamed[outer] = entry
            else:
                self.s.scopes.declare(name, entry)
            if name is None or node.inline:
                outer.also.append(scope)
            if node.inline:
                outer.inline.append(scope)
        with self.s.scopes.inside(scope):
            for item in node.items:
                assert isinstance(item, ParsedItem)
                self.top_level(item)

    def of_both_sides(self, node: Node) -> bool:
        """Whether a node declares a function for both sides."""
        decl = declared_function(node)
        return decl is not None and is_of_both_sides(decl.funcspec)

    def forget(self, node: Node, cause: Diagnostic) -> None:
        """Leave the names that a declaration with faults declares to the host alone; other overloads remain."""
        decl = declared_function(node.declaration if isinstance(node, cxx.Template) else node)
        if decl is not None and HOST_ONLY in decl.funcspec:
            return
        decl = declared_function(node)
        if decl is not None and decl.name and is_of_both_sides(decl.funcspec):
            scope = self.s.scopes.stack[-1]
            known = scope.names.get(decl.name)
            if isinstance(decl, cxx.MemberOf) or isinstance(known, Functions):
                return
            why = HostOnly(name_span(decl), "a host function", cause=cause)
            scope.names[decl.name] = Unusable(name_span(decl), why)
            return
        if isinstance(node, cxx.Template):
            self.s.templates.dropped.remember(node, cause)
            return
        name = getattr(node, "name", None)
        declares = [name] if name else []
        inner = getattr(node, "type", None)
        while inner is not None and not isinstance(inner, c_ast.Struct | c_ast.Enum | c_ast.Union):
            inner = getattr(inner, "type", None)
        if inner is not None and inner.name:
            declares.append(inner.name)
        for name in declares:
            why = HostOnly(name_span(node), "a declaration of the host", cause=cause)
            scope = self.s.scopes.stack[0]
            scope.names[name] = Unusable(name_span(node), why)
            scope.tags.pop(name, None)

    def external(self, node: Node, tolerant: bool) -> None:
        if tolerant and self.s.statements.unmarked.is_of_host(node):
            node = of_host(node)
        match node:
            case cxx.Definition():
                self.function_definition(node, tolerant)
            case c_ast.Typedef():
                self.typedef_at_file_scope(node)
            case c_ast.Decl(type=c_ast.FuncDecl()):
                self.s.statements.functions.declare_function(node)
            case c_ast.Decl(name=None):
                self.s.types.base_type(node.type)
                self.check_methods(node.type, tolerant)
            case c_ast.Decl():
                if isinstance(node.type, c_ast.TypeDecl) and self.declares_function(node):
                    return
                if isinstance(node, cxx.MemberOf):
                    self.s.statements.declarations.define_static_member(node)
                    return
                self.s.statements.variables.file_scope_variable(node)
            case c_ast.StaticAssert():
                self.s.statements.static_assert(node)
            case cxx.Template():
                self.s.templates.declarations.declare_template(node)
            case cxx.DeductionGuide():
                self.s.templates.declarations.declare_template(cxx.Template((), node, node.coord))
            case cxx.ExplicitInstantiation():
                self.s.templates.explicit.instantiate(node)
            case cxx.UsingDirective():
                self.s.expr.names.using_directive(node)
            case cxx.UsingEnum():
                self.s.expr.names.using_enum(node)
            case cxx.UsingDeclaration():
                self.s.expr.names.using_declaration(node)
            case cxx.NamespaceAlias():
                self.s.expr.names.namespace_alias(node)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                self.s.types.base_type(node)
                self.check_methods(node, tolerant)

    def declares_function(self, node: c_ast.Decl) -> bool:
        """Whether `F f;` declares a function, by a typedef of its type; its definition says all that matters."""
        if "__device__" not in node.funcspec or node.init is not None:
            return False
        return isinstance(self.s.types.qualified(node.type).type, FunctionType)

    def typedef_at_file_scope(self, node: c_ast.Typedef) -> None:
        entry = TypeName(node.coord, self.s.types.qualified(node.type))
        self.s.types.records.name_struct(node.name, entry.type.type)
        self.s.types.records.align_typedef(node, entry.type.type)
        known = self.s.scopes.stack[-1].names.get(node.name)
        if not (isinstance(known, TypeName) and known.type == entry.type):  # C++ allows repetition
            self.s.scopes.declare(node.name, entry)

    def check_methods(self, node: Node, tolerant: bool) -> None:
        """Check the methods of a class that are marked for the device, called or not."""
        struct = self.s.structs.specifiers.get(node)
        if not isinstance(struct, Struct) or struct not in self.s.structs.classes:
            return
        for method in self.s.templates.explicit.methods_of(self.s.structs.classes[struct]):
            if method.owner is struct and "__device__" in method.words:
                self.check_for_faults(method)

    def check_lambdas(self) -> None:
        """Check lambdas without calls."""
        for function in self.s.functions.lambdas:
            self.check_for_faults(function)

    def check_for_faults(self, function: FunctionName) -> None:
        """Check a function that may have no calls: then it is no part of the module."""
        before, tolerated = set(self.s.functions.checked), len(self.s.diagnostics.faults)
        with contextlib.suppress(Reported):
            self.s.statements.bodies.check_function(function)
        self.s.functions.only_checked |= set(self.s.functions.checked) - before
        self.s.diagnostics.host_faults += self.s.diagnostics.faults[tolerated:]
        del self.s.diagnostics.faults[tolerated:]

    # --------------------------------------------------------------------------------------- functions

    def function_definition(self, node: cxx.Definition, tolerant: bool) -> None:
        if not isinstance(node.decl.type, c_ast.FuncDecl):
            self.fail(name_span(node.decl), "a body belongs to a function: a parameter list is expected before it")
        entry = self.s.statements.functions.declare_function(node.decl, node)
        if entry is None:
            return
        if entry.owner is not None:
            if (
                "__device__" in {*node.decl.funcspec, *entry.words}
                and self.s.structs.classes[entry.owner].pattern is None
            ):
                self.check_for_faults(entry)
        elif not tolerant:
            self.s.statements.bodies.check_function(entry)

    # ---------------------------------------------------------------------------------------- at the end

    def undefined_variables(self, *, elsewhere: bool) -> list[Diagnostic]:
        """Return a fault for each variable that is used but defined nowhere. `elsewhere`: other files may define it."""
        found: list[Diagnostic] = []
        for variable in self.s.variables.undefined & self.s.variables.used.keys() if not elsewhere else ():
            note = Note(variable.span, "it is declared here")
            message = f"'{variable.name}' is not defined in this file"
            found.append(Diagnostic(self.s.variables.used[variable], message, (note,), _LINK_HELP))
        return found

    def _called_undefined(self) -> Iterator[tuple[FunctionName, Span]]:
        """Yield the functions that calls name and nothing defines, and where they are called."""
        functions = self.s.functions
        for key, function in functions.used.items():
            span = functions.evaluated.get(function) or functions.called.get(function)
            is_defined = function.node is not None or key in functions.checked or "=0" in function.words
            if span is not None and not is_defined:
                yield function, span

    def _only_unevaluated(self) -> Iterator[str]:
        """Yield the instances of templates whose bodies were checked for the types of operands alone."""
        functions = self.s.functions
        for key, function in functions.used.items():
            is_instance = function.pattern is not None and function.kind == "device"
            if is_instance and function not in functions.evaluated:
                yield key
