"""Checking loops: `while`, `do` and `for`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ....lang.ctype import BOOL
from ....tree.nodes import Block, Break, Declare, Evaluate, Expr, If, Loop, Stmt, Unary
from ...words import Node
from ..scopes import Reported, Scope
from .statements import Statements, sound


class Loops(Statements):
    """The checker's part for loops."""

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


def _after(before: list[Stmt], body: Block) -> Block:
    return Block(body.span, (*before, body)) if before else body
