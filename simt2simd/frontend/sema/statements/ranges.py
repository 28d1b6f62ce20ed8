"""Checking range-`for` by what it means ([stmt.ranged])."""

from __future__ import annotations

from functools import partial

from pycparser import c_ast

from ....lang.ctype import Array, Struct
from ....source import Span
from ....tree.nodes import Block, Stmt
from ...parse import cxx
from ...parse.words import Node
from ..context import Part
from ..scopes import Functions, Reported, Scope, VariableName
from .declarations import auto_variable


class Ranges(Part):
    """The checker's part for range-`for`."""

    def range_for(self, node: cxx.RangeFor, unroll: int | None) -> list[Stmt]:
        """`for (T x : range) body` counts the elements of an array, and goes from `begin` to `end` in a class."""
        span = node.coord
        with self.s.scopes.inside(Scope()):
            before = (
                self.s.statements.with_hidden(partial(self.s.statements.statement, node.init))
                if node.init is not None
                else []
            )
            whole = _list(node.range, span) if isinstance(node.range, c_ast.InitList) else None
            declared = whole or auto_variable("s2s_range", node.range, span)
            before += self.s.statements.with_hidden(lambda: self.s.statements.declarations.declaration(declared))
            entry = self.s.scopes.lookup("s2s_range")
            if not isinstance(entry, VariableName):
                raise Reported
            ctype = self.s.expr.names.variable_term(entry, span).type
            loop = self._over_array(node, ctype, span) if isinstance(ctype, Array) else self._over_class(node, span)
            found = self.s.statements.statement(loop, unroll)
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], span)
        return [Block(span, (*before, *found, *ends))]

    def _over_array(self, node: cxx.RangeFor, ctype: Array, span: Span) -> Node:
        kind = c_ast.TypeDecl("s2s_index", [], None, c_ast.IdentifierType(["int"], span), coord=span)
        start = c_ast.Decl("s2s_index", [], [], [], [], kind, c_ast.Constant("int", "0", span), None, span)
        index = c_ast.ID("s2s_index", span)
        test = c_ast.BinaryOp("<", index, c_ast.Constant("int", str(ctype.count), span), span)
        step = c_ast.UnaryOp("p++", index, span)
        element = c_ast.ArrayRef(c_ast.ID("s2s_range", span), index, span)
        return c_ast.For(c_ast.DeclList([start], span), test, step, self._body(node, element), span)

    def _over_class(self, node: cxx.RangeFor, span: Span) -> Node:
        entry = self.s.scopes.lookup("s2s_range")
        assert isinstance(entry, VariableName)
        ctype = self.s.expr.names.variable_term(entry, span).type
        method = isinstance(ctype, Struct) and self.s.classes.members.find_member(ctype, "begin") is not None

        def call(name: str) -> Node:
            whole = c_ast.ID("s2s_range", span)
            if method:
                return c_ast.FuncCall(c_ast.StructRef(whole, ".", c_ast.ID(name, span), span), None, span)
            return c_ast.FuncCall(c_ast.ID(name, span), c_ast.ExprList([whole], span), span)

        known = self.s.scopes.lookup("begin")
        if not method and not isinstance(known, Functions) and not isinstance(ctype, Struct):
            self.fail(node.range.coord, f"'{ctype}' is no range: it has no 'begin'")
        start, stop = _plain_auto("s2s_begin", call("begin"), span), _plain_auto("s2s_end", call("end"), span)
        at = c_ast.ID("s2s_begin", span)
        test = c_ast.BinaryOp("!=", at, c_ast.ID("s2s_end", span), span)
        step = c_ast.UnaryOp("++", at, span)
        element = c_ast.UnaryOp("*", at, span)
        return c_ast.For(c_ast.DeclList([start, stop], span), test, step, self._body(node, element), span)

    def _body(self, node: cxx.RangeFor, element: Node) -> Node:
        declared = node.declaration
        if isinstance(declared, cxx.StructuredBinding):
            first: Node = cxx.StructuredBinding(
                declared.names, declared.quals, declared.reference, element, declared.coord
            )
        else:
            if isinstance(declared, c_ast.DeclList):
                declared = declared.decls[0]
            assert isinstance(declared, c_ast.Decl)
            first = c_ast.Decl(
                declared.name, declared.quals, declared.align, declared.storage, declared.funcspec, declared.type,
                element, None, declared.coord,
            )  # fmt: skip
        return c_ast.Compound([first, node.body], node.coord)


def _list(braces: c_ast.InitList, span: Span) -> c_ast.Decl:
    """Return an array with the elements of a braced list, all of which are of the first one's type."""
    first = cxx.DeclType(braces.exprs[0], False, span)
    element = c_ast.TypeDecl("s2s_range", [], None, first, coord=span)
    kind = c_ast.ArrayDecl(element, None, [], span)
    return c_ast.Decl("s2s_range", [], [], [], [], kind, braces, None, span)


def _plain_auto(name: str, init: Node, span: Span) -> c_ast.Decl:
    return auto_variable(name, init, span, "")
