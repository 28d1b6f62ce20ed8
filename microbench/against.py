"""Tables that compare a CPU with a GPU: which one answers which question faster, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from apps import harness
from apps.machine import Machine

from .measure import Record, Taken, is_default
from .peers.report import duration
from .report import cell, panel_of
from .suite import GPU, QUESTIONS, Question

GATHER_NS = 2.45  # one gather of 16 ints from the L1 cache, on a core of a Xeon with AVX-512 (Sapphire Rapids)

Values = dict[int, float]  # what was measured, by the value of the question's `x`


@dataclass(frozen=True)
class Panel:
    """What a CPU and a GPU take for the same points; times in ns, or relative to the first point."""

    name: str
    cpu: Values
    gpu: Values
    bounds: dict[int, tuple[str, str]] = field(default_factory=dict)  # what to show of both, where one is unknown

    @property
    def ratios(self) -> Values:
        """The CPU's value divided by the GPU's: below 1 the CPU is better. There is none of what no clock shows."""
        return {x: self.cpu[x] / self.gpu[x] for x in self.cpu if x not in self.bounds}


def print_against_gpu(machine: Machine, records: Sequence[Record], others: Iterable[Taken]) -> None:
    """Print, for each question, how the default mapping on as many cores as were measured compares with a GPU.

    Quick runs are too short for that: they are mostly launches. What is relative to the first point is also shown of
    one core. The GPU is this machine's or, if `records` have none, the first that `others`, results taken before, have.
    Nothing is printed for questions without a point that both measured and got right.
    """
    source = next((taken for taken in ((machine, records), *others) if _of_gpu(taken[1])), None)
    default = [record for record in records if record.checked and is_default(machine, record.mapping)]
    if any(record.quick for record in default):
        print("\nno comparison with a GPU: --quick does too little for one")
        return
    if source is None or not default:
        return
    beside, found = source
    where = "" if beside is machine else f", measured {beside.date} beside {beside.machine}"
    print(f"\n{machine.machine} against {beside.gpu}{where}\nratio: of the CPU's time to the GPU's")
    for question in QUESTIONS:
        gpu = [record for record in _of_gpu(found) if record.bench == question.name]
        counts = {int(record.mapping["cores"]) for record in default if record.bench == question.name}
        for cores in sorted(counts):
            if cores == max(counts) or (question.relative and cores == 1):
                cpu = [r for r in default if r.bench == question.name and r.mapping["cores"] == cores]
                _print_panels(question, panels_of(question, cpu, gpu), cpu[0])


def panels_of(question: Question, cpu: Sequence[Record], gpu: Sequence[Record]) -> list[Panel]:
    """Pair the records of one CPU platform and of a GPU that have equal parameters."""
    pairs = [(ours, theirs) for ours in cpu for theirs in gpu if ours.params == theirs.params]
    panels = []
    for name in dict.fromkeys(panel_of(question, ours) for ours, _ in pairs):
        of_panel = [pair for pair in pairs if panel_of(question, pair[0]) == name]
        ours, theirs = (
            {int(record.params[question.x]): record.median for record in records}
            for records in zip(*of_panel, strict=True)
        )
        bounds = {
            int(pair[0].params[question.x]): (cell(pair[0]), cell(pair[1]))
            for pair in of_panel
            if not (pair[0].is_known and pair[1].is_known)
        }
        if question.relative:
            ours, theirs = _relative(ours), _relative(theirs)
        panels.append(Panel(name, ours, theirs, bounds))
    return panels


def where_better(ratios: Values) -> str:
    """Say at which points the GPU is better."""
    points = sorted(ratios)
    better = [x for x in points if ratios[x] > 1]
    if not better:
        return "nowhere"
    if better == points:
        return "everywhere"
    if better == points[-len(better) :]:
        return f"from {better[0]}"
    if better == points[: len(better)]:
        return f"up to {better[-1]}"
    return "at " + ", ".join(map(str, better))


def _of_gpu(records: Iterable[Record]) -> list[Record]:
    return [r for r in records if r.checked and not r.quick and r.mapping["target"] == GPU]


def _relative(values: Values) -> Values:
    return {x: value / values[min(values)] for x, value in values.items()}


def _print_panels(question: Question, panels: Sequence[Panel], example: Record) -> None:
    """Print a table of panels of one CPU platform, that of the record `example`."""
    if not panels:
        return
    platform = example.platform
    what = f"relative to {question.x} = 1" if question.relative else example.unit.removeprefix("ns ")
    print(f"\n{question.name}: {what}; {question.x_label}:\n")
    has_limit = False
    columns = sorted({x for panel in panels for x in panel.cpu})
    show = _number if question.relative else _time
    rows = []
    for panel in panels:
        cpu, gpu, ratios = panel.cpu, {x: panel.gpu[x] for x in panel.cpu}, panel.ratios
        lines = {
            platform: {x: show(value) for x, value in cpu.items()} | {x: text for x, (text, _) in panel.bounds.items()},
            "gpu": {x: show(value) for x, value in gpu.items()} | {x: text for x, (_, text) in panel.bounds.items()},
            "ratio": {x: _ratio(value) for x, value in ratios.items()},
        }
        if question.name == "memory" and panel.name == "read, all":
            has_limit = True
            limit = GATHER_NS / int(example.mapping["cores"])
            lines["of gather limit"] = {x: f"{limit / value:.0%}" for x, value in cpu.items()}
        for label, cells in lines.items():
            better = where_better(ratios) if label == "ratio" and ratios else ""
            name = panel.name if label == platform else ""
            rows.append((name, label, *(cells.get(x, "") for x in columns), better))
    header = (", ".join(question.panels), "platform", *map(str, columns), "gpu better")
    harness.print_table(header, rows, left=2)
    if has_limit:
        print(f"\ngather limit: 16 accesses in {GATHER_NS} ns on each core")


def _time(ns: float) -> str:
    return duration(ns * 1e-6)


def _number(value: float) -> str:
    return f"{value:.3g}"


def _ratio(value: float) -> str:
    if value < 0.001:
        return "<0.001x"
    return f"{value:.2g}x" if value < 100 else f"{value:.0f}x"
