"""The types, and the constants of classes, that host code sees by names which belong to functions and classes.

    struct Grid { using cell = int; void fill() { using row = cell *; ... } };

Code that moves out of `fill` sees neither `row` nor `cell`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .functions import Function
from .program import Program
from .tokens import ATTRIBUTES, Text, after_attribute, closing_angle

_CLASS_KEYS = ("struct", "class", "union", "enum")
_FLOATS = ("float", "double")


class Around(NamedTuple):
    """The names of types, and those of constants, in the order in which they are declared."""

    types: list[str]
    constants: list[str]


def names_around(program: Program, function: Function, at: int) -> Around:
    """Return what a function and its classes declare and token `at` of its body sees."""
    text = program.text
    types: dict[str, None] = {}
    constants: dict[str, None] = {}
    for first, last in _classes_of(program, function):
        for i in _members(text, first, last):
            types.update(dict.fromkeys(_types(text, i)))
            constants.update(dict.fromkeys(_constants(text, i)))
    if function.body is not None:
        for i in _visible(text, function.body, at):
            types.update(dict.fromkeys(_aliases(text, i)))
    return Around(list(types), list(constants))


def _classes_of(program: Program, function: Function) -> Iterator[tuple[int, int]]:
    """Yield the braces of the classes in which a function is, outer ones first."""
    text = program.text
    qualifiers: list[str] = []
    i = function.name_at - 1
    while text.at(i) == "::":
        i -= 1
        if text.at(i) == ">":
            closing = i
            i = next((j for j in range(i - 1, function.first, -1) if closing_angle(text, j) == closing), i) - 1
        qualifiers.append(text.at(i))
        i -= 1
    for word, first, last in program.classes:
        own = word + 1
        while text.at(own) in ("[", *ATTRIBUTES):
            own = after_attribute(text, own) or own + 1
        if first < function.first < last or text.at(own) in qualifiers:
            yield first, last


def _members(text: Text, first: int, last: int) -> Iterator[int]:
    """Yield the tokens that begin a declaration between two braces; those of other braces are passed over."""
    begins, i = True, first + 1
    while i < last:
        if begins:
            yield i
        word = text.at(i)
        begins = word in (";", "}") or (word == ":" and text.at(i - 1) in ("public", "private", "protected"))
        if word == "{":
            begins = text.at(text.partner.get(i, i) + 1) != ";"
        i = text.partner.get(i, i) + 1 if word in ("{", "(", "[") else i + 1


def _visible(text: Text, opening: int, at: int) -> Iterator[int]:
    """Yield the tokens of a body that begin a statement, in the blocks around token `at` and before it."""
    i = opening + 1
    while i < at:
        if text.at(i - 1) in ("{", "}", ";"):
            yield i
        closed = text.at(i) == "{" and text.partner.get(i, at) < at
        i = text.partner[i] + 1 if closed else i + 1


def _aliases(text: Text, i: int) -> Iterator[str]:
    """Yield the other names of types that the declaration at token `i` declares."""
    if text.at(i) == "using" and text.is_word(i + 1) and text.at(i + 2) == "=":
        yield text.at(i + 1)
    elif text.at(i) == "typedef":
        yield from _typedef_names(text, i)


def _typedef_names(text: Text, i: int) -> Iterator[str]:
    name = ""
    while text.at(i) not in ("", ";"):
        word = text.at(i)
        if word == "<" and closing_angle(text, i) > i:
            i = closing_angle(text, i)
        elif word == "(" and text.at(i + 1) in ("*", "&"):  # typedef int (*F)(int);
            name, i = text.at(i + 2), text.partner.get(i, i)
        elif word == ",":
            yield name
        elif text.is_word(i):
            name = word
        i = text.partner.get(i, i) + 1 if word in ("(", "[", "{") and text.at(i) == word else i + 1
    if name:
        yield name


def _types(text: Text, i: int) -> Iterator[str]:
    """Yield the types that the member at token `i` declares."""
    if text.at(i) in _CLASS_KEYS:
        at = i + 1 + (text.at(i) == "enum" and text.at(i + 1) in _CLASS_KEYS)
        while text.at(at) in ("[", *ATTRIBUTES):
            at = after_attribute(text, at) or at + 1
        if text.is_word(at) and text.at(at + 1) in ("{", ":", ";"):
            yield text.at(at)
    else:
        yield from _aliases(text, i)


def _constants(text: Text, i: int) -> Iterator[str]:
    """Yield the integers that the member at token `i` declares as constants."""
    words: list[str] = []
    while text.is_word(i) or text.at(i) == "::":
        words.append(text.at(i))
        i += 1
    constant = "static" in words[:-1] and ("constexpr" in words[:-1] or "const" in words[:-1])
    if constant and text.at(i) in ("=", "{") and not any(word in _FLOATS for word in words):
        yield words[-1]
