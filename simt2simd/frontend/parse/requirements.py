"""Parsing `requires (T a) { ... }`: the expression that asks whether others have a meaning."""

from __future__ import annotations

from .constraints import type_of, with_argument
from .cxx import DeclType, Nested, Requires, Trait
from .parser_part import ParserPart
from .words import Node


class Requirements(ParserPart):
    """The part of the parser for `requires` expressions."""

    def requirements(self) -> Node:
        word = self.p._advance()
        outer, self.p._in_angles = self.p._in_angles, False
        outside = self.p._scope
        self.p._push_scope()
        params = None
        if self.p._accept("LPAREN"):
            params = None if self.p._peek_type() == "RPAREN" else self.p.parameters.parse_parameter_type_list()
            self.p._expect("RPAREN")
        self.p._expect("LBRACE")
        wants: list[Node] = []
        while self.p._peek_type() != "RBRACE":
            wants += self._requirement()
        self.p._expect("RBRACE")
        self.p._enter(outside)
        self.p._in_angles = outer
        return Requires(params, tuple(wants), word.span)

    def _requirement(self) -> list[Node]:
        token = self.p._here()
        if token.value == "requires" and not self._begins_requirements():
            self.p._advance()
            found: list[Node] = [Nested(self.p._parse_binary_expression(), token.span)]
        elif token.type == "LBRACE":
            found = self._compound_requirement()
        elif token.value == "typename" and self._is_type_requirement():
            self.p._advance()
            found = [self.p.specifiers.type_name_of(self.p.names.take_name().as_type())]
        else:
            found = [self.p._parse_expression()]
        self.p._expect("SEMI")
        return found

    def _begins_requirements(self) -> bool:
        """True at a `requires` with braces, which is an expression, rather than a condition of its own."""
        if self.p._peek_type(2) == "LBRACE":
            return True
        depth, k = 0, 2
        while self.p._peek_type(2) == "LPAREN" and (kind := self.p._peek_type(k)) is not None:
            depth += (kind == "LPAREN") - (kind == "RPAREN")
            k += 1
            if depth == 0:
                return self.p._peek_type(k) == "LBRACE"
        return False

    def _is_type_requirement(self) -> bool:
        mark = self.p._mark()
        self.p._advance()
        self.p.names.take_name()
        ends = self.p._peek_type() == "SEMI"
        self.p._reset(mark)
        return ends

    def _compound_requirement(self) -> list[Node]:
        """Parse `{ expr } noexcept -> C<int>`."""
        opening = self.p._advance()
        expr = self.p._parse_expression()
        self.p._expect("RBRACE")
        wants: list[Node] = [expr]
        if self.p._accept_word("noexcept"):
            wants.append(Nested(Trait("noexcept", (expr,), opening.span), opening.span))
        if self.p._accept("ARROW"):
            asked = type_of(DeclType(expr, True, opening.span), opening.span)
            wants.append(Nested(with_argument(self.p.names.take_name().as_name(), asked), opening.span))
        return wants
