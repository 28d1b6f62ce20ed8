"""The variables that a host function declares for itself, found by their tokens, and where each can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .functions import Function, param_name, params
from .tokens import STATEMENT_WORDS, TYPE_WORDS, Text, closing_angle

_NO_DECLARATION = STATEMENT_WORDS | frozenset(
    "asm break case catch continue default delete goto new operator template this try typedef using public".split()
)
_SPECIFIERS = TYPE_WORDS | frozenset(
    "constexpr extern inline mutable register static thread_local typename wchar_t char8_t char16_t char32_t".split()
)
_TYPES = frozenset("auto bool char double float int long short signed unsigned void wchar_t".split())
_HEADS = ("for", "if", "switch", "while", "catch")  # their brackets may begin with a declaration


class Local(NamedTuple):
    """A local variable, which tokens `first` to `end` - 1 may name. `words` are those of its type.

    `bound`: it is a structured binding. `is_pack`: a parameter pack.
    """

    name: str
    first: int
    end: int
    words: frozenset[str]
    bound: bool = False
    is_pack: bool = False


def local_variables(text: Text, function: Function) -> Iterator[Local]:
    """Yield the parameters and the variables with automatic storage of a function, also of the lambdas in it."""
    if function.body is None:
        return
    for first, last in params(text, function):
        yield from _parameter(text, first, last, function.last)
    yield from _declared(text, function.body, function.last)


def visible(variables: list[Local], at: int) -> dict[str, Local]:
    """Return by name those of `variables` that can be seen at token `at`, inner ones in place of outer ones."""
    return {v.name: v for v in sorted(variables, key=lambda v: v.first) if v.first <= at < v.end}


def _parameter(text: Text, first: int, last: int, end: int) -> Iterator[Local]:
    name_at, _ = param_name(text, first, last)
    if name_at is not None:
        tokens = [text.at(i) for i in range(first, last + 1)]
        yield Local(text.at(name_at), name_at, end, frozenset(tokens), is_pack="." in tokens)


def _declared(text: Text, opening: int, closing: int) -> Iterator[Local]:
    """Yield what is declared between two braces."""
    blocks = [closing]
    for i in range(opening, closing):
        word, before = text.at(i), text.at(i - 1)
        while i >= blocks[-1]:
            blocks.pop()
        if word == "{":
            blocks.append(text.partner.get(i, closing))
        elif word == "(" and before in _HEADS:
            yield from _declaration(text, i + 1, _end_of_statement(text, i))
        elif word == "(" and before == "]" and (body := _lambda_body(text, i)) is not None:
            for first, last in _bracketed(text, i):
                yield from _parameter(text, first, last, text.partner.get(body, closing))
        elif before in ("{", "}", ";") and text.is_word(i):
            yield from _declaration(text, i, blocks[-1])


def _bracketed(text: Text, opening: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last token of each parameter of a lambda."""
    closing = text.partner.get(opening, opening)
    first = i = opening + 1
    while i < closing:
        if text.at(i) in ("(", "[", "{"):
            i = text.partner.get(i, i)
        elif text.at(i) == "<":
            i = closing_angle(text, i)
        elif text.at(i) == ",":
            yield first, i - 1
            first = i + 1
        i += 1
    if first < closing:
        yield first, closing - 1


def _lambda_body(text: Text, opening: int) -> int | None:
    """Return the `{` of the lambda whose parameters begin at `opening`; None if it is no lambda."""
    i = text.partner.get(opening, opening) + 1
    while text.at(i) not in ("", "{", ";", ")", "}", ","):
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[") else i + 1
    return i if text.at(i) == "{" else None


def _end_of_statement(text: Text, head: int) -> int:
    """Return where the statement ends whose head (`for (...)`) opens at `head`; an `else` belongs to it."""
    i = text.partner.get(head, head) + 1
    while text.at(i) in _HEADS and text.at(i + 1) == "(":
        i = text.partner.get(i + 1, i + 1) + 1
    if text.at(i) != "{":
        while text.at(i) not in ("", ";", "}"):
            i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[", "{") else i + 1
    end = text.partner.get(i, i) + 1
    if text.at(end) == "else":
        following = end + 1
        while text.at(following) in _HEADS:
            following += 1
        return _end_of_statement(text, following - 1 if text.at(following) != "(" else following)
    return end


def _declaration(text: Text, first: int, end: int) -> Iterator[Local]:
    """Yield the variables that the declaration at token `first` declares; none if it is something else."""
    i = first
    words: set[str] = set()
    named = False  # the type has its name
    while text.is_word(i):
        word = text.at(i)
        if word in _NO_DECLARATION:
            return
        is_specifier = word in _SPECIFIERS
        if not is_specifier and named:
            break
        words.add(word)
        named |= not is_specifier or word in _TYPES
        i += 1
        if text.at(i) == "<" and closing_angle(text, i) > i:
            i = closing_angle(text, i) + 1
        if text.at(i) == "::" or word == "decltype":
            i, named = (i + 1 if text.at(i) == "::" else text.partner.get(i, i) + 1), word == "decltype"
    if not named or words & {"static", "extern", "thread_local"}:
        return
    yield from _declarators(text, i, end, frozenset(words))


def _declarators(text: Text, i: int, end: int, words: frozenset[str]) -> Iterator[Local]:
    while True:
        while text.at(i) in ("*", "&", "const", "volatile", "__restrict__", "__restrict"):
            i += 1
        if text.at(i) == "[" and "auto" in words and i in text.partner:
            for j in range(i + 1, text.partner[i]):
                if text.is_word(j):
                    yield Local(text.at(j), j, end, words, bound=True)
            return
        at = i
        if text.at(i) == "(" and text.at(i + 1) in ("*", "&") and i in text.partner:  # int (*p)[3]
            at, i = i + 2, text.partner[i]
        if not text.is_word(at) or text.at(i + 1) not in ("=", ";", ",", "(", "{", "[", ":", ")"):
            return
        yield Local(text.at(at), at, end, words)
        i += 1
        while text.at(i) not in ("", ",", ";", ")", "}", ":"):
            i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[", "{") else i + 1
        if text.at(i) != ",":
            return
        i += 1
