"""pycparser's parser, taught CUDA and the C++ that CUDA code cannot do without: one overridden method per idea.

Expressions are parsed here, the rest in `declarations`. Only these two files name pycparser's private methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from pycparser import c_ast
from pycparser.c_parser import _BINARY_PRECEDENCE, _TYPE_SPEC_SIMPLE

from .declarations import DeclarationParser
from .lexer import Token
from .words import CAST_WORDS, LAMBDA, NOT_SUPPORTED, BlockExpression, Node, SyntaxFault


class CudaParser(DeclarationParser):
    """The parser for the device part of a CUDA file."""

    def __init__(self) -> None:
        super().__init__()
        self._spanned_last: tuple[Node, int, int] | None = None

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
        return self._spanned(super()._parse_expression)

    def _parse_assignment_expression(self) -> Node:
        """Parse an assignment; its right side may be a braced list, as in C++."""
        mark = self._mark()
        left = self._parse_conditional_expression()
        if not self._is_assignment_op():
            return left
        sign = self._advance()
        braced = sign.type == "EQUALS" and self._peek_type() == "LBRACE"
        right = self._parse_initializer() if braced else self._parse_assignment_expression()
        return c_ast.Assignment(sign.value, left, right, self._tokens.span(mark))

    def _parse_conditional_expression(self) -> Node:
        return self._spanned(super()._parse_conditional_expression)

    def _parse_cast_expression(self) -> Node:
        return self._spanned(super()._parse_cast_expression)

    def _parse_unary_expression(self) -> Node:
        return self._spanned(super()._parse_unary_expression)

    def _parse_primary_expression(self) -> Node:
        return self._spanned(self._primary)

    def _parse_initializer(self) -> Node:
        return self._spanned(super()._parse_initializer)

    def _parse_binary_expression(self, min_prec: int = 0, lhs: Node | None = None) -> Node:
        """Precedence climbing, as in pycparser, with a true span for every operator's node."""
        mark = self._mark()
        left = self._parse_cast_expression() if lhs is None else lhs
        while True:
            token = self._peek()
            if token is not None and token.type == "LAUNCH":
                self._unexpected(token)
            if token is None or token.type not in _BINARY_PRECEDENCE:
                return left
            precedence = _BINARY_PRECEDENCE[token.type]
            if precedence < min_prec:
                return left
            self._advance()
            right = self._parse_binary_expression(precedence + 1)
            left = c_ast.BinaryOp(token.value, left, right, self._tokens.span(mark))

    def _parse_postfix_expression(self) -> Node:
        mark = self._mark()
        expr = self._parse_compound_literal()
        if expr is None:
            expr = self._parse_primary_expression()
        while True:
            kind = self._peek_type()
            if kind == "LBRACKET":
                self._advance()
                index = self._parse_expression()
                self._expect("RBRACKET")
                expr = c_ast.ArrayRef(expr, index, self._tokens.span(mark))
            elif kind == "LPAREN":
                expr = self._parse_call(expr, mark)
            elif kind in ("PERIOD", "ARROW"):
                expr = self._parse_member(expr, mark)
            elif kind in ("PLUSPLUS", "MINUSMINUS"):
                sign = self._advance()
                expr = c_ast.UnaryOp("p" + sign.value, expr, self._tokens.span(mark))
            elif kind == "LAUNCH":
                self._unexpected(self._here())
            elif kind == "LT" and self._is_template_argument():
                self._unsupported(self._tokens.tokens[mark].span, *NOT_SUPPORTED["template"])
            else:
                return expr

    def _parse_call(self, function: Node, mark: int) -> Node:
        self._advance()
        arguments = None
        if self._peek_type() != "RPAREN":
            arguments = self._parse_argument_expression_list()
        self._expect("RPAREN")
        return c_ast.FuncCall(function, arguments, self._tokens.span(mark))

    def _parse_member(self, base: Node, mark: int) -> Node:
        sign, name = self._advance(), self._tokens.peek()
        if name is None or self._peek_type() not in ("ID", "TYPEID"):
            self._fault_at(name or sign, f"expected a member's name after '{sign.value}'")
        self._advance()
        return c_ast.StructRef(base, sign.value, c_ast.ID(name.value, name.span), self._tokens.span(mark))

    def _is_template_argument(self) -> bool:
        """True at the `<` of `f<int>(x)`; `a < float(b)` is a comparison."""
        if self._peek_type(2) not in (*_TYPE_SPEC_SIMPLE, "TYPEID"):
            return False
        return bool(self._peek_type(3) != "LPAREN")

    def _try_parse_paren_type_name(self) -> Any:
        """Parse `(float)` of a cast; return None for `(float(1) + x)`, where the type begins an expression."""
        mark = self._mark()
        try:
            return super()._try_parse_paren_type_name()
        except SyntaxFault:
            if not self._is_conversion(mark + 1):
                raise
        self._reset(mark)
        return None

    def _parse_compound_literal(self) -> Node | None:
        result = self._try_parse_paren_type_name()
        if result is None:
            return None
        target, mark, _opening, _ = result
        if self._peek_type() == "LBRACE":
            braces = self._braces()
            return c_ast.CompoundLiteral(target, braces, [], self._tokens.span(mark))
        self._reset(mark)
        return None

    def _braces(self) -> c_ast.InitList:
        """Parse the initialiser that begins with the `{` at hand."""
        braces = self._parse_initializer()
        assert isinstance(braces, c_ast.InitList)
        return braces

    def _primary(self) -> Node:
        token = self._peek()
        if token is None:
            self._parse_error("At end of input", None)
        if token.type == "LBRACKET":
            self._unsupported(token.span, *LAMBDA)
        if token.type == "CPP" and token.value in CAST_WORDS:
            return self._parse_named_cast()
        if token.type in _TYPE_SPEC_SIMPLE or token.type == "TYPEID":
            return self._parse_functional_cast()
        if token.type == "COLONCOLON" and self._peek_type(2) == "ID":
            self._advance()
        elif token.type == "ID" and self._peek_type(2) == "COLONCOLON":
            self._refuse_qualified_name(token)
        elif token.type == "ID" and self._peek_type(2) == "LBRACE" and not self._is_known(token.value):
            self._unknown_type(token)
        elif token.type == "LPAREN":
            if self._peek_type(2) == "LBRACE":
                return self._parse_block_expression()
            third = self._peek_type(3)
            cast = self._peek_type(2) == "ID" and third == "TIMES" and self._peek_type(4) in ("RPAREN", "TIMES")
            if cast and not self._is_known(self._here(2).value):  # `(x * *p)` is a product
                self._unknown_type(self._here(2))
        elif token.type in ("_GENERIC", "__BUILTIN_VA_ARG"):
            self._unsupported(token.span, f"'{token.value}' does not exist in CUDA", None)
        return super()._parse_primary_expression()

    def _parse_block_expression(self) -> Node:
        opening = self._advance()
        block = self._parse_compound_statement()
        self._expect("RPAREN")
        return BlockExpression(block, opening.span)

    def _refuse_qualified_name(self, token: Token) -> NoReturn:
        name = self._peek(3)
        help = None
        if token.value == "std" and name is not None:
            help = f"CUDA's own '{name.value}' needs no 'std::'"
        self._unsupported(token.span, f"'{token.value}::' is not supported in device code yet", help)

    def _parse_named_cast(self) -> Node:
        """`static_cast<T>(x)` and its kin; they mean the cast `(T)x`."""
        word = self._advance()
        self._expect("LT")
        self._refuse_unknown_type_name()
        target = self._parse_type_name()
        self._expect("GT")
        self._expect("LPAREN")
        operand = self._parse_expression()
        self._expect("RPAREN")
        return c_ast.Cast(target, operand, word.span)

    def _refuse_unknown_type_name(self) -> None:
        token = self._peek()
        if token is not None and token.type == "ID":
            self._unknown_type(token)

    def _parse_functional_cast(self) -> Node:
        """`float(x)` is `(float)x`, `int()` is 0, and `Point{1, 2}` is `(Point){1, 2}`."""
        token = self._advance()
        names = [token.value]
        while token.type != "TYPEID" and self._peek_type() in _TYPE_SPEC_SIMPLE:
            names.append(self._advance().value)
        kind = c_ast.IdentifierType(names, token.span)
        target = c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, kind, coord=token.span), token.span)
        if self._peek_type() == "LBRACE":
            return c_ast.CompoundLiteral(target, self._braces(), [], token.span)
        if self._peek_type() != "LPAREN":
            self._fault_at(token, f"'{token.value}' is a type: an expression is expected here")
        self._advance()
        if self._accept("RPAREN"):
            return c_ast.CompoundLiteral(target, c_ast.InitList([], token.span), [], token.span)
        operand = self._parse_assignment_expression()
        if self._peek_type() == "COMMA" and token.value == "dim3":
            values = [operand]
            while self._accept("COMMA"):
                values.append(self._parse_assignment_expression())
            self._expect("RPAREN")
            arguments = c_ast.ExprList(values, token.span)
            return c_ast.FuncCall(c_ast.ID(token.value, token.span), arguments, token.span)
        if self._peek_type() == "COMMA":
            self._unsupported(token.span, "constructors are not supported yet", "write `T{a, b}`")
        self._expect("RPAREN")
        return c_ast.Cast(target, operand, token.span)

    def _starts_expression(self, tok: Token | None = None) -> bool:
        token = tok or self._peek()
        if token is None:
            return False
        if token.type == "CPP" or token.type in ("COLONCOLON", "BAD", "LBRACKET"):
            return True
        if token.type in _TYPE_SPEC_SIMPLE or token.type == "TYPEID":
            return tok is None and str(self._peek_type(2)) in ("LPAREN", "LBRACE")
        return bool(super()._starts_expression(token))
