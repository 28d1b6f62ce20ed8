"""Messages: every file of `diag/` carries what the compiler must say about it, on the line that it says it about.

// error 9-14: 'lenght' is not declared      columns 9 to 14
// error 9: ...                              column 9 alone
// error: ...                                only the line is known
// note 3-5: ...                             the other place that a message leads to
// help: ...                                 the cure, after the error that it belongs to
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from simt2simd.diag import CompileError, Diagnostic
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.options import Options
from simt2simd.source import Source, Span

DIAG = Path(__file__).parent / "diag"
FILES = sorted(path.name for path in DIAG.glob("*.cu"))

Message = tuple[int, str, str]  # line, kind and columns, text


def diagnose(source: Source) -> tuple[Diagnostic, ...]:
    with pytest.raises(CompileError) as caught:
        check(parse(preprocess(source, Options())))
    return caught.value.diagnostics


def expected(source: Source) -> list[Message]:
    found: list[Message] = []
    for number, line in enumerate(source.lines, 1):
        for comment in re.split(r" ?// (?=(?:error|note|help)\b)", line)[1:]:
            kind, _, text = comment.partition(": ")
            found.append((number, kind, text))
    return found


def columns(span: Span) -> str:
    if not span.column:
        return ""
    last = span.column + span.length - 1
    return f" {span.column}" if last == span.column else f" {span.column}-{last}"


def actual(source: Source) -> list[Message]:
    found: list[Message] = []
    for diagnostic in diagnose(source):
        span = diagnostic.span
        found.append((span.line, f"error{columns(span)}", diagnostic.message))
        if diagnostic.help:
            found.append((span.line, "help", diagnostic.help))
        found += [(note.span.line, f"note{columns(note.span)}", note.message) for note in diagnostic.all_notes]
    return found


@pytest.fixture(autouse=True)
def in_diag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages name files as the command line does."""
    monkeypatch.chdir(DIAG)


@pytest.mark.parametrize("name", FILES)
def test_messages_match_line_column_and_words(name: str) -> None:
    source = Source.read(name)
    assert sorted(set(actual(source))) == sorted(set(expected(source)))


@pytest.mark.parametrize("name", FILES)
def test_faults_come_in_source_order_and_once(name: str) -> None:
    places = [(d.span.line, d.span.column, d.message) for d in diagnose(Source.read(name))]
    assert [place[:2] for place in places] == sorted(place[:2] for place in places)
    assert len(places) == len(set(places))


def test_there_are_many_distinct_faults() -> None:
    messages = {
        re.sub(r"'[^']*'", "'...'", text)
        for name in FILES
        for _, kind, text in expected(Source.read(name))
        if kind.startswith("error")
    }
    assert len(messages) >= 100


def test_of_a_long_line_the_part_round_the_fault_is_shown() -> None:
    filler = "a[0] = 1; " * 100
    (diagnostic,) = diagnose(Source("long.cu", f"__global__ void k(int *a) {{ {filler}wrong = 1; {filler}}}"))
    header, shown, caret = str(diagnostic).split("\n")
    assert header == "long.cu:1:1029: error: 'wrong' is not declared"
    assert shown[caret.index("^") :].startswith("wrong = 1;") and caret.endswith("^~~~~")
    assert len(shown) == 100 and shown.startswith("    1 | ...") and shown.endswith("...")


@pytest.mark.parametrize("before", ["", "/* filler */ " * 5, "/* filler */ " * 50, "/* 漢字 */ " * 50, "\t" * 30])
@pytest.mark.parametrize("after", ["", " // filler", " // filler" * 50])
def test_a_window_shows_the_fault_wherever_it_is(before: str, after: str) -> None:
    line = f"{before}long_name_that_is_wrong = 1;{after}"
    (diagnostic,) = diagnose(Source("long.cu", f"__global__ void k(int *a) {{\n{line}\n}}"))
    _, shown, caret = str(diagnostic).split("\n")
    assert columns_of(shown) <= 100 and columns_of(caret) <= 100
    at = columns_of(caret[: caret.index("^")])
    assert columns_of(shown[: shown.index("long_name")]) == at and caret.endswith("^" + "~" * 22)


def columns_of(text: str) -> int:
    """Return how many columns a text takes where a tab takes eight."""
    return sum(8 if char == "\t" else 2 if ord(char) > 0x2E80 else 1 for char in text)


def test_a_terminal_has_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stderr, "fileno", lambda: 2, raising=False)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((60, 20)))
    filler = "a[0] = 1; " * 100
    (diagnostic,) = diagnose(Source("long.cu", f"__global__ void k(int *a) {{ {filler}wrong = 1; {filler}}}"))
    assert [len(line) <= 60 for line in str(diagnostic).split("\n")] == [True] * 3
    assert "wrong = 1;" in str(diagnostic)


def test_caret_marks_the_span() -> None:
    source = Source("walk.cu", "__device__ void f(int a) {}\n__global__ void k(int *p) {\n\tf(1, 2);\n}\n")
    (diagnostic,) = diagnose(source)
    assert str(diagnostic) == (
        "walk.cu:3:2: error: too many arguments to 'f': 2 given, 1 expected\n"
        "    3 | \tf(1, 2);\n"
        "      | \t^~~~~~~\n"
        "walk.cu:1:17: note: 'f' is declared here\n"
        "    1 | __device__ void f(int a) {}\n"
        "      |                 ^"
    )
