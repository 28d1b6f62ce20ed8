"""Checking statements: bodies of functions, from pycparser nodes to `Block`s of the tree."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ...diag import CompileError, Note
from ...lang.builtins import VOTE
from ...lang.ctype import BOOL, INT, VOID, Struct, is_integer
from ...source import NOWHERE, Span
from ...tree.nodes import (
    Assign,
    Block,
    Braces,
    Break,
    BuiltinCall,
    Call,
    Comma,
    Constant,
    Continue,
    Convert,
    Declare,
    Deref,
    Evaluate,
    Expr,
    If,
    Jump,
    Load,
    Loop,
    Place,
    Return,
    Stmt,
    Temporary,
    Unary,
    Variable,
    VarRef,
)
from ...tree.rewrite import copied, renamed
from .. import cxx
from ..asm_statement import AsmStatement
from ..gotos import without_gotos
from ..parse import parse_constant
from ..words import BlockExpression, Faulty, Node
from .argument import Argument
from .assembly import Assembly
from .records import name_span
from .scopes import (
    FunctionName,
    Qualified,
    Reported,
    Scope,
    VariableName,
)


class Statements(Assembly):
    """The checker's part for statements."""

    def structured(self, items: list[Node], span: Span) -> list[Node]:
        """Return the statements of a function's body with loops and blocks for its `goto`s."""
        try:
            return without_gotos(c_ast.Compound(items, span)).block_items or []
        except CompileError as error:
            self.faults += error.diagnostics
            raise Reported from error

    def function_text(self, name: str) -> str | None:
        if not self.bodies:
            return None
        function = self.body.function
        if name != "__PRETTY_FUNCTION__":
            return function.name
        params = ", ".join(str(parameter.qualified) for parameter in function.params)
        return f"{function.result} {function.shown or function.name}({params}){' const' * function.const}"

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
        """Check `items` in the current scope, and destroy at their end the objects that they declare."""
        statements = self.statements(items)
        if not (statements and isinstance(statements[-1], Jump)):
            statements += self.destroyed(self.scopes[-1:], span)
        return Block(span, tuple(statements))

    def destroyed(self, scopes: Sequence[Scope], span: Span) -> list[Stmt]:
        """Return what destroys the objects of these scopes, the last first."""
        result: list[Stmt] = []
        for scope in reversed(scopes):
            result += self.destroyed_objects([VarRef(span, variable.type, variable) for variable in scope.cleanups])
        return result

    def with_hidden(self, check: Callable[[], list[Stmt]]) -> list[Stmt]:
        """Return statements with the declarations of the hidden variables that they need before them."""
        outer, self.hidden = self.hidden, []
        later, self.temporaries = self.temporaries, []
        try:
            found = check()
            return [*self.hidden, *found, *self.destroyed_objects(self.temporaries)]
        finally:
            self.hidden, self.temporaries = outer, later

    def statements(self, items: list[Node]) -> list[Stmt]:
        result: list[Stmt] = []
        unroll: int | None = None
        any_order: c_ast.Pragma | None = None
        outer, self.hidden = self.hidden, []
        later, self.temporaries = self.temporaries, []
        for item in items:
            if isinstance(item, c_ast.Pragma):
                any_order = item if self.is_any_order(item) else any_order
                unroll = self.pragma(item)
                continue
            try:
                found = self.statement(item, unroll)
            except Reported:
                found = []
            found += self.end_of_statement()
            if any_order is not None:
                found = self.in_any_order(any_order, found)
            unroll, any_order = None, None
            result += self.hidden
            self.hidden = []
            result += found
        self.hidden, self.temporaries = outer, later
        return result

    def end_of_statement(self) -> list[Stmt]:
        """Return what destroys the temporary objects of a statement."""
        places, self.temporaries = self.temporaries, []
        return self.destroyed_objects(places)

    def tested(self, check: Callable[[], Expr]) -> tuple[list[Stmt], Expr]:
        """Check what a statement tests; return its value, and before it what destroys the objects that it made."""
        later, self.temporaries = self.temporaries, []
        value = sound(self.attempt(check))
        places, self.temporaries = self.temporaries, later
        if not places:
            return [], value
        kept = self.hidden_variable(value.type, value.span)
        first = Evaluate(value.span, Assign(value.span, value.type, kept, value))
        return [first, *self.destroyed_objects(places)], Load(value.span, value.type, copied(kept))

    def loop_test(self, node: Node) -> tuple[list[Stmt], Expr | None]:
        """Check the condition of a loop; return it, or the statements that test it inside the loop."""
        outer, self.hidden = self.hidden, []
        before, cond = self.tested(lambda: self.to_bool(self.value(node)))
        inside, self.hidden = self.hidden, outer
        if not before:
            self.hidden += inside
            return [], cond
        span = node.coord
        stop = If(span, Unary(span, BOOL, "!", cond), Block(span, (Break(span),)), Block(span, ()))
        return [*inside, *before, stop], None

    def without_temporaries(self, check: Callable[[], Expr]) -> Expr | None:
        """Check an expression at a place where no object can be destroyed."""
        later, self.temporaries = self.temporaries, []
        value = self.attempt(check)
        places, self.temporaries = self.temporaries, later
        if places and value is not None:
            what = f"a temporary '{places[0].type}', which has a destructor, is not supported here"
            self.report_at(value.span, what)
        return value

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
            value = self.constant(parse_constant(operand, node.coord))
        except CompileError as error:
            self.faults += error.diagnostics
            return None
        except Reported:
            return None
        if not isinstance(value, Constant) or not is_integer(value.type) or value.value < 1:
            with contextlib.suppress(Reported):
                what = "the operand of '#pragma unroll' must be a positive integer constant"
                self.refuse_constant(node.coord, what)
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
            case cxx.If():
                return self.if_statement(node)
            case cxx.RangeFor():
                return self.range_for(node, unroll)
            case cxx.StructuredBinding():
                return self.declaration(node)
            case cxx.UsingDeclaration():
                self.using_declaration(node)
                return []
            case cxx.UsingDirective():
                self.using_directive(node)
                return []
            case cxx.NamespaceAlias():
                self.namespace_alias(node)
                return []
            case c_ast.If():
                before, cond = self.tested(lambda: self.to_bool(self.value(node.cond)))
                then, other = self.block(node.iftrue, span), self.block(node.iffalse, span)
                return [*before, If(span, cond, then, other)]
            case c_ast.While() | c_ast.DoWhile():
                return self.while_loop(node, unroll)
            case c_ast.For():
                return [self.for_loop(node, unroll)]
            case c_ast.Switch():
                return self.switch(node)
            case c_ast.Break():
                if not self.body.loops and not self.body.switches:
                    self.fail(span, "'break' outside a loop or switch")
                return [*self.destroyed(self.scopes[self.body.breaks[-1] :], span), Break(span)]
            case c_ast.Continue():
                if not self.body.loops:
                    self.fail(span, "'continue' outside a loop")
                return [*self.destroyed(self.scopes[self.body.continues[-1] :], span), Continue(span)]
            case c_ast.Return():
                return self.return_statement(node)
            case c_ast.EmptyStatement() | c_ast.AttributeDeclaration():
                return []
            case c_ast.AttributedStatement():
                return self.statement(node.stmt, unroll)
            case c_ast.StaticAssert():
                self.static_assert(node)
                return []
            case AsmStatement():
                return [self.asm(node)]
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
                return [Evaluate(span, self.discarded(node))]

    def discarded(self, node: Node) -> Expr:
        """Check an expression whose value nobody wants: an object is left where it is."""
        self.unwanted = node
        term = self.term(node)
        if isinstance(term, Deref) and isinstance(term.pointer, Call):
            return term.pointer
        return term.value if isinstance(term, Temporary) else self.load(term)

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

    def if_statement(self, node: cxx.If) -> list[Stmt]:
        """Check an `if` with an initialiser, a declaration as its condition, or `constexpr`."""
        span = node.coord
        with self.inside(Scope()):
            before: list[Stmt] = []
            if node.init is not None:
                before = self.with_hidden(partial(self.statement, node.init))
            if node.constexpr:
                chosen = self.constant_condition(node.cond, "the condition of 'if constexpr'")
                kept = node.iftrue if chosen else node.iffalse
                found: list[Stmt] = [self.block(kept, span)] if kept is not None else []
            else:
                declared, cond = self.condition(node.cond)
                before += declared
                then, other = self.block(node.iftrue, span), self.block(node.iffalse, span)
                found = [If(span, cond, then, other)]
            found = [*before, *found, *self.destroyed(self.scopes[-1:], span)]
        return found if len(found) == 1 and not before else [Block(span, tuple(found))]

    def condition(self, node: Node) -> tuple[list[Stmt], Expr]:
        """Check a condition, which may be a declaration; return the declaration and the test."""
        if isinstance(node, cxx.StructuredBinding):
            self.fail(node.coord, "a structured binding cannot be a condition")
        if not isinstance(node, c_ast.Decl | c_ast.DeclList):
            return self.tested(lambda: self.to_bool(self.value(node)))
        decl = node.decls[0] if isinstance(node, c_ast.DeclList) else node
        declared = self.with_hidden(lambda: self.declaration(decl))
        test = c_ast.ID(decl.name or "", name_span(decl))
        return declared, sound(self.attempt(lambda: self.to_bool(self.value(test))))

    def while_loop(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> list[Stmt]:
        span = node.coord
        if isinstance(node.cond, c_ast.Decl | c_ast.DeclList):
            return [self.declaring_while(node, unroll)]
        if isinstance(node, c_ast.DoWhile):
            last = self.without_temporaries(lambda: self.to_bool(self.value(node.cond)))
            return [Loop(span, (), sound(last), (), self.loop_body(node.stmt), False, unroll)]
        before, cond = self.loop_test(node.cond)
        return [Loop(span, (), cond, (), _after(before, self.loop_body(node.stmt)), True, unroll)]

    def declaring_while(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> Loop:
        return Loop(node.coord, (), None, (), self.declaring_body(node.cond, node.stmt), True, unroll)

    def declaring_body(self, cond_node: Node, body_node: Node) -> Block:
        """`while (T x = next()) {...}` is `for (;;) { T x = next(); if (!x) break; ... }`."""
        span = body_node.coord
        self.body.loops += 1
        self.body.breaks.append(len(self.scopes))
        self.body.continues.append(len(self.scopes))
        try:
            with self.inside(Scope()):
                declared, cond = self.condition(cond_node)
                leave = [*self.destroyed(self.scopes[-1:], span), Break(span)]
                stop = If(span, Unary(span, BOOL, "!", cond), Block(span, tuple(leave)), Block(span, ()))
                body = self.block(body_node, span)
                ends = self.destroyed(self.scopes[-1:], span)
                return Block(span, (*declared, stop, body, *ends))
        finally:
            self.body.loops -= 1
            self.body.breaks.pop()
            self.body.continues.pop()

    def for_loop(self, node: c_ast.For, unroll: int | None) -> Stmt:
        self.scopes.append(Scope())
        before: list[Stmt] = []
        try:
            init: list[Stmt] = []
            if node.init is not None:
                try:
                    if isinstance(node.init, c_ast.DeclList | c_ast.Decl):
                        init = self.declaration(node.init)
                    else:
                        init = [self.evaluate(node.init)]
                except Reported:
                    init = []
            if not all(isinstance(one, Declare | Evaluate) for one in init):
                before, init = init, []  # what makes an object stands before the loop
            cond, test = None, node.cond
            testing: list[Stmt] = []
            if test is not None and not isinstance(test, c_ast.Decl | c_ast.DeclList):
                testing, cond = self.loop_test(test)
            steps: list[Expr] = []
            if node.next is not None:
                parts = node.next.exprs if isinstance(node.next, c_ast.ExprList) else [node.next]
                steps = [
                    step for part in parts if (step := self.without_temporaries(partial(self.value, part))) is not None
                ]
            if isinstance(test, c_ast.Decl | c_ast.DeclList):
                body = self.declaring_body(test, node.stmt)
            else:
                body = _after(testing, self.loop_body(node.stmt))
            ends = self.destroyed(self.scopes[-1:], node.coord)
        finally:
            self.scopes.pop()
        loop = Loop(node.coord, tuple(init), cond, tuple(steps), body, True, unroll)
        if ends:
            loop, before = replace(loop, init=()), [*before, *init]
        return Block(node.coord, (*before, loop, *ends)) if before or ends else loop

    def evaluate(self, node: Node) -> Evaluate:
        return Evaluate(node.coord, self.discarded(node))

    def loop_body(self, node: Node) -> Block:
        self.body.loops += 1
        self.body.breaks.append(len(self.scopes))
        self.body.continues.append(len(self.scopes))
        try:
            return self.block(node, node.coord)
        finally:
            self.body.loops -= 1
            self.body.breaks.pop()
            self.body.continues.pop()

    def return_statement(self, node: c_ast.Return) -> list[Stmt]:
        function, span = self.body.function, node.coord
        name = function.shown or function.name
        declared = Note(function.span, f"'{name}' is declared here")
        scopes = self.scopes[self.body.base :]
        if node.expr is None:
            if function.result is None:
                function.result = Qualified(VOID)
            if function.result.type is not VOID:
                self.fail(span, f"'{name}' must return a value of type '{function.result}'", declared)
            return [*self.destroyed(scopes, span), Return(span, None)]
        value = self.returned(node.expr, function, declared)
        if value is None:
            return [*self.destroyed(scopes, span), Return(span, None)]
        if value.type is VOID:
            return [Evaluate(span, value), *self.destroyed(scopes, span), Return(span, None)]
        places, self.temporaries = self.temporaries, []
        later = self.destroyed_objects(places)
        later += self.destroyed(_without(scopes, self.elided(node.expr)), span)
        if not later:
            return [Return(span, value)]
        kept = Variable("result", value.type, span, "local")
        return [Declare(span, kept, value), *later, Return(span, Load(span, kept.type, VarRef(span, kept.type, kept)))]

    def elided(self, node: Node) -> Variable | None:
        """Return the local object that a `return` hands out as it is: it is neither copied nor destroyed."""
        entry = self.lookup(node.name) if isinstance(node, c_ast.ID) else None
        result = self.body.function.result
        if not isinstance(entry, VariableName) or result is None or result.reference:
            return None
        local = entry.variable.storage == "local" and entry.alias is None and not entry.reference
        return entry.variable if local and entry.variable.type is result.type else None

    def returned(self, node: Node, function: FunctionName, declared: Note) -> Expr | None:
        """Return the value of a `return`, converted to the type of the result; that may follow from it."""
        name = function.shown or function.name
        context = f"in the result of '{name}'"
        arg: Argument | None = None
        if function.result is None:
            arg = self.argument_of(node)
            function.result = self.deduced_result(arg, function)
        result = function.result
        if result.type is VOID:
            value = self.discarded(node)
            if value.type is not VOID:
                self.fail(node.coord, f"'{name}' returns nothing: its result type is void", declared)
            return value
        if isinstance(node, c_ast.InitList) and isinstance(result.type, Struct):
            return self.taken(self.braced_object(node, result.type))
        if (variable := self.elided(node)) is not None:
            return Load(node.coord, variable.type, VarRef(node.coord, variable.type, variable))
        arg = arg or self.argument_of(node)
        if self._is_own_object(node) and isinstance(arg.term, Place):
            self.xvalues.add(arg.term)
            arg = replace(arg, moved=True)
        return self.bind(arg, result, context, declared)

    def _is_own_object(self, node: Node) -> bool:
        """Whether `return` names an object of the function itself, which is then moved."""
        entry = self.lookup(node.name) if isinstance(node, c_ast.ID) else None
        if not isinstance(entry, VariableName) or entry.alias is not None or entry.reference:
            return False
        return isinstance(entry.variable.type, Struct) and entry.variable.storage in ("local", "param")

    def deduced_result(self, arg: Argument, function: FunctionName) -> Qualified:
        """Return what `auto` as the type of a function's result stands for."""
        assert function.node is not None
        signature = function.node.decl.type
        assert isinstance(signature, c_ast.FuncDecl)
        return self.deduced_type(signature.type, arg, arg.span)

    def static_assert(self, node: c_ast.StaticAssert) -> None:
        if not self.constant_condition(node.cond, "the condition of 'static_assert'"):
            text = f": {node.message.value}" if node.message is not None else ""
            self.fail(node.cond.coord, f"static assertion failed{text}")


def sound(expr: Expr | None) -> Expr:
    """Return `expr`; a stand-in if it is faulty, in which case no module is ever made of it."""
    return Constant(NOWHERE, INT, 0) if expr is None else expr


def _after(before: list[Stmt], body: Block) -> Block:
    return Block(body.span, (*before, body)) if before else body


def _without(scopes: Sequence[Scope], variable: Variable | None) -> list[Scope]:
    return [replace(scope, cleanups=[one for one in scope.cleanups if one is not variable]) for scope in scopes]


def _pragma_text(node: c_ast.Pragma) -> str:
    return node.string if isinstance(node.string, str) else str(node.string.value).strip('"')
