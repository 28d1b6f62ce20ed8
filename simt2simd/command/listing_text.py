"""The listing of a program as text: for a terminal in colours, by `rich` where that is installed, else plain.

7 |         for (int k = row[i]; k < row[i + 1]; k++)                      a line of the program
  :   varying; loop that lanes leave one by one; 7.1 ns, 35 %; lanes on: 36 %
  :   row[i + 1]: load: gather, masked; 2.5 ns                           an access of it
  :   16 instructions: 1 gather, 2 spills                                what it became
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from ..report.annotated import ACCESS_KINDS, Function, Line, Summary
from ..report.assembly import notable
from ..report.counts import LineCounts
from ..report.masks import IN_WORDS
from .colours import in_colours

HOT, WARM = 0.2, 0.05  # parts of the time from which on lines are red, and yellow


def show(functions: Sequence[Function], *, assembly: bool) -> None:
    """Print a listing to stdout; with the whole `assembly`, or with a count of it."""
    styled = list(_all(functions, assembly))
    if not in_colours(sys.stdout) or not _show_rich(styled):
        print("\n".join(text for text, _ in styled))


def text(functions: Sequence[Function], *, assembly: bool) -> str:
    """Return a listing without colours."""
    return "\n".join(line for line, _ in _all(functions, assembly))


def _show_rich(styled: Iterable[tuple[str, str]]) -> bool:
    """Print lines in their styles; False if `rich` is not installed."""
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        return False
    console = Console(highlight=False, soft_wrap=True)
    for line, style in styled:
        console.print(Text(line, style=style))
    return True


Styled = tuple[str, str]  # a line, and the style that `rich` gives it


def _all(functions: Sequence[Function], assembly: bool) -> Iterator[Styled]:
    for number, function in enumerate(functions):
        if number:
            yield "", ""
        yield from _function(function, assembly)


def _function(function: Function, assembly: bool) -> Iterator[Styled]:
    gangs = f" ({function.gangs})" if function.gangs else ""
    place = f"{function.source.name}:{function.first}"
    yield f"{place}: {function.kind} {', '.join(function.titles)}{gangs}", "bold"
    for words in summary_words(function.summary):
        yield f"  {words}", ""
    for line in function.lines:
        yield f"{line.number:5d} | {line.text}", _style(line)
        for note in _notes(line):
            yield f"      :   {note}", "cyan"
        if assembly:
            for instruction in line.code:
                yield f"      :       {instruction.text}", "dim"


def _style(line: Line) -> str:
    return "bold red" if line.part >= HOT else "yellow" if line.part >= WARM else ""


def summary_words(summary: Summary) -> Iterator[str]:
    """Return a function in short."""
    accesses = ", ".join(f"{count} {kind}" for kind, count in summary.accesses.items() if count)
    masked = f"; {summary.masked} masked" if summary.masked else ""
    yield f"accesses: {accesses or 'none'}{masked}; {summary.instructions} instructions"
    times = sorted(summary.times.items(), key=lambda item: -item[1])
    shares = ", ".join(f"{kind} {part:.0%}" for kind, part in times if part >= 0.005)
    if shares:
        yield f"estimated time, {summary.part:.0%} of all: {shares}"


def _notes(line: Line) -> Iterator[str]:
    if head := [*_head(line)]:
        yield "; ".join(head)
    for branch in line.branches:
        yield f"{branch.kind}: {branch.text}; {branch.cost_ns:.1f} ns"
    for access in line.accesses:
        masked = ", masked" if access.masked else ""
        yield f"{access.source}: {access.verb}: {access.text}{masked}; {access.cost_ns:.1f} ns"
    if line.code:
        yield instructions_words(line)


def _head(line: Line) -> Iterator[str]:
    if line.shape:
        yield line.shape
    if line.mask is not None:
        yield IN_WORDS[line.mask]
    if line.cost_ns > 0:
        yield f"{line.cost_ns:.1f} ns, {line.part:.0%}"
    if line.counts is not None:
        yield f"{line.counts.gangs} times, lanes on: {line.counts.active:.0%}"
        yield from measured_words(line.counts)


def measured_words(counts: LineCounts) -> Iterator[str]:
    """Return how the accesses of a line went in a run, if it has any."""
    kinds = ((kind, counts.kinds.get(kind, 0)) for kind in ACCESS_KINDS)
    if counted := ", ".join(f"{kind} {count}" for kind, count in kinds if count):
        yield f"accesses: {counted}"


def instructions_words(line: Line) -> str:
    """Return how many instructions a line became, and how many notable ones."""
    count = len(line.code)
    kinds = ", ".join(f"{n} {kind}{'s' * (n > 1 and kind != 'locked')}" for kind, n in notable(line.code).most_common())
    return f"{count} instruction{'s' * (count != 1)}" + (f": {kinds}" if kinds else "")
