"""Check: pycparser trees become a `Module`: names and types resolved, conversions explicit, the subset enforced.

The parts, each of which builds on the one before: `scopes`, `types`, `conversions`, `expressions`, `calls`,
`initialisers`, `statements`. This one checks the top level of a file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pycparser import c_ast

from ...diag import CompileError, Diagnostic, Note
from ...lang.ctype import VOID, Array, CType, Pointer, Struct, is_arithmetic
from ...lang.instance import Asked
from ...source import NOWHERE, Span
from ...tree.nodes import Braces, Constant, Expr, Function, FunctionKind, Inline, Module, Variable
from ...tree.shared_memory import MOST_BYTES as MOST_SHARED_BYTES
from ...tree.shared_memory import lay_out
from ..items import HostOnly
from ..parse import Parsed, ParsedItem
from ..words import Node
from .instances import with_instances
from .scopes import FunctionName, Parameter, Reported, TypeName, Unusable, VariableName
from .statements import Statements
from .types import name_span

_MOST_PARAMETER_BYTES = 32764  # as CUDA has them since 12.1
_MOST_CONSTANT_BYTES = 32 << 20  # of a file-scope constant

ParameterNode = c_ast.Decl | c_ast.Typename | c_ast.EllipsisParam


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
    faults = [*parsed.faults, *checker.faults]
    if not faults:
        checker.require_definitions()
        faults = checker.faults
    if faults:
        raise CompileError(_in_order(faults, parsed))
    module = checker.module()
    if too_large := list(_too_much_shared(module)):
        raise CompileError(_in_order(too_large, parsed))
    if re.search(r"\b(?:namespace|template)\b", parsed.pre.text):
        return with_instances(module, asked().instances)
    return module


def _too_much_shared(module: Module) -> Iterator[Diagnostic]:
    """Yield a fault for each kernel that uses more shared memory than a block has, at its largest variable."""
    layout = lay_out(module)
    for kernel in module.kernels:
        if layout.bytes[kernel.name] <= MOST_SHARED_BYTES:
            continue
        largest, *others = sorted(layout.used[kernel.name], key=lambda v: (-v.type.size, v.span.line, v.span.column))
        message = f"kernel '{kernel.name}' uses {layout.bytes[kernel.name]} bytes of shared memory"
        notes = [Note(other.span, f"'{other.name}' takes {other.type.size} bytes") for other in others[:3]]
        yield Diagnostic(largest.span, f"{message}: a block has {MOST_SHARED_BYTES}", tuple(notes))


def _in_order(faults: list[Diagnostic], parsed: Parsed) -> list[Diagnostic]:
    """Sort by position, the main file last (what it includes comes before), and drop repetitions."""
    unique = {(str(f.span), f.message): f for f in faults}
    return sorted(
        unique.values(),
        key=lambda f: (f.span.source is parsed.pre.source, f.span.source.name, f.span.line, f.span.column),
    )


class _Checker(Statements):
    """The checker's part for the top level of a file."""

    def __init__(self, parsed: Parsed) -> None:
        super().__init__(dict(parsed.host_only))
        self.parsed = parsed
        self.functions: dict[str, Function] = {}
        for item in parsed.items:
            for node in item.nodes:
                decl = node.decl if isinstance(node, c_ast.FuncDef) else node
                if isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl) and decl.name:
                    self.elsewhere.setdefault(decl.name, name_span(decl))
        for name in parsed.damaged:
            self.make_unusable(name, NOWHERE)

    def module(self) -> Module:
        return Module(
            self.parsed.pre.source.name,
            (*self.structs, *self.only_declared()),
            tuple(self.used_constants),
            self.functions,
            tuple(self.shared_variables),
        )

    def only_declared(self) -> Iterator[Struct]:
        for named in dict.fromkeys(self.specifiers.values()):
            if isinstance(named, Struct) and named.fields is None:
                yield named

    def top_level(self, item: ParsedItem) -> None:
        """Check one top-level item. If a tolerant item has faults, it is left to the host alone."""
        before = len(self.faults)
        for node in item.nodes:
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
        if isinstance(node, c_ast.FuncDef):
            self.function_definition(node)
        elif isinstance(node, c_ast.Typedef):
            entry = TypeName(node.coord, self.qualified(node.type))
            self.name_struct(node.name, entry.type.type)
            known = self.scopes[0].names.get(node.name)
            if not (isinstance(known, TypeName) and known.type == entry.type):  # C++ allows repetition
                self.declare(node.name, entry)
        elif isinstance(node, c_ast.Decl):
            if isinstance(node.type, c_ast.FuncDecl):
                self.declare_function(node)
            elif node.name is None:
                self.base_type(node.type)
            else:
                self.file_scope_variable(node, tolerant)
        elif isinstance(node, c_ast.StaticAssert):
            self.static_assert(node)

    # --------------------------------------------------------------------------------------- variables

    def file_scope_variable(self, node: c_ast.Decl, tolerant: bool) -> None:
        assert node.name is not None
        span, storage = name_span(node), set(node.storage)
        words = storage | set(node.funcspec)
        if "__shared__" in words:
            self.file_scope_shared(node, span)
            return
        const = self.is_const(node)
        if words & {"__constant__", "__device__", "__managed__"} and not (const and node.init is not None):
            word = next(word for word in ("__constant__", "__managed__", "__device__") if word in words)
            self.make_unusable(node.name, span)
            help = "pass a pointer to the kernel"
            if word == "__constant__":
                help += ", or make it `const` with an initialiser if it never changes"
            self.fail(span, f"'{word}' variables are not supported yet", help=help)
        if not const and "constexpr" not in words:
            why = HostOnly(span, "a host variable", "pass its value to the kernel as an argument")
            self.scopes[0].names[node.name] = Unusable(span, why)
            if isinstance(node.type, c_ast.TypeDecl) and isinstance(node.type.type, c_ast.Struct):
                self.base_type(node.type.type)  # the struct itself may serve the device
            return
        ctype = self.declared_type(node, span)
        self.require_object(ctype.type, node.name, span)
        if ctype.type.size > _MOST_CONSTANT_BYTES:
            most = f"at most {_MOST_CONSTANT_BYTES >> 20} MiB are supported"
            self.fail(
                span,
                f"the constant '{node.name}' takes {ctype.type.size} bytes: {most}",
                help="allocate it with cudaMalloc and pass a pointer",
            )
        initial: Expr | Braces | None = None
        if node.init is None:
            self.fail(span, f"const variable '{node.name}' has no initialiser")
        initial = self.initialiser(node.init, ctype.type, f"in the initialiser of '{node.name}'")
        data = self.constant_bytes(initial, ctype.type, span)
        variable = Variable(node.name, ctype.type, span, "constant", True, data)
        known = initial if isinstance(initial, Constant) and is_arithmetic(ctype.type) else None
        self.declare(node.name, VariableName(span, variable, known))

    def file_scope_shared(self, node: c_ast.Decl, span: Span) -> None:
        """Check a `__shared__` variable that all kernels and functions of the file may name."""
        assert node.name is not None
        try:
            self.refuse_dynamic(set(node.storage), span)
            ctype = self.declared_type(node, span)
            self.refuse_volatile(ctype, span)
            self.require_object(ctype.type, node.name, span)
        except Reported:
            self.make_unusable(node.name, span)
            raise
        variable = Variable(node.name, ctype.type, span, "shared", ctype.const)
        self.shared_variables.append(variable)
        self.shared(node, variable)

    def is_const(self, node: c_ast.Decl) -> bool:
        """True if the declared object itself is const, by what its specifiers and stars say."""
        if "constexpr" in node.storage:
            return True
        inner = node.type
        while isinstance(inner, c_ast.ArrayDecl):
            inner = inner.type
        return bool(set(getattr(inner, "quals", None) or ()) & {"const", "__const__"})

    # --------------------------------------------------------------------------------------- functions

    def function_definition(self, node: c_ast.FuncDef) -> None:
        if not isinstance(node.decl.type, c_ast.FuncDecl):
            self.fail(name_span(node.decl), "a body belongs to a function: a parameter list is expected before it")
        entry = self.declare_function(node.decl, defines=True)
        if entry is None:
            return
        params = tuple(Variable(p.name, p.type, p.span, "param", p.const, restrict=p.restrict) for p in entry.params)
        body = self.function_body(entry, params, node.body)
        decl = node.decl
        bounds = self.launch_bounds(decl)
        inline: Inline | None = (
            "always" if "__forceinline__" in decl.funcspec else "never" if "__noinline__" in decl.funcspec else None
        )
        function = Function(
            entry.name,
            entry.span,
            entry.kind,
            params,
            entry.result,
            body,
            inline,
            *bounds,
            static="static" in decl.storage,
        )
        self.functions[entry.name] = function

    def declare_function(self, decl: c_ast.Decl, *, defines: bool = False) -> FunctionName | None:
        """Enter a function's declaration; return None if another of the same name makes it useless."""
        assert decl.name is not None
        try:
            entry = self.function_entry(decl)
        except Reported:
            self.make_unusable(decl.name, name_span(decl))
            raise
        known = self.scopes[0].names.get(entry.name)
        if isinstance(known, FunctionName):
            return self.redeclare(known, entry, defines)
        if defines:
            entry.defined = entry.span
        self.declare(entry.name, entry)
        return entry

    def redeclare(self, known: FunctionName, entry: FunctionName, defines: bool) -> FunctionName | None:
        first = Note(known.span, "the first declaration is here")
        if [p.type for p in known.params] != [p.type for p in entry.params]:
            self.fail(
                entry.span,
                f"overloading is not supported yet: '{entry.name}' is declared with different parameters",
                first,
                help="give the functions different names",
            )
        if known.result != entry.result:
            self.fail(
                entry.span, f"'{entry.name}' is declared with result type '{known.result}' and '{entry.result}'", first
            )
        if known.kind != entry.kind:
            self.fail(
                entry.span, f"'{entry.name}' is declared as a {_KINDS[known.kind]} and as a {_KINDS[entry.kind]}", first
            )
        if defines and known.defined is not None:
            self.fail(
                entry.span, f"'{entry.name}' is defined twice", Note(known.defined, "the first definition is here")
            )
        # A default argument may be given by the first declaration only; names are those of the definition.
        known.params = tuple(
            replace(new, default=new.default or old.default)
            for old, new in zip(known.params, entry.params, strict=True)
        )
        if defines:
            known.defined, known.span = entry.span, entry.span
        return known

    def function_entry(self, decl: c_ast.Decl) -> FunctionName:
        assert isinstance(decl.type, c_ast.FuncDecl) and decl.name is not None
        span, words = name_span(decl), set(decl.funcspec)
        kind: FunctionKind = "kernel" if "__global__" in words else "device"
        if "__global__" in words and words & {"__device__", "__host__"}:
            other = "__device__" if "__device__" in words else "__host__"
            self.fail(span, f"'{decl.name}' cannot be both '__global__' and '{other}'")
        result = self.qualified(decl.type.type).type
        self.require_complete(result, span)
        self.require_copyable(result, span)
        if isinstance(result, Array):
            self.fail(span, "a function cannot return an array")
        if kind == "kernel" and result is not VOID:
            self.fail(
                span,
                f"a kernel must return void: '{decl.name}' returns '{result}'",
                help="write the result through a pointer",
            )
        params = self.parameters(decl.type.args, span)
        if kind == "device":
            for param in params:
                self.require_copyable(param.type, param.span)
        if kind == "kernel" and sum(p.type.size for p in params) > _MOST_PARAMETER_BYTES:
            self.fail(span, f"the parameters of a kernel may take at most {_MOST_PARAMETER_BYTES} bytes")
        return FunctionName(span, decl.name, kind, params, result)

    def parameters(self, args: c_ast.ParamList | None, span: Span) -> tuple[Parameter, ...]:
        nodes = args.params if args is not None else []
        if len(nodes) == 1 and isinstance(nodes[0], c_ast.Typename) and nodes[0].name is None and _is_void(nodes[0]):
            return ()
        return tuple(self.every_parameter(nodes, span))

    def every_parameter(self, nodes: Sequence[ParameterNode], span: Span) -> list[Parameter]:
        result: list[Parameter] = []
        faulty = False
        for node in nodes:
            try:
                result.append(self.parameter(node, span, result))
            except Reported:
                faulty = True
        if faulty:
            raise Reported
        return result

    def parameter(self, node: ParameterNode, span: Span, before: list[Parameter]) -> Parameter:
        if isinstance(node, c_ast.EllipsisParam):
            self.fail(node.coord, "'...' is not supported in device code")
        at = name_span(node)
        default = getattr(node, "init", None)
        if isinstance(node.type, c_ast.ArrayDecl):  # `T a[n]` and `T a[]` are `T *a`
            element = self.qualified(node.type.type)
            ctype: CType = Pointer(element.type, element.const, element.volatile)
            const = restrict = False
        else:
            qualified = self.qualified(node.type)
            ctype, const, restrict = qualified.type, qualified.const, qualified.restrict
            if isinstance(ctype, Array):  # by the name of a typedef
                ctype, const = Pointer(ctype.element, const, qualified.volatile), False
        if ctype is VOID:
            self.fail(at, "a parameter cannot have type void")
        self.require_complete(ctype, at)
        if default is None and before and before[-1].default is not None:
            self.fail(at, f"parameter '{node.name}' needs a default argument: the one before has one")
        return Parameter(node.name or "", at, ctype, const, default, restrict)

    def launch_bounds(self, decl: c_ast.Decl) -> tuple[int | None, int | None]:
        """Return (max_threads, min_blocks) of `__launch_bounds__`."""
        for attribute in decl.align or ():
            call = attribute.alignment
            if not (isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID)):
                continue
            if call.name.name != "__launch_bounds__":
                continue
            values = []
            for operand in call.args.exprs if call.args is not None else ():
                try:
                    value = self.constant_integer(operand, "an operand of '__launch_bounds__'")
                    if value < 1:
                        self.fail(operand.coord, f"an operand of '__launch_bounds__' must be positive, not {value}")
                except Reported:
                    return None, None
                values.append(value)
            return (values[0] if values else None), (values[1] if len(values) > 1 else None)
        return None, None

    def require_definitions(self) -> None:
        """Fail for each function that is called but defined nowhere."""
        for name, span in self.called.items():
            entry = self.scopes[0].names.get(name)
            if isinstance(entry, FunctionName) and entry.defined is None:
                note = Note(entry.span, "it is declared here")
                self.faults.append(Diagnostic(span, f"'{name}' is called, but not defined in this file", (note,)))


_KINDS = {"kernel": "kernel", "device": "device function"}


def _is_void(node: c_ast.Typename) -> bool:
    inner = node.type
    return (
        isinstance(inner, c_ast.TypeDecl)
        and isinstance(inner.type, c_ast.IdentifierType)
        and inner.type.names == ["void"]
    )
