"""Parsing `requires (T a) { ... }`: the expression that asks whether others have a meaning."""

from __future__ import annotations

from .constraints import type_of, with_argument
from .cxx import DeclType, Nested, Requires
from .lambdas import Lambdas
from .words import Node


class Requirements(Lambdas):
    """The part of the parser for `requires` expressions."""

    def _requirements(self) -> Node:
        word = self._advance()
        outer, self._in_angles = self._in_angles, False
        outside = self._scope
        self._push_scope()
        params = None
        if self._accept("LPAREN"):
            params = None if self._peek_type() == "RPAREN" else self._parse_parameter_type_list()
            self._expect("RPAREN")
        self._expect("LBRACE")
        wants: list[Node] = []
        while self._peek_type() != "RBRACE":
            wants += self._requirement()
        self._expect("RBRACE")
        self._enter(outside)
        self._in_angles = outer
        return Requires(params, tuple(wants), word.span)

    def _requirement(self) -> list[Node]:
        token = self._here()
        if token.value == "requires" and not self._begins_requirements():
            self._advance()
            found: list[Node] = [Nested(self._parse_binary_expression(), token.span)]
        elif token.type == "LBRACE":
            found = self._compound_requirement()
        elif token.value == "typename" and self._is_type_requirement():
            self._advance()
            found = [self._type_name_of(self._take_name().as_type())]
        else:
            found = [self._parse_expression()]
        self._expect("SEMI")
        return found

    def _begins_requirements(self) -> bool:
        """True at a `requires` with braces, which is an expression, rather than a condition of its own."""
        if self._peek_type(2) == "LBRACE":
            return True
        depth, k = 0, 2
        while self._peek_type(2) == "LPAREN" and (kind := self._peek_type(k)) is not None:
            depth += (kind == "LPAREN") - (kind == "RPAREN")
            k += 1
            if depth == 0:
                return self._peek_type(k) == "LBRACE"
        return False

    def _is_type_requirement(self) -> bool:
        mark = self._mark()
        self._advance()
        self._take_name()
        ends = self._peek_type() == "SEMI"
        self._reset(mark)
        return ends

    def _compound_requirement(self) -> list[Node]:
        """Parse `{ expr } noexcept -> C<int>`."""
        opening = self._advance()
        expr = self._parse_expression()
        self._expect("RBRACE")
        self._accept_word("noexcept")
        if not self._accept("ARROW"):
            return [expr]
        asked = type_of(DeclType(expr, True, opening.span), opening.span)
        return [expr, Nested(with_argument(self._take_name().as_name(), asked), opening.span)]
