"""Preprocessed C++ text as tokens: the user's own files in it, where each token is, and the functions declared.

This is no C++ parser. It knows brackets, template brackets after names, and what a function declaration looks like;
that is enough to find kernels, and what it does not understand it leaves to the C++ compiler.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from ..lang.concepts import STANDARD_CONCEPTS
from ..source import Source, Span

QUALIFIERS = frozenset(
    ("__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__grid_constant__")
)
LAUNCH_ATTRIBUTES = frozenset(("__launch_bounds__", "__maxnreg__", "__cluster_dims__"))
# Words whose parentheses do not begin a parameter list.
ATTRIBUTES = LAUNCH_ATTRIBUTES | {"__attribute__", "__align__", "alignas", "decltype", "noexcept", "explicit"}
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
        """Yield the stretches of files that are not system headers.

        A marker that enters a file (flag 1) as a system header (flag 3) says so. Flag 3 without flag 1 also marks what
        a system header's macro expands to in the user's file.
        """
        system = {m[2] for m in _MARKER.finditer(self.text) if "1" in m[3].split() and "3" in m[3].split()}
        for stretch in self._stretches:
            if stretch.file not in system and not stretch.file.startswith("<"):
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


# -------------------------------------------------------------------------------------------- functions


Side = Literal["kernel", "device", "both", "host"]


class Function(NamedTuple):
    """A function declared or defined in the user's text; all places are token numbers.

    `kind` is "kernel", "device" (device only), "both" or "host"; `words` are those before its name. `first` begins the
    declaration, `last` is its `;` or the `}` of its body. `heads` are the brackets after each `template`. `own` is the
    first token after them and the `requires` clause that may follow them. `name_at` is the name, `params` the `(`
    after it, `tail` where the declaration ends that a prototype would have: at a `:`, a `{` or the `;`. `body` is the
    `{` or None for a prototype.
    """

    name: str
    kind: Side
    words: frozenset[str]
    first: int
    heads: tuple[tuple[int, int], ...]
    own: int
    name_at: int
    params: int
    tail: int
    body: int | None
    last: int

    @property
    def static(self) -> bool:
        return "static" in self.words


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
        return any(first < function.first < last for _, first, last in self._classes)

    def is_visible(self, function: Function, i: int) -> bool:
        """Whether a name at token `i`, with nothing before it, may be this function's: a member's only in its class."""
        return all(first < i < last for _, first, last in self._classes if first < function.first < last)

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
        for word, first, last in self._classes:
            if first < function.first < last and self.text.at(word - 1) == ">":
                opening = next((i for i in range(word - 2, -1, -1) if closing_angle(self.text, i) == word - 1), word)
                found += [(opening, word - 1)] if self.text.at(opening - 1) == "template" else []
        return found

    @cached_property
    def _classes(self) -> list[tuple[int, int, int]]:
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
                i += 1
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


def find_functions(text: Text) -> Iterator[Function]:
    """Yield the functions of the user's text. Bodies are passed over; classes, namespaces and `extern "C"` entered."""
    i = 0
    while i < len(text.tokens):
        function = _function_at(text, i)
        if function is not None:
            yield function
            i = function.last + 1
        else:
            i = _next_declaration(text, i)


def _next_declaration(text: Text, first: int) -> int:
    """Return where the declaration after the one at `first` begins; that may be inside this one's braces."""
    words: set[str] = set()
    i = first
    while i < len(text.tokens):
        word = text.at(i)
        if word in (";", "}"):
            return i + 1
        if word == "{":
            if i == first or words & {"namespace", "class", "struct", "union", "enum", "extern"}:
                return i + 1
            i = text.partner.get(i, i)
            if text.at(i + 1) not in (";", ",", "{", ")"):  # not an initialiser, but the body of what is no function
                return i + 1
        elif word in ("(", "["):
            i = text.partner.get(i, i)
        elif word == ":" and text.at(i - 1) in ("public", "private", "protected"):
            return i + 1
        words.add(word)
        i += 1
    return i


def _function_at(text: Text, first: int) -> Function | None:
    """Return the function whose declaration begins at token `first`, None if it is something else."""
    words: set[str] = set()
    angles = (first, first)  # the last template brackets
    heads: list[tuple[int, int]] = []
    own = i = first
    while text.at(i) not in ("(", "operator"):
        word = text.at(i)
        if word in ("", ";", "=", "{", "}") or (word == ":" and words <= {"public", "private", "protected"}):
            return None
        if word == "[":
            i = text.partner.get(i, i)  # [[attribute]], or the brackets of an array, which has no parameters after it
        elif word in ATTRIBUTES and text.at(i + 1) == "(":
            i = text.partner.get(i + 1, i + 1)
        elif word == "<":
            angles = (i, closing_angle(text, i))
            if text.at(i - 1) == "template":
                heads.append(angles)
                own = angles[1] + 1
            i = angles[1]
        elif word == "requires" and i == own:
            own = after_requires(text, i)
            i = own - 1
        words.add(word)
        i += 1
    name_at = i - 1 if angles[1] != i - 1 else angles[0] - 1  # of `f<3>(...)` too, a specialisation
    if text.at(i) == "operator":
        name_at = i
        i += 2
        if text.at(i - 1) == "(":  # operator()(...)
            i += 1
        while text.at(i) not in ("(", "", ";", "{"):
            i += 1
    if name_at < first or not text.is_word(name_at) or text.at(name_at) in TYPE_WORDS or i not in text.partner:
        return None
    params = i
    if re.match(r"""[\d"'+!~{-]""", text.at(params + 1)):  # `int x(3);` is a variable
        return None
    tail, end = _end_of_head(text, text.partner[params] + 1)
    body = end if text.at(end) == "{" else None
    last = text.partner.get(end, end) if body is not None else end
    if text.at(last) not in (";", "}"):
        return None
    kind: Side = "kernel" if "__global__" in words else "device" if "__device__" in words else "host"
    if kind == "device" and "__host__" in words:
        kind = "both"
    name = "".join(text.at(j) for j in range(name_at, params)) if text.at(name_at) == "operator" else text.at(name_at)
    return Function(name, kind, frozenset(words), first, tuple(heads), own, name_at, params, tail, body, last)


def after_requires(text: Text, i: int) -> int:
    """Return the token after the `requires` clause that begins at `i`."""
    while True:
        i = _after_condition(text, i + 1)
        if text.at(i) == text.at(i + 1) and text.at(i) in ("&", "|"):
            i += 1
        else:
            return i


def _after_condition(text: Text, i: int) -> int:
    """Return the token after a name, a literal, parentheses, or `requires (...) {...}`."""
    if text.at(i) == "requires":
        i += 1
        if text.at(i) == "(":
            i = text.partner.get(i, i) + 1
        return text.partner.get(i, i) + 1
    if text.at(i) == "(":
        return text.partner.get(i, i) + 1
    while True:
        i += 2 if text.at(i) == "::" else 1
        if text.at(i) == "<":
            i = closing_angle(text, i) + 1
        if text.at(i) != "::":
            return i


def _end_of_head(text: Text, i: int) -> tuple[int, int]:
    """Return where a constructor's initialisers begin, and where the body or the `;` is, after the parameters."""
    while text.at(i) not in ("", ";", "{", "}", ":"):
        if text.at(i) == "requires":
            i = after_requires(text, i)
            continue
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[") else i + 1
    tail = i
    while text.at(i) in (":", ","):  # `: x(a), y{b}, Base<T>(c) {`
        while text.at(i) not in ("", ";", "(", "{", "}"):
            i = max(closing_angle(text, i), i) + 1 if text.at(i) == "<" else i + 1
        i = text.partner.get(i, i) + 1
        while text.at(i) == ".":  # of a pack
            i += 1
    return tail, i


def closing_angle(text: Text, i: int) -> int:
    """Return the token of the `>` that closes the template bracket `<` at `i`; `i` itself if none does."""
    depth = 0
    j = i
    while j < len(text.tokens) and text.at(j) not in (";", "{", "}", ")"):
        depth += {"<": 1, ">": -1}.get(text.at(j), 0)
        if depth == 0:
            return j
        j = text.partner.get(j, j) + 1 if text.at(j) in ("(", "[") else j + 1
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


def params(text: Text, function: Function) -> list[tuple[int, int]]:
    params = arguments(text, function.params, templates=True)
    return [] if [text.at(i) for param in params for i in param] == ["void", "void"] else params


def param_name(text: Text, first: int, last: int) -> tuple[int | None, int]:
    """Return the token of a parameter's name, None if it has none, and the token after which one would be inserted."""
    declarator: list[int] = []
    i = first
    while i <= last and text.at(i) != "=":
        if text.at(i) == "[" and text.at(i + 1) != "[":
            break
        if text.at(i) == "(" and text.at(i + 1) in ("*", "&"):  # a pointer to an array or function: T (*name)[4]
            closing = text.partner.get(i, last)
            inner = [j for j in range(i, closing) if text.is_word(j) and text.at(j) not in TYPE_WORDS]
            return (inner[0], i) if inner else (None, i + 1)
        if text.at(i) == "[":  # an attribute
            i = text.partner.get(i, i)
        elif text.at(i) == "<":
            i = closing_angle(text, i)
        elif text.at(i) in ATTRIBUTES and text.at(i + 1) == "(":
            i = text.partner.get(i + 1, i + 1)
        else:
            declarator.append(i)
        i += 1
    end = i - 1
    words = [j for j in declarator if text.is_word(j) and text.at(j) not in QUALIFIERS]
    if not words or text.at(words[-1]) in TYPE_WORDS:
        return None, end
    # `Point`, `const Point` and `Point *` name a type only; so does the last part of `geo::Point`.
    others = [
        j for j in words[:-1] if text.at(j) not in ("const", "volatile", "struct", "enum", "union", "class", "typename")
    ]
    if not others or text.at(words[-1] - 1) == "::" or text.at(end) in ("*", "&", ".", ">"):
        return None, end
    return words[-1], end
