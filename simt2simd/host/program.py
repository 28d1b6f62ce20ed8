"""A program's functions, classes and namespaces, and which of its tokens the host compiler will not see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from .functions import Function, find_functions
from .tokens import STATEMENT_WORDS, Text, after_attribute, closing_angle


class Program:
    """The text, its functions, and which tokens are whose.

    `removed` are the tokens that the host compiler will not see, `host_bodies` those in bodies of functions that are
    the host's alone.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.functions = list(find_functions(text))
        self.removed: set[int] = set()
        self.host_bodies: set[int] = set()
        hidden: list[Function] = []
        for function in self.functions:
            if function.kind == "device":
                hidden.append(function)
                self.removed.update(range(function.first, function.last + 1))
            elif function.kind == "kernel" and function.body is not None:
                self.removed.update(range(function.body, function.last + 1))
            elif function.kind == "host" and function.body is not None:
                self.host_bodies.update(range(function.body, function.last + 1))
        for function in hidden:
            if self._stays_declared(function):
                self.removed.difference_update(range(function.first, function.tail))

    def _stays_declared(self, function: Function) -> bool:
        """Return whether host code may need the declaration of a device function: of a method, or of what it names."""
        is_member = self.in_class(function) or self.text.at(function.name_at - 1) == "::"
        return is_member or function.name in self._host_words

    @cached_property
    def _host_words(self) -> frozenset[str]:
        """The words that the host compiler sees, without those before a `(`: a call is an error, which we report."""
        text = self.text
        return frozenset(
            text.at(i)
            for i in range(len(text.tokens))
            if i not in self.removed and text.is_word(i) and not (text.at(i + 1) == "(" and i in self.host_bodies)
        )

    def in_class(self, function: Function) -> bool:
        return any(first < function.first < last for _, first, last in self.classes)

    def is_visible(self, function: Function, i: int) -> bool:
        """Whether a name at token `i`, with nothing before it, may be this function's: a member's only in its class."""
        return all(first < i < last for _, first, last in self.classes if first < function.first < last)

    def in_namespace(self, function: Function) -> bool:
        return any(first < function.first < last for _, first, last in self._namespaces)

    def namespaces_around(self, i: int) -> str:
        """Return the namespaces in which token `i` is, as before its name: `a::b::`. Unnamed ones are empty."""
        enclosing = [(word, first) for word, first, last in self._namespaces if first < i < last]
        names = ["".join(self.text.at(j) for j in range(word + 1, first)) for word, first in enclosing]
        return "".join(f"{name}::" for name in names)

    def class_heads(self, function: Function) -> list[tuple[int, int]]:
        """Return the brackets after the `template` of each class template in which a function is."""
        found: list[tuple[int, int]] = []
        for word, first, last in self.classes:
            if first < function.first < last and self.text.at(word - 1) == ">":
                opening = next((i for i in range(word - 2, -1, -1) if closing_angle(self.text, i) == word - 1), word)
                found += [(opening, word - 1)] if self.text.at(opening - 1) == "template" else []
        return found

    def is_at_namespace_level(self, i: int) -> bool:
        """Whether only braces of namespaces and of `extern "C"` surround token `i`."""
        return i not in self._deep

    @cached_property
    def _deep(self) -> frozenset[int]:
        """The tokens inside braces that are none of a namespace or of `extern "C"`."""
        text, found = self.text, set[int]()
        outer = {first for _, first, _ in self._namespaces}
        i = 0
        while i < len(text.tokens):
            if text.at(i) == "{" and i not in outer and text.at(i - 2) != "extern":
                found.update(range(i + 1, text.partner.get(i, i)))
                i = text.partner.get(i, i)
            i += 1
        return frozenset(found)

    @cached_property
    def classes(self) -> list[tuple[int, int, int]]:
        """The word, and the braces, of each class."""
        return list(self._braces(("class", "struct", "union"), ("(", ";", "=", "}")))

    @cached_property
    def _namespaces(self) -> list[tuple[int, int, int]]:
        return list(self._braces(("namespace",), (";", "=")))

    def _braces(self, words: tuple[str, ...], not_past: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
        """Yield each of `words` that braces follow before any of the tokens `not_past`, and these braces."""
        text = self.text
        for word, token in enumerate(text.tokens):
            if token.text not in words:
                continue
            i = word
            while text.at(i) not in ("", "{", *not_past):
                i = after_attribute(text, i) or i + 1
            if text.at(i) == "{" and i in text.partner:
                yield word, i, text.partner[i]

    @cached_property
    def local_names(self) -> frozenset[str]:
        """Names that a host function seems to declare for itself: a word after a type. They hide functions."""
        text = self.text
        return frozenset(
            text.at(i)
            for i in self.host_bodies
            if text.is_word(i)
            and (text.at(i - 1) in ("*", "&", ">") or text.is_word(i - 1))
            and text.at(i - 1) not in STATEMENT_WORDS
        )
