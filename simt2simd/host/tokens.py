"""Preprocessed C++ text as tokens: the user's own files in it, where each token is, brackets and their partners."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..lang.concepts import STANDARD_CONCEPTS
from ..source import Source, Span

QUALIFIERS = frozenset(
    ("__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__grid_constant__")
)
LAUNCH_ATTRIBUTES = frozenset(("__launch_bounds__", "__maxnreg__", "__cluster_dims__"))
# Words whose parentheses do not begin a parameter list.
ATTRIBUTES = LAUNCH_ATTRIBUTES | frozenset(
    """__attribute__ __attribute __align__ __builtin_align__ __declspec alignas decltype noexcept explicit typeof
    __typeof __typeof__ __block_size__""".split()
)
TYPE_WORDS = frozenset(
    """auto bool char class const double enum float int long restrict short signed struct typename union unsigned void
    volatile __restrict __restrict__ __signed__""".split()
)
STATEMENT_WORDS = frozenset("and case do else if not or return switch throw while for".split())


class Token(NamedTuple):
    text: str
    start: int
    end: int


class Edit(NamedTuple):
    """Put `text` in place of the characters from `start` to before `end`."""

    start: int
    end: int
    text: str


class Stretch(NamedTuple):
    """The text between two line markers. Its first line is line `line` of `file`.

    `marker` is where the marker before it begins, `name` and `flags` are what it says of the file, as it is written.
    """

    marker: int
    start: int
    end: int
    file: str
    line: int
    name: str
    flags: str


_QUALIFIED = re.compile(r"\b__(?:global|device|host)__\b")
_MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)\n', re.MULTILINE)
_TOKEN = re.compile(
    r"""
      (?P<space> \s+ | ^[ \t]*\#[^\n]* )
    | (?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
    | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'
    | [^\W\d]\w*
    | \.?\d(?:[eEpP][+-]|'?[\w.])*
    | :: | -> | .
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Text:
    """The tokens of the user's own files, and where each is in them."""

    def __init__(self, text: str, source: Source) -> None:
        self.text = text
        self.module = source.name
        self._files = {source.name: source}
        self._stretches = list(_stretches(text))
        self._starts = [stretch.start for stretch in self._stretches]
        self.tokens = [token for part in self._user_parts() for token in _lex(text, part.start, part.end)]

    def _user_parts(self) -> Iterator[Stretch]:
        """Yield the stretches of files that are not system headers, and of those that have CUDA's qualifiers.

        A marker that enters a file (flag 1) as a system header (flag 3) says so. Flag 3 without flag 1 also marks what
        a system header's macro expands to in the user's file. A library's header may call itself one, by a pragma.
        """
        system = {m[2] for m in _MARKER.finditer(self.text) if "1" in m[3].split() and "3" in m[3].split()}
        system -= {s.name for s in self._stretches if s.name in system and _QUALIFIED.search(self.text, s.start, s.end)}
        for stretch in self._stretches:
            if stretch.name not in system and not stretch.file.startswith("<"):
                yield stretch

    @cached_property
    def concepts(self) -> frozenset[str]:
        """The names of concepts: those of the user's text, and of the standard's in <concepts>."""
        own = {after.text for word, after in pairwise(self.tokens) if word.text == "concept"}
        return STANDARD_CONCEPTS | own

    @cached_property
    def partner(self) -> dict[int, int]:
        """Return, by the token number of each bracket, that of its partner."""
        pairs: dict[int, int] = {}
        waiting: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.text in ("(", "[", "{"):
                waiting.append(i)
            elif token.text in (")", "]", "}") and waiting:
                pairs[i] = waiting.pop()
                pairs[pairs[i]] = i
        return pairs

    def at(self, i: int) -> str:
        """Return the text of token `i`, the empty string outside."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_word(self, i: int) -> bool:
        return self.at(i)[:1].isidentifier() and self.at(i)[-1:] not in "'\""

    def is_launch(self, i: int) -> bool:
        """True if tokens i, i+1, i+2 are the `<<<` of a launch; `operator<<<T>` is none."""
        return self.at(i) == self.at(i + 1) == self.at(i + 2) == "<" and self.at(i - 1) not in ("operator", "<")

    def span(self, i: int) -> Span:
        """Return where token `i` is in its file; column 0 where that is unknown.

        Of the words that are alike on its line, the one of the same number, if the file has as many as the text.
        """
        start, word = self.tokens[i].start, self.at(i)
        stretch = self._stretches[bisect_right(self._starts, start) - 1]
        line = stretch.line + self.text.count("\n", stretch.start, start)
        source = self._file(stretch.file)
        begin, end = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", start)
        alike = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        there = [m.start() for m in alike.finditer(source.line(line))]
        here = [begin + m.start() for m in alike.finditer(self.text[begin : end if end >= 0 else None])]
        known = len(there) == len(here) and start in here
        return Span(source, line, there[here.index(start)] + 1 if known else 0, len(word))

    def _file(self, name: str) -> Source:
        if name not in self._files:
            try:
                self._files[name] = Source.read(name)
            except OSError:
                self._files[name] = Source(name, "")
        return self._files[name]

    def marker_before(self, position: int) -> int:
        """Return where the line marker begins that `position` follows."""
        return self._stretches[bisect_right(self._starts, position) - 1].marker

    def blank(self, first: int, last: int, instead: str | None = None) -> Edit:
        """Replace tokens `first` to `last` by spaces, or by `instead` on the line of `first`."""
        start, end = self.tokens[first].start, self.tokens[last].end
        return self.replace(start, end, instead)

    def replace(self, start: int, end: int, instead: str | None) -> Edit:
        """Replace characters by spaces, or by `instead` on their first line; line ends and line markers stay."""
        head, *rest = self.text[start:end].split("\n")
        kept = [line if line.startswith("# ") else " " * len(line) for line in rest]
        return Edit(start, end, "\n".join([" " * len(head) if instead is None else instead, *kept]))

    def apply(self, edits: list[Edit]) -> str:
        """Return the text after `edits`. What follows one on its line keeps its column, on a line of its own."""
        parts: list[str] = []
        done = 0
        for edit in sorted(edits):
            parts += [self.text[done : edit.start], edit.text]
            done = edit.end
            if len(edit.text.rpartition("\n")[2]) != len(self.text[edit.start : edit.end].rpartition("\n")[2]):
                parts.append(self._realignment(done))
        return "".join([*parts, self.text[done:]])

    def _realignment(self, place: int) -> str:
        """Return what brings a reader to `place`, its line and its column; nothing where the line ends there."""
        line_end = self.text.find("\n", place)
        if self.text[place : line_end if line_end >= 0 else None].strip() in ("", ";"):
            return ""
        stretch = self._stretches[bisect_right(self._starts, place) - 1]
        line = stretch.line + self.text.count("\n", stretch.start, place)
        column = place - (self.text.rfind("\n", 0, place) + 1)
        return f'\n# {line} "{stretch.name}"{stretch.flags}\n{" " * column}'


def _stretches(text: str) -> Iterator[Stretch]:
    markers = list(_MARKER.finditer(text))
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    for marker, end in zip(markers, ends, strict=False):
        flags = "".join(f" {flag}" for flag in marker[3].split() if flag in ("3", "4"))  # 1 and 2 enter and leave files
        name = re.sub(r"\\(.)", r"\1", marker[2])
        file = os.fsdecode(name.encode(errors="surrogateescape"))  # as this process writes names of files
        yield Stretch(marker.start(), marker.end(), end, file, int(marker[1]), marker[2], flags)


def _lex(text: str, start: int, end: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start, end):
        if match["space"] is None:
            yield Token(match[0], match.start(), match.end())


def after_attribute(text: Text, i: int) -> int | None:
    """Return the token after the attribute at `i`, `[[...]]` or a word and its parentheses; None if there is none."""
    if text.at(i) == "[" and text.at(i + 1) == "[" and i in text.partner:
        return text.partner[i] + 1
    if text.at(i) in ATTRIBUTES and text.at(i + 1) == "(" and i + 1 in text.partner:
        return text.partner[i + 1] + 1
    return None


def after_attributes(text: Text, i: int) -> int:
    """Return the token after the standard attributes that a declaration begins with at `i`, before all its specifiers.

    CUDA's qualifiers, which the host text has not, may precede them: `__device__ [[nodiscard]] int f()`.
    """
    end = i
    while True:
        after = after_attribute(text, i) if text.at(i) in ("[", "alignas") else None
        if after is not None:
            i = end = after
        elif text.at(i) in QUALIFIERS:
            i += 1
        else:
            return end


def closing_angle(text: Text, i: int) -> int:
    """Return the token of the `>` that closes the template bracket `<` at `i`; `i` itself if none does."""
    depth = 0
    j = i
    opened = ("(", "[", "{") if text.at(i - 1) == "template" else ("(", "[")  # `class F = decltype([] {})`
    while j < len(text.tokens) and (text.at(j) in opened or text.at(j) not in (";", "{", "}", ")")):
        depth += {"<": 1, ">": -1}.get(text.at(j), 0)
        if depth == 0:
            return j
        j = text.partner.get(j, j) + 1 if text.at(j) in opened else j + 1
    return i


def arguments(text: Text, opening: int, *, templates: bool) -> list[tuple[int, int]]:
    """Return the first and last token of each comma-separated item in the brackets that open at `opening`.

    `templates`: a `<` opens a template's brackets, as it does in a parameter list.
    """
    items: list[tuple[int, int]] = []
    closing = text.partner[opening]
    first = i = opening + 1
    while i < closing:
        word = text.at(i)
        if word == ",":
            items.append((first, i - 1))
            first = i + 1
        elif word in ("(", "[", "{"):
            i = text.partner.get(i, i)
        elif word == "<" and templates:
            i = closing_angle(text, i)
        i += 1
    if closing > opening + 1:
        items.append((first, closing - 1))
    return items
