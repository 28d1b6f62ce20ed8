"""Checking loops: `while`, `do` and `for`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ....lang.ctype import BOOL
from ....tree.nodes import Block, Break, Declare, Evaluate, Expr, If, Loop, Stmt, Unary
from ...parse.words import Node
from ..context import Part
from ..scopes import Reported, Scope
from .statements import sound


class Loops(Part):
    """The checker's part for loops."""

    def while_loop(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> list[Stmt]:
        span = node.coord
        if isinstance(node.cond, c_ast.Decl | c_ast.DeclList):
            return [self.declaring_while(node, unroll)]
        if isinstance(node, c_ast.DoWhile):
            last = self.without_temporaries(lambda: self.s.expr.conversions.to_bool(self.s.expr.value(node.cond)))
            return [Loop(span, (), sound(last), (), self.loop_body(node.stmt), False, unroll)]
        before, cond = self.loop_test(node.cond)
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
                try:
                    if isinstance(node.init, c_ast.DeclList | c_ast.Decl):
                        init = self.s.statements.declarations.declaration(node.init)
                    else:
                        init = [self.s.statements.evaluate(node.init)]
                except Reported:
                    init = []
            if not all(isinstance(one, Declare | Evaluate) for one in init):
                before, init = init, []  # what makes an object precedes the loop
            cond, test = None, node.cond
            testing: list[Stmt] = []
            if test is not None and not isinstance(test, c_ast.Decl | c_ast.DeclList):
                testing, cond = self.loop_test(test)
            steps: list[Expr] = []
            if node.next is not None:
                parts = node.next.exprs if isinstance(node.next, c_ast.ExprList) else [node.next]
                steps = [
                    step
                    for part in parts
                    if (step := self.without_temporaries(partial(self.s.expr.value, part))) is not None
                ]
            if isinstance(test, c_ast.Decl | c_ast.DeclList):
                body = self.declaring_body(test, node.stmt)
            else:
                body = _after(testing, self.loop_body(node.stmt))
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], node.coord)
        loop = Loop(node.coord, tuple(init), cond, tuple(steps), body, True, unroll)
        if ends:
            loop, before = replace(loop, init=()), [*before, *init]
        return Block(node.coord, (*before, loop, *ends)) if before or ends else loop

    def loop_test(self, node: Node) -> tuple[list[Stmt], Expr | None]:
        """Check the condition of a loop; return it, or the statements that test it inside the loop."""
        with self.s.current.gathering():
            before, cond = self.s.statements.tested(lambda: self.s.expr.conversions.to_bool(self.s.expr.value(node)))
            inside = self.s.current.hidden
        if not before:
            self.s.current.hidden += inside
            return [], cond
        span = node.coord
        stop = If(span, Unary(span, BOOL, "!", cond), Block(span, (Break(span),)), Block(span, ()))
        return [*inside, *before, stop], None

    def without_temporaries(self, check: Callable[[], Expr]) -> Expr | None:
        """Check an expression at a place where no object can be destroyed."""
        with self.s.current.own_temporaries():
            value = self.s.statements.attempt(check)
            places = self.s.current.temporaries
        if places and value is not None:
            what = f"a temporary '{places[0].type}', which has a destructor, is not supported here"
            self.s.statements.pragmas.report_at(value.span, what)
        return value

    def loop_body(self, node: Node) -> Block:
        with self.s.current.body.loop(len(self.s.scopes.stack)):
            return self.s.statements.block(node, node.coord)


def _after(before: list[Stmt], body: Block) -> Block:
    return Block(body.span, (*before, body)) if before else body
