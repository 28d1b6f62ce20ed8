"""Checking the bodies of functions: their parameters, their statements, and what a constructor initialises."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ....diag import Diagnostic
from ....lang.ctype import VOID, Pointer, Struct
from ....source import Span
from ....tree.nodes import (
    AddressOf,
    Block,
    Convert,
    Deref,
    Expr,
    Function,
    Inline,
    Load,
    Member,
    Stmt,
    Variable,
    VarRef,
)
from ....tree.rewrite import copied
from ...parse import cxx
from ...parse.words import Node
from ..class_info import BaseClass, ClassInfo
from ..classes.lambdas import CAPTURED_THIS
from ..context import Part
from ..function_context import FunctionContext
from ..qualified import Qualified
from ..restore import restoring
from ..scopes import FunctionName, PackName, Reported, Scope, VariableName
from ..templates.bound import Bound

_MANY_INSTANCES = 20  # that need one another: then they are the cause when Python's stack is full


class Bodies(Part):
    """The checker's part for the bodies of functions."""

    @contextlib.contextmanager
    def a_body(self, function: FunctionName) -> Iterator[FunctionContext]:
        """Separate the state of one function's body from that of all others."""
        here = replace(self.s.here, being_made=None, listed=None)
        self.s.current.bodies.append(FunctionContext(function))
        try:
            with (
                self.s.at(here),
                self.s.current.gathering(),
                self.s.templates.own_specifiers(),
                restoring(self.s.current, unevaluated=False),
            ):
                yield self.s.current.body
        finally:
            self.s.current.bodies.pop()

    def check_function(self, function: FunctionName) -> None:
        """Check a function's body, and add the function to the module.

        A function for both sides may be one that only the host can have, and a device function of a header one that
        the program has no use for. Then it is left out of the module, and what is wrong with it is reported if device
        code reaches it. What needs its body calls `require_body`.
        """
        node = function.node
        if function.checked or node is None or not isinstance(node.body, c_ast.Compound):
            return
        function.checked = True
        source = function.span.source
        of_header = function.kind == "device" and source is not self.s.functions.main_source and not source.library
        if not (function.of_both_sides or of_header):
            self._check_definition(function, node, None)
            return
        self.s.functions.of_both_sides.add(function.key)
        faults: list[Diagnostic] = []
        called, pending = len(self.s.functions.called), len(self.s.functions.pending)
        failed = False
        try:
            self._check_definition(function, node, faults)
        except Reported:
            failed = True
        if faults or failed:
            self.s.diagnostics.of_both_sides[function.key] = faults
            self.s.functions.checked.pop(function.key, None)
            for one in list(self.s.functions.called)[called:]:
                del self.s.functions.called[one]
            del self.s.functions.pending[pending:]

    def require_body(self, function: FunctionName) -> None:
        """Check a function's body now; what needs it has the faults of a function that only the host can have."""
        self.check_function(function)
        if function.key in self.s.diagnostics.of_both_sides:
            self.s.diagnostics.faults += self.s.diagnostics.of_both_sides[function.key]
            raise Reported

    def _check_definition(
        self, function: FunctionName, node: cxx.Definition, own_faults: list[Diagnostic] | None
    ) -> None:
        with contextlib.ExitStack() as around:
            around.enter_context(self.s.diagnostics.visibly(own_faults))
            if function.pattern is not None or (
                function.owner is not None and self.s.structs.classes[function.owner].pattern
            ):
                around.enter_context(
                    self.s.templates.asking(function.shown, self.s.functions.called.get(function, function.span))
                )
            try:
                self._check_body(function, node)
            except RecursionError:
                if len(self.s.diagnostics.asked) > _MANY_INSTANCES:
                    self.s.templates.refuse_depth(function.shown, function.span)
                self.fail(function.span, "expressions or statements are nested too deeply in this declaration")

    def _check_body(self, function: FunctionName, node: cxx.Definition) -> None:
        for param in function.params:
            if param.reference:
                continue
            self.s.types.records.require_complete(param.type, param.span)
            if function.kind == "device":
                self.s.types.require_copyable(param.type, param.span)
        self._require_result(function)
        with self.s.scopes.instead(function.scopes), self.a_body(function) as body:
            body.base = len(self.s.scopes.stack)
            scope = Scope(kind="function")
            params = self._enter_parameters(function, node, scope, body)
            body.named_result = self.s.statements.returns.named_result(function, node)
            items = node.body.items() if isinstance(node.body, cxx.Body) else node.body.block_items or []
            self.s.diagnostics.faults += node.body.faults if isinstance(node.body, cxx.Body) else []
            with self.s.scopes.inside(scope):
                block = self._whole_body(function, node, items, scope)
            bounds = self.launch_bounds(node.decl)
        if function.result is None:
            if self.s.diagnostics.visible:
                raise Reported  # where its `return` is faulty, the type is unknown
            function.result = Qualified(VOID)
        self._require_result(function)
        words = node.decl.funcspec
        inline: Inline | None = "always" if "__forceinline__" in words else "never" if "__noinline__" in words else None
        result = function.result.stored
        if self.s.classes.prvalues.by_address(result):
            params, result = (body.result_address(result), *params), VOID
        self.s.functions.checked[function.key] = Function(
            function.key, function.span, function.kind, params, result, block, inline, *bounds,
            static="static" in node.decl.storage and function.owner is None,
            shown=function.shown if function.shown != function.key else "",
        )  # fmt: skip

    def _require_result(self, function: FunctionName) -> None:
        """Fail if a function cannot return what it says; where the type is deduced from its body, that comes first."""
        if function.result is not None and not function.result.reference:
            self.s.types.records.require_complete(function.result.type, function.span)
            self.s.types.require_copyable(function.result.type, function.span)

    def _enter_parameters(
        self, function: FunctionName, node: cxx.Definition, scope: Scope, body: FunctionContext
    ) -> tuple[Variable, ...]:
        """Enter the parameters' names into `scope`; return the variables that they are in the tree."""
        variables: list[Variable] = []
        if function.is_method:
            assert function.owner is not None
            body.this = Variable("self", function.this_type, function.span, "param")
            variables.append(body.this)
        packs: dict[str, list[VariableName]] = {name: [] for name in function.packs}
        for param in function.params:
            const = param.const and not param.reference
            variable = Variable(param.name, param.qualified.stored, param.span, "param", const, restrict=param.restrict)
            entry = VariableName(param.span, variable, reference=param.reference)
            if function.kind == "device" and self.s.classes.prvalues.by_address(variable.type):
                address = Variable(param.name, Pointer(variable.type), param.span, "param")
                pointer: Expr = Load(param.span, address.type, VarRef(param.span, address.type, address))
                if const:
                    pointer = Convert(param.span, Pointer(variable.type, const=True), pointer)
                place = Deref(param.span, variable.type, pointer)
                entry, variable = VariableName(param.span, variable, alias=place), address
            variables.append(variable)
            if param.name:
                with self.s.scopes.instead([scope]):
                    self.s.scopes.declare(param.name, entry)
            if param.pack:
                packs.setdefault(param.pack, []).append(entry)
        for name, items in packs.items():
            scope.names.setdefault(name, PackName(function.span, tuple(items)))
        return tuple(variables)

    def _whole_body(self, function: FunctionName, node: cxx.Definition, items: list[Node], scope: Scope) -> Block:
        """Return the statements of a function: before those of a constructor, what initialises the members."""
        span = node.body.coord
        first: list[Stmt] = []
        info = self.s.structs.classes.get(function.owner) if function.owner is not None else None
        makers = info.constructors.candidates if info is not None and info.constructors is not None else []
        if info is not None and (function in makers or function.pattern in makers):
            first = self._initialise_members(info, node)
        block = self.s.statements.block_of(self.s.statements.structured(items, span), span)
        return Block(span, (*first, *block.statements))

    def _initialise_members(self, info: ClassInfo, node: cxx.Definition) -> list[Stmt]:
        this = self.s.current.body.this
        assert this is not None
        span = node.body.coord
        place = Deref(span, info.struct, Load(span, this.type, VarRef(span, this.type, this)))
        given: dict[str, cxx.MemberInit] = {}
        bases = {base.struct: base.field for base in info.bases}
        result: list[Stmt] = []
        for init in node.inits:
            if init.pack:
                for base, one in self._pack_inits(init):
                    given[bases[base]] = one
                continue
            target = self._init_target(init.target)
            if isinstance(target, Struct) and target is info.struct:  # another constructor does it all
                return self.s.statements.with_hidden(
                    partial(self.s.classes.implicit.initialise, place, init.init, init.init.coord)
                )
            name = bases.get(target) if isinstance(target, Struct) else target
            if name is None or not info.struct.path(name):
                self.fail(init.init.coord, f"'{target}' is no member or base of '{info.struct}'")
            given[name] = init
        result += self.s.statements.with_hidden(
            lambda: self.s.classes.implicit.construct_members(info, place, given, span)
        )
        return result

    def _pack_inits(self, init: cxx.MemberInit) -> Iterator[tuple[Struct, cxx.MemberInit]]:
        """Yield each base class of `Bases(args)...`, and what initialises it."""
        pattern = init.init
        assert isinstance(pattern, cxx.Arguments | c_ast.InitList)
        packs = self.s.templates.packs.packs_in(c_ast.ExprList([init.target, pattern], pattern.coord))
        for index in range(min((len(pack.items) for pack in packs.values()), default=0)):
            scope = Scope({name: pack.items[index] for name, pack in packs.items()})
            with self.s.scopes.inside(scope):
                base = self._init_target(init.target)
            own = any(isinstance(base, Struct) and base is one.struct for one in self._own_bases())
            if not own or not isinstance(base, Struct):
                self.fail(pattern.coord, f"'{base}' is no base class")
            exprs: list[Node] = [Bound(one, scope, one.coord) for one in pattern.exprs]
            yield base, cxx.MemberInit(init.target, type(pattern)(exprs, pattern.coord))

    def _own_bases(self) -> tuple[BaseClass, ...]:
        owner = self.s.current.body.function.owner
        return self.s.structs.classes[owner].bases if owner is not None else ()

    def _init_target(self, node: Node) -> Struct | str:
        """Return the base class or the member that an initialiser is for."""
        name = node.name if isinstance(node, c_ast.ID) else None
        if isinstance(node, c_ast.IdentifierType):
            name = node.names[0]
        owner = self.s.current.body.function.owner
        if name is not None and owner is not None and owner.path(name):
            return name
        found = self.s.types.base_type(c_ast.IdentifierType([name], node.coord) if name is not None else node)
        base = self.s.classes.as_base(found.type)
        return base if isinstance(base, Struct) else str(found.type)

    def drain(self) -> None:
        """Check the bodies of all functions that are called, and of those that these call."""
        while self.s.functions.pending:
            function = self.s.functions.pending.pop()
            if function.kind == "device" and not function.checked:
                self.s.functions.only_checked.add(function.key)  # its callers may have been computed already
            with contextlib.suppress(Reported):
                self.check_function(function)

    def this(self, span: Span) -> Expr | None:
        """Return the pointer to the object whose method is being checked."""
        own = self._own_this(span)
        if own is None:
            return None
        assert isinstance(own.type, Pointer) and isinstance(own.type.target, Struct)
        info = self.s.structs.classes.get(own.type.target)
        return self._captured_this(own, span) if info is not None and info.is_lambda else own

    def this_of(self, owner: Struct, span: Span) -> Expr | None:
        """Return the pointer to the current object that is an `owner`."""
        own = self._own_this(span)
        if own is None:
            return None
        assert isinstance(own.type, Pointer) and isinstance(own.type.target, Struct)
        return own if self.s.classes.members.base_path(own.type.target, owner) is not None else self.this(span)

    def _own_this(self, span: Span) -> Expr | None:
        if self.s.here.being_made is not None:
            return AddressOf(span, Pointer(self.s.here.being_made.type), copied(self.s.here.being_made))
        this = self.s.current.body.this if self.s.current.bodies else None
        return None if this is None else Load(span, this.type, VarRef(span, this.type, this))

    def _captured_this(self, closure: Expr, span: Span) -> Expr | None:
        """Return the `this` that a lambda has captured, if it has."""
        assert isinstance(closure.type, Pointer) and isinstance(closure.type.target, Struct)
        field = closure.type.target.field(CAPTURED_THIS)
        if field is None:
            return None
        place = Deref(span, closure.type.target, closure)
        member = Member(span, field.type, place, field.name, field.offset)
        if isinstance(field.type, Pointer):
            return Load(span, field.type, member)
        return AddressOf(span, Pointer(field.type, closure.type.const), member)

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
                    value = self.s.types.constant_integer(operand, "an operand of '__launch_bounds__'")
                    if value < 1:
                        self.fail(operand.coord, f"an operand of '__launch_bounds__' must be positive, not {value}")
                except Reported:
                    return None, None
                values.append(value)
            return (values[0] if values else None), (values[1] if len(values) > 1 else None)
        return None, None
