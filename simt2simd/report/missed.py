"""What costs more than it might: the kinds of remarks that `--remarks=missed` shows, and each kernel in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..costs import SLOW_NS, AccessKind, Form
from ..diag import Diagnostic
from ..source import Span

# The kinds, as a summary calls one of them.
Missed = Literal[
    "gather", "scatter", "strided access", "locked atomic update", "update lane by lane", "divergent branch",
    "divergent loop", "call without lockstep", "barrier with turns", "copy for each thread",
    "call lane by lane", "stack for each lane", "variable kept across barriers",
]  # fmt: skip


def of_access(form: Form) -> Missed | None:
    """Return how an access is slower than it might be, with its data in the cache."""
    match form.kind:
        case "gather" | "scatter":
            return form.kind
        case "strided" if form.cost_ns >= SLOW_NS:
            return "strided access"
        case "atomic" if "private" not in form.text:
            locked = form.text.endswith(" locked") and "not locked" not in form.text
            return "locked atomic update" if locked else "update lane by lane" if "each" in form.text else None
    return None


def of_branch(kind: str, form: Form) -> Missed | None:
    """Return how a branch is slower than it might be."""
    if not form.text.startswith("divergent"):
        return None
    return "divergent loop" if kind == "loop" else "divergent branch"


@dataclass
class Tally:
    """What was found in one kernel and what it calls. `memory`: the estimated time of its accesses, by their kinds."""

    missed: Counter[Missed] = field(default_factory=Counter)
    wide: int = 0  # gathers and scatters with 64-bit addresses
    memory: dict[AccessKind, float] = field(default_factory=dict)
    all_ns: float = 0.0

    @property
    def memory_ns(self) -> float:
        return sum(self.memory.values())


@dataclass(frozen=True)
class KernelSummary:
    """A kernel in short: how often it has what costs, and which part of its estimated memory time that takes."""

    kernel: str
    span: Span
    missed: Mapping[Missed, int]
    wide: int
    parts: Mapping[AccessKind, float]

    def diagnostic(self) -> Diagnostic:
        found = [_counted(count, what) for what, count in self.missed.items()]
        wide = f" ({self.wide} with 64-bit addresses)" if self.wide else ""
        text = ", ".join(found) + wide if found else "nothing that costs"
        shares = [f"{_PLURAL[kind]} {part:.0%}" for kind, part in self.parts.items() if part >= 0.005]
        memory = f"; of its estimated memory time: {', '.join(shares)}" if shares else ""
        return Diagnostic(self.span, f"kernel '{self.kernel}': {text}{memory}", severity="remark")


_PLURAL: Mapping[AccessKind, str] = {
    "uniform": "scalars",
    "consecutive": "vectors",
    "strided": "windows",
    "gather": "gathers",
    "scatter": "scatters",
    "atomic": "atomic updates",
}


def _counted(count: int, what: str) -> str:
    if count == 1:
        return f"1 {what}"
    head, space, rest = what.partition(" ")
    words = ("gather", "scatter", "call", "barrier", "copy", "stack", "variable")
    if head in words:
        plural = "copies" if head == "copy" else f"{head}s"
        return f"{count} {plural}{space}{rest}"
    if what == "update lane by lane":
        return f"{count} updates lane by lane"
    return f"{count} {what}{'es' if what.endswith(('ss', 'ch')) else 's'}"


def summaries(found: Iterable[tuple[str, Span, Tally]]) -> list[KernelSummary]:
    """Return the kernels in short, those with most memory time first."""
    ordered = sorted(found, key=lambda item: -item[2].all_ns)
    return [
        KernelSummary(
            name,
            span,
            dict(tally.missed.most_common()),
            tally.wide,
            {kind: ns / tally.memory_ns for kind, ns in sorted(tally.memory.items(), key=lambda item: -item[1])},
        )
        for name, span, tally in ordered
    ]
