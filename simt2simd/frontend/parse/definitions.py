"""Where a program file defines its device functions: for code that changes the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ...source import Source, Span
from ..text.declaration_scan import function_name
from ..text.lexer import Token
from ..text.preprocessed import Preprocessed
from ..text.top_level import split_items
from .cuda_parser import CudaParser


@dataclass(frozen=True)
class Definition:
    """The definition of a function. All places are characters of the file's text.

    It begins at `first`, which may be an `extern "C"`, its own words at `head`. `body` is its `{`, `end` is after its
    `}`. `inline` is where a word for `inline` begins and ends. `host`: it is a function of the host too.
    """

    first: int
    head: int
    body: int
    end: int
    inline: tuple[int, int] | None
    host: bool


def find_definitions(pre: Preprocessed) -> dict[str, Definition | str]:
    """Return, by the name of each device function and kernel that is defined, where; or why it cannot be replaced.

    Assumes that `pre` can be parsed.
    """
    tokens = CudaParser().clex.tokens(pre)
    at = {id(token): i for i, token in enumerate(tokens)}
    enums = _Enums(tokens)
    starts = [0, *accumulate(len(line) + 1 for line in pre.source.lines)]
    found: dict[str, Definition | str] = {}
    for item in split_items(tokens).unnamed():
        name = function_name(item.tokens)
        if name is not None and item.kind == "device" and item.tokens[-1].type == "RBRACE":
            again = name.value in found
            place = _definition(tokens, at[id(item.tokens[0])], item.tokens, enums, pre.source, starts)
            found[name.value] = "it is overloaded" if again else place
    return found


def _definition(
    tokens: list[Token], first: int, own: list[Token], enums: _Enums, source: Source, starts: list[int]
) -> Definition | str:
    """Return where the definition is whose tokens are `own`, the first of which is number `first` of the file's."""
    opening = _opening(own)
    body = own[opening:]
    head = own[0]
    if head.span.source is not source or body[-1].span.source is not source:
        return f"it is defined in '{head.span.source.name}', not in the file itself"
    shares_macro = head.span.expansion is not None and first > 0 and _same_place(tokens[first - 1].span, head.span)
    if shares_macro or body[0].span.expansion is not None or body[-1].span.expansion is not None:
        return "a macro makes a part of its definition"

    def place(span: Span) -> int:
        return starts[span.line - 1] + span.column - 1

    begin = first
    if first >= 2 and tokens[first - 1].type == "STRING_LITERAL" and tokens[first - 2].type == "EXTERN":
        begin = first - 2
    start, end = place(tokens[begin].span), place(body[-1].span) + 1
    if _DIRECTIVE.search(source.text, start, end):
        return "there is a directive of the preprocessor in it"
    if enums.matter_in(body):
        return "it uses values of an enumeration, which are plain numbers in rewritten code"
    words = {token.value: token.span for token in own[:opening]}
    inline = next((words[word] for word in _INLINE if word in words), None)
    if inline is not None and inline.expansion is not None:
        return "a macro makes it inline"
    return Definition(
        start,
        place(head.span),
        place(body[0].span),
        end,
        None if inline is None else (place(inline), place(inline) + inline.length),
        "__host__" in words,
    )


_INLINE = ("inline", "__inline__", "__inline")
_DIRECTIVE = re.compile(r"^[ \t]*#(?![ \t]*pragma[ \t]+(unroll|s2s|dp)\b)", re.MULTILINE)


def _opening(own: list[Token]) -> int:
    """Return the number of the `{` that the last token of a definition closes."""
    depth = 0
    for i in reversed(range(len(own))):
        depth += (own[i].type == "RBRACE") - (own[i].type == "LBRACE")
        if depth == 0:
            return i
    raise AssertionError("a parsed definition has both braces")


def _same_place(a: Span, b: Span) -> bool:
    return a.source is b.source and (a.line, a.column) == (b.line, b.column)


class _Enums:
    """The names that enumerations have in a file: those of the types, and the enumerators.

    In the tree both are plain numbers. C++ compares a number with an enumeration, but turns none into one by itself.
    """

    def __init__(self, tokens: list[Token]) -> None:
        self.types: set[str] = set()
        self.values: set[str] = set()
        for i, token in enumerate(tokens):
            if token.type == "ENUM":
                self._read(tokens, i + 1)
            elif token.type == "TYPEDEF" or token.value == "using":
                self._read_alias(tokens, i + 1)

    def _read(self, tokens: list[Token], at: int) -> None:
        while at < len(tokens) and tokens[at].type not in ("LBRACE", "SEMI", "LPAREN", "RPAREN", "COMMA", "EQUALS"):
            if tokens[at].type in ("ID", "TYPEID") and tokens[at - 1].type == "ENUM":
                self.types.add(tokens[at].value)
            at += 1
        if at < len(tokens) and tokens[at].type == "LBRACE":
            for before, token in pairwise(tokens[at:]):
                if token.type == "RBRACE":
                    break
                if before.type in ("LBRACE", "COMMA") and token.type in ("ID", "TYPEID"):
                    self.values.add(token.value)

    def _read_alias(self, tokens: list[Token], at: int) -> None:
        """Note the names of a `typedef` or `using`, if they name an enumeration."""
        words: list[Token] = []
        depth = 0
        while at < len(tokens) and (depth or tokens[at].type != "SEMI"):
            depth += (tokens[at].type == "LBRACE") - (tokens[at].type == "RBRACE")
            words += [tokens[at]] if depth == 0 else []
            at += 1
        if any(word.type == "ENUM" or word.value in self.types for word in words):
            self.types.update(word.value for word in words if word.type in ("ID", "TYPEID"))

    def matter_in(self, body: list[Token]) -> bool:
        """Whether a body names a type, or hands an enumerator on as it is."""
        if any(token.type == "ENUM" or token.value in self.types for token in body):
            return True
        return any(
            token.value in self.values and before.type in _BEFORE_VALUE and after.type in _AFTER_VALUE
            for before, token, after in zip(body, body[1:], body[2:], strict=False)
        )


_BEFORE_VALUE = frozenset(("EQUALS", "LPAREN", "LBRACE", "COMMA", "RETURN", "CONDOP", "COLON"))
_AFTER_VALUE = frozenset(("SEMI", "RPAREN", "RBRACE", "COMMA", "COLON"))
