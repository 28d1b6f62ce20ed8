"""Checking loops: `while`, `do` and `for`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ....lang.ctype import BOOL
from ....tree.nodes import (
    Assign,
    Block,
    Braces,
    Break,
    Constant,
    Declare,
    Evaluate,
    Expr,
    If,
    Load,
    Loop,
    Stmt,
    Unary,
    Variable,
    VarRef,
)
from ...parse.words import Node
from ..context import Part
from ..expr.builtin_operators import is_class_or_enum
from ..scopes import Reported, Scope


class Loops(Part):
    """The checker's part for loops."""

    def while_loop(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> list[Stmt]:
        span = node.coord
        if isinstance(node.cond, c_ast.Decl | c_ast.DeclList):
            return [self.declaring_while(node, unroll)]
        before, cond = self.loop_test(node.cond)
        if isinstance(node, c_ast.DoWhile):
            body = self.loop_body(node.stmt)
            if cond is not None:
                return [Loop(span, (), cond, (), body, False, unroll)]
            flag, repeated = self._from_the_second_on(before, body)
            return [flag, Loop(span, (), None, (), repeated, True, unroll)]
        return [Loop(span, (), cond, (), _after(before, self.loop_body(node.stmt)), True, unroll)]

    def declaring_while(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> Loop:
        return Loop(node.coord, (), None, (), self.declaring_body(node.cond, node.stmt), True, unroll)

    def declaring_body(self, cond_node: Node, body_node: Node) -> Block:
        """`while (T x = next()) {...}` is `for (;;) { T x = next(); if (!x) break; ... }`."""
        span = body_node.coord
        with self.s.current.body.loop(len(self.s.scopes.stack)), self.s.scopes.inside(Scope()):
            declared, cond = self.s.statements.condition(cond_node)
            leave = [*self.s.statements.destroyed(self.s.scopes.stack[-1:], span), Break(span)]
            stop = If(span, Unary(span, BOOL, "!", cond), Block(span, tuple(leave)), Block(span, ()))
            body = self.s.statements.block(body_node, span)
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], span)
            return Block(span, (*declared, stop, body, *ends))

    def for_loop(self, node: c_ast.For, unroll: int | None) -> Stmt:
        before: list[Stmt] = []
        with self.s.scopes.inside(Scope()):
            init: list[Stmt] = []
            if node.init is not None:
                with self.s.current.own_temporaries():
                    init = self._first(node.init)
            if not all(isinstance(one, Declare | Evaluate) for one in init):
                before, init = init, []  # what makes an object precedes the loop
            cond, test = None, node.cond
            testing: list[Stmt] = []
            if test is not None and not isinstance(test, c_ast.Decl | c_ast.DeclList):
                testing, cond = self.loop_test(test)
            steps: list[Expr] = []
            stepping: list[Stmt] = []
            if isinstance(test, c_ast.Decl | c_ast.DeclList) and node.next is not None:
                kept, body = self._stepping_body(test, node.next, node.stmt)
                before += kept
            elif isinstance(test, c_ast.Decl | c_ast.DeclList):
                body = self.declaring_body(test, node.stmt)
            else:
                steps, stepping = self._steps(node.next) if node.next is not None else ([], [])
                body = _after(testing, self.loop_body(node.stmt))
            if stepping:
                if cond is not None:
                    body = _after([_leave_unless(cond)], body)
                    cond = None
                flag, body = self._from_the_second_on(stepping, body)
                before.append(flag)
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], node.coord)
        loop = Loop(node.coord, tuple(init), cond, tuple(steps), body, True, unroll)
        if ends:
            loop, before = replace(loop, init=()), [*before, *init]
        return Block(node.coord, (*before, loop, *ends)) if before or ends else loop

    def _stepping_body(self, cond_node: Node, next_node: Node, body_node: Node) -> tuple[list[Stmt], Block]:
        """Return what precedes `for (; T x = f(); step) {...}` and its body: x lives until `step` ends ([stmt.for]/1).

        Before it, `T x;` and `again = false`; then `if (again) { step; x.~T(); } again = true; x = f(); if (!x) ...`.
        """
        span = body_node.coord
        with self.s.current.body.loop(len(self.s.scopes.stack)), self.s.scopes.inside(Scope()):
            self.s.current.body.continues[-1] += 1  # `continue` leaves the object alone
            declared, cond = self.s.statements.condition(cond_node)
            leave = [*self.s.statements.destroyed(self.s.scopes.stack[-1:], span), Break(span)]
            stop = If(span, Unary(span, BOOL, "!", cond), Block(span, tuple(leave)), Block(span, ()))
            steps, stepping = self._steps(next_node)
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], span)
            body = self.s.statements.block(body_node, span)
        kept: list[Stmt] = [Declare(one.span, one.variable, None) for one in declared if isinstance(one, Declare)]
        made = [step for one in declared for step in _assigning(one)]
        repeated = [*stepping, *(Evaluate(step.span, step) for step in steps), *ends]
        flag, whole = self._from_the_second_on(repeated, Block(span, (*made, stop, body)))
        return [*kept, flag], whole

    def _first(self, node: Node) -> list[Stmt]:
        """Check what a `for` does first; its temporary objects end with it."""
        try:
            if isinstance(node, c_ast.DeclList | c_ast.Decl):
                found = self.s.statements.declarations.declaration(node)
            else:
                found = [self.s.statements.evaluate(node)]
        except Reported:
            return []
        return [*found, *self.s.statements.end_of_statement()]

    def loop_test(self, node: Node) -> tuple[list[Stmt], Expr | None]:
        """Check the condition of a loop; return it, or the statements that test it inside the loop."""
        with self.s.current.gathering():
            before, cond = self.s.statements.tested(lambda: self.s.expr.conversions.to_bool(self.s.expr.value(node)))
            inside = self.s.current.hidden
        if not before:
            self.s.current.hidden += inside
            return [], cond
        return [*inside, *before, _leave_unless(cond)], None

    def _steps(self, node: Node) -> tuple[list[Expr], list[Stmt]]:
        """Check what a loop does after each iteration: expressions, or statements if these destroy objects."""
        parts = node.exprs if isinstance(node, c_ast.ExprList) else [node]
        if len(parts) > 1 and any(is_class_or_enum(self.s.expr.operators.type_of(part).type) for part in parts):
            parts = [node]  # the comma may be an operator of the program
        with self.s.current.gathering():
            found = [self.s.statements.attempt(partial(self._step, part)) for part in parts]
            steps = [step for step in found if step is not None]
            ends = self.s.statements.end_of_statement()
            hidden = self.s.current.hidden
        if not ends:
            self.s.current.hidden += hidden
            return steps, []
        return [], [*hidden, *(Evaluate(step.span, step) for step in steps), *ends]

    def _step(self, node: Node) -> Expr:
        return self.s.statements.evaluate(node).expr

    def _from_the_second_on(self, statements: list[Stmt], body: Block) -> tuple[Declare, Block]:
        """Return the body of a loop that begins with `statements`, but for the first time, and the flag for that."""
        span = body.span
        flag = Variable("again", BOOL, span, "local")
        first = If(span, Load(span, BOOL, VarRef(span, BOOL, flag)), Block(span, tuple(statements)), Block(span, ()))
        mark = Evaluate(span, Assign(span, BOOL, VarRef(span, BOOL, flag), Constant(span, BOOL, True)))
        return Declare(span, flag, Constant(span, BOOL, False)), Block(span, (first, mark, body))

    def loop_body(self, node: Node) -> Block:
        with self.s.current.body.loop(len(self.s.scopes.stack)):
            return self.s.statements.block(node, node.coord)


def _assigning(statement: Stmt) -> list[Stmt]:
    """Return what a declaration stores, if its variable is declared further out."""
    if not isinstance(statement, Declare):
        return [statement]
    span, variable, value = statement.span, statement.variable, statement.initial
    if value is None:
        return []
    before: list[Stmt] = []
    if isinstance(value, Braces):
        listed = replace(variable, name=f"{variable.name}_listed")
        before.append(Declare(span, listed, value))
        value = Load(span, listed.type, VarRef(span, listed.type, listed))
    return [*before, Evaluate(span, Assign(span, variable.type, VarRef(span, variable.type, variable), value))]


def _after(before: list[Stmt], body: Block) -> Block:
    return Block(body.span, (*before, body)) if before else body


def _leave_unless(cond: Expr) -> If:
    span = cond.span
    return If(span, Unary(span, BOOL, "!", cond), Block(span, (Break(span),)), Block(span, ()))
