"""The places of a program whose executions `--stats` counts, as they are found; `profile_counters` has the code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from llvmlite import ir

from ..costs import AccessKind

Kind = Literal["kernel", "statement", "branch", "loop"] | AccessKind
Time = Literal["divergent", "other"] | AccessKind

KINDS: tuple[Kind, ...] = (
    "kernel", "statement", "branch", "loop", "uniform", "consecutive", "strided", "gather", "scatter", "atomic"
)  # fmt: skip
TIMES: tuple[Time, ...] = (
    "uniform", "consecutive", "strided", "gather", "scatter", "atomic", "divergent", "other"
)  # fmt: skip


@dataclass(frozen=True)
class Site:
    """A place where gangs of so many `lanes` come. `time`: for what they take `cost_ps` there, each time.

    `counter`: the number of its counter, of which only `gangs` is raised if all lanes come (`full`).
    """

    file: str
    line: int
    column: int
    kind: Kind
    time: Time
    lanes: int
    cost_ps: int
    full: bool
    counter: int
    operations: tuple[int, ...]


@dataclass
class Sites:
    """The sites of a module, and the record of them, to which the kernels' descriptors refer."""

    record: ir.GlobalVariable
    all: list[Site] = field(default_factory=list)
    counters: int = 0

    def new_counter(self) -> int:
        self.counters += 1
        return self.counters - 1
