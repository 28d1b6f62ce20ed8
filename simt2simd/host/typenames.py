"""Completes `typename` before the type of a member that is defined outside its class template.

    template <class T> S<T>::type S<T>::get() {...}    template <class T> typename S<T>::type S<T>::get() {...}

nvcc takes the one in C++17 too: the class that the declarator names has been declared, so its members are known. g++
takes it from C++20 on ([temp.res.general]).
"""

from __future__ import annotations

from collections.abc import Iterator

from .tokens import Edit, Text, closing_angle


def completed(text: Text) -> Iterator[Edit]:
    """Yield the edits that put `typename` where it is left out."""
    for i, token in enumerate(text.tokens):
        if token.text == "template" and text.at(i + 1) == "<" and text.at(i - 1) != ">":
            yield from _in_definition(text, i)


def _in_definition(text: Text, first: int) -> Iterator[Edit]:
    at = first
    while text.at(at) == "template" and text.at(at + 1) == "<":
        at = closing_angle(text, at + 1) + 1
    named: dict[tuple[str, ...], int] = {}  # each class that begins a qualified name, and where
    while text.at(at) not in ("", "(", ")", "{", "}", ";", "=", ",", ":", "[", "operator", "requires"):
        if not text.is_word(at) or text.at(at + 1) != "<":
            at += 1
            continue
        begin, end = at, closing_angle(text, at + 1)
        while text.at(begin - 1) == "::" and text.is_word(begin - 2):  # namespaces
            begin -= 2
        name = tuple(text.at(i) for i in range(at, end + 1))
        if text.at(end + 1) == "::" and name in named:
            start = text.tokens[named[name]].start
            yield Edit(start, start, "typename ")
            return
        if text.at(end + 1) == "::" and text.is_word(end + 2) and text.at(begin - 1) not in ("typename", "::"):
            if text.at(end + 2) == "template":
                return
            named[name] = begin
        at = end + 1
