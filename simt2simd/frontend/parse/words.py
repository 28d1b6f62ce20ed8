"""What the parser says and works with: its syntax errors, its token stream, and the words for C++ that is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...diag import Diagnostic, Note
from ...source import Span
from ..text.lexer import Token
from ..text.top_level import HostOnly
from .cxx import CxxNode

Node = c_ast.Node

HOST_ONLY = "host-only"  # among the specifiers of a member function that device code finds, but cannot call

NO_UNIQUE_ADDRESS = "no_unique_address"  # among the specifiers of a data member with that attribute


class SyntaxFault(ParseError):
    """A syntax error; `diagnostic` is what the user reads.

    `complete`: the faulty statement ends where the parser is.
    """

    def __init__(self, diagnostic: Diagnostic, *, complete: bool = False) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.complete = complete


@dataclass(frozen=True)
class Faulty(CxxNode):
    """A placeholder in a block for a statement that has a syntax error. `names`: what it may have declared."""

    names: tuple[str, ...]
    coord: Span


@dataclass(eq=False)
class BlockExpression(CxxNode):
    """GNU C's `({ ... })`: a block whose last expression gives its value."""

    block: Node
    coord: Span


class TokenStream:
    """The tokens of one item, with pycparser's stream interface. `index` is that of the next token."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.index = tokens, 0
        self.halves: set[int] = set()  # ids of `>` that were the first half of a `>>`

    def peek(self, k: int = 1) -> Token | None:
        """Return the `k`-th next token, the last one consumed for 0; None outside the item."""
        at = self.index + k - 1
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def next(self) -> Token | None:
        token = self.peek()
        self.index += token is not None
        return token

    def mark(self) -> int:
        return self.index

    def reset(self, mark: int) -> None:
        self.index = mark

    def split(self) -> None:
        """Make a `>` of its own of the first character of the next token, `>>` or `>>>`."""
        token = self.tokens[self.index]
        first, rest = token.span, token.value[1:]
        length = max(1, first.length - 1)
        after = replace(first, column=first.column + (first.length > 1), length=length)
        half = replace(token, type="GT", value=">", span=replace(first, length=min(first.length, 1)))
        other = replace(token, type="GT" if rest == ">" else "RSHIFT", value=rest, span=after)
        self.tokens[self.index : self.index + 1] = [half, other]
        self.halves.add(id(half))

    def span(self, first: int) -> Span:
        """Return the stretch from token `first` to the last one consumed, as far as it lies on the first line.

        The parentheses that a macro puts around its argument do not count.
        """
        tokens, last = self.tokens, self.index - 1
        start = tokens[first].span
        while start.expansion is not None and first + 1 < last and tokens[first].type == "LPAREN":
            first, last = first + 1, last - 1
            start = tokens[first].span
        for at in range(last, first, -1):
            end = tokens[at].span
            if end.column and end.line == start.line and end.source is start.source:
                length = max(1, end.column + end.length - start.column)
                if length == start.length:  # all of it is in what one use of a macro expanded to
                    return start
                return Span(start.source, start.line, start.column, length, start.expansion)
        return start


# What to say about a word or sign of C++ that the device subset lacks: (message, help).
NOT_SUPPORTED: dict[str, tuple[str, str | None]] = {
    "catch": ("exceptions do not exist in device code", "return an error code"),
    "try": ("exceptions do not exist in device code", "return an error code"),
    "co_await": ("coroutines do not exist in device code", None),
    "co_return": ("coroutines do not exist in device code", None),
    "co_yield": ("coroutines do not exist in device code", None),
    "export": ("modules are not supported", None),
    "typeid": ("'typeid' does not exist in device code", None),
    "dynamic_cast": ("'dynamic_cast' does not exist in device code", None),
}

DEEPEST_NESTING = 256
OPENING, CLOSING = {"LPAREN", "LBRACKET", "LBRACE"}, {"RPAREN", "RBRACKET", "RBRACE"}
CAST_WORDS = {"static_cast", "reinterpret_cast", "const_cast"}
EXPRESSION_WORDS = CAST_WORDS | {
    "new", "delete", "this", "throw", "noexcept", "typename", "decltype", "operator", "requires",
}  # fmt: skip
LITERAL_TEXT = {
    "SEMI": ";", "LPAREN": "(", "RPAREN": ")", "LBRACKET": "[", "RBRACKET": "]", "LBRACE": "{", "RBRACE": "}",
    "COLON": ":", "COMMA": ",", "EQUALS": "=", "WHILE": "while", "LT": "<", "GT": ">",
}  # fmt: skip


def host_only_use(name: str, span: Span, why: HostOnly) -> Diagnostic:
    """Return the message for a use in device code of a name that is the host's alone."""
    declared = Note(why.span, f"'{name}' is declared here")
    if why.cause is None:
        return Diagnostic(span, f"'{name}' is {why.what}: device code cannot use it", (declared,), why.help)
    cause = Note(why.cause.span, why.cause.message, is_cause=True)
    return Diagnostic(span, f"'{name}' cannot be used in device code", (declared, cause), why.cause.help)
