"""nvcc's command line, word by word: options with their values, and files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .nvcc_options import BY_NAME, NvccOption

_FOR_COMPILER = ("forward-unknown-to-host-compiler", "forward-unknown-opts")
_FOR_LINKER = ("forward-unknown-to-host-linker", "forward-unknown-opts")
_SHELL_WORDS = ("Xcompiler", "Xlinker", "Xarchive", "Xptxas", "run-args")  # nvcc's shell splits these


class UsageFault(Exception):
    """The command line is not one of nvcc's, or one that we refuse; the text says why."""


@dataclass
class Words:
    """What a command line says. `values` has the values of each option by its short name, in order.

    `order` has all options and their values as they came, for those of which the later ones override the earlier.
    `for_compiler` and `for_linker` are options that nvcc does not know. `ours` are simt2simd's own.
    """

    files: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    order: list[tuple[str, str]] = field(default_factory=list)
    for_compiler: list[str] = field(default_factory=list)
    for_linker: list[str] = field(default_factory=list)
    ours: list[str] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        return any(name in self.values for name in names)

    def last(self, name: str) -> str | None:
        return self.values[name][-1] if name in self.values else None

    def all(self, name: str) -> list[str]:
        return self.values.get(name, [])


def read(words: Sequence[str], environment: Mapping[str, str], ours: Mapping[str, bool]) -> Words:
    """Return what `words` say, with those of NVCC_PREPEND_FLAGS before and of NVCC_APPEND_FLAGS after them.

    `ours` are simt2simd's own options: True for one that takes a value. Raises `UsageFault`.
    """
    before, after = (shlex.split(environment.get(f"NVCC_{place}_FLAGS", "")) for place in ("PREPEND", "APPEND"))
    todo = _Reader([*before, *words, *after], ours)
    for unknown in todo.unknown:
        passed = todo.result.has(*_FOR_COMPILER), todo.result.has(*_FOR_LINKER)
        if not any(passed):
            raise UsageFault(
                f"unknown option '{unknown}'\n"
                "help: the C++ compiler's options are passed on as -Xcompiler OPTION, or all by -forward-unknown-opts"
            )
        todo.result.for_compiler += [unknown] if passed[0] else []
        todo.result.for_linker += [unknown] if passed[1] else []
    return todo.result


class _Reader:
    """Reads words one after the other."""

    def __init__(self, words: Sequence[str], ours: Mapping[str, bool]) -> None:
        self.result = Words()
        self.unknown: list[str] = []
        self._ours = ours
        self._read(iter(words))

    def _read(self, words: Iterator[str]) -> None:
        for word in words:
            if not word.startswith("-") or word == "-":
                self.result.files.append(word)
                continue
            name, equals, value = word.partition("=")
            row = BY_NAME.get(name)
            if row is None and name in self._ours:
                takes_next = self._ours[name] and not equals
                self.result.ours += [word, *([_next(words, word)] if takes_next else [])]
            elif row is None and (touching := _touching(word)) is not None:
                self._add(touching, word, word[2:].removeprefix("="))
            elif row is None:
                self.unknown.append(word)
            elif not row.takes:
                if equals:
                    raise UsageFault(f"'{name}' takes no value")
                self._add(row, word, "")
            else:
                self._add(row, name, value if equals else _next(words, word))

    def _add(self, row: NvccOption, name: str, value: str) -> None:
        if row.refused:
            raise UsageFault(f"nvcc's option '{name.partition('=')[0]}' is not supported\nhelp: {row.refused}")
        _check(row, name, value)
        if row.short == "optf":
            for file in split_list(value):
                self._read(iter(_words_of(file)))
            return
        values = split_list(value) if row.takes == "list" else [value]
        if row.short in _SHELL_WORDS:
            values = [part for text in values for part in shlex.split(text)]
        self.result.values.setdefault(row.short, []).extend(values)
        self.result.order += [(row.short, each) for each in values]


def _touching(word: str) -> NvccOption | None:
    """Return the option of one letter whose value follows it directly."""
    row = BY_NAME.get(word[:2])
    return row if row is not None and row.may_touch else None


def _next(words: Iterator[str], word: str) -> str:
    value = next(words, None)
    if value is None:
        raise UsageFault(f"'{word}' needs a value after it")
    return value


def _check(row: NvccOption, name: str, value: str) -> None:
    if row.choices and value not in row.choices:
        raise UsageFault(f"'{name}' may be {', '.join(row.choices)}: not '{value}'")
    if row.takes == "truth" and value not in ("true", "false"):
        raise UsageFault(f"'{name}' may be true or false: not '{value}'")
    if row.takes == "number" and not value.isdecimal():
        raise UsageFault(f"'{name}' takes a number: not '{value}'")


def _words_of(file: str) -> list[str]:
    try:
        return shlex.split(Path(file).read_text(encoding="utf-8", errors="surrogateescape"))
    except (OSError, ValueError) as fault:
        reason = fault.strerror.lower() if isinstance(fault, OSError) and fault.strerror else str(fault).lower()
        raise UsageFault(f"cannot read the options in '{file}': {reason}") from fault


def split_list(text: str) -> list[str]:
    """Divide `text` at commas, except at those in quotes or after a backslash; nothing but that backslash goes."""
    parts, quote = [""], ""
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\" and text[at + 1 : at + 2] == ",":
            parts[-1] += ","
            at += 2
            continue
        if char == "," and not quote:
            parts.append("")
        else:
            parts[-1] += char
        if char in "\"'" and quote in ("", char):
            quote = "" if quote else char
        at += 1
    return [part for part in parts if part]
