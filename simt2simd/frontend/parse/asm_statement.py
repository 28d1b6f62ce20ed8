"""Parsing `asm`: GNU C's statement, with PTX in it. What the PTX means is `sema/ptx/asm`'s business.

asm volatile("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b) : "memory");
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pycparser import c_ast

from ...source import Span
from ..text.lexer import Token
from .cxx import CxxNode
from .words import Node

ASM_WORDS = ("asm", "__asm__", "__asm")


@dataclass(eq=False)
class AsmOperand(CxxNode):
    """`[name] "=r"(value)`; `name` is None if it has only its number."""

    name: str | None
    constraint: str
    value: Node
    coord: Span


@dataclass(eq=False)
class AsmStatement(CxxNode):
    """One `asm` statement."""

    template: c_ast.Constant
    outputs: tuple[AsmOperand, ...]
    inputs: tuple[AsmOperand, ...]
    coord: Span


class _Parser(Protocol):
    """What is needed of the parser."""

    def _advance(self) -> Token: ...
    def _accept(self, token_type: str) -> Token | None: ...
    def _expect(self, token_type: str) -> Token: ...
    def _peek_type(self, k: int = 1) -> str | None: ...
    def _parse_expression(self) -> Node: ...
    def _parse_unified_string_literal(self) -> c_ast.Constant: ...


def parse_asm(parser: _Parser) -> AsmStatement:
    """Parse the statement that begins with the current word, `asm`."""
    word = parser._advance()
    while parser._peek_type() in ("VOLATILE", "INLINE"):
        parser._advance()
    parser._expect("LPAREN")
    template = parser._parse_unified_string_literal()
    groups: list[tuple[AsmOperand, ...]] = []
    while parser._peek_type() in ("COLON", "COLONCOLON"):
        if parser._advance().type == "COLONCOLON":
            groups.append(())
        groups.append(_operands(parser) if len(groups) < 2 else _clobbers(parser))
    parser._expect("RPAREN")
    parser._expect("SEMI")
    outputs, inputs, *_ = (*groups, (), ())
    return AsmStatement(template, outputs, inputs, word.span)


def _operands(parser: _Parser) -> tuple[AsmOperand, ...]:
    found: list[AsmOperand] = []
    while parser._peek_type() in ("LBRACKET", "STRING_LITERAL"):
        name = None
        if parser._accept("LBRACKET"):
            name = parser._expect("ID").value
            parser._expect("RBRACKET")
        constraint = parser._parse_unified_string_literal().value.strip('"')
        parser._expect("LPAREN")
        value = parser._parse_expression()
        found.append(AsmOperand(name, constraint, value, value.coord))
        parser._expect("RPAREN")
        if not parser._accept("COMMA"):
            break
    return tuple(found)


def _clobbers(parser: _Parser) -> tuple[AsmOperand, ...]:
    """Skip the list of what else changes: memory is looked at anew in any case."""
    while parser._peek_type() == "STRING_LITERAL":
        parser._parse_unified_string_literal()
        if not parser._accept("COMMA"):
            break
    return ()
