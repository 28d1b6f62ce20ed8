"""A smaller program that fails in the same way, by Hypothesis."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase, choices_to_bytes

from .choices import HypothesisChoices
from .launch import Parameter, Program
from .programs import program


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any], about: Collection[str]) -> Program:
    return program(HypothesisChoices(draw), about)


class _Start(ExampleDatabase):
    """Gives Hypothesis the choices to start from, as those of an earlier failure that it has not made smaller yet."""

    def __init__(self, choices: Sequence[int]) -> None:
        super().__init__()
        self.choices = choices_to_bytes(choices)

    def fetch(self, key: bytes) -> Iterable[bytes]:
        return (self.choices,) if key.endswith(b".secondary") else ()

    def save(self, key: bytes, value: bytes) -> None: ...

    def delete(self, key: bytes, value: bytes) -> None: ...


class _Fails(Exception):
    pass


class _TimeIsUp(BaseException):
    pass


def smallest(
    choices: Sequence[int], about: Collection[str], fails: Callable[[Program], bool], seconds: float
) -> Program | None:
    """Return the smallest program found for which `fails`, from that of `choices` on; None if that one does not."""
    found: list[Program] = []
    end = time.monotonic() + seconds

    @settings(
        database=_Start(choices),
        phases=[Phase.reuse, Phase.shrink],
        deadline=None,
        max_examples=10_000,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(programs(about))
    def test(candidate: Program) -> None:
        if time.monotonic() > end:
            raise _TimeIsUp
        if fails(candidate):
            found.append(candidate)
            raise _Fails

    with suppress(Exception, _TimeIsUp):  # whatever Hypothesis makes of it: what was found is what counts
        test()
    return min(found, key=lambda p: len(p.text)) if found else None


def trim(whole: Program, fails: Callable[[Program], bool], seconds: float) -> Program:
    """Return the program without the lines that it can do without: a block goes with its braces, or these alone.

    What is left may be more than the generator could have left out.
    """
    end = time.monotonic() + seconds
    lines = whole.text.splitlines()
    at = len(lines) - 1
    while at >= 0 and time.monotonic() < end:
        for leave_out in _removals(lines, at):
            fewer = [line for k, line in enumerate(lines) if k not in leave_out]
            if fails(replace(whole, text="\n".join(fewer) + "\n")):
                lines = fewer
                break
        at = min(at, len(lines)) - 1
    smaller = replace(whole, text="\n".join(lines) + "\n")
    for parameter in whole.parameters[1:]:
        without = _without(smaller, parameter)
        if time.monotonic() < end and fails(without):
            smaller = without
    return smaller


def _without(whole: Program, parameter: Parameter) -> Program:
    """Return the program without one of the kernel's parameters, but the first; its body may still name it."""
    parameters = tuple(other for other in whole.parameters if other != parameter)
    text = re.sub(rf"(void kernel\(.*), [^,]*\b{parameter.name}\b(.*\))", r"\1\2", whole.text)
    return replace(whole, text=text, parameters=parameters)


def _removals(lines: Sequence[str], at: int) -> list[set[int]]:
    """Return what can go together with line number `at`, larger parts first; a function keeps its `return x;`."""
    if not lines[at].rstrip().endswith("{"):
        return [] if lines[at].strip().startswith(("}", "return ")) else [{at}]
    indent = len(lines[at]) - len(lines[at].lstrip())
    ends = (k for k in range(at + 1, len(lines)) if lines[k].startswith(" " * indent + "}"))
    last = next(ends, at)
    return [set(range(at, last + 1)), {at, last}]
