"""Headers of a program in the place of their includes: for functions of theirs that `--emit cuda` changes.

    #include "../common/walk.h"     ->      // From ../common/walk.h.
                                            #ifndef WALK_H
                                            ...
                                            #endif
                                            // To here ../common/walk.h.

A header that includes such a header comes too: else the functions would be defined twice. Includes in it lead to where
they led to. In place of `#pragma once` it has a guard.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..diag import Diagnostic, Note
from ..frontend.text.headers import LIBRARIES
from ..options import Options
from ..source import Source, Span


@dataclass(frozen=True)
class Joined:
    """A program with headers in it. `lines`: the file and the line of each of its lines; None for those of ours."""

    source: Source
    lines: tuple[tuple[Source, int] | None, ...]

    def remapped(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a message about the program as one about the files that it was made of."""
        notes = tuple(Note(self.span(note.span), note.message) for note in diagnostic.notes)
        return replace(diagnostic, span=self.span(diagnostic.span), notes=notes)

    def span(self, span: Span) -> Span:
        """Return the place in the programmer's files of a place in the program."""
        if span.source.name != self.source.name or not 1 <= span.line <= len(self.lines):
            return span
        place = self.lines[span.line - 1]
        return span if place is None else Span(place[0], place[1], span.column, span.length, span.expansion)


def own_headers(source: Source, included: Mapping[str, str | None]) -> dict[str, str]:
    """Return the texts of the headers that are the program's own, by their paths."""
    main = os.path.abspath(source.name)
    return {
        os.path.normpath(path): text
        for path, text in included.items()
        if text is not None and path != main and not path.startswith(f"{LIBRARIES}{os.sep}")
    }


def joined(
    source: Source, options: Options, included: Mapping[str, str | None], wanted: Collection[str], read: Reader
) -> Joined:
    """Return a program with the text of the headers in it that are `wanted`, and of those that include them."""
    return _Joiner(source, options, own_headers(source, included), read).joined(wanted)


Reader = Callable[[str], Source]  # of the text of a file

_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)')
_CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b")
_ONCE = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+once\b")
_SYSTEM = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+(GCC|clang)[ \t]+system_header\b")
_GUARD = re.compile(r"\s*#[ \t]*ifndef[ \t]+(\w+)[ \t]*\n\s*#[ \t]*define[ \t]+(\w+)\b")
_DEEPEST = 100

Line = tuple[str, tuple[Source, int] | None]


@dataclass
class _Joiner:
    """Puts headers in the place of their includes. `done`: those that need not come again; `open`: those on the way."""

    source: Source
    options: Options
    own: Mapping[str, str]
    read: Reader
    sources: dict[str, Source] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    open: list[str] = field(default_factory=list)

    def joined(self, wanted: Collection[str]) -> Joined:
        self.sources = {path: self.read(path) for path in self.own}
        self.wanted = self._with_users({os.path.normpath(os.path.abspath(path)) for path in wanted})
        lines = list(self._file(self.source, self.main, always=True))
        text = "\n".join(text for text, _ in lines)
        return Joined(Source(self.source.name, text), tuple(place for _, place in lines))

    @property
    def main(self) -> str:
        return os.path.normpath(os.path.abspath(self.source.name))

    def _with_users(self, wanted: set[str]) -> set[str]:
        """Return headers with those that include them."""
        uses = {path: set(self._uses(source, path)) for path, source in self.sources.items()}
        found = wanted & uses.keys()
        while more := {path for path, used in uses.items() if used & found} - found:
            found |= more
        return found

    def _uses(self, source: Source, path: str) -> Iterator[str]:
        for text, _ in without_comments(source.text):
            if include := _INCLUDE.match(text):
                yield from filter(None, [self._path(include, path)])

    def _path(self, include: re.Match[str], path: str) -> str | None:
        """Return the header of the program that an include in the file `path` names; None if it names another one."""
        quoted, angled = include.groups()
        beside = [os.path.dirname(path)] if quoted else []
        for folder in (*beside, *self.options.include_dirs, *self.options.system_dirs):
            found = os.path.normpath(os.path.join(os.path.abspath(folder), quoted or angled))
            if found in self.own:
                return found
        return None

    # ------------------------------------------------------------------------------------------- the text

    def _file(self, source: Source, path: str, *, always: bool) -> Iterator[Line]:
        """Yield the lines of a file. `always`: no condition around its include leaves it out."""
        whole = without_comments(source.text)
        guarded = path != self.main and _is_guarded([text for text, _ in whole])
        depth = -guarded
        for number, (text, written) in enumerate(whole, 1):
            place = source, number
            if condition := _CONDITION.match(text):
                depth += -1 if condition[1] == "endif" else 1
            include = _INCLUDE.match(text)
            used = include and self._path(include, path)
            if path != self.main and (_ONCE.match(text) or _SYSTEM.match(text)):
                yield "", place
            elif include is None or used is None:
                yield written, place
            elif used in self.wanted:
                if before := written[: text.index("#")].strip():  # the end of a comment
                    yield before, place
                yield from self._header(used, always=always and depth == 0)
                if rest := written[include.end() :].strip():
                    yield rest, place
            else:
                yield self._led(include, written, used), place

    def _led(self, include: re.Match[str], written: str, used: str) -> str:
        """Return an include that leads from the program file to where it led to from its own."""
        if include[1] is None or self._path(include, self.main) == used:
            return written
        shown = os.path.relpath(used, os.path.dirname(self.main))
        return f"{written[: include.start(1)]}{shown}{written[include.end(1) :]}"

    def _header(self, path: str, *, always: bool) -> Iterator[Line]:
        """Yield the lines of a header with what it is left out by the second time."""
        source = self.sources[path]
        shown = re.sub(r"[^ -\[\]-~]", "?", os.path.relpath(path, os.path.dirname(self.main)))
        texts = [text for text, _ in without_comments(source.text)]
        once = any(map(_ONCE.match, texts))
        if path in self.done or (path in self.open and (once or _is_guarded(texts))):
            yield f"// {shown} is there already.", None
            return
        if len(self.open) > _DEEPEST:
            yield f'#include "{shown}"', None
            return
        if always and (once or _is_guarded(texts)):
            self.done.add(path)
        self.open.append(path)
        guard = f"S2S_ONCE_{sorted(self.own).index(path)}"
        yield f"// From {shown}.", None
        if once:
            yield from ((text, None) for text in (f"#ifndef {guard}", f"#define {guard}"))
        lines = list(self._file(source, path, always=always))
        yield from lines if lines[-1][0] else lines[:-1]
        if once:
            yield "#endif", None
        yield f"// To here {shown}.", None
        self.open.pop()


def _is_guarded(texts: list[str]) -> bool:
    """Whether all of a file is between `#ifndef X`, `#define X` and `#endif`."""
    found = _GUARD.match("\n".join(texts))
    if found is None or found[1] != found[2]:
        return False
    depth = 0
    for i, text in enumerate(texts):
        if condition := _CONDITION.match(text):
            depth += -1 if condition[1] == "endif" else 1
            if depth == 0:
                return not any(rest.strip() for rest in texts[i + 1 :])
    return False


_SKIPPED = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|(?:\b(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)")'
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'",
    re.DOTALL,
)


def without_comments(text: str) -> list[tuple[str, str]]:
    """Return the lines of a text, each with blanks in the place of comments and raw strings, and as it is."""

    def blanks(found: re.Match[str]) -> str:
        keeps = found[0][0] in "\"'"
        return found[0] if keeps else re.sub(r"[^\n]", " ", found[0])

    return list(zip(_SKIPPED.sub(blanks, text).split("\n"), text.split("\n"), strict=True))
