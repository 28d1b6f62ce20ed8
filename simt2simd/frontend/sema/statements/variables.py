"""Checking the variables of a file, a namespace or a class: constants, and memory that all threads share."""

from __future__ import annotations

from itertools import pairwise

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import Array, CType, Struct, zero_has_bits
from ....source import Span
from ....tree.nodes import Content, Space, StorageKind, Variable
from ...parse import cxx
from ...text.top_level import HostOnly
from ..context import Part
from ..scopes import FunctionName, Reported, Unusable, VariableName
from ..types.records import name_span

_MOST_VARIABLE_BYTES = 1 << 30  # code reaches variables of the file by 32-bit distances
SPACES: tuple[Space, ...] = ("__constant__", "__managed__", "__device__")


class Variables(Part):
    """The checker's part for the variables of a file."""

    def file_scope_variable(self, node: c_ast.Decl, *, instance: bool = False) -> None:
        """Enter a variable that all threads share; host code does not know an `instance` of a template."""
        assert node.name is not None
        span, storage = name_span(node), set(node.storage)
        words = storage | set(node.funcspec)
        if "__shared__" in words:
            self.file_scope_shared(node, span)
            return
        const = self.is_const(node)
        space = next((word for word in SPACES if word in words), None)
        has_value = "constexpr" in words or (const and node.init is not None)
        if space is not None and not (has_value and not self._is_declared_extern(node.name)):
            self.device_variable(node, space, const, extern="extern" in storage, instance=instance)
            return
        if instance and "extern" in storage:  # of the host, or of no one: unevaluated operands may name it
            self.device_variable(node, "__device__", const, extern=True, instance=True)
            return
        if not const and "constexpr" not in words:
            why = HostOnly(span, "a host variable", "pass its value to the kernel as an argument")
            self.s.scopes.stack[-1].names[node.name] = Unusable(span, why)
            if isinstance(node.type, c_ast.TypeDecl) and isinstance(node.type.type, c_ast.Struct | c_ast.Union):
                self.s.types.base_type(node.type.type)  # the struct itself may serve the device
            return
        self.s.statements.declarations.constant_variable(node)

    def _is_declared_extern(self, name: str) -> bool:
        known = self.s.scopes.stack[-1].names.get(name)
        return isinstance(known, VariableName) and known.variable in self.s.variables.undefined

    def device_variable(
        self, node: c_ast.Decl, space: Space, const: bool, *, extern: bool, instance: bool = False
    ) -> None:
        """Check a variable that host code knows too, such as `__constant__ float table[4];`, or an `instance`."""
        assert node.name is not None
        span = name_span(node)
        try:
            with self.s.statements.declarations.new_declaration():
                ctype = self.s.statements.declarations.declared_type(node, span)
            if not (extern and isinstance(ctype.type, Struct)):  # a declaration alone may come before the class
                self.s.statements.declarations.require_object(ctype.type, node.name, span)
                if not const:
                    self.s.types.require_same_on_host(ctype.type, node.name, span)
            bare = const and node.init is None and not extern
            if bare and self.s.classes.construction.needs_initialiser(ctype.type):
                self.fail(span, f"const variable '{node.name}' has no initialiser")
            if ctype.type.size > _MOST_VARIABLE_BYTES:
                most = f"at most {_MOST_VARIABLE_BYTES >> 20} MiB are supported"
                help = "allocate it with cudaMalloc and pass a pointer"
                self.fail(span, f"the variable '{node.name}' takes {ctype.type.size} bytes: {most}", help=help)
            align = self.s.types.records.alignment_of(node)
        except Reported:
            self.s.scopes.make_unusable(node.name, span)
            raise
        storage: StorageKind = "constant" if space == "__constant__" else "device"
        variable = Variable(
            self.s.statements.declarations.unique_variable(node.name),
            ctype.type,
            span,
            storage,
            const,
            volatile=ctype.volatile,
            space=space,
            align=align,
            qualified="" if instance else self.qualified_name(node.name),
        )
        if "static" in node.storage or "" in variable.qualified.split("::"):
            self.s.variables.private.add(variable)
        known = self.s.scopes.stack[-1].names.get(node.name)
        if isinstance(known, VariableName) and (extern or known.variable in self.s.variables.undefined):
            variable = self.redeclared(node.name, known, variable)
        else:
            self.s.scopes.declare(node.name, VariableName(span, variable))
            self.s.variables.contents[variable] = Content(b"")
            self.s.variables.undefined.add(variable)
        if not extern:
            self.s.variables.undefined.discard(variable)
            self.s.variables.defined_at[variable] = span
            init = node.init
            if init is None and zero_has_bits(ctype.type):
                init = c_ast.InitList([], span)
            if init is not None or self.s.classes.construction.needs_construction(ctype.type):
                found, _ = self.s.constexpr.constant_data(
                    init, ctype.type, node.name, span, strict=node.init is not None
                )
                self.s.variables.contents[variable] = found

    def qualified_name(self, name: str) -> str:
        """Return `name` with the namespaces of the present scope; those without a name are empty."""
        path = [
            scope.shown.split("::")[-2] if scope.shown else ""
            for scope in self.s.scopes.stack
            if scope.kind == "namespace"
        ]
        for number, (outer, inner) in enumerate(pairwise(self.s.scopes.stack), 1):
            unnamed = self.s.scopes.unnamed.get(outer)
            if unnamed is not None and unnamed.scope is inner:
                path[number] = ""
        return "::".join([*path[1:], name])

    def redeclared(self, name: str, known: VariableName, again: Variable) -> Variable:
        """Return the variable that is declared once more, if both declarations agree."""
        before = known.variable
        if (before.type, before.space, before.const, before.volatile) != (
            again.type, again.space, again.const, again.volatile,
        ):  # fmt: skip
            note = Note(before.span, "the first declaration is here")
            self.fail(again.span, f"'{name}' is declared with different types", note)
        return before

    def file_scope_shared(self, node: c_ast.Decl, span: Span) -> None:
        """Check a `__shared__` variable that all kernels and functions of the file may name."""
        assert node.name is not None
        try:
            variable = self.s.statements.declarations.shared_variable(node, span)
        except Reported:
            self.s.scopes.make_unusable(node.name, span)
            raise
        known = self.s.scopes.stack[-1].names.get(node.name)
        if variable.dynamic and isinstance(known, VariableName) and known.variable.dynamic:
            self.redeclared(node.name, known, variable)
            return
        if self._runs_code(variable.type):
            self.s.scopes.make_unusable(node.name, span)
            self.fail(
                span,
                f"no thread calls the constructor and the destructor of '{node.name}', which a block's threads share",
                help="leave both empty, or make the object by placement new in one thread, then call `__syncthreads()`",
            )
        self.s.variables.shared.append(variable)
        self.s.statements.declarations.shared(node, variable)

    def _runs_code(self, ctype: CType) -> bool:
        """Whether a constructor without arguments or the destructor of a type does anything."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        info = self.s.classes.construction.info(ctype)
        if info is None:
            return False
        constructors = info.constructors.candidates if info.constructors is not None else ()
        functions = [one for one in constructors if isinstance(one, FunctionName) and not one.params]
        if info.destructor is not None:
            functions.append(info.destructor)
        for function in functions:
            self.s.templates.outside.find(function)
            body = function.node.body if function.node is not None and not function.node.inits else None
            if "=default" not in function.words and (not isinstance(body, cxx.Body) or body.items()):
                return True
        return any(self._runs_code(part) for _, part in self.s.classes.construction.parts_of(info))

    def is_const(self, node: c_ast.Decl) -> bool:
        """True if the declared object itself is const, by what its specifiers and stars say."""
        if "constexpr" in node.storage:
            return True
        inner = node.type
        while isinstance(inner, c_ast.ArrayDecl):
            inner = inner.type
        return bool(set(getattr(inner, "quals", None) or ()) & {"const", "__const__"})
