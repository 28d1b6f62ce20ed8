"""Qualifies names of types that a class declares again as its own members.

    template <class T> struct Tree { using box = box<T>; };     struct Tree { using box = ::ns::box<T>; };

The member changes what `box` means in its class, which [basic.scope.class] forbids without asking for a message. nvcc
takes such classes, g++ does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program
from .tokens import ATTRIBUTES, Edit, Text, after_attribute, closing_angle

_CLASS_KEYS = ("struct", "class", "union", "enum")
_AFTER_NAME = (";", "=", ",", "[", "{", "(", ":")
_BEFORE_NAME = (">", "*", "&")


def qualified(program: Program) -> Iterator[Edit]:
    """Yield the edits that say which type is meant where a class uses its name, and then declares that name."""
    text = program.text
    types = _types_of_namespaces(program)
    inside: list[tuple[int, set[str]]] = []  # the end of each class around, and the names of its members
    for word, first, last in program.classes:
        if text.at(word - 1) in ("<", ","):  # `template <class T> struct S {`
            continue
        own = word + 1
        while text.at(own) in ("[", *ATTRIBUTES):
            own = after_attribute(text, own) or own + 1
        while inside and inside[-1][0] < first:
            inside.pop()
        around = set().union(*(names for _, names in inside))
        members: dict[str, tuple[int, int]] = {}
        for name, place in _members(text, first, last):
            if name != text.at(own):  # constructors
                members.setdefault(name, place)
        for name, (at, end) in members.items():
            if name not in types or name in around:
                continue
            spaces = _path(program, first)
            visible = [path for path, where in types[name] if where < first and path == spaces[: len(path)]]
            if not visible:
                continue
            for i in _at_level(text, first, end):
                if i != at and text.at(i) == name and text.at(i - 1) not in ("::", ".", *_CLASS_KEYS):
                    token = text.tokens[i]
                    yield Edit(token.start, token.start, "".join(f"::{part}" for part in max(visible, key=len)) + "::")
        inside.append((last, set(members)))


def _types_of_namespaces(program: Program) -> dict[str, list[tuple[tuple[str, ...], int]]]:
    """Return the types that are declared in namespaces by their names: the namespaces around each, and where it is."""
    text, found = program.text, dict[str, list[tuple[tuple[str, ...], int]]]()
    for i, token in enumerate(text.tokens):
        if token.text in _CLASS_KEYS and text.at(i - 1) not in ("<", ",", "enum"):
            at = i + 1 + (text.at(i + 1) in ("class", "struct"))
            declares = text.is_word(at) and text.at(at + 1) in ("{", ";", ":")
        else:
            at = i + 1
            declares = token.text == "using" and text.is_word(at) and text.at(at + 1) == "="
        if declares and program.is_at_namespace_level(i):
            found.setdefault(text.at(at), []).append((_path(program, i), i))
    return found


def _path(program: Program, i: int) -> tuple[str, ...]:
    return tuple(name for name in program.namespaces_around(i).split("::") if name)


def _at_level(text: Text, first: int, end: int) -> Iterator[int]:
    """Yield the tokens between the brace at `first` and `end` that no other braces surround."""
    i = first + 1
    while i < end:
        yield i
        i = text.partner.get(i, i) + 1 if text.at(i) == "{" else i + 1


def _members(text: Text, first: int, last: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names that the class with these braces declares, where each one is, and where its declaration ends."""
    begin = i = first + 1
    while i < last:
        word = text.at(i)
        if word in ("{", "(", "["):
            i = text.partner.get(i, i) + 1
            if word == "{" and text.at(i) != ";":
                begin = i
            continue
        if word == "<" and text.is_word(i - 1):
            i = max(closing_angle(text, i), i) + 1
            continue
        if word == "=" and text.at(begin) != "using":
            i = begin = _end(text, i, last)
            continue
        if word == ";" or (word == ":" and text.at(i - 1) in ("public", "private", "protected")):
            begin = i + 1
        elif text.is_word(i) and text.at(begin) not in ("friend", "template") and text.at(i + 1) in _AFTER_NAME:
            alias = text.at(i - 1) == "using" and text.at(i + 1) == "="
            declarator = i > begin and (text.at(i - 1) in _BEFORE_NAME or text.is_word(i - 1))
            if alias or (declarator and text.at(i - 1) not in (*_CLASS_KEYS, "using", "operator", "namespace")):
                yield word, (i, _end(text, i, last))
        i += 1


def _end(text: Text, i: int, last: int) -> int:
    while i < last and text.at(i) not in (";", "{"):
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[") else i + 1
    return i
