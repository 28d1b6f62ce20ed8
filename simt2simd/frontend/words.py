"""What the parser says and works with: its syntax errors, its token stream, and the words for C++ that is refused."""

from __future__ import annotations

from dataclasses import dataclass

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ..diag import Diagnostic, Note
from ..source import Span
from .items import HostOnly
from .lexer import Token

Node = c_ast.Node


class SyntaxFault(ParseError):
    """A syntax error; `diagnostic` is what the user reads.

    `complete`: the faulty statement ends where the parser stands.
    """

    def __init__(self, diagnostic: Diagnostic, *, complete: bool = False) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.complete = complete


@dataclass(frozen=True)
class Faulty(c_ast.Node):
    """Stands in a block for a statement that has a syntax error. `names`: what it may have declared."""

    names: tuple[str, ...]
    coord: Span


@dataclass(eq=False)
class BlockExpression(c_ast.Node):
    """GNU C's `({ ... })`: a block whose last expression gives its value."""

    block: Node
    coord: Span


class TokenStream:
    """The tokens of one item, with pycparser's stream interface. `index` is that of the next token."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.index = tokens, 0
        self._padded: list[Token | None] = [*tokens, *[None] * 8]  # no grammar rule looks further ahead

    def peek(self, k: int = 1) -> Token | None:
        """Return the `k`-th next token, the last one consumed for 0; None outside the item."""
        return self._padded[self.index + k - 1]

    def next(self) -> Token | None:
        token = self._padded[self.index]
        self.index += token is not None
        return token

    def drop(self, k: int) -> None:
        """Take the `k`-th next token out of the item."""
        del self.tokens[self.index + k - 1], self._padded[self.index + k - 1]

    def mark(self) -> int:
        return self.index

    def reset(self, mark: int) -> None:
        self.index = mark

    def span(self, first: int) -> Span:
        """Return the stretch from token `first` to the last one consumed, as far as it lies on the first line.

        The parentheses that a macro puts round its argument do not count.
        """
        last = self.index - 1
        while (
            first + 1 < last and self.tokens[first].type == "LPAREN" and self.tokens[first].span.expansion is not None
        ):
            first, last = first + 1, last - 1
        start = self.tokens[first].span
        for at in range(last, first, -1):
            end = self.tokens[at].span
            if end.column and end.line == start.line and end.source is start.source:
                length = max(1, end.column + end.length - start.column)
                return Span(start.source, start.line, start.column, length, start.expansion)
        return start


# What to say about a word or sign of C++ that the device subset lacks: (message, help).
NOT_SUPPORTED: dict[str, tuple[str, str | None]] = {
    "template": ("templates are not supported yet", "write one function per type"),
    "typename": ("templates are not supported yet", "write one function per type"),
    "class": ("classes are not supported yet", "use a struct without methods"),
    "operator": ("operator overloading is not supported yet", "write a named function"),
    "new": ("'new' is not supported in device code", "use a local array of a fixed size"),
    "delete": ("'delete' is not supported in device code", None),
    "throw": ("exceptions do not exist in device code", "return an error code"),
    "try": ("exceptions do not exist in device code", "return an error code"),
    "catch": ("exceptions do not exist in device code", "return an error code"),
    "this": ("methods are not supported yet", "pass a pointer to the struct as an argument"),
    "public": ("access specifiers are not supported yet", "leave them out: a struct's members are public"),
    "private": ("access specifiers are not supported yet", "leave them out: a struct's members are public"),
    "protected": ("access specifiers are not supported yet", "leave them out: a struct's members are public"),
    "virtual": ("methods are not supported yet", "write a `__device__` function that takes a pointer to the struct"),
    "friend": ("'friend' is not supported yet", None),
    "using": ("'using' is not supported inside a function yet", "use `typedef` at file scope"),
    "namespace": ("'namespace' is not supported in device code yet", None),
    "decltype": ("'decltype' is not supported yet", "write the type"),
    "typeid": ("'typeid' does not exist in device code", None),
    "dynamic_cast": ("'dynamic_cast' does not exist in device code", None),
    "<<<": ("a kernel cannot be launched from device code: dynamic parallelism is not supported", None),
    ">>>": ("a kernel cannot be launched from device code: dynamic parallelism is not supported", None),
}
LAMBDA = ("lambdas are not supported yet", "write a `__device__` function")
METHOD = ("methods are not supported yet", "write a `__device__` function that takes a pointer to the struct")

DEEPEST_NESTING = 256
OPENING, CLOSING = {"LPAREN", "LBRACKET", "LBRACE"}, {"RPAREN", "RBRACKET", "RBRACE"}
CAST_WORDS = {"static_cast", "reinterpret_cast", "const_cast"}
LITERAL_TEXT = {
    "SEMI": ";", "LPAREN": "(", "RPAREN": ")", "LBRACKET": "[", "RBRACKET": "]", "LBRACE": "{", "RBRACE": "}",
    "COLON": ":", "COMMA": ",", "EQUALS": "=", "WHILE": "while", "LT": "<", "GT": ">",
}  # fmt: skip


def host_only_use(name: str, span: Span, why: HostOnly) -> Diagnostic:
    """Return the message for a use in device code of a name that is the host's alone."""
    declared = Note(why.span, f"'{name}' is declared here")
    if why.cause is None:
        return Diagnostic(span, f"'{name}' is {why.what}: device code cannot use it", (declared,), why.help)
    cause = Note(why.cause.span, why.cause.message)
    return Diagnostic(span, f"'{name}' cannot be used in device code", (declared, cause), why.cause.help)
