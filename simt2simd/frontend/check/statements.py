"""Checking statements: bodies of functions, from pycparser nodes to `Block`s of the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from pycparser import c_ast

from ...diag import CompileError, Diagnostic, Note
from ...lang.builtins import VOTE
from ...lang.ctype import BOOL, INT, VOID, Array, CType, Struct, is_arithmetic, is_integer
from ...source import NOWHERE, Span
from ...tree.nodes import (
    Assign,
    Block,
    Braces,
    Break,
    BuiltinCall,
    Comma,
    Constant,
    Continue,
    Convert,
    Declare,
    Evaluate,
    Expr,
    If,
    Loop,
    Return,
    Section,
    Stmt,
    Switch,
    Variable,
    VarRef,
)
from ...tree.rewrite import renamed
from ..gotos import without_gotos
from ..parse import parse_constant
from ..words import BlockExpression, Faulty, Node
from .initialisers import Initialisers
from .scopes import FunctionName, Qualified, Reported, Scope, TypeName, VariableName
from .types import name_span


@dataclass
class _Body:
    """What the statements of a function must know of what is around them."""

    function: FunctionName
    loops: int = 0
    switches: int = 0


@dataclass
class _OpenSection:
    """A section of a `switch` while its statements are gathered."""

    span: Span
    labels: list[int | None]
    statements: list[Stmt] = field(default_factory=list)


class Statements(Initialisers):
    """The checker's part for statements."""

    body: _Body

    def function_body(self, function: FunctionName, params: tuple[Variable, ...], node: c_ast.Compound) -> Block:
        """Check the body of `function`; parameters and outermost variables share a scope."""
        self.body = _Body(function)
        self.scopes.append(Scope())
        try:
            for variable in params:
                if variable.name:
                    self.declare(variable.name, VariableName(variable.span, variable))
            return self.block_of(self.structured(node).block_items or [], node.coord)
        finally:
            self.scopes.pop()

    def structured(self, body: c_ast.Compound) -> c_ast.Compound:
        """Return the body of a function with loops and blocks for its `goto`s."""
        try:
            return without_gotos(body)
        except CompileError as error:
            self.faults += error.diagnostics
            raise Reported from error

    # ------------------------------------------------------------------------------------------ blocks

    def block(self, node: Node | None, span: Span) -> Block:
        """Check the statement `node` as a block with a scope of its own, with or without braces."""
        if node is None:
            return Block(span, ())
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        self.scopes.append(Scope())
        try:
            return self.block_of(items, node.coord)
        finally:
            self.scopes.pop()

    def block_of(self, items: list[Node], span: Span) -> Block:
        """Check `items` in the current scope."""
        return Block(span, tuple(self.statements(items)))

    def statements(self, items: list[Node]) -> list[Stmt]:
        result: list[Stmt] = []
        unroll: int | None = None
        any_order: c_ast.Pragma | None = None
        outer, self.hidden = self.hidden, []
        for item in items:
            if isinstance(item, c_ast.Pragma):
                any_order = item if self.is_any_order(item) else any_order
                unroll = self.pragma(item)
                continue
            try:
                found = self.statement(item, unroll)
            except Reported:
                found = []
            if any_order is not None:
                found = self.in_any_order(any_order, found)
            unroll, any_order = None, None
            result += self.hidden
            self.hidden = []
            result += found
        self.hidden = outer
        return result

    def pragma(self, node: c_ast.Pragma) -> int | None:
        """Return the count that `#pragma unroll` asks for, 0 without one; None for any other pragma."""
        word, _, operand = _pragma_text(node).strip().partition(" ")
        if word.startswith("unroll("):
            word, operand = "unroll", word.removeprefix("unroll") + operand
        if word != "unroll":
            return None
        if not operand.strip():
            return 0
        try:
            value = self.value(parse_constant(operand, node.coord))
        except CompileError as error:
            self.faults += error.diagnostics
            return None
        except Reported:
            return None
        if not isinstance(value, Constant) or not is_integer(value.type) or value.value < 1:
            self.report_at(node.coord, "the operand of '#pragma unroll' must be a positive integer constant")
            return None
        return int(value.value)

    def is_any_order(self, node: c_ast.Pragma) -> bool:
        """Whether a pragma is `#pragma s2s any_order`, the only one of ours."""
        words = _pragma_text(node).split()
        if words[:1] != ["s2s"]:
            return False
        if words != ["s2s", "any_order"]:
            self.report_at(node.coord, f"unknown pragma '#pragma {' '.join(words)}': there is '#pragma s2s any_order'")
        return words == ["s2s", "any_order"]

    def in_any_order(self, pragma: c_ast.Pragma, found: list[Stmt]) -> list[Stmt]:
        """Let the lanes of a gang vote which arm of an `if` they take, all of them."""
        match found:
            case [If(cond=cond) as node]:
                return [replace(node, cond=BuiltinCall(cond.span, BOOL, VOTE, (cond,)))]
        self.report_at(pragma.coord, "'#pragma s2s any_order' must stand before an 'if'")
        return found

    def report_at(self, span: Span, message: str) -> None:
        try:
            self.fail(span, message)
        except Reported:
            return

    # -------------------------------------------------------------------------------------- statements

    def statement(self, node: Node, unroll: int | None = None) -> list[Stmt]:
        """Check one statement; a declaration may become several, an empty statement none."""
        span = node.coord
        match node:
            case c_ast.Compound():
                return [self.block(node, span)]
            case c_ast.Decl() | c_ast.DeclList():
                return self.declaration(node)
            case c_ast.Typedef():
                self.typedef(node)
                return []
            case c_ast.If():
                cond = self.attempt(lambda: self.to_bool(self.value(node.cond)))
                then, other = self.block(node.iftrue, span), self.block(node.iffalse, span)
                return [If(span, _sound(cond), then, other)]
            case c_ast.While() | c_ast.DoWhile():
                return [self.while_loop(node, unroll)]
            case c_ast.For():
                return [self.for_loop(node, unroll)]
            case c_ast.Switch():
                return self.switch(node)
            case c_ast.Break():
                if not self.body.loops and not self.body.switches:
                    self.fail(span, "'break' outside a loop or switch")
                return [Break(span)]
            case c_ast.Continue():
                if not self.body.loops:
                    self.fail(span, "'continue' outside a loop")
                return [Continue(span)]
            case c_ast.Return():
                return [self.return_statement(node)]
            case c_ast.EmptyStatement() | c_ast.AttributeDeclaration():
                return []
            case c_ast.AttributedStatement():
                return self.statement(node.stmt, unroll)
            case c_ast.StaticAssert():
                self.static_assert(node)
                return []
            case Faulty():
                for name in node.names:
                    if self.lookup(name) is None:
                        self.make_unusable(name, span)
                return []
            case c_ast.Goto() | c_ast.Label():
                self.fail(span, "a block that is an expression can hold no 'goto' and no label")
            case c_ast.Case() | c_ast.Default():
                if not self.body.switches:
                    self.fail(span, f"'{type(node).__name__.lower()}' outside a switch")
                self.fail(
                    span,
                    "a label of a switch inside another statement is not supported",
                    help="put it directly into the switch",
                )
            case c_ast.Pragma():
                return []
            case BlockExpression():
                return [self.block(node.block, span)]
            case _:
                return [Evaluate(span, self.value(node))]

    def block_value(self, node: BlockExpression) -> Expr:
        """Check `({ ... })` where its value is used: its variables are declared before the statement at hand."""
        span = node.coord
        if len(self.scopes) == 1:
            self.fail(span, "a block is an expression only inside a function")
        found = len(self.faults)
        statements = self.block(node.block, span).statements
        if len(self.faults) > found:
            raise Reported
        steps: list[Expr] = []
        writable: dict[Variable, Variable] = {}
        for statement in statements:
            match statement:
                case Declare(variable=variable):
                    writable[variable] = replace(variable, const=False)  # its initialiser becomes an assignment
                    self.hidden.append(Declare(statement.span, writable[variable], None))
                    steps += self.first_values(statement)
                case Evaluate(expr=expr):
                    steps.append(expr)
                case _:
                    what = "a block that is an expression can hold only declarations and expressions"
                    self.fail(statement.span, what, help="write a `__device__` function")
        if not steps or not isinstance(statements[-1], Evaluate):
            steps.append(Convert(span, VOID, Constant(span, INT, 0), explicit=True))
        first, *others = (renamed(step, writable) for step in steps)
        result: Expr = first
        for step in others:
            result = Comma(span, step.type, result, step)
        return result

    def first_values(self, node: Declare) -> list[Expr]:
        """Return what a declaration's initialiser does, as assignments."""
        place = VarRef(node.span, node.variable.type, node.variable)
        match node.initial:
            case None:
                return []
            case Braces(items=items):
                return self.stores(place, list(items), node.span)
            case value:
                return [Assign(node.span, place.type, place, value)]

    def attempt(self, check: Callable[[], Expr]) -> Expr | None:
        """Check an expression of a statement whose other parts must be checked even if it is faulty."""
        try:
            return check()
        except Reported:
            return None

    def while_loop(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> Loop:
        cond = self.attempt(lambda: self.to_bool(self.value(node.cond)))
        body = self.loop_body(node.stmt)
        return Loop(node.coord, (), _sound(cond), (), body, isinstance(node, c_ast.While), unroll)

    def for_loop(self, node: c_ast.For, unroll: int | None) -> Loop:
        self.scopes.append(Scope())
        try:
            init: list[Stmt] = []
            if node.init is not None:
                try:
                    init = (
                        self.declaration(node.init)
                        if isinstance(node.init, c_ast.DeclList)
                        else [self.evaluate(node.init)]
                    )
                except Reported:
                    init = []
            cond = None
            if (test := node.cond) is not None:
                cond = _sound(self.attempt(lambda: self.to_bool(self.value(test))))
            steps: list[Expr] = []
            if node.next is not None:
                parts = node.next.exprs if isinstance(node.next, c_ast.ExprList) else [node.next]
                steps = [step for part in parts if (step := self.attempt(partial(self.value, part))) is not None]
            body = self.loop_body(node.stmt)
        finally:
            self.scopes.pop()
        return Loop(node.coord, tuple(init), cond, tuple(steps), body, True, unroll)

    def evaluate(self, node: Node) -> Evaluate:
        return Evaluate(node.coord, self.value(node))

    def loop_body(self, node: Node) -> Block:
        self.body.loops += 1
        try:
            return self.block(node, node.coord)
        finally:
            self.body.loops -= 1

    def return_statement(self, node: c_ast.Return) -> Return:
        function, span = self.body.function, node.coord
        declared = Note(function.span, f"'{function.name}' is declared here")
        if node.expr is None:
            if function.result is not VOID:
                self.fail(span, f"'{function.name}' must return a value of type '{function.result}'", declared)
            return Return(span, None)
        if isinstance(node.expr, c_ast.InitList) and isinstance(function.result, Struct):
            return Return(span, self.struct_value(node.expr, function.result))
        value = self.value(node.expr)
        if function.result is VOID:
            self.fail(node.expr.coord, f"'{function.name}' returns nothing: its result type is void", declared)
        context = f"in the result of '{function.name}'"
        return Return(span, self.implicit(value, function.result, context, declared, span=node.expr.coord))

    def static_assert(self, node: c_ast.StaticAssert) -> None:
        value = self.value(node.cond)
        if not isinstance(value, Constant):
            self.fail(node.cond.coord, "the condition of 'static_assert' must be a constant")
        if not value.value:
            text = f": {node.message.value}" if node.message is not None else ""
            self.fail(node.cond.coord, f"static assertion failed{text}")

    # ------------------------------------------------------------------------------------------ switch

    def switch(self, node: c_ast.Switch) -> list[Stmt]:
        value = self.attempt(lambda: self.value(node.cond))
        if value is not None and not is_integer(value.type):
            self.report_at(node.cond.coord, f"the operand of 'switch' must be an integer, not '{value.type}'")
            value = None
        if value is not None:
            value = self.promoted(value)
        items = (node.stmt.block_items or []) if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
        self.scopes.append(Scope())
        self.body.switches += 1
        try:
            before, sections = self.sections(items, value)
        finally:
            self.body.switches -= 1
            self.scopes.pop()
        statement = Switch(node.coord, _sound(value), sections)
        return [Block(node.coord, (*before, statement))] if before else [statement]

    def sections(self, items: list[Node], value: Expr | None) -> tuple[list[Stmt], tuple[Section, ...]]:
        """Return the declarations before the first label, and the sections."""
        before: list[Stmt] = []
        gathered: list[_OpenSection] = []
        seen: dict[int | None, Span] = {}
        initialised: VariableName | None = None
        for item in items:
            if not isinstance(item, c_ast.Case | c_ast.Default):
                # Unreachable, but what it declares is visible in the sections.
                before += [stmt for stmt in self.statements([item]) if isinstance(stmt, Declare)]
                continue
            if initialised is not None:
                note = Note(initialised.span, f"'{initialised.variable.name}' is declared here")
                message = f"this label jumps over the initialisation of '{initialised.variable.name}'"
                self.faults.append(
                    _diagnostic(item.coord, message, note, "put the statements of the section before into braces")
                )
            label = self.label(item, value, seen)
            statements = self.statements(item.stmts or [])
            if gathered and not gathered[-1].statements:
                gathered[-1].labels += label
            else:
                gathered.append(_OpenSection(item.coord, label))
            gathered[-1].statements += statements
            initialised = next(
                (
                    VariableName(s.span, s.variable)
                    for s in statements
                    if isinstance(s, Declare) and s.initial is not None
                ),
                None,
            )
        sections = tuple(Section(s.span, tuple(s.labels), Block(s.span, tuple(s.statements))) for s in gathered)
        return before, sections

    def label(
        self, item: c_ast.Case | c_ast.Default, value: Expr | None, seen: dict[int | None, Span]
    ) -> list[int | None]:
        """Check a label; return it as a list, empty if it is faulty."""
        key: int | None = None
        if isinstance(item, c_ast.Case):
            try:
                label = self.value(item.expr)
                if not isinstance(label, Constant) or not is_integer(label.type):
                    self.fail(item.expr.coord, "the label of a case must be an integer constant")
            except Reported:
                return []
            if value is not None:
                converted = self.convert(label, value.type)
                assert isinstance(converted, Constant)
                key = int(converted.value)
            else:
                key = int(label.value)
        if key in seen:
            text = "'default'" if key is None else f"'case {key}'"
            note = Note(seen[key], "the first one is here")
            span = item.expr.coord if isinstance(item, c_ast.Case) else item.coord
            self.faults.append(_diagnostic(span, f"{text} appears twice in the switch", note))
            return []
        seen[key] = item.coord
        return [key]

    # ------------------------------------------------------------------------------------ declarations

    def declaration(self, node: c_ast.Decl | c_ast.DeclList) -> list[Stmt]:
        """Check a local declaration, or the declarations of a `for`."""
        decls = node.decls if isinstance(node, c_ast.DeclList) else [node]
        result: list[Stmt] = []
        for decl in decls:
            try:
                result += self.local(decl)
            except Reported:
                if decl.name:  # where only the initialiser is faulty, the variable stays
                    self.make_unusable(decl.name, name_span(decl))
        return result

    def typedef(self, node: c_ast.Typedef) -> None:
        try:
            entry = TypeName(node.coord, self.qualified(node.type))
            self.name_struct(node.name, entry.type.type)
            self.declare(node.name, entry)
        except Reported:
            self.make_unusable(node.name, node.coord)

    def local(self, decl: c_ast.Decl) -> list[Stmt]:
        span, storage = name_span(decl), set(decl.storage)
        if isinstance(decl.type, c_ast.FuncDecl):
            self.fail(span, "a function cannot be declared inside another one", help="declare it at file scope")
        shared = "__shared__" in storage
        self.refuse_storage(decl, storage, span, shared)
        if decl.name is None:
            self.base_type(decl.type)  # `struct S {...};`
            return []
        ctype = self.declared_type(decl, span)
        const = ctype.const or "constexpr" in storage
        self.refuse_volatile(ctype, span)
        if "static" in storage and not shared and not const:
            self.fail(span, "static variables are not supported in device code", help="use an argument of the kernel")
        self.require_object(ctype.type, decl.name, span)
        variable = Variable(decl.name, ctype.type, span, "shared" if shared else "local", const)
        if shared:
            return self.shared(decl, variable)
        return self.initialised(decl, variable)

    def declared_type(self, decl: c_ast.Decl, span: Span) -> Qualified:
        """Return the type of a variable; the size of an array may come from its initialiser, `auto` too."""
        innermost: Node = decl.type
        while not isinstance(innermost, c_ast.TypeDecl) and (inner := getattr(innermost, "type", None)) is not None:
            innermost = inner
        if isinstance(getattr(innermost, "type", None), c_ast.InferredType):
            self.fail(span, "'auto' is not supported yet", help="write the type")
        if isinstance(decl.type, c_ast.ArrayDecl) and decl.type.dim is None and decl.init is not None:
            element = self.qualified(decl.type.type)
            count = self.array_length(decl.init, element.type)
            return Qualified(Array(element.type, count), element.const, element.volatile)
        return self.qualified(decl.type)

    def refuse_storage(self, decl: c_ast.Decl, storage: set[str], span: Span, shared: bool) -> None:
        if shared:
            self.refuse_dynamic(storage, span)
        if "extern" in storage:
            self.fail(span, "'extern' variables are not supported in device code")
        for word in ("__constant__", "__managed__"):
            if word in storage:
                self.fail(span, f"'{word}' variables belong at file scope")
        if "__device__" in decl.funcspec:
            self.fail(span, "'__device__' variables belong at file scope")
        if decl.bitsize is not None:
            self.fail(span, "bit-fields are not supported", help="use shifts and masks")

    def refuse_volatile(self, ctype: Qualified, span: Span) -> None:
        if ctype.volatile:
            help = "leave out 'volatile' or use `__syncthreads()`"
            self.fail(span, "volatile variables are not supported yet", help=help)

    def refuse_dynamic(self, storage: set[str], span: Span) -> None:
        if "extern" in storage:
            help = "give the array a size that is a constant"
            self.fail(span, "dynamic shared memory is not supported yet", help=help)

    def require_object(self, ctype: CType, name: str, span: Span) -> None:
        if ctype is VOID:
            self.fail(span, f"variable '{name}' cannot have type void")
        self.require_complete(ctype, span)

    def shared(self, decl: c_ast.Decl, variable: Variable) -> list[Stmt]:
        self.declare(variable.name, VariableName(variable.span, variable))
        if decl.init is not None:
            what = "array" if isinstance(variable.type, Array) else "variable"
            deed = "assign the elements" if what == "array" else "assign it"
            self.fail(
                decl.init.coord,
                f"a shared {what} cannot have an initialiser",
                help=f"{deed} after the declaration, then call `__syncthreads()`",
            )
        return [Declare(variable.span, variable, None)]

    def initialised(self, decl: c_ast.Decl, variable: Variable) -> list[Stmt]:
        """Check the initialiser of a local variable; the name is visible in it, as in C."""
        name, span = variable.name, variable.span
        if decl.init is None:
            if variable.const:
                self.declare(name, VariableName(span, variable))
                self.fail(span, f"const variable '{name}' has no initialiser")
            self.declare(name, VariableName(span, variable))
            return [Declare(span, variable, None)]
        self.declare(name, VariableName(span, variable))
        initial = self.initialiser(decl.init, variable.type, f"in the initialiser of '{name}'")
        if variable.const and isinstance(initial, Constant) and is_arithmetic(variable.type):
            self.scopes[-1].names[name] = VariableName(span, variable, initial)
        return [Declare(span, variable, initial)]


def _sound(expr: Expr | None) -> Expr:
    """Return `expr`; a stand-in if it is faulty, in which case no module is ever made of it."""
    return Constant(NOWHERE, INT, 0) if expr is None else expr


def _diagnostic(span: Span, message: str, note: Note, help: str | None = None) -> Diagnostic:
    return Diagnostic(span, message, (note,), help)


def _pragma_text(node: c_ast.Pragma) -> str:
    return node.string if isinstance(node.string, str) else str(node.string.value).strip('"')
