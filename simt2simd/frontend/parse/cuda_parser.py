"""pycparser's parser, taught CUDA and C++. This parses expressions: operators, calls, initialisers.

The parts for the rest are in `grammar`: each holds the whole parser. Only these files name pycparser's private methods.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pycparser import c_ast
from pycparser.c_parser import _BINARY_PRECEDENCE, _TYPE_SPEC_SIMPLE

from ..text.lexer import Token
from .cxx import Launch, Name, NamePart, PackExpansion, PointedMember, SizeofPack, Throw
from .grammar import Grammar
from .qualified import may_compare
from .words import Node, SyntaxFault


class CudaParser(Grammar):
    """The parser for the device part of a CUDA file."""

    def __init__(self) -> None:
        super().__init__()
        self._spanned_last: tuple[Node, int, int] | None = None
        self._in_configuration = False  # a `>>>` ends that of a launch

    def _spanned(self, parse: Callable[[], Node]) -> Node:
        """Run `parse` and give the node the span of everything it consumed, parentheses included."""
        mark = self._tokens.index
        node = parse()
        extent = (node, mark, self._tokens.index)
        if extent != self._spanned_last:  # an operand passes through every level of precedence
            node.coord = self._tokens.span(mark)
            self._spanned_last = extent
        return node

    def _parse_expression(self) -> Node:
        return self._spanned(self._comma_expression)

    def _comma_expression(self) -> Node:
        """Parse expressions with commas between them; `, ...` belongs to a fold."""
        first = self._parse_assignment_expression()
        exprs = [first]
        while self._peek_type() == "COMMA" and self._peek_type(2) != "ELLIPSIS":
            self._advance()
            exprs.append(self._parse_assignment_expression())
        return c_ast.ExprList(exprs, first.coord) if len(exprs) > 1 else first

    def _parse_assignment_expression(self) -> Node:
        """Parse an assignment; its right side may be a braced list, as in C++."""
        mark = self._mark()
        if self._value() == "throw":
            return self._throw()
        left = self._parse_conditional_expression()
        if not self._is_assignment_op() or self._peek_type(2) == "ELLIPSIS":
            return left
        sign = self._advance()
        braced = sign.type == "EQUALS" and self._peek_type() == "LBRACE"
        right = self._parse_initializer() if braced else self._parse_assignment_expression()
        return c_ast.Assignment(sign.value, left, right, self._tokens.span(mark))

    def _throw(self) -> Node:
        word = self._advance()
        if self._starts_expression():
            self._parse_assignment_expression()
        return Throw("throw", word.span)

    def _parse_conditional_expression(self) -> Node:
        return self._spanned(self._conditional)

    def _conditional(self) -> Node:
        """Parse `a ? b : c`; what follows the colon may be an assignment, unlike in C ([expr.cond])."""
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        then = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, then, self._parse_assignment_expression(), condition.coord)

    def _parse_cast_expression(self) -> Node:
        return self._spanned(super()._parse_cast_expression)

    def _operand(self) -> Node:
        """Parse an operand of `*` and the like: these bind less tightly than `.*` and `->*`, casts more tightly."""
        if (leaf := self.primaries.leaf()) is not None:
            return leaf
        mark = self._mark()
        if self._is_parenthesised():
            node = self._behind_operand(self._spanned(self.primaries.parenthesised), mark)
        else:
            node = self._parse_cast_expression()
        while self._peek_type() in ("PERIOD", "ARROW") and self._peek_type(2) == "TIMES":
            sign = self._advance()
            self._advance()
            node = PointedMember(node, sign.value, self._parse_cast_expression(), self._tokens.span(mark))
        return node

    def _is_parenthesised(self) -> bool:
        """Whether a parenthesised expression comes next, judged by two words; False if they do not decide it."""
        if self._peek_type() != "LPAREN":
            return False
        first = self._peek_type(2)
        if first == "ID":
            return self._peek_type(3) not in ("COLONCOLON", "LT")
        return first in ("LPAREN", "INT_CONST_DEC", "MINUS")

    def _parse_primary_expression(self) -> Node:
        return self._spanned(self.primaries.primary)

    def _parse_initializer(self) -> Node:
        outer = self._in_angles
        if self._peek_type() == "LBRACE":
            self._in_angles = False
        node = self._spanned(super()._parse_initializer)
        self._in_angles = outer
        return node

    def _parse_initializer_item(self) -> Node:
        """Parse one item of a braced list; it may be a pack's, and a `[` may begin a lambda."""
        mark = self._mark()
        if self._peek_type() == "LBRACKET" and self._is_lambda():
            node = self._parse_initializer()
        else:
            node = super()._parse_initializer_item()
        return PackExpansion(node, self._tokens.span(mark)) if self._accept("ELLIPSIS") else node

    def _is_lambda(self) -> bool:
        """True if the `[...]` here is followed by what follows no designator."""
        depth, k = 0, 0
        while (token := self._tokens.peek(k + 1)) is not None:
            depth += (token.type == "LBRACKET") - (token.type == "RBRACKET")
            k += 1
            if depth == 0:
                break
        return self._peek_type(k + 1) in ("LPAREN", "LBRACE", "LT", "INLINE") or self._value(k + 1) == "mutable"

    def _parse_binary_expression(self, min_prec: int = 0, lhs: Node | None = None) -> Node:
        """Precedence climbing, as in pycparser, with a true span for every operator's node.

        A `>` that ends template arguments is no operator, nor is one before the dots of a fold.
        """
        mark = self._mark()
        return self._operators(self._operand() if lhs is None else lhs, mark, min_prec)

    def _operators(self, left: Node, mark: int, least: int) -> Node:
        """Parse the operators after `left`, which begins at `mark`, as far as they bind so tightly."""
        stream = self._tokens
        while (token := stream.peek()) is not None:
            kind, width = token.type, 1
            if kind in ("GT", "RSHIFT", "LAUNCH") and self._in_angles:
                return left
            if kind == "LAUNCH" and self._in_configuration:
                return left
            if kind == "LAUNCH":
                self._unexpected(token)
            if kind == "GT" and id(token) in stream.halves and self._peek_type(2) == "GT":
                kind, width = "RSHIFT", 2
            precedence = _BINARY_PRECEDENCE.get(kind)
            if precedence is None or precedence < least or self._peek_type(width + 1) == "ELLIPSIS":
                return left
            stream.index += width
            first = stream.index
            right = self._operand()
            after = stream.peek()  # the first half of a `>>` is a `>` too
            if after is not None and (after.type == "GT" or _BINARY_PRECEDENCE.get(after.type, -1) > precedence):
                right = self._operators(right, first, precedence + 1)
            left = c_ast.BinaryOp(">>" if width == 2 else token.value, left, right, stream.span(mark))
        return left

    def _parse_unary_expression(self) -> Node:
        return self._spanned(self._unary)

    def _unary(self) -> Node:
        token = self._here()
        if token.type == "SIZEOF" and self._peek_type(2) == "ELLIPSIS":
            return self._sizeof_pack()
        if token.type == "CPP" and token.value in ("new", "delete"):
            return self.primaries.new() if token.value == "new" else self.primaries.delete()
        if token.type == "COLONCOLON" and self._value(2) in ("new", "delete"):
            self._advance()
            allocation = self.primaries.new() if self._value() == "new" else self.primaries.delete()
            return replace(allocation, rooted=True)
        return super()._parse_unary_expression()

    def _sizeof_pack(self) -> Node:
        word = self._advance()
        self._advance()
        self._expect("LPAREN")
        name = self.specifiers.expect_name()
        self._expect("RPAREN")
        return SizeofPack(name.value, word.span)

    def _parse_postfix_expression(self) -> Node:
        mark = self._mark()
        expr = self.primaries.parse_compound_literal()
        if expr is None:
            expr = self._parse_primary_expression()
        return self._behind_operand(expr, mark)

    def _behind_operand(self, expr: Node, mark: int) -> Node:
        """Parse the subscripts, arguments, members and so on of an operand that begins at `mark`."""
        while True:
            kind = self._peek_type()
            if kind == "LBRACKET":
                self._advance()
                outer, self._in_angles = self._in_angles, False
                index = self._parse_initializer() if self._peek_type() == "LBRACE" else self._parse_expression()
                self._expect("RBRACKET")
                self._in_angles = outer
                expr = c_ast.ArrayRef(expr, index, self._tokens.span(mark))
            elif kind == "LPAREN":
                expr = self._parse_call(expr, mark)
            elif kind in ("PERIOD", "ARROW") and self._peek_type(2) != "TIMES":
                expr = self._parse_member(expr, mark)
            elif kind in ("PLUSPLUS", "MINUSMINUS"):
                sign = self._advance()
                expr = c_ast.UnaryOp("p" + sign.value, expr, self._tokens.span(mark))
            elif kind == "LAUNCH" and self._value() == "<<<" and not self._in_angles:
                expr = self._launch(expr, mark)
            else:
                return expr

    def _parse_call(self, function: Node, mark: int) -> c_ast.FuncCall:
        first = self._mark()
        args = self.declarators.argument_list()
        arguments = c_ast.ExprList(args, args[0].coord or self._tokens.span(first)) if args else None
        return c_ast.FuncCall(function, arguments, self._tokens.span(mark))

    def _launch(self, kernel: Node, mark: int) -> Node:
        """Parse `<<<grid, block, shared, stream>>>(arguments)`."""
        self._advance()
        outer, self._in_configuration = self._in_configuration, True
        try:
            configuration = self._parse_argument_expression_list().exprs
        finally:
            self._in_configuration = outer
        closing = self._here()
        if closing.value != ">>>":
            self._fault_at(closing, f"expected '>>>' before '{closing.value}'")
        self._advance()
        if self._peek_type() != "LPAREN":
            self._fault_at(self._here(), f"expected '(' before '{self._here().value}'")
        called = self._parse_call(kernel, mark)
        return Launch(called, configuration, self._tokens.span(mark))

    def _parse_argument_expression_list(self) -> c_ast.ExprList:
        """Parse arguments; each may be a braced list, or a pack's."""
        exprs: list[Node] = []
        while True:
            mark = self._mark()
            node = self._parse_initializer()
            if self._accept("ELLIPSIS"):
                node = PackExpansion(node, self._tokens.span(mark))
            exprs.append(node)
            if not self._accept("COMMA"):
                return c_ast.ExprList(exprs, exprs[0].coord)

    def _parse_member(self, base: Node, mark: int) -> Node:
        """Parse `.x`, `->Base::x`, `.template f<3>`, `.operator()`, `.~T`."""
        sign = self._advance()
        forced = self._accept_word("template") is not None
        token = self._tokens.peek()
        if token is not None and token.value in ("operator", "~"):
            field = self.primaries.special_member(token.span)
            if self._peek_type() == "LT" and token.value == "~":
                self.names.template_arguments()
        elif token is None or self._peek_type() not in ("ID", "TYPEID"):
            self._fault_at(token or sign, f"expected a member's name after '{sign.value}'")
        elif self._peek_type(2) == "COLONCOLON" or (self._peek_type() == "TYPEID" and self._peek_type(2) == "LT"):
            field = self.primaries.qualified_value(self.names.take_name())
        else:
            field = self._plain_member(forced)
        return c_ast.StructRef(base, sign.value, field, self._tokens.span(mark))

    def _plain_member(self, forced: bool) -> Node:
        name = self._advance()
        if self._peek_type() != "LT":
            return c_ast.ID(name.value, name.span)
        mark = self._mark()
        args = self.names.template_arguments() if forced else self._attempt(self.names.template_arguments)
        if not isinstance(args, SyntaxFault):
            known = name.value in self.names.member_templates
            called = known or self._peek_type() == "LPAREN"
            empty = self._peek_type() == "LPAREN" and self._peek_type(2) == "RPAREN"
            if forced or (called and not may_compare(args, known=known, empty=empty)):
                return Name((NamePart(name.value, args, name.span),), False, name.span)
        self._reset(mark)
        return c_ast.ID(name.value, name.span)

    def _starts_expression(self, tok: Token | None = None) -> bool:
        token = tok or self._peek()
        if token is None:
            return False
        if token.type == "CPP" or token.type in ("COLONCOLON", "BAD", "LBRACKET"):
            return True
        if token.type in _TYPE_SPEC_SIMPLE or token.type in ("TYPEID", "AUTO"):
            if tok is not None and tok is not self._tokens.peek():
                return False
            return (
                not self.names.is_type_here()
                if token.type == "TYPEID" and not self.statements.begins_construction()
                else (self.statements.begins_construction())
            )
        return bool(super()._starts_expression(token))
