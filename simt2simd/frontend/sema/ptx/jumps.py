"""Labels of PTX and the jumps to them, `bra`: they become loops, and statements that are left out.

    again: ...; @p bra done; bra again; done:      ->    for (;;) { ...; if (p) break; }
    ...; @p bra past; ...; past:                   ->    if (!p) { ... }

A jump back makes a loop of what lies between; it ends behind its last jump back. Another jump leads behind the loop
around it, to its beginning, or forward past what has no label for jumps from elsewhere. Others are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ....source import Span
from ....tree.build import Build
from ....tree.nodes import Break, Continue, Expr, Loop, Stmt
from ...parse.ptx_text import Label, Line, PtxFault, Scope

Name = tuple[int, str]  # of a label: the number of its scope too


@dataclass(frozen=True, eq=False)
class Target:
    """A place that jumps lead to."""

    name: Name


@dataclass(frozen=True, eq=False)
class Jump:
    """A jump to a label, if `cond` is none or true; `place` is that of its opcode (`PtxFault`)."""

    name: Name
    cond: Expr | None
    place: tuple[str, int]


Item = Target | Jump | Stmt


def named(lines: Sequence[Line]) -> list[dict[str, Name]]:
    """Return for each line which labels can be named there: those of its scope, and of the scopes around it."""
    count, around, found = 0, [(0, dict[str, Name]())], list[list[dict[str, Name]]]()
    for line in lines:
        if line == Scope("{"):
            count += 1
            around.append((count, {}))
        elif isinstance(line, Scope) and len(around) > 1:
            around.pop()
        elif isinstance(line, Label):
            number, labels = around[-1]
            if line.name in labels:
                raise PtxFault(f"the label '{line.name}' is there twice")
            labels[line.name] = (number, line.name)
        found.append([labels for _, labels in around])
    return [{name: place for labels in each for name, place in labels.items()} for each in found]


def structured(items: Sequence[Item], span: Span) -> list[Stmt]:
    """Return statements without jumps. Raises `PtxFault`."""
    return _Structured(span).made(list(items), _Around())


@dataclass(frozen=True)
class _Around:
    """Labels around some items: behind the loop that they are in, at its start, and right behind these items."""

    behind: frozenset[Name] = frozenset()
    start: frozenset[Name] = frozenset()
    end: frozenset[Name] = frozenset()


class _Structured:
    def __init__(self, span: Span) -> None:
        self.span = span
        self.build = Build(span)

    def made(self, items: list[Item], around: _Around) -> list[Stmt]:
        statements: list[Stmt] = []
        at = 0
        while at < len(items):
            item = items[at]
            if isinstance(item, Jump):
                at = self.jump(items, at, around, statements)
                continue
            if not isinstance(item, Target):
                statements.append(item)
            elif last := max((i for i, name in _jumps(items) if name == item.name and i > at), default=0):
                statements.append(self.loop(items, at, last))
                at = last
            at += 1
        return statements

    def loop(self, items: list[Item], at: int, last: int) -> Stmt:
        """Return the loop from a label to the last jump there."""
        back, start = items[last], items[at]
        assert isinstance(back, Jump) and isinstance(start, Target)
        self.require_private(items, at + 1, last, back)
        body = self.made(items[at + 1 : last], _Around(_labels(items, last + 1), frozenset((start.name,))))
        if back.cond is not None:
            body.append(self.build.when(self.build.negate(back.cond), [Break(self.span)]))
        return Loop(self.span, (), None, (), self.build.block(*body))

    def jump(self, items: list[Item], at: int, around: _Around, made: list[Stmt]) -> int:
        """Append what a jump becomes; return the number of the item after it."""
        jump = items[at]
        assert isinstance(jump, Jump)
        target = next((i for i, item in enumerate(items) if isinstance(item, Target) and item.name == jump.name), -1)
        if jump.name in around.end:
            target = len(items)
        if target > at:
            self.require_private(items, at + 1, target, jump)
            end = _labels(items, target)
            if target + len(end) == len(items):
                end |= around.end
            passed = self.made(items[at + 1 : target], replace(around, end=end))
            if jump.cond is not None:
                made.append(self.build.when(self.build.negate(jump.cond), passed))
            return target
        if jump.name in around.behind | around.start:
            leave = Break(self.span) if jump.name in around.behind else Continue(self.span)
            if jump.cond is not None:
                made.append(self.build.when(jump.cond, [leave]))
                return at + 1
            made.append(leave)
            return next((i for i in range(at + 1, len(items)) if isinstance(items[i], Target)), len(items))
        raise self.refused(jump)

    def require_private(self, items: list[Item], first: int, end: int, jump: Jump) -> None:
        """Refuse jumps from elsewhere to labels between two items."""
        inside = {item.name for item in items[first:end] if isinstance(item, Target)}
        if any(name in inside for i, name in _jumps(items) if not first <= i < end):
            raise self.refused(jump)

    def refused(self, jump: Jump) -> PtxFault:
        fault = PtxFault(
            f"the PTX jump to '{jump.name[1]}' is not supported",
            "jumps work that make loops, or lead forward past instructions that no other jump leads into",
        )
        fault.place = jump.place
        return fault


def _labels(items: Sequence[Item], first: int) -> frozenset[Name]:
    """Return the labels that are at one place."""
    there = takewhile(lambda item: isinstance(item, Target), items[first:])
    return frozenset(item.name for item in there if isinstance(item, Target))


def _jumps(items: Sequence[Item]) -> Iterator[tuple[int, Name]]:
    for i, item in enumerate(items):
        if isinstance(item, Jump):
            yield i, item.name
