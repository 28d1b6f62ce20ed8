"""The lines of a file in groups: directives, lines that name macros, and between them text that passes as it is.

Most of a file is such text. It goes through the preprocessor as one token for many lines, where pcpp would make a token
of each word, blank and sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Literal

_SPOT = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*(?:.*?\*/)?|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\\\n|["']""",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_LAST_BLANKS = re.compile(r"[ \t]+\n")
_IN_COMMENT, _JOINED = "\v", "\x01"  # ends of lines that end no line for the preprocessor
_NO_MACROS = frozenset(("__LINE__", "__COUNTER__"))  # which change all the same


@dataclass(frozen=True)
class Group:
    """Whole lines, `text[start:end]`, the first of which is number `line`. `kind` is

    "directive": one, with the lines that it continues on;
    "macros": lines that macros may change;
    "plain": lines that pass as `plain` has them, which is without comments.
    """

    kind: Literal["directive", "macros", "plain"]
    start: int
    end: int
    line: int
    plain: str = ""


class _Odd(Exception):
    """The text has something that only pcpp's lexer recognises: a raw string, a quote that is never closed, `1'000`."""


def without_comments(text: str) -> str | None:
    """Return `text` with blanks for comments, and marks for the ends of lines in them and after a backslash.

    All that remains keeps its place. None: the text has something that is not understood here.
    """
    if _JOINED in text or _IN_COMMENT in text:
        return None

    def replaced(match: re.Match[str]) -> str:
        found = match.group()
        if found[0] == "/":
            if found == "/*":
                raise _Odd
            if "\n" not in found:
                return " " * len(found)
            return _IN_COMMENT.join(" " * len(line) for line in found.split("\n"))
        before = text[match.start() - 1 : match.start()]
        if len(found) == 1 or (found[0] == '"' and before == "R") or (found[0] == "'" and before.isalnum()):
            raise _Odd
        return found.replace("\n", _JOINED)

    try:
        return _SPOT.sub(replaced, text)
    except _Odd:
        return None


class Groups:
    """Divides a text, in which every line ends with a newline, into groups.

    `macros` are the names of the macros at the moment: directives may change them while the groups are asked for.
    `count_parentheses` returns how many are open at the end of a group where `depth` are open before it.
    """

    def __init__(
        self,
        bare: str,
        macros: Collection[str],
        count_parentheses: Callable[[Group, int], int],
        trusts: Callable[[], bool],
    ) -> None:
        self._bare = bare
        self._macros = macros
        self._count_parentheses = count_parentheses
        self._trusts = trusts
        self._depth = 0  # parentheses that are open: the arguments of a macro may continue
        self._behind_macro = False  # a `(` may begin its arguments

    def __iter__(self) -> Iterator[Group]:
        start, first, at, number = 0, 1, 0, 1
        for line in self._bare.split("\n")[:-1]:
            if line.lstrip()[:1] == "#":
                yield from self._between(start, at, first)
                end, following = at + len(line) + 1, number + _lines(line)
                yield Group("directive", at, end, number)
                start, first = end, following
            at, number = at + len(line) + 1, number + _lines(line)
        yield from self._between(start, at, first)

    def _between(self, start: int, end: int, number: int) -> Iterator[Group]:
        """Yield the groups of lines without directives."""
        if start == end:
            return
        text = self._bare[start:end]
        named = self._changing(text)
        if named is not None and not named and self._depth == 0 and not self._continues(text):
            self._behind_macro = self._behind_macro and text.isspace()
            yield self._plain(start, end, number)
            return
        at, first, plain_from = start, number, start
        plain_number = number
        for line in text.split("\n")[:-1]:
            after = at + len(line) + 1
            if self._depth > 0 or named is None or _names(line, named) or self._continues(line):
                if plain_from < at:
                    yield self._plain(plain_from, at, plain_number)
                group = Group("macros", at, after, first)
                self._depth = self._count_parentheses(group, self._depth)
                self._behind_macro = True
                yield group
                plain_from, plain_number = after, first + _lines(line)
            elif line and not line.isspace():
                self._behind_macro = False
            at, first = after, first + _lines(line)
        if plain_from < at:
            yield self._plain(plain_from, at, plain_number)

    def _changing(self, text: str) -> set[str] | None:
        """Return the words of `text` that macros may change; None: all of it may change."""
        if not self._trusts():
            return None
        words = set(_WORD.findall(text))
        return {word for word in words if word in self._macros or word in _NO_MACROS} | (
            {_JOINED} if _JOINED in text else set()
        )

    def _continues(self, text: str) -> bool:
        return self._behind_macro and text.lstrip()[:1] == "("

    def _plain(self, start: int, end: int, number: int) -> Group:
        plain = self._bare[start:end].replace(_IN_COMMENT, "\n")
        return Group("plain", start, end, number, _LAST_BLANKS.sub("\n", plain))


def _names(line: str, words: Collection[str]) -> bool:
    return any(word in line for word in words)


def _lines(line: str) -> int:
    """Return the number of lines in the file that are one for the preprocessor."""
    return 1 + line.count(_IN_COMMENT) + line.count(_JOINED)
